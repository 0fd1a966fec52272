/** What a notification tells about a purchase beyond its transactions. */
import type { Database } from '../../storage/sqlite.ts';
import { type Stored, select } from './schema.ts';
import { getRow } from './statements.ts';

const DETAILS = [
  'language',
  'phone',
  'address1',
  'address2',
  'city',
  'county',
  'upsellOf',
] as const;

export interface PurchaseDetails extends Pick<Stored<'purchase'>, (typeof DETAILS)[number]> {
  /** The receipt of the purchase that this one is an upsell of. */
  readonly upsellReceipt: string | null;
}

export function getDetails(db: Database, purchaseId: number): PurchaseDetails {
  return getRow<PurchaseDetails>(
    db,
    `SELECT ${select('p', 'purchase', DETAILS)}, o.receipt upsellReceipt
     FROM purchase p LEFT JOIN purchase o ON o.id = p.upsell_of WHERE p.id = ?`,
    [purchaseId],
  );
}

/** The purchase of a line item. */
export function getPurchaseOf(db: Database, lineItemId: number): number {
  const sql = 'SELECT purchase_id id FROM line_item WHERE id = ?';
  return getRow<{ id: number }>(db, sql, [lineItemId]).id;
}
