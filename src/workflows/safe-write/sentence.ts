/** Words that the sentences about writes share. */
import { itemsOf, type LineItem, type Order, type Reader } from './reads.ts';
import { gap, type Warning } from './warnings.ts';

export interface Sentence {
  /** In the imperative, without a final mark. */
  readonly action: string;
  /** Whole sentences that follow it. */
  readonly details?: readonly string[];
  /** The buyer sends the product back: the refund waits until its return is acknowledged. */
  readonly needsReturn?: boolean;
  /** What could not be looked at. */
  readonly gaps?: readonly Warning[];
}

export const irreversible = "This can't be undone.";

/** The order that a write is about, as far as it can be read. */
export interface Subject {
  /** "Ada Sample (MONTHLY1, Garden Club, monthly)", or the receipt alone. */
  readonly name: string;
  /** " at GREENLEAF", or nothing. */
  readonly at: string;
  readonly order: Order | undefined;
  readonly items: readonly LineItem[];
  readonly gaps: readonly Warning[];
}

export async function subjectOf(
  reader: Reader,
  receipt: string,
  sku?: string | number | boolean,
): Promise<Subject> {
  const looked = await reader.order(receipt);
  if (looked.state !== 'found') {
    const gaps = [gap(looked, `the order ${receipt}`)];
    return { name: receipt, at: '', order: undefined, items: [], gaps };
  }
  const order = looked.value;
  const items = itemsOf(order, typeof sku === 'string' ? sku : undefined);
  const { fullName, vendor } = order.payment;
  const titles = items.map(({ productTitle, itemNo }) => productTitle ?? itemNo);
  const about = [...(fullName ? [receipt] : []), ...titles].filter(Boolean).join(', ');
  const name = `${fullName || receipt}${about && ` (${about})`}`;
  return { name, at: vendor ? ` at ${vendor}` : '', order, items, gaps: [] };
}

/** "29.00 USD"; empty where there is no amount. */
export function money(
  amount: string | null | undefined,
  currency: string | null | undefined,
): string {
  return amount ? [amount, currency].filter(Boolean).join(' ') : '';
}

/** The day of a time that the service wrote; empty where there is none. */
export function dayOf(time: string | null | undefined): string {
  return (time ?? '').slice(0, 10);
}
