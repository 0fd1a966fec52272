/** Adds transactions: rebills, refunds, chargebacks, and fees. */
import type { Database } from '../../../storage/sqlite.ts';
import { insertRow } from '../statements.ts';
import { type Amounts, mapAmounts, type Transaction } from './transaction.ts';

interface NewTransaction {
  readonly type: string;
  /** Null or absent if it concerns every line of the purchase. */
  readonly lineItemId?: number | null;
  readonly time: number;
  readonly amounts: Amounts;
  readonly reverses?: number;
}

type Parties = Pick<Transaction, 'purchaseId' | 'receipt' | 'vendor' | 'affiliate'>;

/** Returns the ID of the transaction, as the functions below do. */
export function insertTransaction(
  db: Database,
  { purchaseId, receipt, vendor, affiliate }: Parties,
  { amounts, ...txn }: NewTransaction,
): number {
  const cents = mapAmounts((name) => amounts[name]);
  return insertRow(db, 'txn', { purchaseId, receipt, vendor, affiliate, ...txn, ...cents });
}

/** Positive amounts to refund and the time; without a line, they concern every line of the payment. */
export interface Reversal {
  readonly type: 'RFND' | 'CGBK';
  readonly lineItemId: number | null;
  readonly amounts: Amounts;
  readonly time: number;
}

/** Adds a refund or a chargeback with the receipt of the payment, without marking the payment as reversed. */
export function insertReversal(db: Database, payment: Transaction, reversal: Reversal): number {
  const { type, amounts } = reversal;
  return insertTransaction(db, payment, {
    ...reversal,
    type: payment.type.startsWith('TEST_') ? `TEST_${type}` : type,
    amounts: mapAmounts((name) => -amounts[name]),
    reverses: payment.id,
  });
}

/** Adds a refund or a chargeback, and marks the payment as reversed if nothing remains. */
export function addReversal(db: Database, payment: Transaction, reversal: Reversal): number {
  const id = insertReversal(db, payment, reversal);
  if (payment.totalCents + sumReversals(db, payment.id, null).totalCents > 0) return id;
  db.run('UPDATE txn SET reversed = ? WHERE id = ?', [reversal.type, payment.id]);
  return id;
}

/** Returns the sum of the refunds of a payment or one of its lines, which is never positive. */
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
