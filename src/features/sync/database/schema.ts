/**
 * The schema of a copy in SQL, derived from the tables. It only grows: each version adds tables, columns and indexes,
 * which `since` names. The days of the state tables are the exception: they were texts in PostgreSQL before version 3.
 */

import { codeOf } from '../../../storage/error-code.ts';
import {
  DestinationError,
  type Dialect,
  damagedCopy,
  type Sql,
  type SqlReader,
} from '../destination.ts';
import { sources as allSources, sources } from '../tables/sources.ts';
import {
  type Cell,
  type Column,
  cellOf,
  column,
  columnsOf,
  type Index,
  type RowFacts,
  type ServiceRow,
  type Source,
  type Table,
  unset,
} from '../tables/table.ts';

/** The version of the schema that this cb writes. */
export const schemaVersion = 3;

const text = (name: string, comment: string, since = 1) =>
  column(name, 'text', comment, unset, { since });
const day = (name: string, comment: string) => column(name, 'day', comment, unset);

/** The state of the sync, in the same database. */
export const stateTables: readonly (Table & { readonly key: readonly string[] })[] = [
  {
    name: 'sync_meta',
    comment: 'Facts about the copy as a whole',
    since: 1,
    key: ['name'],
    columns: [text('name', 'Name of the fact'), text('value', 'Its value')],
  },
  {
    name: 'sync_accounts',
    comment: 'The accounts in the copy',
    since: 1,
    key: ['account'],
    columns: [
      text('account', 'Name of the account in all tables: its first nickname'),
      text('nicknames', 'All nicknames that its key should read, as a JSON list'),
      day('first_day', 'The first day that is copied'),
      text('ended', 'Nicknames that its key can no longer read, with their last day, as JSON', 3),
    ],
  },
  {
    name: 'sync_days',
    comment: 'The days that are complete',
    since: 1,
    key: ['account', 'source', 'day'],
    columns: [
      text('account', 'Account'),
      text('source', 'The source, named like its first table'),
      day('day', 'Pacific day'),
      column('row_count', 'integer', 'Rows of the first table', unset),
      column('synced_at', 'timestamp', 'When the day was read', unset),
      text('nicknames', 'The nicknames it was read with, as a JSON list', 3),
    ],
  },
  {
    name: 'sync_reads',
    comment: 'When a source was last read as a whole, or for its changes',
    since: 1,
    key: ['account', 'source'],
    columns: [
      text('account', 'Account'),
      text('source', 'The source, named like its first table'),
      column('synced_at', 'timestamp', 'When it was read', unset),
      text('nicknames', 'The nicknames it was read with, as a JSON list', 3),
      text('emptied', 'Parts that are suddenly empty, with the first time, as JSON', 3),
    ],
  },
  {
    name: 'sync_runs',
    comment: 'The runs of cb sync',
    since: 1,
    key: ['run_id', 'account'],
    columns: [
      text('run_id', 'Identifies the run'),
      text('account', 'Account'),
      column('started_at', 'timestamp', 'When it started, by the clock of the service', unset),
      column('ended_at', 'timestamp', 'When it ended; null if it was killed', unset),
      text('outcome', 'complete, stopped (at a limit of requests), incomplete or failed'),
      text('message', 'Why it is not complete'),
      day('pacific_day', 'Pacific day on which it started'),
      column('requests', 'integer', 'Requests sent', unset),
      column('row_count', 'integer', 'Rows read', unset),
    ],
  },
  {
    name: 'sync_forgotten',
    comment: 'Customers that were forgotten: their personal data is left out whenever it is read',
    since: 1,
    key: ['hash'],
    columns: [
      text('hash', 'Keyed hash of an email address or a receipt; the key is in sync_meta'),
      column('forgotten_at', 'timestamp', 'When it was forgotten', unset),
    ],
  },
];

const types: Readonly<Record<Dialect, Readonly<Record<Column['type'], string>>>> = {
  sqlite: {
    ...{ text: 'TEXT', numeric: 'NUMERIC', integer: 'INTEGER', boolean: 'BOOLEAN' },
    ...{ timestamp: 'TEXT', day: 'TEXT', json: 'TEXT' },
  },
  postgres: {
    ...{ text: 'text', numeric: 'numeric', integer: 'bigint', boolean: 'boolean' },
    ...{ timestamp: 'timestamptz', day: 'date', json: 'jsonb' },
  },
};

export function typeOf({ type }: Column, dialect: Dialect): string {
  return types[dialect][type];
}

export const dataTables: readonly Table[] = sources.flatMap(({ tables }) => tables);

/** A table as it is created: state tables have only their own columns. */
interface Shape {
  readonly name: string;
  readonly comment: string;
  readonly columns: readonly Column[];
  readonly key: readonly string[];
  readonly indexes: readonly Index[];
  readonly since: number;
}

function shapesOf(tables: readonly Table[]): readonly Shape[] {
  return [
    ...stateTables.map((table) => ({ ...table, indexes: table.indexes ?? [] })),
    ...tables.map((table) => ({
      ...table,
      columns: columnsOf(table),
      key: ['account', ...table.key],
      indexes: table.indexes ?? [],
    })),
  ];
}

/** The names of all tables of a copy. */
export const tableNames: readonly string[] = shapesOf(dataTables).map(({ name }) => name);

/** Before the third version, an account was read with all of its nicknames. */
const nicknamesOfAccounts = ['sync_days', 'sync_reads'].map(
  (name) =>
    `UPDATE ${name} SET nicknames = (SELECT nicknames FROM sync_accounts WHERE sync_accounts.account = ${name}.account)`,
);

/** The statements that bring a database from the version before to `version`; `tables` are those with data. */
function stepTo(
  version: number,
  dialect: Dialect,
  tables: readonly Table[] = dataTables,
): readonly string[] {
  const steps = shapesOf(tables).flatMap((shape) => [
    ...(version === 3 && dialect === 'postgres' ? daysOfTexts(shape) : []),
    ...(shape.since === version
      ? created(shape, version, dialect)
      : added(shape, version, dialect)),
    ...shape.indexes
      .filter(({ since }) => since === version)
      .map(({ name, columns }) => `CREATE INDEX ${name} ON ${shape.name} (${columns.join(', ')})`),
  ]);
  return version === 3 ? [...steps, ...nicknamesOfAccounts] : steps;
}

/** Does nothing for days that are days. */
function daysOfTexts({ name, columns }: Shape): readonly string[] {
  if (!stateTables.some((table) => table.name === name)) return [];
  const days = columns.filter(({ type, since }) => type === 'day' && since < 3);
  return days.map(
    (day) => `ALTER TABLE ${name} ALTER COLUMN ${day.name} TYPE date USING ${day.name}::date`,
  );
}

/** SQLite has no comments on columns, but it keeps those in the text of the statement. */
function created(shape: Shape, version: number, dialect: Dialect): readonly string[] {
  const columns = shape.columns.filter(({ since }) => since <= version);
  const isKey = (column: Column) => shape.key.includes(column.name);
  const lines = columns.map((column) => {
    const required = isKey(column) ? ' NOT NULL' : '';
    const comment = dialect === 'sqlite' ? ` -- ${column.comment}` : '';
    return `  ${column.name} ${typeOf(column, dialect)}${required},${comment}`;
  });
  const about = dialect === 'sqlite' ? [`  -- ${shape.comment}`] : [];
  const create = [
    `CREATE TABLE ${shape.name} (`,
    ...about,
    ...lines,
    `  PRIMARY KEY (${shape.key.join(', ')})`,
    ')',
  ].join('\n');
  if (dialect === 'sqlite') return [create];
  return [
    create,
    `COMMENT ON TABLE ${shape.name} IS ${quoted(shape.comment)}`,
    ...columns.map((column) => commentOn(shape, column)),
  ];
}

function added(shape: Shape, version: number, dialect: Dialect): readonly string[] {
  if (shape.since > version) return [];
  const added = shape.columns.filter(({ since }) => since === version);
  return added.flatMap((column) => {
    const add = `ALTER TABLE ${shape.name} ADD COLUMN ${column.name} ${typeOf(column, dialect)}`;
    // SQLite keeps a comment of this form in the text of the table.
    return dialect === 'sqlite'
      ? [`${add} /* ${column.comment} */`]
      : [add, commentOn(shape, column)];
  });
}

function commentOn({ name }: Shape, { name: column, comment }: Column): string {
  return `COMMENT ON COLUMN ${name}.${column} IS ${quoted(comment)}`;
}

/** A text in SQL. */
export function quoted(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

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
