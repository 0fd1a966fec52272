/** Says where a search without a result has looked, and how to look further. */
import type { Found } from '../../workflows/find/find.ts';
import type { Query } from '../../workflows/find/query.ts';
import type { Days } from '../../workflows/period.ts';
import { shellWord } from '../grammar/say.ts';

/** Returns sentences, the first of which says what was searched. */
export function nothingFound(query: Query, days: Days, { hasNoCustomers }: Found): string[] {
  const { text, filters, receipt, ticketId } = query;
  if (filters.length === 0) {
    const what = ticketId === undefined ? `the receipt ${receipt}` : `the ticket ID ${ticketId}`;
    const also =
      ticketId !== undefined && receipt !== undefined ? ', which can also be a receipt' : '';
    return [`Nothing has ${what}${also}. Receipts and ticket IDs are found whatever their date.`];
  }
  const where = `among the orders and tickets from ${days.first} to ${days.last}`;
  const first = `Nothing matches '${text}' ${where}.`;
  if (hasNoCustomers) {
    return [
      first,
      'Your accounts sold nothing in these days. ClickBank shows customers only to the vendor of an order: as an affiliate, search for a receipt.',
    ];
  }
  const list = lists[text.toLowerCase().replace(/s$/, '')];
  if (list) return [first, `To list all of them, use cb ${list}.`];
  return [first, `To look further back, add --period last-12-months.${wider(query)}`];
}

/** For a search such as `cb find refunds`. */
const lists: Readonly<Record<string, string>> = {
  order: 'orders list',
  ticket: 'tickets list',
  sale: 'orders list --type SALE',
  rebill: 'orders list --type BILL',
  refund: 'orders list --type RFND',
  chargeback: 'orders list --type CGBK',
};

function wider(query: Query): string {
  const { text, isPattern } = query;
  if (isPattern) return '';
  const pattern = text.includes('@') ? `%${text.replace(/^.*@/, '@')}` : `${text}%`;
  const partly = ` To match part of a name or an email address, use %: cb find ${shellWord(pattern)}.`;
  return `${partly}${isFirstName(query) ? ` ${firstNameOnly}` : ''}`;
}

export const firstNameOnly = 'Orders are not found by a first name alone: add the last name.';

/** Whether the search can be for a first name, for which ClickBank has no filter. */
export function isFirstName({ text, words, filters }: Query): boolean {
  return words.length === 1 && filters.length > 0 && !text.includes('@');
}
