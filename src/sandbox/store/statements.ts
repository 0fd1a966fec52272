/** Shared parts of SQL statements. */
import type { Database, Value } from '../../storage/sqlite.ts';
import { columnOf, type Stored, type Table } from './schema.ts';

export const PAGE_SIZE = 100;

/** Matches the elements of a JSON list that is bound as one value. */
export const ONE_OF = 'IN (SELECT value FROM json_each(?))';

/** Instants in seconds; the end is exclusive. */
export interface Period {
  readonly from: number;
  readonly until: number;
}

export interface Condition {
  readonly sql: string;
  readonly values: readonly Value[];
}

/** A condition with its values; undefined if a value is undefined. */
export function given(
  sql: string,
  ...values: readonly (Value | undefined)[]
): Condition | undefined {
  const known = values.filter((value) => value !== undefined);
  return known.length === values.length ? { sql, values: known } : undefined;
}

export function within(column: string, { from, until }: Period): Condition {
  return { sql: `${column} >= ? AND ${column} < ?`, values: [from, until] };
}

/** `%` is the only wildcard; `_` is escaped. */
export function like(column: string, pattern: string | undefined): Condition | undefined {
  return given(`${column} LIKE ? ESCAPE '\\'`, pattern?.replaceAll(/[\\_]/g, '\\$&'));
}

export function joined(
  conditions: readonly (Condition | undefined)[],
  operator: 'AND' | 'OR' = 'AND',
): Condition {
  const parts = conditions.filter((part) => part !== undefined);
  return {
    sql: parts.map(({ sql }) => `(${sql})`).join(` ${operator} `),
    values: parts.flatMap(({ values }) => values),
  };
}

export interface Rows<R> {
  readonly rows: readonly R[];
  readonly more: boolean;
}

/** One page of an ordered query, and whether more follow; pages count from 1. */
export function findPage<R>(db: Database, query: Condition, page: number): Rows<R> {
  const bound = [...query.values, PAGE_SIZE + 1, (page - 1) * PAGE_SIZE];
  const rows = db.all<R>(`${query.sql} LIMIT ? OFFSET ?`, bound);
  return { rows: rows.slice(0, PAGE_SIZE), more: rows.length > PAGE_SIZE };
}

export function countRows(db: Database, { sql, values }: Condition): number {
  return getRow<{ n: number }>(db, `SELECT count(*) n ${sql}`, values).n;
}

/** The first row of a query that always has one. */
export function getRow<R>(db: Database, sql: string, values: readonly Value[] = []): R {
  const row = db.first<R>(sql, values);
  if (row === undefined) throw new Error(`The store has no row for ${JSON.stringify(values)}.`);
  return row;
}

/** Undefined values are omitted. */
export type NewRow<T extends Table> = {
  readonly [Name in keyof Stored<T>]?: Stored<T>[Name] | undefined;
};

function cellsOf(row: object): { readonly columns: readonly string[]; readonly values: Value[] } {
  const cells = Object.entries(row).filter(([, value]) => value !== undefined);
  return {
    columns: cells.map(([name]) => columnOf(name)),
    values: cells.map(([, value]) => value),
  };
}

/** Returns the ID of the new row. */
export function insertRow<T extends Table>(db: Database, table: T, row: NewRow<T>): number {
  const { columns, values } = cellsOf(row);
  const sql = `INSERT INTO ${table} (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`;
  return Number(db.run(sql, values).lastInsertRowid);
}

/** Updates the given columns. `key` is the column that identifies the row. */
export function updateRow<T extends Table>(
  db: Database,
  [table, key, id]: readonly [table: T, key: string, id: number],
  change: NewRow<T>,
): void {
  const { columns, values } = cellsOf(change);
  const changes = columns.map((column) => `${column} = ?`).join(', ');
  db.run(`UPDATE ${table} SET ${changes} WHERE ${key} = ?`, [...values, id]);
}

/** Rows per statement: inserting a million rows one by one takes 1.6 times as long. */
const CHUNK = 50;

/** Inserts rows, all with the same columns, in chunks or one by one, so that few statements are prepared. */
export function insertRows<T extends Table>(
  db: Database,
  table: T,
  rows: readonly NewRow<T>[],
): void {
  const names = Object.keys(rows[0] ?? {}) as (keyof Stored<T>)[];
  const columns = names.map((name) => columnOf(String(name)));
  const row = `(${columns.map(() => '?').join(', ')})`;
  const insert = (chunk: typeof rows) =>
    db.run(
      `INSERT INTO ${table} (${columns.join(', ')}) VALUES ${chunk.map(() => row).join(', ')}`,
      chunk.flatMap((values) => names.map((name) => (values[name] ?? null) as Value)),
    );
  const whole = rows.length - (rows.length % CHUNK);
  for (let i = 0; i < whole; i += CHUNK) insert(rows.slice(i, i + CHUNK));
  for (const single of rows.slice(whole)) insert([single]);
}
