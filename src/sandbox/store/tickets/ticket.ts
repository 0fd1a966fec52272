/** Reads and writes tickets and their logs. */
import type { Database } from '../../../storage/sqlite.ts';
import { groupBy, insertRow, ONE_OF, updateRow } from '../statements.ts';

export type TicketType = 'REFUND' | 'CANCEL' | 'TECH_SUPPORT';
export type TicketStatus = 'OPEN' | 'REOPENED' | 'CLOSED';
export type RefundType = 'FULL' | 'PARTIAL_PERCENT' | 'PARTIAL_AMOUNT';

/** The mutable state of a ticket. Instants are seconds, amounts are cents of the customer's currency. */
export interface TicketState {
  readonly type: TicketType;
  readonly status: TicketStatus;
  readonly updated: number;
  readonly closed: number | null;
  readonly settles: number | null;
  readonly refundType: RefundType | null;
  readonly refundCents: number | null;
  readonly refundState: 'PENDING' | 'DONE' | null;
}

export interface NewTicket extends TicketState {
  readonly txnId: number;
  readonly purchaseId: number;
  /** Null for a whole cart. */
  readonly lineItemId: number | null;
  readonly receipt: string;
  readonly vendor: string;
  readonly reason: string;
  readonly source: string | null;
  readonly opened: number;
  readonly retainSubscription: number;
}

/** A ticket with customer data from its purchase. */
export interface Ticket extends NewTicket {
  readonly id: number;
  readonly firstName: string | null;
  readonly lastName: string | null;
  readonly email: string | null;
  readonly language: string | null;
  readonly country: string | null;
  readonly itemNo: string | null;
}

export const TICKET = `SELECT k.id, k.txn_id txnId, k.purchase_id purchaseId,
  k.line_item_id lineItemId, k.receipt, k.vendor, k.type, k.status, k.reason, k.source, k.opened,
  k.updated, k.closed, k.settles, k.refund_type refundType, k.refund_cents refundCents,
  k.refund_state refundState, k.retain_subscription retainSubscription, p.first_name firstName,
  p.last_name lastName, p.email, p.language, p.country, l.item_no itemNo
  FROM ticket k JOIN purchase p ON p.id = k.purchase_id
  LEFT JOIN line_item l ON l.id = k.line_item_id`;

export function findTicket(db: Database, id: number): Ticket | undefined {
  return db.first<Ticket>(`${TICKET} WHERE k.id = ?`, [id]);
}

/** The first ticket to close automatically by `now`. */
export function findSettling(db: Database, now: number): Ticket | undefined {
  return db.first<Ticket>(`${TICKET} WHERE k.settles <= ? ORDER BY k.settles, k.id LIMIT 1`, [now]);
}

/** The ticket with a pending refund of this payment. */
export function findPending(db: Database, txnId: number): { id: number } | undefined {
  return db.first(`SELECT id FROM ticket WHERE txn_id = ? AND refund_state = 'PENDING'`, [txnId]);
}

export function mayRefundInPart(db: Database, vendor: string): boolean {
  return db.first('SELECT 1 FROM partial_refund_vendor WHERE vendor = ?', [vendor]) !== undefined;
}

export function updateTicket(db: Database, { id }: Ticket, change: Partial<TicketState>): void {
  updateRow(db, ['ticket', 'id', id], change);
}

export interface Comment {
  readonly id: number;
  readonly ticketId: number;
  readonly time: number;
  readonly action: string;
  readonly role: string;
  readonly comment: string | null;
}

export function addComment(db: Database, entry: Omit<Comment, 'id'>): void {
  insertRow(db, 'ticket_comment', { ...entry });
}

/** The logs of these tickets, oldest entry first, by ticket. */
export function findComments(
  db: Database,
  ticketIds: readonly number[],
): ReadonlyMap<number, readonly Comment[]> {
  const all = db.all<Comment>(
    `SELECT id, ticket_id ticketId, time, action, role, comment FROM ticket_comment
     WHERE ticket_id ${ONE_OF} ORDER BY time, id`,
    [JSON.stringify(ticketIds)],
  );
  return groupBy(all, ({ ticketId }) => ticketId);
}
