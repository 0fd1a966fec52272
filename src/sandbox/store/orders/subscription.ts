/** Writing subscriptions. A subscription is known by the line item that it was sold as. */
import type { Database } from '../driver.ts';
import { insertRow, type NewRow, updateRow } from '../statements.ts';
import type { LineItem } from './transaction.ts';

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

/** What of a subscription can change. */
interface SubscriptionChange {
  readonly status?: string;
  readonly nextPayment?: number;
  readonly anchorDay?: number;
  readonly future?: number;
  readonly canceled?: null;
  readonly ended?: null;
}

export function updateSubscription(db: Database, soldAs: number, change: SubscriptionChange): void {
  updateRow(db, ['subscription', 'line_item_id', soldAs], { ...change });
}

/** A new address; names that are not given stay. */
export function saveAddress(db: Database, purchaseId: number, address: NewRow): void {
  updateRow(db, ['purchase', 'id', purchaseId], address);
  if (address.firstName === undefined && address.lastName === undefined) return;
  db.run(
    "UPDATE purchase SET full_name = trim(concat_ws(' ', first_name, last_name)) WHERE id = ?",
    [purchaseId],
  );
}

/** Positive amounts to give back. */
interface Refund {
  readonly lineItemId: number;
  readonly time: number;
  readonly cents: number;
  readonly vendorCents: number;
  readonly affiliateCents: number;
}

/** Adds a refund of a part of a payment, under the payment's receipt; the payment still counts. */
export function addRefund(db: Database, payment: Payment, refund: Refund): void {
  insertRow(db, 'txn', {
    purchaseId: payment.purchaseId,
    lineItemId: refund.lineItemId,
    receipt: payment.receipt,
    type: payment.type.startsWith('TEST_') ? 'TEST_RFND' : 'RFND',
    time: refund.time,
    totalCents: -refund.cents,
    shippingCents: 0,
    taxCents: 0,
    vendorCents: -refund.vendorCents,
    affiliateCents: -refund.affiliateCents,
    vendor: payment.vendor,
    affiliate: payment.affiliate,
    reverses: payment.id,
  });
}

/** What the subscription becomes: its new line, and its new terms. */
interface Replacement {
  readonly line: {
    readonly productId: number;
    readonly itemNo: string;
    readonly title: string;
    readonly shippable: number;
  };
  readonly terms: {
    readonly rebillCents: number;
    readonly frequency: string;
    readonly future: number;
    readonly nextPayment: number;
    readonly anchorDay: number;
  };
  readonly carryAffiliate: boolean;
  /** When it becomes so. */
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
  const affiliate = to.carryAffiliate ? undefined : null;
  updateRow(db, ['subscription', 'line_item_id', soldAs], {
    ...to.terms,
    currentItemId,
    affiliate,
  });
}
