/** What went back of a payment, and sending back more of it. */
import type { Database } from './driver.ts';
import type { Transaction } from './transaction.ts';

/** Cents of the customer's currency; what the accounts get of it is in dollars. */
export type Amounts = Pick<
  Transaction,
  'totalCents' | 'shippingCents' | 'taxCents' | 'vendorCents' | 'affiliateCents'
>;

/** The sum of what was sent back so far: of the payment, or of one line of it. Never positive. */
export function sumReversals(db: Database, txnId: number, lineItemId: number | null): Amounts {
  const row = db.first<Amounts>(
    `SELECT coalesce(sum(total_cents), 0) totalCents, coalesce(sum(shipping_cents), 0) shippingCents,
       coalesce(sum(tax_cents), 0) taxCents, coalesce(sum(vendor_cents), 0) vendorCents,
       coalesce(sum(affiliate_cents), 0) affiliateCents
     FROM txn WHERE reverses = ? AND (?2 IS NULL OR line_item_id = ?2)`,
    [txnId, lineItemId],
  );
  if (!row) throw new Error('an aggregate without a row');
  return row;
}

/**
 * Adds a refund of `amounts` under the receipt of the payment. The payment counts as reversed once
 * nothing of it is left.
 */
export function addTicketRefund(
  db: Database,
  payment: Transaction,
  lineItemId: number | null,
  amounts: Amounts,
  time: number,
): void {
  db.run(
    `INSERT INTO txn (purchase_id, line_item_id, receipt, type, time, total_cents, shipping_cents,
       tax_cents, vendor_cents, affiliate_cents, vendor, affiliate, reverses)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    [
      payment.purchaseId,
      lineItemId,
      payment.receipt,
      payment.type.startsWith('TEST_') ? 'TEST_RFND' : 'RFND',
      time,
      -amounts.totalCents,
      -amounts.shippingCents,
      -amounts.taxCents,
      -amounts.vendorCents,
      -amounts.affiliateCents,
      payment.vendor,
      payment.affiliate,
      payment.id,
    ],
  );
  if (payment.totalCents + sumReversals(db, payment.id, null).totalCents > 0) return;
  db.run(`UPDATE txn SET reversed = 'RFND' WHERE id = ?`, [payment.id]);
}
