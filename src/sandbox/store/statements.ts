/** Shared parts of SQL statements. */
import type { Database, Value } from '../../storage/sqlite.ts';

const PAGE_SIZE = 100;

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

export function within(column: string, period: Period | undefined): Condition | undefined {
  return given(`${column} >= ? AND ${column} < ?`, period?.from, period?.until);
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

/** The number of rows of a query, whose SQL starts with FROM. */
export function countRows(db: Database, { sql, values }: Condition): number {
  return db.first<{ n: number }>(`SELECT count(*) n ${sql}`, values)?.n ?? 0;
}

/** A row with camel-case names: `lineItemId` is the column line_item_id. Undefined values are omitted. */
export type NewRow = Readonly<Record<string, Value | undefined>>;

function cellsOf(row: NewRow): readonly (readonly [column: string, value: Value])[] {
  return Object.entries(row).flatMap(([name, value]) =>
    value === undefined
      ? []
      : [[name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`), value] as const],
  );
}

export function insertRow(db: Database, table: string, row: NewRow): number {
  const cells = cellsOf(row);
  const columns = cells.map(([column]) => column).join(', ');
  const marks = cells.map(() => '?').join(', ');
  const values = cells.map(([, value]) => value);
  const { lastInsertRowid } = db.run(`INSERT INTO ${table} (${columns}) VALUES (${marks})`, values);
  return Number(lastInsertRowid);
}

/** Updates the given columns. `key` is the column that identifies the row. */
export function updateRow(
  db: Database,
  [table, key, id]: readonly [table: string, key: string, id: number],
  change: NewRow,
): void {
  const cells = cellsOf(change);
  const changes = cells.map(([column]) => `${column} = ?`).join(', ');
  const values = cells.map(([, value]) => value);
  db.run(`UPDATE ${table} SET ${changes} WHERE ${key} = ?`, [...values, id]);
}

/** Groups rows by key, keeping their order. */
export function groupBy<K, R>(rows: readonly R[], keyOf: (row: R) => K): ReadonlyMap<K, R[]> {
  const groups = new Map<K, R[]>();
  for (const row of rows) {
    const key = keyOf(row);
    groups.set(key, [...(groups.get(key) ?? []), row]);
  }
  return groups;
}
