/** Purchases: the IDs that the next one gets, and counting them. */
import type { Database } from '../driver.ts';

export interface NextIds {
  readonly purchase: number;
  readonly line: number;
  readonly txn: number;
}

export function getNextIds(db: Database): NextIds {
  const ids = db.first<NextIds>(
    `SELECT (SELECT coalesce(max(id), 0) + 1 FROM purchase) purchase,
       (SELECT coalesce(max(id), 0) + 1 FROM line_item) line,
       (SELECT coalesce(max(id), 0) + 1 FROM txn) txn`,
  );
  if (!ids) throw new Error('a query without a row');
  return ids;
}

/** How many purchases are neither upsells nor among these receipts. */
export function countSales(db: Database, without: Iterable<string>): number {
  const row = db.first<{ sales: number }>(
    `SELECT count(*) sales FROM purchase WHERE upsell_of IS NULL
       AND receipt NOT IN (SELECT value FROM json_each(?))`,
    [JSON.stringify([...without])],
  );
  return row?.sales ?? 0;
}
