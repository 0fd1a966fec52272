/** Shared parts of the descriptions of writes. */
import type { Arguments, Operation } from '../operations/operation.ts';
import { itemsOf, type LineItem, type Order, type Reader, type Ticket } from './reads.ts';
import { gap, type Warning } from './warnings.ts';

/** A write that takes back another one. */
export interface Undo {
  readonly operation: Operation;
  readonly args: Arguments;
}

export interface Sentence {
  /** In the imperative, without final punctuation. */
  readonly action: string;
  /** Complete sentences that follow it. */
  readonly details?: readonly string[];
  /** Complete sentences that are true once it is done, if they are not the details. */
  readonly effects?: readonly string[];
  readonly undo?: Undo | undefined;
  /** The customer returns the product; the refund completes when the return is acknowledged. */
  readonly needsReturn?: boolean;
  /** What could not be read. */
  readonly gaps?: readonly Warning[];
}

export const ticketTypeNames: Readonly<Record<string, string>> = {
  REFUND: 'refund',
  CANCEL: 'cancellation',
  TECH_SUPPORT: 'technical support',
};

export const irreversible = "This can't be undone.";

/** The order affected by a write, as far as it can be read. */
export interface Subject {
  /** `"Ada Sample" (MONTHLY1, "Garden Club, monthly")`, or the receipt alone. */
  readonly name: string;
  /** " at GREENLEAF", or empty. */
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
  const about = [...(fullName ? [receipt] : []), ...titlesOf(items).map(quoted)].join(', ');
  const name = `${fullName ? quoted(fullName) : receipt}${about && ` (${about})`}`;
  return { name, at: vendor ? ` at ${vendor}` : '', order, items, gaps: [] };
}

const longestName = 60;

/** A name in quotation marks, cut if it is long: it can't pass for words of a sentence or move them off the screen. */
export function quoted(name: string): string {
  const characters = [...name.replaceAll(/\s+/g, ' ').replaceAll(/["“”„]/g, "'")];
  const isLong = characters.length > longestName;
  return `"${isLong ? `${characters.slice(0, longestName - 1).join('')}…` : characters.join('')}"`;
}

/** "29.00 USD"; empty without an amount. */
export function money(
  amount: string | null | undefined,
  currency: string | null | undefined,
): string {
  return amount ? [amount, currency].filter(Boolean).join(' ') : '';
}

/** The amount and currency, as far as they are known. */
export function knownMoney(
  amount: string | null | undefined,
  currency: string | null | undefined,
): { readonly amount?: string; readonly currency?: string } {
  return { ...(amount && { amount }), ...(currency && { currency }) };
}

/** An amount of an order; empty in another currency than US dollars, because it is disputed which one it is in. */
export function orderMoney(amount: string | null | undefined, currency: string | null | undefined) {
  return currency === 'USD' ? money(amount, currency) : '';
}

/** The day of a timestamp from the service; empty without one. */
export function dayOf(time: string | null | undefined): string {
  return (time ?? '').slice(0, 10);
}

/** The titles of items, or their SKUs if they have none. */
export function titlesOf(
  items: readonly Pick<LineItem, 'productTitle' | 'itemNo'>[] | null | undefined,
): string[] {
  return (items ?? []).flatMap(({ productTitle, itemNo }) => (productTitle ?? itemNo) || []);
}

/** The first and last name of the customer; empty if the ticket has none. */
export function customerOf({
  customerFirstName,
  customerLastName,
}: Pick<Ticket, 'customerFirstName' | 'customerLastName'>): string {
  return [customerFirstName, customerLastName].filter(Boolean).join(' ');
}
