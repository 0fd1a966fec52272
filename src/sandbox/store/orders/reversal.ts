/** What went back of a payment, and sending back more of it. */
import type { Database } from '../driver.ts';
import { insertRow } from '../statements.ts';
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

/** What goes back, and when; without a line it concerns every line of the payment. */
export interface Reversal {
  readonly type: 'RFND' | 'CGBK';
  readonly lineItemId: number | null;
  readonly amounts: Amounts;
  readonly time: number;
}

/** What goes back is told under the receipt of the payment, to those who were paid. */
function recipientsOf({ purchaseId, receipt, vendor, affiliate }: Transaction) {
  return { purchaseId, receipt, vendor, affiliate };
}

/**
 * Adds a refund or a chargeback under the receipt of the payment. The payment counts as reversed
 * once nothing of it is left.
 */
export function addReversal(db: Database, payment: Transaction, reversal: Reversal): void {
  const { type, lineItemId, amounts, time } = reversal;
  insertRow(db, 'txn', {
    ...recipientsOf(payment),
    type: payment.type.startsWith('TEST_') ? `TEST_${type}` : type,
    lineItemId,
    time,
    totalCents: -amounts.totalCents,
    shippingCents: -amounts.shippingCents,
    taxCents: -amounts.taxCents,
    vendorCents: -amounts.vendorCents,
    affiliateCents: -amounts.affiliateCents,
    reverses: payment.id,
  });
  if (payment.totalCents + sumReversals(db, payment.id, null).totalCents > 0) return;
  db.run('UPDATE txn SET reversed = ? WHERE id = ?', [type, payment.id]);
}

/** A fee under the receipt of a payment: cents of the customer's currency, and of US dollars. */
interface Fee {
  readonly cents: number;
  readonly dollarCents: number;
  readonly time: number;
}

export function addFee(db: Database, payment: Transaction, fee: Fee): void {
  insertRow(db, 'txn', {
    ...recipientsOf(payment),
    type: 'FEE',
    time: fee.time,
    totalCents: -fee.cents,
    shippingCents: 0,
    taxCents: 0,
    vendorCents: -fee.dollarCents,
    affiliateCents: 0,
  });
}
