/**
 * The schema of a copy in SQL, derived from the tables. It only grows: each version adds tables, columns and indexes,
 * which `since` names. The days of the state tables are the exception: they were texts in PostgreSQL before version 3.
 */

import type { Dialect } from '../destination.ts';
import { sources } from '../tables/sources.ts';
import { type Column, column, columnsOf, type Index, type Table } from '../tables/table.ts';

/** The version of the schema that this cb writes. */
export const schemaVersion = 3;

const text = (name: string, comment: string, since = 1) =>
  column(name, 'text', comment, () => null, { since });
const day = (name: string, comment: string) => column(name, 'day', comment, () => null);

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
      column('row_count', 'integer', 'Rows of the first table', () => null),
      column('synced_at', 'timestamp', 'When the day was read', () => null),
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
      column('synced_at', 'timestamp', 'When it was read', () => null),
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
      column('started_at', 'timestamp', 'When it started, by the clock of the service', () => null),
      column('ended_at', 'timestamp', 'When it ended; null if it was killed', () => null),
      text('outcome', 'complete, stopped (at a limit of requests), incomplete or failed'),
      text('message', 'Why it is not complete'),
      day('pacific_day', 'Pacific day on which it started'),
      column('requests', 'integer', 'Requests sent', () => null),
      column('row_count', 'integer', 'Rows read', () => null),
    ],
  },
  {
    name: 'sync_forgotten',
    comment: 'Customers that were forgotten: their personal data is left out whenever it is read',
    since: 1,
    key: ['hash'],
    columns: [
      text('hash', 'Keyed hash of an email address or a receipt; the key is in sync_meta'),
      column('forgotten_at', 'timestamp', 'When it was forgotten', () => null),
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
export function stepTo(
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

function quoted(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}
