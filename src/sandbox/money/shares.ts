/** Prices in the customer's currency, and who gets what of them. */
import { convert, roundIn } from './currency.ts';

/** US dollar cents: accounts are kept in dollars, whatever the customer paid in. */
interface Share {
  readonly vendor: number;
  readonly affiliate: number;
}

/** The platform keeps 7.5 % and a dollar; of the rest the affiliate gets the commission. */
export function shareOf(
  product: { readonly currency: string; readonly commission: number },
  cents: number,
  affiliated: boolean,
): Share {
  const dollars = convert(cents, product.currency, 'USD');
  const kept = Math.max(0, dollars - Math.round(dollars * 0.075) - 100);
  const affiliate = affiliated ? Math.round((kept * product.commission) / 100) : 0;
  return { vendor: kept - affiliate, affiliate };
}

/** What a chargeback costs the vendor, in cents of US dollars. */
export const CHARGEBACK_FEE = 1500;

const SHIPPING_DOLLARS = 790;

export function shippingOf(shippable: boolean, currency: string): number {
  return shippable ? convert(SHIPPING_DOLLARS, 'USD', currency) : 0;
}

export function taxOf(cents: number, percent: number, currency: string): number {
  return roundIn(currency, (cents * percent) / 100);
}
