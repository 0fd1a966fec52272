/** Brings the schema of a database to the version of this cb, step by step. */

import { codeOf } from '../../../storage/error-code.ts';
import { DestinationError, damagedCopy, type Sql, type SqlReader } from '../destination.ts';
import { sources as allSources } from '../tables/sources.ts';
import {
  type Cell,
  type Column,
  cellOf,
  type RowFacts,
  type ServiceRow,
  type Source,
  type Table,
} from '../tables/table.ts';
import { schemaVersion, stepTo } from './schema.ts';

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

interface FillFacts {
  readonly version: number;
  /** Personal data is left out of this copy. */
  readonly leftOut: boolean;
}

/** Rows that are read at once. */
const batch = 500;

/** Runs in a transaction. Does nothing for a source whose tables have no new columns. */
async function fillColumns(sql: Sql, source: Source, facts: FillFacts): Promise<void> {
  const isNew = ({ since }: Column) => since === facts.version;
  const grown = source.tables
    .filter(({ since }) => since < facts.version)
    .map((table) => ({ table, added: table.columns.filter(isNew) }))
    .filter(({ added }) => added.length > 0);
  if (grown.length === 0) return;
  for await (const stored of storedRows(sql, source)) {
    for (const { table, added } of grown) await fill(sql, table, added, stored, facts);
  }
}

interface StoredRow extends Omit<RowFacts, 'item' | 'position'> {
  readonly account: string;
}

/** The rows of the first table in the order of its key. */
async function* storedRows(
  sql: Sql,
  { identity, tables: [main] }: Source,
): AsyncGenerator<StoredRow> {
  const key = ['account', ...main.key];
  const keys = key.map((name, i) => `CAST(${name} AS text) AS key_${i}`).join(', ');
  const texts = `CAST(${identity} AS text) AS id, CAST(${main.day ?? "''"} AS text) AS day, CAST(raw AS text) AS raw`;
  const after = `(${key.join(', ')}) > (${key.map(() => '?').join(', ')})`;
  let last: readonly Cell[] = [];
  for (;;) {
    const where = last.length > 0 ? ` WHERE ${after}` : '';
    const rows = await sql.query<Readonly<Record<string, string>>>(
      `SELECT ${keys}, ${texts} FROM ${main.name}${where} ORDER BY ${key.join(', ')} LIMIT ${batch}`,
      last,
    );
    for (const { id = '', day = '', raw = '', key_0: account = '' } of rows) {
      yield { account, id, day, row: JSON.parse(raw) };
    }
    const end = rows.at(-1);
    if (!end || rows.length < batch) return;
    last = key.map((_, i) => end[`key_${i}`] ?? null);
  }
}

async function fill(
  sql: Sql,
  table: Table,
  added: readonly Column[],
  { account, ...stored }: StoredRow,
  { leftOut }: FillFacts,
): Promise<void> {
  const sets = added.map(({ name }) => `${name} = ?`).join(', ');
  const where = ['account', ...table.key].map((name) => `${name} = ?`).join(' AND ');
  const keys = table.key.map((name) => table.columns.find((column) => column.name === name));
  const items: readonly ServiceRow[] = table.items ? table.items(stored.row) : [stored.row];
  for (const [i, item] of items.entries()) {
    const facts: RowFacts = { ...stored, item, position: i + 1 };
    const values = added.map((column) =>
      leftOut && column.personal ? null : cellOf(column.from(facts), column.type),
    );
    const key = keys.map((column) => (column ? cellOf(column.from(facts), column.type) : null));
    await sql.query(`UPDATE ${table.name} SET ${sets} WHERE ${where}`, [
      ...values,
      account,
      ...key,
    ]);
  }
}

/**
 * Makes a view empty, with the columns that it has. It then reads no table, and keeps its grants and the views that
 * read it. Does nothing if there is no such view.
 */
export async function emptyView(sql: Sql, name: string): Promise<void> {
  const columns = await sql.query<{ name: string; type: string }>(
    `SELECT quote_ident(attname) AS name, format_type(atttypid, atttypmod) AS type
    FROM pg_attribute JOIN pg_class ON pg_class.oid = attrelid
    WHERE relname = ? AND relkind = 'v' AND relnamespace = current_schema()::regnamespace
    ORDER BY attnum`,
    [name],
  );
  if (columns.length === 0) return;
  const nulls = columns.map((column) => `NULL::${column.type} AS ${column.name}`);
  await sql.query(`CREATE OR REPLACE VIEW ${name} AS SELECT ${nulls.join(', ')} WHERE false`);
}

/** Throws a DestinationError that names what a user made and what stops a change; `what` is what changes. */
export async function withDependents(
  sql: Sql,
  what: string,
  change: () => Promise<unknown>,
): Promise<void> {
  try {
    await change();
  } catch (error) {
    if (!stopped.includes(codeOf(error) ?? '')) throw error;
    const [reason = ''] = String((error as { readonly detail?: unknown }).detail).split('\n');
    throw new DestinationError(
      'unsuitable',
      `Cannot change the columns of ${what} in ${sql.label}: ${reason.replace(/^rule _RETURN on /, '')}.`,
      {
        hint: 'Drop what depends on it, run the command again, and create it again.',
        cause: error,
      },
    );
  }
}

/** Something depends on what is dropped, or on a column whose type changes. */
const stopped = ['2BP01', '0A000'];
