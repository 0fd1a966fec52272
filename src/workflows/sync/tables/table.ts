/** The tables of a copy: columns as plain values, and how a row of the service fills them. */

export type ColumnType =
  | 'text'
  /** A decimal number: exact in PostgreSQL, a double in SQLite. */
  | 'numeric'
  | 'integer'
  | 'boolean'
  /** A moment: timestamptz in PostgreSQL, ISO 8601 text in UTC in SQLite. */
  | 'timestamp'
  /** A Pacific day, `yyyy-mm-dd`. */
  | 'day'
  | 'json';

/** A value for a database. Numeric values are texts with the digits as sent. */
export type Cell = string | number | boolean | null;

/** A row as the client decodes it. */
export type ServiceRow = Readonly<Record<string, unknown>>;

/** What a column can be computed from. */
export interface RowFacts {
  /** The row of the service, or its element in a child table. */
  readonly item: ServiceRow;
  /** The row of the service. */
  readonly row: ServiceRow;
  /** The position of the item in the row, from 1. */
  readonly position: number;
  /** The identity of the row in its source. */
  readonly id: string;
  /** The Pacific day of the row, by which windows are replaced. */
  readonly day: string;
}

export interface Column {
  readonly name: string;
  readonly type: ColumnType;
  /** One sentence without a period: meaning, unit, source. */
  readonly comment: string;
  /** It identifies a customer: null in a copy without personal data. */
  readonly personal: boolean;
  /** The version of the schema that added it. */
  readonly since: number;
  from(facts: RowFacts): unknown;
}

export interface Index {
  readonly name: string;
  readonly columns: readonly string[];
  readonly since: number;
}

export interface Table {
  readonly name: string;
  readonly comment: string;
  /** Without `account`, `raw` and `synced_at`, which every table has. */
  readonly columns: readonly Column[];
  /** Together with `account`, the primary key. */
  readonly key: readonly string[];
  /** The column with the day of a row, in tables whose rows are replaced by day. */
  readonly day?: string;
  /** The elements of a row that are rows of this table; default: the row itself. */
  readonly items?: (row: ServiceRow) => readonly ServiceRow[];
  readonly indexes?: readonly Index[];
  readonly since: number;
}

interface Facts {
  readonly personal?: true;
  readonly since?: number;
}

type From = string | ((facts: RowFacts) => unknown);

/** Creates a column; `from` is the name of a field of the item, or a function. */
export function column(
  name: string,
  type: ColumnType,
  comment: string,
  from: From,
  { personal, since = 1 }: Facts = {},
): Column {
  const read = typeof from === 'string' ? ({ item }: RowFacts) => item[from] : from;
  return { name, type, comment, personal: personal ?? false, since, from: read };
}

/** A field of the row of the service, for columns that child tables repeat. */
export function ofRow(field: string): (facts: RowFacts) => unknown {
  return ({ row }) => row[field];
}

/** The elements of a list field; a list that is not there is empty. */
export function elementsOf(field: string): (row: ServiceRow) => readonly ServiceRow[] {
  return (row) => {
    const value = row[field];
    return Array.isArray(value) ? value.filter(isRow) : [];
  };
}

function isRow(value: unknown): value is ServiceRow {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
