/** The tables of a copy: columns as plain values, and how a row of the service fills them. */
import type { Client } from '../../../client/client.ts';
import { addDays, type Day, daysBetween } from '../../../dates/day.ts';
import { pacificDay } from '../../../dates/pacific.ts';
import type { Resource } from '../../../operations/resource.ts';

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

/** For columns that cb fills in otherwise. */
export const unset = () => null;

const account = column('account', 'text', 'The account that was read: its first nickname', unset);
const raw = column('raw', 'json', 'The row as received, with fields that have no column', unset);
const syncedAt = column('synced_at', 'timestamp', 'When the row was read from ClickBank', unset);

/** The columns of a table, in order. Only the first table of a source keeps the row as received. */
export function columnsOf(table: Table): readonly Column[] {
  return [account, ...table.columns, ...(table.items ? [] : [raw]), syncedAt];
}

/** The account that is read. */
export interface AccountReader {
  readonly client: Client;
  /** The nicknames that the key can read; never empty. */
  readonly nicknames: readonly string[];
  /** The copy also has rows of nicknames that the key can't read. */
  readonly isPartial?: boolean;
  /** The Pacific day of the service. */
  readonly today: Day;
  readonly signal: AbortSignal;
}

export interface Days {
  readonly first: Day;
  readonly last: Day;
}

export function earlier(one: Day, other: Day): Day {
  return one < other ? one : other;
}

export function later(one: Day, other: Day): Day {
  return one > other ? one : other;
}

/** The later half first, as a sync reads; `first` must be before `last`. */
export function halvesOf({ first, last }: Days): readonly [Days, Days] {
  const middle = addDays(first, Math.ceil(daysBetween(first, last) / 2));
  return [
    { first: middle, last },
    { first, last: addDays(middle, -1) },
  ];
}

export interface Reading {
  readonly days: Days;
  /** The number of rows to expect, which bounds prefetching; Infinity if it is unknown. */
  readonly expected: number;
}

interface RowPage {
  readonly rows: readonly ServiceRow[];
  /** These rows are not in the count of the window. */
  readonly isExtra?: boolean;
}

export type RowPages = AsyncIterable<RowPage>;

interface Common {
  /** The name of its first table. */
  readonly name: string;
  /** The first table has a row for each row of the service, the others for its elements. */
  readonly tables: readonly [Table, ...Table[]];
  /** A column of all its tables: rows with equal values are replaced together. */
  readonly identity: string;
  /** Whose row it is, as an expression over the columns of each table; none if a row does not tell. */
  readonly owner?: string;
  /** The shape of a row of the service. */
  readonly resource: Resource;
  /** Returns the value of the identity column. A second equal one in a window gets a suffix. */
  idOf(row: ServiceRow): string;
  /** Read once a day even by runs that follow each other, and once a week by runs with a short look-back. */
  readonly isDaily?: true;
  /** Estimates the requests of a window or a whole list; default: one for each 100 rows. */
  requestsOf?(rows: number, days: number, nicknames: number): number;
}

/** Rows with a day: windows of days are replaced. */
export interface DatedSource extends Common {
  readonly kind: 'days';
  /** The Pacific day of a row. */
  dayOf(row: ServiceRow): Day | undefined;
  read(reader: AccountReader, reading: Reading): RowPages;
  /** The number of rows that the service says a window has. */
  count?(reader: AccountReader, days: Days): Promise<number>;
  /** Rows of any day that changed in these days, for services that can list them. */
  readChanges?(reader: AccountReader, days: Days): RowPages;
  /** The number of latest days that still change; default: the look-back of the sync. */
  readonly changesFor?: number;
  /** The most rows of the look-back that a run reads again, the longest unread days first; default: all. */
  readonly againRows?: number;
  /** Days of all reasons, today too, are read together: for lists that cost the same for many days. */
  readonly isJoined?: true;
  /** The most days of a window; default: 31. */
  readonly windowDays?: number;
  /** The number of days that the service keeps; default: no limit. */
  readonly keeps?: number;
}

/** A part of a whole list that is asked for by itself. */
export interface Part {
  readonly nickname: string;
  readonly role?: 'VENDOR' | 'AFFILIATE';
}

/** A list that is replaced as a whole. */
export interface WholeSource extends Common {
  readonly kind: 'whole';
  readonly owner: string;
  partsOf(nickname: string): readonly Part[];
  read(reader: AccountReader, part: Part): RowPages;
}

/** The owner of a row that has a role: the other nickname is the partner. */
export const ownerByRole =
  "CASE coalesce(role, 'VENDOR') WHEN 'VENDOR' THEN vendor WHEN 'AFFILIATE' THEN affiliate END";

export type Source = DatedSource | WholeSource;

const number = /^-?\d+(?:\.\d+)?$/;
const time = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:?\d\d)$/;
const day = /^\d{4}-\d\d-\d\d/;

export function cellOf(value: unknown, type: ColumnType): Cell {
  if (value === null || value === undefined) return null;
  if (type === 'json') return JSON.stringify(value);
  if (type === 'boolean') return typeof value === 'boolean' ? value : null;
  const text = textOf(value);
  if (type === 'text') return text;
  if (type === 'timestamp') return momentOf(text);
  if (type === 'day') return day.exec(text)?.[0] ?? null;
  if (!number.test(text)) return null;
  return type === 'numeric' || Number.isInteger(Number(text)) ? text : null;
}

/** PostgreSQL stores no NUL in texts. */
function textOf(value: unknown): string {
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value);
  return text.replaceAll('\u0000', '');
}

/** In UTC, so that texts sort by time: `2026-02-18T23:11:38Z`. */
function momentOf(text: string): string | null {
  const moment = time.test(text) ? new Date(text) : undefined;
  if (!moment || Number.isNaN(moment.getTime())) return null;
  return moment.toISOString().replace('.000Z', 'Z');
}

/** The Pacific day of a time that the service sent; undefined for anything else. */
export function pacificDayOf(value: unknown): Day | undefined {
  const moment = typeof value === 'string' && time.test(value) ? new Date(value) : undefined;
  if (!moment || Number.isNaN(moment.getTime())) return undefined;
  return pacificDay(Math.floor(moment.getTime() / 1000));
}

/** Creates a function that keeps the rows with a new key, across calls. */
export function distinctBy(keyOf: (row: ServiceRow) => string) {
  const seen = new Set<string>();
  return (rows: readonly ServiceRow[]): ServiceRow[] =>
    rows.filter((row) => {
      const key = keyOf(row);
      if (seen.has(key)) return false;
      seen.add(key);
      return true;
    });
}
