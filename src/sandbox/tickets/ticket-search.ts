/** What a search for tickets may ask for (section 8 of the specification). */
import { endOf, instantOf } from '../../dates/pacific.ts';
import { daysBetween } from '../../operations/operation.ts';
import type { tickets } from '../../operations/tickets.ts';
import type { Call } from '../request/handlers.ts';
import { assertOr } from '../request/refusal.ts';
import type { Period } from '../store/statements.ts';
import type { TicketFilter } from '../store/tickets/ticket-search.ts';
import { readStatus, readType } from './ticket-words.ts';

const MAX_DAYS = 7;
const MIN_RECEIPT = 4;

type Search = Call<typeof tickets.list.params>['args'];

/** Days are Pacific and inclusive. */
function periodOf(name: string, from?: string, to?: string): Period | undefined {
  const both = `The parameters ${name}From and ${name}To`;
  assertOr((from === undefined) === (to === undefined), 400, `${both} go together.`);
  if (from === undefined || to === undefined) return undefined;
  assertOr(from <= to, 400, `The parameter ${name}To must not lie before ${name}From.`);
  const days = daysBetween(from, to) + 1;
  assertOr(days <= MAX_DAYS, 400, `${both} span ${days} days; at most ${MAX_DAYS} are allowed.`);
  return { from: instantOf(from), until: endOf(to) };
}

export function checkReceipt(receipt: string | undefined): void {
  if (receipt === undefined) return;
  assertOr(!receipt.startsWith('%'), 400, 'The parameter receipt must not start with %.');
  const length = receipt.replaceAll('%', '').length;
  assertOr(length >= MIN_RECEIPT, 400, 'The parameter receipt needs 4 characters besides %.');
}

/** 400 where a word is not known, an end is missing or a period is too long. */
export function filterOf(search: Search, accounts: readonly string[]): TicketFilter {
  const { type, status, receipt } = search;
  return {
    accounts,
    type: type === undefined ? undefined : readType(type),
    status: status === undefined ? undefined : readStatus(status),
    receipt,
    opened: periodOf('createDate', search.createDateFrom, search.createDateTo),
    updated: periodOf('updateDate', search.updateDateFrom, search.updateDateTo),
    closed: periodOf('closeDate', search.closeDateFrom, search.closeDateTo),
  };
}
