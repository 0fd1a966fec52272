/** Lists of tickets from a copy, as the service would answer them. */
import { endOf, instantOf } from '../../../dates/pacific.ts';
import type { Arguments } from '../../../operations/operation.ts';
import { type tickets, ticketTypes } from '../../../operations/tickets.ts';
import type { SqlReader } from '../database/sql.ts';
import type { Days } from '../tables/source.ts';
import { type Condition, given, joined, like, oneOf } from './condition.ts';

export type TicketArguments = Arguments<typeof tickets.list.params>;

export function ticketFilter(copy: SqlReader, account: string, args: TicketArguments): Condition {
  const { receipt } = args;
  return joined([
    given('t.account = ?', account),
    oneOf('t.type', args.type, (type) => ticketTypes[type] ?? type),
    oneOf('t.status', args.status, (status) => status.toUpperCase()),
    receipt === undefined
      ? undefined
      : joined(
          // The receipt of a sale, which has 8 characters, also finds the tickets of its rebills.
          [like(copy, 't.receipt', receipt), like(copy, 'substr(t.receipt, 1, 8)', receipt)],
          'OR',
        ),
    within('t.updated_time', args.updateDateFrom, args.updateDateTo),
    within('t.closed_time', args.closeDateFrom, args.closeDateTo),
  ]);
}

/** Pacific days as a range of times. */
function within(column: string, first: string | undefined, last: string | undefined) {
  if (first === undefined || last === undefined) return undefined;
  return given(`${column} >= ? AND ${column} < ?`, isoOf(instantOf(first)), isoOf(endOf(last)));
}

function isoOf(instant: number): string {
  return new Date(instant * 1000).toISOString().replace('.000Z', 'Z');
}

/** The days on which the tickets were opened; undefined if the list is not limited to some. */
export function openedIn({ createDateFrom, createDateTo }: TicketArguments): Days | undefined {
  if (createDateFrom === undefined || createDateTo === undefined) return undefined;
  return { first: createDateFrom, last: createDateTo };
}

export function latestFirst(): string {
  return 't.opened_time DESC NULLS LAST, CAST(t.ticket_id AS INTEGER) DESC';
}
