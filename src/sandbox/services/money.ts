/** Currencies with fixed exchange rates, amounts in cents, and shares of vendor and affiliate. */

/** Units of each currency for 1,000 US dollars. */
const RATES: Readonly<Record<string, number>> = {
  USD: 1000,
  CAD: 1360,
  GBP: 790,
  AUD: 1520,
  EUR: 920,
  BRL: 5050,
  SEK: 10_400,
  PLN: 3950,
  JPY: 150_000,
  INR: 83_000,
  NZD: 1640,
  CHF: 880,
};

export const CURRENCIES: readonly string[] = Object.keys(RATES);

/** Rounds cents to the smallest unit of a currency. */
export function roundIn(currency: string, cents: number): number {
  const unit = currency === 'JPY' ? 100 : 1;
  // Halves away from zero, so that a full refund is as much as its payment; never -0.
  return Math.sign(cents) * Math.round(Math.abs(cents) / unit) * unit || 0;
}

/** Converts cents of one currency into cents of another, rounded to its smallest unit. */
export function convert(cents: number, from: string, to: string): number {
  if (from === to) return cents;
  return roundIn(to, (cents * (RATES[to] ?? 1000)) / (RATES[from] ?? 1000));
}

/** The SQL of `convert` to US dollars, without rounding to whole units of another currency. */
export function dollarsSql(cents: string, currency: string): string {
  const rates = Object.entries(RATES).map(([name, rate]) => `WHEN '${name}' THEN ${rate / 1000}`);
  return `CAST(round(${cents} * 1.0 / CASE ${currency} ${rates.join(' ')} END) AS INTEGER)`;
}

/** `-1290` is `-12.90`. */
export function moneyText(cents: number): string {
  const digits = String(Math.abs(cents)).padStart(3, '0');
  return `${cents < 0 ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`;
}

/** Cents of a decimal text; fractional if the text has more than two decimals. */
export function centsOf(text: string): number {
  return Number((Number(text) * 100).toFixed(6));
}

/**
 * In US dollar cents, regardless of the customer's currency. The platform keeps 7.5% plus one dollar; the affiliate gets
 * the commission on the rest.
 */
export function shareOf(
  product: { readonly currency: string; readonly commission: number },
  cents: number,
  affiliated: boolean,
) {
  const dollars = convert(cents, product.currency, 'USD');
  const kept = Math.max(0, dollars - Math.round(dollars * 0.075) - 100);
  const affiliateCents = affiliated ? Math.round((kept * product.commission) / 100) : 0;
  return { vendorCents: kept - affiliateCents, affiliateCents };
}

/** While fewer than one percent of the payments are charged back. */
export const CHARGEBACK_FEE = 2200;

const SHIPPING_DOLLARS = 790;

/** What the customer pays for items of this price. */
export function chargeOf(cents: number, taxCents: number, shippable: boolean, currency: string) {
  const shippingCents = shippable ? convert(SHIPPING_DOLLARS, 'USD', currency) : 0;
  return { totalCents: cents + shippingCents + taxCents, shippingCents, taxCents };
}
