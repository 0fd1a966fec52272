/** Writing a product change: the refund of what is unused, and the line that takes over. */
import type { Database } from './driver.ts';
import type { Payment } from './subscription.ts';
import type { LineItem } from './transaction.ts';

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
  const type = payment.type.startsWith('TEST_') ? 'TEST_RFND' : 'RFND';
  db.run(
    `INSERT INTO txn (purchase_id, line_item_id, receipt, type, time, total_cents, shipping_cents,
       tax_cents, vendor_cents, affiliate_cents, vendor, affiliate, reverses)
     VALUES (?, ?, ?, ?, ?, ?, 0, 0, ?, ?, ?, ?, ?)`,
    [
      payment.purchaseId,
      refund.lineItemId,
      payment.receipt,
      type,
      refund.time,
      -refund.cents,
      -refund.vendorCents,
      -refund.affiliateCents,
      payment.vendor,
      payment.affiliate,
      payment.id,
    ],
  );
}

/** What the subscription becomes. */
interface Replacement {
  readonly productId: number;
  readonly itemNo: string;
  readonly title: string;
  readonly shippable: number;
  readonly rebillCents: number;
  readonly frequency: string;
  readonly future: number;
  readonly nextPayment: number;
  readonly anchorDay: number;
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
  const { lastInsertRowid } = db.run(
    `INSERT INTO line_item (purchase_id, replaces, product_id, item_no, title, recurring, shippable,
       customer_cents, vendor_cents, affiliate_cents, quantity, type)
     VALUES (?, ?, ?, ?, ?, 1, ?, 0, 0, 0, ?, ?)`,
    [
      line.purchaseId,
      soldAs,
      to.productId,
      to.itemNo,
      to.title,
      to.shippable,
      line.quantity,
      line.type,
    ],
  );
  db.run(
    `UPDATE subscription SET current_item_id = ?, rebill_cents = ?, frequency = ?, future = ?,
       next_payment = ?, anchor_day = ?, affiliate = iif(?, affiliate, NULL)
     WHERE line_item_id = ?`,
    [
      lastInsertRowid,
      to.rebillCents,
      to.frequency,
      to.future,
      to.nextPayment,
      to.anchorDay,
      to.carryAffiliate ? 1 : 0,
      soldAs,
    ],
  );
}
