/** Brings the schema of a database to the version of this cb, step by step. */
import { DestinationError, damagedCopy } from '../destination.ts';
import type { Source } from '../tables/source.ts';
import { sources as allSources } from '../tables/sources.ts';
import { emptyView, withDependents } from './dependents.ts';
import { fillColumns } from './fill-columns.ts';
import { schemaVersion, stepTo } from './schema.ts';
import type { Sql, SqlReader } from './sql.ts';

/** Returns undefined for a database without a copy. Throws a DestinationError for a version that cb never wrote. */
export async function versionOf(sql: SqlReader): Promise<number | undefined> {
  if (!(await hasTable(sql, 'sync_meta'))) return undefined;
  const [row] = await sql.query<{ value: string }>(
    "SELECT value FROM sync_meta WHERE name = 'schema_version'",
  );
  if (!row) return undefined;
  const version = Number(row.value);
  if (Number.isInteger(version) && version > 0) return version;
  throw damagedCopy(sql.label, `its version is '${row.value}'`);
}

async function hasTable(sql: SqlReader, name: string): Promise<boolean> {
  const text =
    sql.dialect === 'sqlite'
      ? "SELECT 1 AS found FROM sqlite_master WHERE type = 'table' AND name = ?"
      : 'SELECT 1 AS found FROM information_schema.tables WHERE table_schema = current_schema() AND table_name = ?';
  return (await sql.query(text, [name])).length > 0;
}

/**
 * Throws a DestinationError of kind `unsuitable` for a schema of a newer cb. Each step is one transaction, so a
 * sync that is stopped in the middle leaves a version that exists. New columns are filled from the rows as received.
 * `last` belongs to the last step.
 */
export async function migrate(
  sql: Sql,
  target = schemaVersion,
  sources: readonly Source[] = allSources,
  last: () => Promise<void> = async () => undefined,
): Promise<void> {
  const found = (await versionOf(sql)) ?? 0;
  if (found > target) {
    throw new DestinationError('unsuitable', `${sql.label} was written by a newer version of cb.`, {
      hint: 'Update cb.',
    });
  }
  for (let version = found + 1; version <= target; version++) {
    await sql.transaction(async () => {
      const tables = sources.flatMap((source) => source.tables);
      if (sql.dialect === 'postgres') await emptyViews(sql);
      for (const statement of stepTo(version, sql.dialect, tables)) {
        const [, table = ''] = /^ALTER TABLE (\S+)/.exec(statement) ?? [];
        await withDependents(sql, `the table ${table}`, () => sql.query(statement));
      }
      const leftOut = (await metaOf(sql, 'personal_data')) === 'left out';
      for (const source of sources) await fillColumns(sql, source, { version, leftOut });
      await setMeta(sql, 'schema_version', String(version));
      if (version === target) await last();
    });
  }
}

/** PostgreSQL changes no type of a column that a view reads. `last` creates the views anew. */
async function emptyViews(sql: Sql): Promise<void> {
  if (!(await hasTable(sql, 'sync_meta'))) return;
  const stored = await metaOf(sql, 'views');
  if (stored === undefined) return;
  for (const name of Object.keys(JSON.parse(stored).views)) await emptyView(sql, name);
}

export async function metaOf(sql: SqlReader, name: string): Promise<string | undefined> {
  const [row] = await sql.query<{ value: string }>('SELECT value FROM sync_meta WHERE name = ?', [
    name,
  ]);
  return row?.value;
}

export async function setMeta(sql: Sql, name: string, value: string): Promise<void> {
  await sql.query('DELETE FROM sync_meta WHERE name = ?', [name]);
  await sql.query('INSERT INTO sync_meta (name, value) VALUES (?, ?)', [name, value]);
}
