/** Searches tickets with the filters of list and count. */
import type { Database } from '../../../storage/sqlite.ts';
import {
  type Condition,
  countRows,
  findPage,
  given,
  joined,
  like,
  ONE_OF,
  type Period,
  type Rows,
  within,
} from '../statements.ts';
import { TICKET, type Ticket, type TicketStatus, type TicketType } from './ticket.ts';

export interface TicketFilter {
  /** The nicknames of the caller: one of them must be the vendor. */
  readonly accounts: readonly string[];
  readonly type?: TicketType | undefined;
  readonly status?: TicketStatus | undefined;
  /** A pattern that can contain `%`; the receipt of a sale also finds the tickets of its rebills. */
  readonly receipt?: string | undefined;
  readonly opened?: Period | undefined;
  readonly updated?: Period | undefined;
  readonly closed?: Period | undefined;
}

function searchOf({ receipt, ...filter }: TicketFilter): Condition {
  return joined([
    given(`k.vendor ${ONE_OF}`, JSON.stringify(filter.accounts)),
    given('k.type = ?', filter.type),
    given('k.status = ?', filter.status),
    receipt === undefined
      ? undefined
      : joined([like('k.receipt', receipt), like('p.receipt', receipt)], 'OR'),
    within('k.opened', filter.opened),
    within('k.updated', filter.updated),
    within('k.closed', filter.closed),
  ]);
}

export function countTickets(db: Database, filter: TicketFilter): number {
  const { sql, values } = searchOf(filter);
  const tables = 'FROM ticket k JOIN purchase p ON p.id = k.purchase_id';
  return countRows(db, { sql: `${tables} WHERE ${sql}`, values });
}

/** One page, newest first. */
export function findTickets(db: Database, filter: TicketFilter, page: number): Rows<Ticket> {
  const { sql, values } = searchOf(filter);
  const ordered = `${TICKET} WHERE ${sql} ORDER BY k.opened DESC, k.id DESC`;
  return findPage(db, { sql: ordered, values }, page);
}
