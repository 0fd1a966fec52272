/** Reads the parameters of tickets. Requests and responses use different values: rfnd in a request is REFUND in a response. */

import { endOf, instantOf } from '../../dates/pacific.ts';
import { daysBetween } from '../../operations/operation.ts';
import { tickets } from '../../operations/tickets.ts';
import type { Call } from '../request/handlers.ts';
import { assertOr } from '../request/refusal.ts';
import type { Period } from '../store/statements.ts';
import type { RefundType, TicketStatus, TicketType } from '../store/tickets/ticket.ts';
import type { TicketFilter } from '../store/tickets/ticket-search.ts';
import type { RefundRequest } from './ticket-refund.ts';

const TYPES = { rfnd: 'REFUND', cncl: 'CANCEL', tech: 'TECH_SUPPORT' } as const;
const STATUSES = { open: 'OPEN', reopened: 'REOPENED', closed: 'CLOSED' } as const;
const REFUND_TYPES = {
  FULL: 'FULL',
  PARTIAL_PERCENT: 'PARTIAL_PERCENT',
  PARTIAL_AMOUNT: 'PARTIAL_AMOUNT',
} as const;

const REASON_PREFIXES: Readonly<Record<TicketType, string>> = {
  REFUND: 'ticket.type.refund.',
  CANCEL: 'ticket.type.cancel.',
  TECH_SUPPORT: 'ticket.type.tech_support.',
};

const reasons: Readonly<Record<string, string>> = tickets.create.params.reason.values ?? {};

function translate<T>(words: Readonly<Record<string, T>>, name: string, word: string): T {
  const value = Object.hasOwn(words, word) ? words[word] : undefined;
  const known = Object.keys(words).join(', ');
  assertOr(value !== undefined, 400, `The parameter ${name} must be one of ${known}.`);
  return value;
}

/** Refuses an unknown value with 400. */
export function readType(word: string): TicketType {
  return translate(TYPES, 'type', word);
}

/** Refuses an unknown value with 400. */
function readStatus(word: string): TicketStatus {
  return translate(STATUSES, 'status', word);
}

/** Refuses an unknown reason, or one of another ticket type, with 400. */
export function readReason(type: TicketType, reason: string): string {
  const fits = Object.hasOwn(reasons, reason) && reason.startsWith(REASON_PREFIXES[type]);
  assertOr(
    fits,
    400,
    `The parameter reason must be a reason of this type, ${REASON_PREFIXES[type]}*.`,
  );
  return reason;
}

/** The meaning of a reason; an unknown reason is returned unchanged. */
export function meaningOf(reason: string): string {
  return (Object.hasOwn(reasons, reason) ? reasons[reason] : undefined) ?? reason;
}

/** Section 8: a percentage is 1 to 80 with at most two decimal digits; an amount is above 0. */
function checkAmount(type: RefundType, amount: string | undefined): void {
  if (type === 'FULL') return;
  assertOr(
    amount !== undefined,
    400,
    'The parameter refundAmount is required for a partial refund.',
  );
  const value = Number(amount);
  if (type === 'PARTIAL_AMOUNT') {
    assertOr(value > 0, 400, 'The parameter refundAmount must be above 0.');
    return;
  }
  assertOr(value >= 1 && value <= 80, 400, 'The parameter refundAmount must be 1 to 80 percent.');
  const digits = amount.split('.')[1] ?? '';
  assertOr(digits.length <= 2, 400, 'The parameter refundAmount has more than two decimal digits.');
}

/** The requested refund. Its values are the same in requests and responses. */
export function readRefund(
  refundType: string | undefined,
  amount: string | undefined,
): RefundRequest {
  assertOr(refundType !== undefined, 400, 'The parameter refundType is required for a refund.');
  const type = translate(REFUND_TYPES, 'refundType', refundType);
  checkAmount(type, amount);
  return { type, amount };
}

const MAX_DAYS = 7;
const MIN_RECEIPT = 4;

type Search = Call<typeof tickets.list.params>['args'];

/** Days are Pacific and inclusive. */
function periodOf(name: string, from?: string, to?: string): Period | undefined {
  const both = `The parameters ${name}From and ${name}To`;
  assertOr((from === undefined) === (to === undefined), 400, `${both} go together.`);
  if (from === undefined || to === undefined) return undefined;
  assertOr(from <= to, 400, `The parameter ${name}To must not be before ${name}From.`);
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

/** Refuses an unknown value, a missing end of a period, and a period that is too long with 400. */
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
