/** What a notification tells about a purchase beyond its transactions. */
import type { Database } from '../../../storage/sqlite.ts';

export interface PurchaseDetails {
  readonly language: string | null;
  readonly phone: string | null;
  readonly address1: string | null;
  readonly address2: string | null;
  readonly city: string | null;
  readonly county: string | null;
  /** The purchase that this one is an upsell of, and its receipt. */
  readonly upsellOf: number | null;
  readonly upsellReceipt: string | null;
}

export function getDetails(db: Database, purchaseId: number): PurchaseDetails {
  const details = db.first<PurchaseDetails>(
    `SELECT p.language, p.phone, p.address1, p.address2, p.city, p.county, p.upsell_of upsellOf,
       o.receipt upsellReceipt
     FROM purchase p LEFT JOIN purchase o ON o.id = p.upsell_of WHERE p.id = ?`,
    [purchaseId],
  );
  if (!details) throw new Error(`Purchase ${purchaseId} does not exist.`);
  return details;
}

/** The purchase of a line item. */
export function getPurchaseOf(db: Database, lineItemId: number): number {
  const sql = 'SELECT purchase_id id FROM line_item WHERE id = ?';
  const purchase = db.first<{ id: number }>(sql, [lineItemId]);
  if (!purchase) throw new Error(`Line item ${lineItemId} does not exist.`);
  return purchase.id;
}
