/** What a search for tickets may ask for (section 8 of the specification). */

import { endOf, instantOf } from '../dates/pacific.ts';
import { daysBetween } from '../operations/operation.ts';
import { insist } from './refusal.ts';
import type { Period, TicketFilter } from './store/ticket-search.ts';
import { readStatus, readType } from './ticket-words.ts';

const MAX_DAYS = 7;
const MIN_RECEIPT = 4;

interface Criteria {
  readonly type?: string | undefined;
  readonly status?: string | undefined;
  readonly receipt?: string | undefined;
}

interface Dates {
  readonly createDateFrom?: string | undefined;
  readonly createDateTo?: string | undefined;
  readonly updateDateFrom?: string | undefined;
  readonly updateDateTo?: string | undefined;
  readonly closeDateFrom?: string | undefined;
  readonly closeDateTo?: string | undefined;
}

/** Days are Pacific and inclusive. */
function periodOf(name: string, from?: string, to?: string): Period | undefined {
  const both = `The parameters ${name}From and ${name}To`;
  insist((from === undefined) === (to === undefined), 400, `${both} go together.`);
  if (from === undefined || to === undefined) return undefined;
  insist(from <= to, 400, `The parameter ${name}To must not lie before ${name}From.`);
  const days = daysBetween(from, to) + 1;
  insist(days <= MAX_DAYS, 400, `${both} span ${days} days; at most ${MAX_DAYS} are allowed.`);
  return { from: instantOf(from), until: endOf(to) };
}

export function checkReceipt(receipt: string | undefined): void {
  if (receipt === undefined) return;
  insist(!receipt.startsWith('%'), 400, 'The parameter receipt must not start with %.');
  const length = receipt.replaceAll('%', '').length;
  insist(length >= MIN_RECEIPT, 400, 'The parameter receipt needs 4 characters besides %.');
}

/** 400 where a word is not known. */
export function filterOf(
  { type, status, receipt }: Criteria,
  accounts: readonly string[],
): TicketFilter {
  return {
    accounts,
    type: type === undefined ? undefined : readType(type),
    status: status === undefined ? undefined : readStatus(status),
    receipt,
  };
}

/** 400 where an end is missing or a period is too long. */
export function periodsOf(dates: Dates): Pick<TicketFilter, 'opened' | 'updated' | 'closed'> {
  return {
    opened: periodOf('createDate', dates.createDateFrom, dates.createDateTo),
    updated: periodOf('updateDate', dates.updateDateFrom, dates.updateDateTo),
    closed: periodOf('closeDate', dates.closeDateFrom, dates.closeDateTo),
  };
}
