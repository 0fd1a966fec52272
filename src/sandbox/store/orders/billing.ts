/** Due payments of subscriptions and due actions of customers. */
import type { Database } from '../../../storage/sqlite.ts';

/** A subscription whose next payment is due. Amounts are cents of the customer's currency. */
export interface DuePayment {
  /** The original line item of the subscription, and the current one. */
  readonly soldAs: number;
  readonly lineItemId: number;
  readonly purchaseId: number;
  /** Of the sale. */
  readonly receipt: string;
  readonly vendor: string;
  readonly affiliate: string | null;
  readonly currency: string;
  readonly shippable: number;
  /** The affiliate's share of a rebill, in percent. */
  readonly commission: number;
  readonly frequency: string;
  readonly anchorDay: number;
  readonly rebillCents: number;
  readonly processed: number;
  readonly future: number;
  readonly at: number;
  /** Earlier failed attempts, and when the first one was due. */
  readonly failures: number | null;
  readonly firstDue: number | null;
}

/** If the date was changed after a failure, the next payment counts as a first attempt. */
const DUE = `SELECT s.line_item_id soldAs, s.current_item_id lineItemId, l.purchase_id purchaseId,
  p.receipt, p.vendor, s.affiliate, p.currency, l.shippable,
  coalesce(g.rebill_commission, g.purchase_commission) commission, s.frequency,
  s.anchor_day anchorDay, s.rebill_cents rebillCents, s.processed, s.future, s.next_payment at,
  r.failures, r.due firstDue
  FROM subscription s JOIN line_item l ON l.id = s.current_item_id
  JOIN purchase p ON p.id = l.purchase_id JOIN product g ON g.id = l.product_id
  LEFT JOIN billing_retry r ON r.line_item_id = s.line_item_id AND r.at = s.next_payment
  WHERE s.next_payment <= ? ORDER BY s.next_payment, s.line_item_id LIMIT 1`;

export function findDuePayment(db: Database, now: number): DuePayment | undefined {
  return db.first<DuePayment>(DUE, [now]);
}

/** When the next event of each kind is due; null if there is none. */
export interface NextInstants {
  readonly ticket: number | null;
  readonly event: number | null;
  readonly payment: number | null;
  readonly sale: number | null;
}

const NEXT = `SELECT
  (SELECT min(settles) FROM ticket WHERE settles IS NOT NULL) ticket,
  (SELECT min(at) FROM customer_event) event,
  (SELECT min(next_payment) FROM subscription WHERE next_payment IS NOT NULL) payment,
  (SELECT nullif(CAST(value AS INTEGER), 0) FROM setting WHERE name = 'nextSale') sale`;

export function findNextInstants(db: Database): NextInstants {
  const next = db.first<NextInstants>(NEXT);
  if (!next) throw new Error('a query without a row');
  return next;
}

/** Records a payment; without a `next` one, the subscription ends at `at`. */
export function saveBilled(
  db: Database,
  soldAs: number,
  billed: { processed: number; future: number; next: number | null; at: number },
): void {
  db.run(
    `UPDATE subscription SET processed = ?1, future = ?2, next_payment = ?3,
       status = iif(?3 IS NULL, 'COMPLETED', 'ACTIVE'), ended = iif(?3 IS NULL, ?4, NULL)
     WHERE line_item_id = ?5`,
    [billed.processed, billed.future, billed.next, billed.at, soldAs],
  );
  forgetFailures(db, soldAs);
}

/** Records a failed payment that was first due at `due` and is retried at `at`. */
export function saveRetry(
  db: Database,
  soldAs: number,
  retry: { failures: number; at: number; due: number; status: string },
): void {
  db.run('UPDATE subscription SET next_payment = ?, status = ? WHERE line_item_id = ?', [
    retry.at,
    retry.status,
    soldAs,
  ]);
  db.run(
    'INSERT OR REPLACE INTO billing_retry (line_item_id, failures, at, due) VALUES (?, ?, ?, ?)',
    [soldAs, retry.failures, retry.at, retry.due],
  );
}

export function cancelSubscription(db: Database, soldAs: number, time: number): void {
  db.run(
    `UPDATE subscription SET status = 'CANCELED', canceled = ?1, ended = ?1, next_payment = NULL
     WHERE line_item_id = ?2`,
    [time, soldAs],
  );
  forgetFailures(db, soldAs);
}

function forgetFailures(db: Database, soldAs: number): void {
  db.run('DELETE FROM billing_retry WHERE line_item_id = ?', [soldAs]);
}

export interface CustomerEvent {
  readonly id: number;
  readonly at: number;
  readonly kind: 'REFUND' | 'CHARGEBACK' | 'CANCEL';
  readonly purchaseId: number;
}

export function getFirstEvent(db: Database): CustomerEvent {
  const event = db.first<CustomerEvent>(
    'SELECT id, at, kind, purchase_id purchaseId FROM customer_event ORDER BY at, id LIMIT 1',
  );
  if (!event) throw new Error('There is no customer event.');
  return event;
}

export function deleteEvent(db: Database, id: number): void {
  db.run('DELETE FROM customer_event WHERE id = ?', [id]);
}
