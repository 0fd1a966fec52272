/** The schema of a copy in SQL, derived from the tables. Later versions only add to it. */

import { type Dialect, damagedCopy, type Sql, type SqlReader } from '../destination.ts';
import { sources } from '../tables/sources.ts';
import { type Cell, type Column, column, columnsOf, type Table } from '../tables/table.ts';

const { day, integer, moment, text } = column;

/** The version of the schema that this cb writes. The first two were in no release. */
export const schemaVersion = 5;

const ofSource = [
  text('account', 'Account'),
  text('source', 'The source, named like its first table'),
];
const readWith = text('nicknames', 'The nicknames it was read with, as a JSON list');

/** The state of the sync, in the same database. */
export const stateTables: readonly Table[] = [
  {
    name: 'sync_meta',
    comment: 'Facts about the copy as a whole',
    key: ['name'],
    columns: [text('name', 'Name of the fact'), text('value', 'Its value')],
  },
  {
    name: 'sync_accounts',
    comment: 'The accounts in the copy',
    key: ['account'],
    columns: [
      text('account', 'Name of the account in all tables: its first nickname'),
      text('nicknames', 'All nicknames that its key should read, as a JSON list'),
      day('first_day', 'The first day that is copied'),
      text('ended', 'Nicknames that its key can no longer read, with their last day, as JSON'),
    ],
  },
  {
    name: 'sync_days',
    comment: 'The days that are complete',
    key: ['account', 'source', 'day'],
    columns: [
      ...ofSource,
      day('day', 'Pacific day'),
      integer('row_count', 'Rows of the first table'),
      moment('synced_at', 'When the day was read'),
      readWith,
    ],
  },
  {
    name: 'sync_reads',
    comment: 'When a source was last read as a whole, or for its changes',
    key: ['account', 'source'],
    columns: [
      ...ofSource,
      moment('synced_at', 'When it was read'),
      readWith,
      text('emptied', 'Parts that are suddenly empty, with the first time, as JSON'),
    ],
  },
  {
    name: 'sync_runs',
    comment: 'The runs of cb sync',
    key: ['run_id', 'account'],
    columns: [
      text('run_id', 'Identifies the run'),
      text('account', 'Account'),
      moment('started_at', 'When it started, by the clock of the service'),
      moment('ended_at', 'When it ended; null if it was killed'),
      text('outcome', 'complete, stopped (at a limit of requests), incomplete or failed'),
      text('message', 'Why it is not complete'),
      day('pacific_day', 'Pacific day on which it started'),
      integer('requests', 'Requests sent'),
      integer('row_count', 'Rows read'),
    ],
  },
  {
    name: 'sync_forgotten',
    comment: 'Customers that were forgotten: their personal data is left out whenever it is read',
    key: ['hash'],
    columns: [
      text('hash', 'Keyed hash of an email address or a receipt; the key is in sync_meta'),
      moment('forgotten_at', 'When it was forgotten'),
    ],
  },
];

export const typeNames: Readonly<Record<Dialect, Readonly<Record<Column['type'], string>>>> = {
  sqlite: {
    ...{ text: 'TEXT', numeric: 'NUMERIC', integer: 'INTEGER', boolean: 'BOOLEAN' },
    ...{ timestamp: 'TEXT', day: 'TEXT', json: 'TEXT' },
  },
  postgres: {
    ...{ text: 'text', numeric: 'numeric', integer: 'bigint', boolean: 'boolean' },
    ...{ timestamp: 'timestamptz', day: 'date', json: 'jsonb' },
  },
};

export const dataTables: readonly Table[] = sources.flatMap(({ tables }) => tables);

/** A table as the database has it. */
interface StoredTable extends Pick<Table, 'name' | 'comment'> {
  /** All of them. */
  readonly columns: readonly Column[];
  readonly key: readonly string[];
  readonly indexes: Readonly<Record<string, readonly string[]>>;
}

/**
 * Where the rows of a table are. A table with `raw` apart is a view of two tables: one with all other columns, which
 * comes first, and one with the key and `raw`.
 */
export function storedIn(table: Table): readonly [StoredTable, ...StoredTable[]] {
  const { name, indexes = {} } = table;
  if (stateTables.includes(table)) return [{ ...table, indexes }];
  const columns = columnsOf(table);
  const key = ['account', ...table.key];
  const whole = { ...table, columns, key, indexes };
  if (!table.rawApart) return [whole];
  const others = columns.filter((one) => one.name !== 'raw');
  const ofRaw = columns.filter((one) => one.name === 'raw' || key.includes(one.name));
  const comment = `The rows of ${name} as received`;
  return [
    { ...whole, name: `sync_${name}`, columns: others },
    { name: `sync_${name}_raw`, comment, columns: ofRaw, key, indexes: {} },
  ];
}

/** The names of all tables that hold rows. */
export const storedNames: readonly string[] = [...stateTables, ...dataTables]
  .flatMap(storedIn)
  .map(({ name }) => name);

/** The statements that create a table without its indexes. */
export function statementsFor(table: Table, dialect: Dialect): readonly string[] {
  const stored = storedIn(table);
  const [rows, raws] = stored;
  const tables = stored.flatMap((one) => tableStatements(one, dialect));
  return raws ? [...tables, ...viewStatements(table, rows, raws, dialect)] : tables;
}

/** The view of a table with `raw` apart. */
export function viewStatements(
  table: Table,
  rows: StoredTable,
  raws: StoredTable,
  dialect: Dialect,
): readonly string[] {
  const columns = columnsOf(table);
  // A subquery, because databases leave out an expression that a question does not ask for.
  const same = raws.key.map((name) => `${raws.name}.${name} = ${rows.name}.${name}`);
  const received = `(SELECT raw FROM ${raws.name} WHERE ${same.join(' AND ')}) AS raw`;
  const selected = columns.map(({ name }) => (name === 'raw' ? received : name));
  return [
    `CREATE VIEW ${table.name} AS\nSELECT ${selected.join(', ')}\nFROM ${rows.name}`,
    ...(dialect === 'sqlite' ? [] : commentsOn('VIEW', table.name, table.comment, columns)),
  ];
}

/** SQLite has no comments on columns, but it keeps those in the statement. */
export function tableStatements(table: StoredTable, dialect: Dialect): readonly string[] {
  const { name, comment, columns, key } = table;
  const isSqlite = dialect === 'sqlite';
  const lines = columns.map((column) => {
    const required = key.includes(column.name) ? ' NOT NULL' : '';
    const about = isSqlite ? ` -- ${column.comment}` : '';
    return `  ${column.name} ${typeNames[dialect][column.type]}${required},${about}`;
  });
  const about = isSqlite ? `\n  -- ${comment}` : '';
  const create = `CREATE TABLE ${name} (${about}\n${lines.join('\n')}\n  PRIMARY KEY (${key.join(', ')})\n)`;
  return isSqlite ? [create] : [create, ...commentsOn('TABLE', name, comment, columns)];
}

export function indexStatements(table: Table): readonly string[] {
  return storedIn(table).flatMap(({ name, indexes }) =>
    Object.entries(indexes).map(
      ([index, names]) => `CREATE INDEX ${index} ON ${name} (${names.join(', ')})`,
    ),
  );
}

/** For PostgreSQL. */
export function commentsOn(
  kind: 'TABLE' | 'VIEW',
  name: string,
  comment: string,
  columns: readonly Commented[],
): readonly string[] {
  return [`COMMENT ON ${kind} ${name} IS ${quoted(comment)}`, ...commentsOnColumns(name, columns)];
}

type Commented = Pick<Column, 'name' | 'comment'>;

export function commentsOnColumns(table: string, columns: readonly Commented[]): readonly string[] {
  return columns.map(
    ({ name, comment }) => `COMMENT ON COLUMN ${table}.${name} IS ${quoted(comment)}`,
  );
}

/** As a text of SQL. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

/** The columns of a table or view, even one that the role may not read; empty if it does not exist. */
export async function columnsIn(
  { dialect, query }: SqlReader,
  name: string,
): Promise<ReadonlySet<string>> {
  const text =
    dialect === 'sqlite'
      ? 'SELECT name FROM pragma_table_info(?)'
      : 'SELECT attname AS name FROM pg_attribute WHERE attrelid = to_regclass(?)';
  const found = await query<{ name: string }>(text, [name]);
  return new Set(found.map((column) => column.name));
}

/**
 * Returns undefined for a database without a copy. Throws a DestinationError for a version that this cb can't use, and
 * for one that cb never wrote.
 */
export async function versionOf(sql: SqlReader): Promise<number | undefined> {
  if ((await columnsIn(sql, 'sync_meta')).size === 0) return undefined;
  const value = await metaOf(sql, 'schema_version');
  if (value === undefined) return undefined;
  const version = Number(value);
  if (Number.isInteger(version) && version >= 3) return version;
  throw damagedCopy(sql.label, `its version is '${value}'`);
}

/** Stores a row of the state, in place of the one with the same key. */
export async function storeRow(
  sql: Sql,
  table: `sync_${string}`,
  row: Readonly<Record<string, Cell>>,
): Promise<void> {
  const names = Object.keys(row);
  const { key = [] } = stateTables.find(({ name }) => name === table) ?? {};
  await sql.query(
    `INSERT INTO ${table} (${names.join(', ')}) VALUES (${names.map(() => '?').join(', ')})
    ON CONFLICT (${key.join(', ')}) DO UPDATE SET ${names.map((name) => `${name} = excluded.${name}`).join(', ')}`,
    Object.values(row),
  );
}

export async function metaOf(sql: SqlReader, name: string): Promise<string | undefined> {
  const [row] = await sql.query<{ value: string }>('SELECT value FROM sync_meta WHERE name = ?', [
    name,
  ]);
  return row?.value;
}

export function setMeta(sql: Sql, name: string, value: string): Promise<void> {
  return storeRow(sql, 'sync_meta', { name, value });
}
