/** Reads, searches, and writes tickets and their logs. */
import type { Database } from '../../storage/sqlite.ts';
import { type Stored, select } from './schema.ts';
import {
  type Condition,
  countRows,
  findPage,
  getRow,
  given,
  groupBy,
  insertRow,
  joined,
  like,
  type NewRow,
  ONE_OF,
  type Period,
  type Rows,
  updateRow,
  within,
} from './statements.ts';

export type RefundType = 'FULL' | 'PARTIAL_PERCENT' | 'PARTIAL_AMOUNT';

const PURCHASE = ['firstName', 'lastName', 'email', 'language', 'country'] as const;

/** A ticket with customer data from its purchase. Amounts are cents of the customer's currency. */
export interface Ticket
  extends Stored<'ticket'>,
    Pick<Stored<'purchase'>, (typeof PURCHASE)[number]> {
  readonly refundType: RefundType | null;
  readonly itemNo: string | null;
}

export type TicketType = Ticket['type'];

const TICKET = `SELECT ${select('k', 'ticket')}, ${select('p', 'purchase', PURCHASE)},
  l.item_no itemNo
  FROM ticket k JOIN purchase p ON p.id = k.purchase_id
  LEFT JOIN line_item l ON l.id = k.line_item_id`;

export function findTicket(db: Database, id: number): Ticket | undefined {
  return db.first<Ticket>(`${TICKET} WHERE k.id = ?`, [id]);
}

/** The first ticket to close automatically by `now`. */
export function getSettling(db: Database, now: number): Ticket {
  const sql = `${TICKET} WHERE k.settles <= ? ORDER BY k.settles, k.id LIMIT 1`;
  return getRow<Ticket>(db, sql, [now]);
}

/** The ticket with a pending refund of this payment. */
export function findPending(db: Database, txnId: number): { id: number } | undefined {
  return db.first(`SELECT id FROM ticket WHERE txn_id = ? AND refund_state = 'PENDING'`, [txnId]);
}

export function mayRefundInPart(db: Database, vendor: string): boolean {
  return db.first('SELECT 1 FROM partial_refund_vendor WHERE vendor = ?', [vendor]) !== undefined;
}

export function updateTicket(db: Database, { id }: Ticket, change: NewRow<'ticket'>): void {
  updateRow(db, ['ticket', 'id', id], change);
}

export type Comment = Stored<'ticket_comment'>;

export function addComment(db: Database, entry: Omit<Comment, 'id'>): void {
  insertRow(db, 'ticket_comment', entry);
}

/** The logs of these tickets, oldest entry first, by ticket. */
export function findComments(
  db: Database,
  ticketIds: readonly number[],
): ReadonlyMap<number, readonly Comment[]> {
  const all = db.all<Comment>(
    `SELECT ${select('c', 'ticket_comment')} FROM ticket_comment c
     WHERE c.ticket_id ${ONE_OF} ORDER BY c.time, c.id`,
    [JSON.stringify(ticketIds)],
  );
  return groupBy(all, ({ ticketId }) => ticketId);
}

export interface TicketFilter {
  /** The nicknames of the caller: one of them must be the vendor. */
  readonly accounts: readonly string[];
  readonly type?: TicketType | undefined;
  readonly status?: Ticket['status'] | undefined;
  /** A pattern that can contain `%`; the receipt of a sale also finds the tickets of its rebills. */
  readonly receipt?: string | undefined;
  readonly opened?: Period | undefined;
  readonly updated?: Period | undefined;
  readonly closed?: Period | undefined;
}

function conditionOf({ receipt, ...filter }: TicketFilter): Condition {
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
  const { sql, values } = conditionOf(filter);
  const tables = 'FROM ticket k JOIN purchase p ON p.id = k.purchase_id';
  return countRows(db, { sql: `${tables} WHERE ${sql}`, values });
}

/** One page, newest first. */
export function findTickets(db: Database, filter: TicketFilter, page: number): Rows<Ticket> {
  const { sql, values } = conditionOf(filter);
  const ordered = `${TICKET} WHERE ${sql} ORDER BY k.opened DESC, k.id DESC`;
  return findPage(db, { sql: ordered, values }, page);
}
