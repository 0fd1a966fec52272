/** Bulk inserts, and the IDs of new purchases. */
import type { Database, Value } from '../../storage/sqlite.ts';

export type Row = Readonly<Record<string, Value>>;

/** Rows per statement: inserting a million rows one by one takes 1.6 times as long. */
const CHUNK = 50;

/** Inserts rows with the same columns, in chunks or one by one, so that few statements are prepared. */
export function insertRows(db: Database, table: string, rows: readonly Row[]): void {
  const columns = Object.keys(rows[0] ?? {});
  const row = `(${columns.map(() => '?').join(', ')})`;
  const insert = (chunk: readonly Row[]) =>
    db.run(
      `INSERT INTO ${table} (${columns.join(', ')}) VALUES ${chunk.map(() => row).join(', ')}`,
      chunk.flatMap((values) => columns.map((column) => values[column] ?? null)),
    );
  const whole = rows.length - (rows.length % CHUNK);
  for (let i = 0; i < whole; i += CHUNK) insert(rows.slice(i, i + CHUNK));
  for (const single of rows.slice(whole)) insert([single]);
}

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

/** The number of purchases that are neither upsells nor among these receipts. */
export function countSales(db: Database, without: Iterable<string>): number {
  const row = db.first<{ sales: number }>(
    `SELECT count(*) sales FROM purchase WHERE upsell_of IS NULL
       AND receipt NOT IN (SELECT value FROM json_each(?))`,
    [JSON.stringify([...without])],
  );
  return row?.sales ?? 0;
}
