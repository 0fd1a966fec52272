/** Ship notices: reading those of a payment, adding one. */
import type { Database } from '../driver.ts';
import { insertRow } from '../statements.ts';

/** A notice with the item that it is about. `shipDate` is an instant. */
export interface Notice {
  readonly shipDate: number;
  readonly carrier: string;
  readonly tracking: string | null;
  readonly comments: string | null;
  readonly shippedTo: string | null;
  readonly lineItemId: number;
  readonly itemNo: string;
}

/** In the order in which they were made. */
export function findNotices(db: Database, txnId: number): Notice[] {
  return db.all<Notice>(
    `SELECT n.ship_date shipDate, n.carrier, n.tracking, n.comments, n.shipped_to shippedTo,
       n.line_item_id lineItemId, l.item_no itemNo
     FROM ship_notice n JOIN line_item l ON l.id = n.line_item_id
     WHERE n.txn_id = ? ORDER BY n.id`,
    [txnId],
  );
}

export function addNotice(db: Database, txnId: number, notice: Omit<Notice, 'itemNo'>): void {
  insertRow(db, 'ship_notice', { ...notice, txnId });
}
