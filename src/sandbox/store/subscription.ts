/** Writing subscriptions. A subscription is known by the line item that it was sold as. */
import type { Database } from './driver.ts';

/** The latest payment of a subscription: its sale or its last rebill. */
export interface Payment {
  readonly id: number;
  readonly purchaseId: number;
  readonly receipt: string;
  readonly type: string;
  readonly time: number;
  readonly vendor: string;
  readonly affiliate: string | null;
  readonly reversed: string | null;
  /** What was paid for this line, without shipping and tax, and how it was shared. */
  readonly cents: number;
  readonly vendorCents: number;
  readonly affiliateCents: number;
}

const LAST_PAYMENT = `SELECT t.id, t.purchase_id purchaseId, t.receipt, t.type, t.time, t.vendor,
  t.affiliate, t.reversed,
  iif(t.line_item_id IS NULL, l.customer_cents, t.total_cents - t.shipping_cents - t.tax_cents) cents,
  iif(t.line_item_id IS NULL, l.vendor_cents, t.vendor_cents) vendorCents,
  iif(t.line_item_id IS NULL, l.affiliate_cents, t.affiliate_cents) affiliateCents
  FROM line_item l JOIN txn t ON t.purchase_id = l.purchase_id
  WHERE l.id = ? AND t.reverses IS NULL AND t.type NOT LIKE '%FEE' AND (t.line_item_id IS NULL
    OR t.line_item_id IN (SELECT o.id FROM line_item o
      WHERE o.purchase_id = l.purchase_id AND coalesce(o.replaces, o.id) = l.id))
  ORDER BY t.time DESC, t.id DESC LIMIT 1`;

export function lastPayment(db: Database, soldAs: number): Payment {
  const payment = db.first<Payment>(LAST_PAYMENT, [soldAs]);
  if (!payment) throw new Error(`the subscription of line item ${soldAs} was never paid`);
  return payment;
}

export function moveNextPayment(
  db: Database,
  soldAs: number,
  nextPayment: number,
  anchorDay: number,
): void {
  db.run('UPDATE subscription SET next_payment = ?, anchor_day = ? WHERE line_item_id = ?', [
    nextPayment,
    anchorDay,
    soldAs,
  ]);
}

export function addPayments(db: Database, soldAs: number, payments: number): void {
  // 999 would mean that they never end.
  db.run('UPDATE subscription SET future = min(future + ?, 998) WHERE line_item_id = ?', [
    payments,
    soldAs,
  ]);
}

export function reinstateSubscription(db: Database, soldAs: number, nextPayment: number): void {
  db.run(
    `UPDATE subscription SET status = 'ACTIVE', canceled = NULL, ended = NULL, next_payment = ?
     WHERE line_item_id = ?`,
    [nextPayment, soldAs],
  );
}

/** A new address; names and lines that aren't given: names stay, lines are emptied. */
interface Address {
  readonly firstName?: string | undefined;
  readonly lastName?: string | undefined;
  readonly address1: string;
  readonly address2?: string | undefined;
  readonly city: string;
  readonly county?: string | undefined;
  readonly province?: string | undefined;
  readonly countryCode: string;
  readonly postalCode?: string | undefined;
}

export function saveAddress(db: Database, purchaseId: number, address: Address): void {
  const { firstName, lastName } = address;
  db.run(
    `UPDATE purchase SET address1 = ?, address2 = ?, city = ?, county = ?, state = ?,
       country = upper(?), postal_code = ?, first_name = coalesce(?, first_name),
       last_name = coalesce(?, last_name) WHERE id = ?`,
    [
      address.address1,
      address.address2 ?? null,
      address.city,
      address.county ?? null,
      address.province ?? null,
      address.countryCode,
      address.postalCode ?? null,
      firstName ?? null,
      lastName ?? null,
      purchaseId,
    ],
  );
  if (firstName === undefined && lastName === undefined) return;
  db.run(
    "UPDATE purchase SET full_name = trim(concat_ws(' ', first_name, last_name)) WHERE id = ?",
    [purchaseId],
  );
}
