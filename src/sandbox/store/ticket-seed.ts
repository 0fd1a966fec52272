/** Fills the tables of tickets in bulk, based on the seeded transactions. */
import type { Database } from '../../storage/sqlite.ts';
import { updateRow } from './statements.ts';
import { addComment } from './ticket.ts';

const DAY = 86_400;

/** A fixed ticket on a sale of one item, whose refund is pending. Instants are seconds. */
export interface LandmarkTicket {
  readonly receipt: string;
  readonly type: string;
  readonly reason: string;
  readonly opened: number;
  readonly closed?: number;
  /** A ticket that was closed before. */
  readonly reopened?: number;
  readonly settles?: number;
  readonly comment: string;
}

const LANDMARK = `INSERT INTO ticket (id, txn_id, purchase_id, line_item_id, receipt, vendor, type,
    status, reason, opened, updated, closed, settles, refund_type, refund_cents, refund_state)
  SELECT ?1, t.id, t.purchase_id, l.id, t.receipt, t.vendor, ?2, iif(?6 IS NULL, 'OPEN', 'CLOSED'),
    ?3, ?5, coalesce(?6, ?5), ?6, ?7, iif(?2 = 'REFUND', 'FULL', NULL),
    iif(?2 = 'REFUND', t.total_cents, NULL), iif(?2 = 'REFUND', 'PENDING', NULL)
  FROM txn t JOIN line_item l ON l.purchase_id = t.purchase_id
  WHERE t.receipt = ?4 AND t.reverses IS NULL`;

export function addLandmark(db: Database, id: number, ticket: LandmarkTicket): void {
  const { receipt, type, reason, opened, closed, reopened, settles, comment } = ticket;
  const log = (time: number | undefined, action: string, role: string, text: string) => {
    if (time !== undefined) addComment(db, { ticketId: id, time, action, role, comment: text });
  };
  const closedNow = reopened === undefined ? closed : undefined;
  db.run(LANDMARK, [id, type, reason, receipt, opened, closedNow ?? null, settles ?? null]);
  log(opened, 'OPENED', 'CUSTOMER', comment);
  log(closed, 'CLOSED', 'VENDOR', 'Solved.');
  log(reopened, 'REOPENED', 'CUSTOMER', 'It still does not work.');
  if (reopened !== undefined) {
    updateRow(db, ['ticket', 'id', id], { status: 'REOPENED', updated: reopened });
  }
}

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
  const landmarks = db.all<{ id: number }>('SELECT id FROM ticket').map(({ id }) => id);
  db.run(PAST, [now]);
  db.run(OPENINGS);
  db.run(CLOSINGS, [JSON.stringify(landmarks)]);
}
