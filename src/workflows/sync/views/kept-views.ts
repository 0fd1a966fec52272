/**
 * The rows of views that depend on the whole history take a second or two over a million orders. A sync stores them
 * when it ends. As soon as the copy changes, they no longer count, and the view computes its rows itself.
 */
import { setMeta } from '../database/migrate.ts';
import type { Sql } from '../database/sql.ts';
import { type CopyView, type DialectWords, keptFact } from './view.ts';

export function keptTable({ name }: CopyView): string {
  return `sync_kept_${name}`;
}

/** The stored rows, or else those that the view computes; it has none while there are stored ones. */
export function selectOf(view: CopyView, sql: DialectWords): string {
  const select = view.select(sql);
  if (!view.isKept) return select;
  const names = view.columns.map(({ name }) => name).join(', ');
  return `SELECT ${names} FROM ${keptTable(view)}
WHERE EXISTS (SELECT 1 FROM sync_meta WHERE name = '${keptFact}')
UNION ALL
SELECT ${names} FROM (
${select}
) AS computed`;
}

/** To be called in the transaction that changes what the views read. */
export async function discardKept(sql: Sql): Promise<void> {
  await sql.query('DELETE FROM sync_meta WHERE name = ?', [keptFact]);
}

/** Stores the rows of the views that are kept, in one transaction. */
export async function keepViews(sql: Sql, views: readonly CopyView[]): Promise<void> {
  // SQLite sorts as many rows in memory as fit into its cache.
  if (sql.dialect === 'sqlite') await sql.query('PRAGMA cache_size = -4000');
  await sql.transaction(async () => {
    await discardKept(sql);
    for (const view of views) {
      await sql.query(`DELETE FROM ${keptTable(view)}`);
      await sql.query(`INSERT INTO ${keptTable(view)} SELECT * FROM ${view.name}`);
    }
    await setMeta(sql, keptFact, 'current');
  });
}
