/** Subscriptions, identified by their original line item: their terms, due payments, and due actions of customers. */
import type { Database } from '../../storage/sqlite.ts';
import { type Stored, select } from './schema.ts';
import { getRow, insertRow, type NewRow, updateRow } from './statements.ts';
import type { LineItem } from './transaction.ts';

/** A subscription whose next payment is due. Amounts are cents of the customer's currency. */
export interface DuePayment
  extends Pick<Stored<'line_item'>, 'purchaseId' | 'shippable'>,
    Pick<Stored<'purchase'>, 'receipt' | 'vendor' | 'currency'>,
    Pick<Stored<'subscription'>, (typeof TERMS)[number]> {
  /** The original line item of the subscription, and the current one. */
  readonly soldAs: number;
  readonly lineItemId: number;
  /** The affiliate's share of a rebill, in percent. */
  readonly commission: number;
  readonly at: number;
  /** Earlier failed attempts, and when the first one was due. */
  readonly failures: number | null;
  readonly firstDue: number | null;
}

const TERMS = [
  ...(['affiliate', 'frequency', 'anchorDay', 'rebillCents', 'processed', 'future'] as const),
];

/** The first payment that is due. If its date was changed after a failure, it counts as a first attempt. */
export function getDuePayment(db: Database, now: number): DuePayment {
  return getRow<DuePayment>(
    db,
    `SELECT s.line_item_id soldAs, s.current_item_id lineItemId, l.purchase_id purchaseId,
     p.receipt, p.vendor, p.currency, l.shippable, ${select('s', 'subscription', TERMS)},
     coalesce(g.rebill_commission, g.purchase_commission) commission, s.next_payment at,
     r.failures, r.due firstDue
     FROM subscription s JOIN line_item l ON l.id = s.current_item_id
     JOIN purchase p ON p.id = l.purchase_id JOIN product g ON g.id = l.product_id
     LEFT JOIN billing_retry r ON r.line_item_id = s.line_item_id AND r.at = s.next_payment
     WHERE s.next_payment <= ? ORDER BY s.next_payment, s.line_item_id LIMIT 1`,
    [now],
  );
}

/** When the next event of each kind is due; null if there is none. */
export function findNextInstants(db: Database) {
  return getRow<Readonly<Record<'ticket' | 'event' | 'payment' | 'sale', number | null>>>(
    db,
    `SELECT (SELECT min(settles) FROM ticket WHERE settles IS NOT NULL) ticket,
       (SELECT min(at) FROM customer_event) event,
       (SELECT min(next_payment) FROM subscription WHERE next_payment IS NOT NULL) payment,
       (SELECT nullif(CAST(value AS INTEGER), 0) FROM setting WHERE name = 'nextSale') sale`,
  );
}

/** Records a payment; without a `next` one, the subscription ends at `at`. */
export function saveBilled(
  db: Database,
  soldAs: number,
  { next, at, ...counts }: { processed: number; future: number; next: number | null; at: number },
): void {
  const state =
    next === null ? { status: 'COMPLETED', ended: at } : { status: 'ACTIVE', ended: null };
  updateSubscription(db, soldAs, { ...counts, ...state, nextPayment: next });
  forgetFailures(db, soldAs);
}

/** Records a failed payment that was first due at `due` and is retried at `at`. */
export function saveRetry(
  db: Database,
  soldAs: number,
  retry: { failures: number; at: number; due: number; status: string },
): void {
  const { failures, at, due, status } = retry;
  updateSubscription(db, soldAs, { nextPayment: at, status });
  db.run(
    'INSERT OR REPLACE INTO billing_retry (line_item_id, failures, at, due) VALUES (?, ?, ?, ?)',
    [soldAs, failures, at, due],
  );
}

export function cancelSubscription(db: Database, soldAs: number, time: number): void {
  const state = { status: 'CANCELED', canceled: time, ended: time, nextPayment: null };
  updateSubscription(db, soldAs, state);
  forgetFailures(db, soldAs);
}

function forgetFailures(db: Database, soldAs: number): void {
  db.run('DELETE FROM billing_retry WHERE line_item_id = ?', [soldAs]);
}

export type CustomerEvent = Stored<'customer_event'>;

export function getFirstEvent(db: Database): CustomerEvent {
  return getRow<CustomerEvent>(
    db,
    `SELECT ${select('e', 'customer_event')} FROM customer_event e ORDER BY e.at, e.id LIMIT 1`,
  );
}

export function deleteEvent(db: Database, id: number): void {
  db.run('DELETE FROM customer_event WHERE id = ?', [id]);
}

export function updateSubscription(
  db: Database,
  soldAs: number,
  change: NewRow<'subscription'>,
): void {
  updateRow(db, ['subscription', 'line_item_id', soldAs], change);
}

/** Saves a new address; undefined names keep their values. */
export function saveAddress(db: Database, purchaseId: number, address: NewRow<'purchase'>): void {
  updateRow(db, ['purchase', 'id', purchaseId], address);
  if (address.firstName === undefined && address.lastName === undefined) return;
  db.run(
    "UPDATE purchase SET full_name = trim(concat_ws(' ', first_name, last_name)) WHERE id = ?",
    [purchaseId],
  );
}

/** The new line and terms of a subscription, valid from `now`. */
interface Replacement {
  readonly line: Pick<Stored<'line_item'>, 'productId' | 'itemNo' | 'title' | 'shippable'>;
  readonly terms: NewRow<'subscription'>;
  readonly carryAffiliate: boolean;
  readonly now: number;
}

export function replaceItem(db: Database, line: LineItem, to: Replacement): void {
  const soldAs = line.soldAs ?? line.id;
  db.run(
    `INSERT INTO former_item (sold_as, line_item_id, affiliate, until)
     SELECT line_item_id, current_item_id, affiliate, ? FROM subscription WHERE line_item_id = ?`,
    [to.now, soldAs],
  );
  const currentItemId = insertRow(db, 'line_item', {
    ...to.line,
    purchaseId: line.purchaseId,
    replaces: soldAs,
    recurring: 1,
    customerCents: 0,
    vendorCents: 0,
    affiliateCents: 0,
    quantity: line.quantity,
    type: line.type,
  });
  updateSubscription(db, soldAs, {
    ...to.terms,
    currentItemId,
    affiliate: to.carryAffiliate ? undefined : null,
  });
}
