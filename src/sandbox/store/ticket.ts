/** Reads and writes tickets and their logs, and seeds those of the seeded transactions. */
import type { Database } from '../../storage/sqlite.ts';
import { type Stored, select } from './schema.ts';

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

export const TICKET = `SELECT ${select('k', 'ticket')}, ${select('p', 'purchase', PURCHASE)},
  l.item_no itemNo
  FROM ticket k JOIN purchase p ON p.id = k.purchase_id
  LEFT JOIN line_item l ON l.id = k.line_item_id`;

export function findTicket(db: Database, id: number): Ticket | undefined {
  return db.first<Ticket>(`${TICKET} WHERE k.id = ?`, [id]);
}

export function findPending(db: Database, txnId: number): { id: number } | undefined {
  return db.first(`SELECT id FROM ticket WHERE txn_id = ? AND refund_state = 'PENDING'`, [txnId]);
}

const DAY = 86_400;

/** The only line of a purchase; null for a cart. */
const SINGLE_LINES = `single AS MATERIALIZED (
  SELECT purchase_id, min(id) line FROM line_item GROUP BY purchase_id HAVING count(*) = 1)`;

/** Every refund has a ticket, opened a day earlier or with the sale. */
const REFUNDS = `SELECT b.id * 4 ord, p.id txn, p.purchase_id purchase,
    coalesce(b.line_item_id, s.line) line, p.receipt, p.vendor, 'REFUND' type,
    'ticket.type.refund.' || (1 + b.id % 8) reason, max(p.time, b.time - ${DAY}) opened,
    b.time closed, NULL settles, iif(-b.total_cents < p.total_cents, 'PARTIAL_PERCENT', 'FULL') refundType,
    -b.total_cents refundCents, 'DONE' refundState
  FROM txn b JOIN txn p ON p.id = b.reverses LEFT JOIN single s ON s.purchase_id = p.purchase_id
  WHERE b.type IN ('RFND', 'TEST_RFND')`;

/** Four of five canceled subscriptions, except those canceled by a refund or a chargeback. */
const CANCELLATIONS = `SELECT t.id * 4 + 1, t.id, t.purchase_id, l.id, t.receipt, t.vendor, 'CANCEL',
    'ticket.type.cancel.' || (1 + l.id % 7), u.canceled,
    iif(u.canceled + ${DAY} <= ?1, u.canceled + ${DAY}, NULL),
    iif(u.canceled + ${DAY} <= ?1, NULL, u.canceled + ${DAY}), NULL, NULL, NULL
  FROM subscription u JOIN line_item l ON l.id = u.line_item_id
  JOIN txn t ON t.purchase_id = l.purchase_id
  WHERE u.canceled IS NOT NULL AND l.id % 5 > 0 AND t.type IN ('SALE', 'TEST_SALE')
    AND l.purchase_id NOT IN (SELECT purchase_id FROM txn WHERE reverses IS NOT NULL)`;

/** A share of the sales has a support ticket; recent ones are open. */
const TECH_SHARE = 41;
const TECH_OPEN = 5 * DAY;
const HELP = `SELECT t.id * 4 + 2, t.id, t.purchase_id, s.line, t.receipt, t.vendor, 'TECH_SUPPORT',
    'ticket.type.tech_support.' || (1 + t.id % 4), t.time + 3600 * (1 + t.id % 40),
    iif(t.time + 3600 * (1 + t.id % 40) < ?1 - ${TECH_OPEN},
      t.time + 3600 * (1 + t.id % 40) + ${TECH_OPEN} - t.id % ${DAY}, NULL), NULL, NULL, NULL, NULL
  FROM txn t LEFT JOIN single s ON s.purchase_id = t.purchase_id
  WHERE t.id % ${TECH_SHARE} = 0 AND t.type = 'SALE' AND t.time + 3600 * (1 + t.id % 40) <= ?1`;

/** Older tickets have lower IDs. */
const PAST = `INSERT INTO ticket (id, txn_id, purchase_id, line_item_id, receipt, vendor, type,
    status, reason, opened, updated, closed, settles, refund_type, refund_cents, refund_state)
  WITH ${SINGLE_LINES}, past AS (${REFUNDS} UNION ALL ${CANCELLATIONS} UNION ALL ${HELP})
  SELECT (SELECT max(id) FROM ticket) + row_number() OVER (ORDER BY opened, ord), txn, purchase,
    line, receipt, vendor, type, iif(closed IS NULL, 'OPEN', 'CLOSED'), reason, opened,
    coalesce(closed, opened), closed, settles, refundType, refundCents, refundState
  FROM past ORDER BY opened, ord`;

/** Some customers add a comment. */
const OPENINGS = `INSERT INTO ticket_comment (ticket_id, time, action, role, comment)
  SELECT k.id, k.opened, 'OPENED', 'CUSTOMER',
    CASE k.id % 3 WHEN 0 THEN NULL WHEN 1 THEN 'Please help.' ELSE 'Thank you, "and" <goodbye>!' END
  FROM ticket k LEFT JOIN ticket_comment c ON c.ticket_id = k.id WHERE c.id IS NULL ORDER BY k.id`;

const CLOSINGS = `INSERT INTO ticket_comment (ticket_id, time, action, role, comment)
  SELECT k.id, k.closed, 'CLOSED', iif(k.type = 'TECH_SUPPORT', 'VENDOR', 'CBSYSTEM'),
    CASE k.type WHEN 'REFUND' THEN 'Refund processed' WHEN 'CANCEL' THEN 'Cancellation processed' END
  FROM ticket k WHERE k.closed IS NOT NULL AND NOT EXISTS (
    SELECT 1 FROM json_each(?) j WHERE j.value = k.id) ORDER BY k.id`;

/**
 * Adds a ticket for every refund, most cancellations, and a share of the sales (support),
 * none of them opened after `now`.
 */
export function addPastTickets(db: Database, now: number): void {
  const fixed = db.all<{ id: number }>('SELECT id FROM ticket').map(({ id }) => id);
  db.run(PAST, [now]);
  db.run(OPENINGS);
  db.run(CLOSINGS, [JSON.stringify(fixed)]);
}
