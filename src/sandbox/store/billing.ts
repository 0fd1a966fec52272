/** Changes of subscriptions, identified by their original line item. */
import type { Database } from '../../storage/sqlite.ts';
import { type NewRow, updateRow } from './statements.ts';

export function updateSubscription(
  db: Database,
  soldAs: number,
  change: NewRow<'subscription'>,
): void {
  updateRow(db, ['subscription', 'line_item_id', soldAs], change);
}

export function forgetFailures(db: Database, soldAs: number): void {
  db.run('DELETE FROM billing_retry WHERE line_item_id = ?', [soldAs]);
}
