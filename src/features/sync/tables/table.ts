/** The tables of a copy: columns as plain values, and how a row of the service fills them. */
import type { Client } from '../../../client/client.ts';
import { addDays, type Day, daysBetween, later, pacificDay } from '../../../dates/day.ts';
import type { Resource } from '../../../operations/resource.ts';

export type ColumnType =
  | 'text'
  /** A decimal number: exact in PostgreSQL, a double in SQLite. */
  | 'numeric'
  | 'integer'
  | 'boolean'
  /** A moment: timestamptz in PostgreSQL, ISO 8601 text in UTC in SQLite. */
  | 'timestamp'
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
  readonly row: ServiceRow;
  readonly position: number;
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
  from(facts: RowFacts): unknown;
}

export interface Table {
  readonly name: string;
  readonly comment: string;
  /** Without `account`, `raw` and `synced_at`, which every table of data has. */
  readonly columns: readonly Column[];
  /** Together with `account`, the primary key. */
  readonly key: readonly string[];
  /** The column with the day of a row, in tables whose rows are replaced by day. */
  readonly day?: string;
  /** The elements of a row that are rows of this table; default: the row itself. */
  readonly items?: (row: ServiceRow) => readonly ServiceRow[];
  /** The row as received is in a table of its own: it is half of each row, and most questions do not read it. */
  readonly rawApart?: true;
  /** Columns by the name of an index. */
  readonly indexes?: Readonly<Record<string, readonly string[]>>;
}

/**
 * Returns a function that creates a column. `from` is a field of the item, with dots for fields inside of it, or a function; by
 * default, the field that is named like the column, as in `totalOrderAmount` for `total_order_amount`.
 */
function maker(type: ColumnType, personal = false) {
  return (
    name: string,
    comment: string,
    from: string | Column['from'] = name.replaceAll(/_([a-z0-9])/g, (_, letter) =>
      letter.toUpperCase(),
    ),
  ): Column => {
    if (typeof from !== 'string') return { name, type, comment, personal, from };
    const read = reader(from);
    return { name, type, comment, personal, from: ({ item }) => read(item) };
  };
}

export const column = {
  text: maker('text'),
  numeric: maker('numeric'),
  integer: maker('integer'),
  boolean: maker('boolean'),
  moment: maker('timestamp'),
  day: maker('day'),
  /** A text that identifies a customer. */
  personal: maker('text', true),
};

function reader(path: string): (row: ServiceRow) => unknown {
  const names = path.split('.');
  return (row) => {
    let found: unknown = row;
    for (const name of names) found = (found as ServiceRow | null | undefined)?.[name];
    return found;
  };
}

/** A field of the row of the service, for columns that child tables repeat. */
export function ofRow(field: string): (facts: RowFacts) => unknown {
  return ({ row }) => row[field];
}

/** The elements of a list field; a list that is not there is empty. */
export function elementsOf(path: string): (row: ServiceRow) => readonly ServiceRow[] {
  const read = reader(path);
  return (row) => {
    const value = read(row);
    return Array.isArray(value) ? value.filter(isRow) : [];
  };
}

function isRow(value: unknown): value is ServiceRow {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const account = column.text('account', 'The account that was read: its first nickname');
const raw = maker('json')('raw', 'The row as received, with fields that have no column');
const syncedAt = column.moment(
  'synced_at',
  'When this content of the row was first read from ClickBank',
);

/** The columns of a table, in order. Only the first table of a source keeps the row as received. */
export function columnsOf(table: Table): readonly Column[] {
  return [account, ...table.columns, ...(table.items ? [] : [raw]), syncedAt];
}

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

/** The later half first, as a sync reads; `first` must be before `last`. */
export function halvesOf({ first, last }: Days): readonly [Days, Days] {
  const middle = addDays(first, Math.ceil(daysBetween(first, last) / 2));
  return [
    { first: middle, last },
    { first, last: addDays(middle, -1) },
  ];
}

export type RowPages = AsyncIterable<{
  readonly rows: readonly ServiceRow[];
  /** These rows are not in the count of the window. */
  readonly isExtra?: boolean;
}>;

interface Common {
  /** The name of its first table. */
  readonly name: string;
  /** The first table has a row for each row of the service, the others for its elements. */
  readonly tables: readonly [Table, ...Table[]];
  /** A column of all its tables: rows with equal values are replaced together. */
  readonly identity: string;
  /** Whose row it is, as an expression over the columns of each table; none if a row does not tell. */
  readonly owner?: string;
  readonly resource: Resource;
  /** Returns the value of the identity column. A second equal one in a window gets a suffix. */
  idOf(row: ServiceRow): string;
  /** Instant notifications announce what changes in it. */
  readonly isAnnounced?: true;
  /** Read once a day even by runs that follow each other, and once a week by runs with a short look-back. */
  readonly isDaily?: true;
  /** Estimates the requests of a window or a whole list; default: one for each 100 rows. */
  requestsOf?(rows: number, days: number, nicknames: number): number;
}

/** Rows with a day: windows of days are replaced. */
export interface DatedSource extends Common {
  readonly kind: 'days';
  dayOf(row: ServiceRow): Day | undefined;
  /** `expected` is the number of rows to expect, which bounds prefetching; Infinity if it is unknown. */
  read(reader: AccountReader, reading: { days: Days; expected: number }): RowPages;
  /** The number of rows that the service says a window has. */
  count?(reader: AccountReader, days: Days): Promise<number>;
  /** Rows of any day that changed in these days, for services that can list them. */
  readChanges?(reader: AccountReader, days: Days): RowPages;
  /** The number of latest days that still change; default: the look-back of the sync. */
  readonly changesFor?: number;
  /** Maximum rows refreshed per run, oldest first; default: all. */
  readonly againRows?: number;
  /** Days of all reasons, today too, are read together: for lists that cost the same for many days. */
  readonly isJoined?: true;
  /** The most days of a window; default: 31. */
  readonly windowDays?: number;
  /** The number of days that the service keeps; default: no limit. */
  readonly keeps?: number;
}

/** The first day that can be copied of a source; `since` is the first day of the account. */
export function firstDayOf({ keeps }: DatedSource, since: Day, today: Day): Day {
  return keeps === undefined ? since : later(since, addDays(today, -keeps));
}

/** A part of a whole list that is asked for by itself. */
export interface Part {
  readonly nickname: string;
  readonly role?: 'VENDOR' | 'AFFILIATE';
}

/** A resource with fields that the reader of a source adds to its rows. */
export function withTexts(resource: Resource, ...names: readonly string[]): Resource {
  const added = names.map((name) => [name, { kind: 'text', nillable: false }] as const);
  return { ...resource, fields: { ...resource.fields, ...Object.fromEntries(added) } };
}

/** As in `SHOP VENDOR`. */
export function partText({ nickname, role }: Part): string {
  return role === undefined ? nickname : `${nickname} ${role}`;
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

/** The rows of one service row by table; cells are in the order of `columnsOf` the table. */
export type TableRows = ReadonlyMap<string, readonly (readonly Cell[])[]>;

/**
 * Creates a function that returns the rows of all tables of a source for some of its rows, to be called with the rows
 * of one window in order: a repeated identity gets a suffix. `isAnonymous` says whether the personal data of a row is left out.
 */
export function rowMaker(
  source: Source,
  about: { account: string; syncedAt: string; isAnonymous(row: ServiceRow): boolean },
) {
  const seen = new Map<string, number>();
  const distinct = (id: string) => {
    const times = (seen.get(id) ?? 0) + 1;
    seen.set(id, times);
    return times === 1 ? id : `${id}.${times}`;
  };
  const tables = source.tables.map((table) => ({ ...table, all: columnsOf(table) }));
  return (rows: readonly { readonly row: ServiceRow; readonly day: string }[]): TableRows => {
    const made = new Map<string, Cell[][]>(tables.map(({ name }) => [name, []]));
    for (const { row, day } of rows) {
      const id = distinct(source.idOf(row));
      const anonymous = about.isAnonymous(row);
      const raw = anonymous ? withoutPersonalData(row, source.resource) : row;
      const shared = { account: about.account, synced_at: about.syncedAt, raw };
      const own: Readonly<Record<string, unknown>> = shared;
      for (const { name, all, items } of tables) {
        for (const [i, item] of (items?.(row) ?? [row]).entries()) {
          const facts: RowFacts = { item, row, position: i + 1, id, day };
          const cells = all.map(({ name, type, personal, from }) => {
            if (personal && anonymous) return null;
            return cellOf(Object.hasOwn(own, name) ? own[name] : from(facts), type);
          });
          made.get(name)?.push(cells);
        }
      }
    }
    return made;
  };
}

/**
 * Fields of the service that hold names, addresses, phone numbers, or text that customers or support wrote. The texts
 * of products are the vendor's, but `description` is left out there, too: their column has it.
 */
const personalFields = new Set([
  ...['firstName', 'lastName', 'fullName', 'email', 'postalCode', 'customerContactInfo'],
  ...['customerFirstName', 'customerLastName', 'customerDisplayName', 'emailAtOrderTime'],
  ...['address1', 'address2', 'city', 'phoneNumber', 'shippedTo', 'last_action_performed_by'],
  ...['description', 'note', 'comment', 'comments', 'vendorVariables'],
]);

/** Keeps only known fields that are not personal: a field that nobody has looked at may be. */
export function withoutPersonalData(row: ServiceRow, resource: Resource): ServiceRow {
  const kept = Object.entries(row).filter(
    ([name]) => name in resource.fields && !personalFields.has(name),
  );
  return Object.fromEntries(
    kept.map(([name, value]) => {
      const inner = resource.fields[name]?.resource;
      return [name, inner ? stripped(value, inner) : value];
    }),
  );
}

function stripped(value: unknown, resource: Resource): unknown {
  if (Array.isArray(value)) return value.map((one) => stripped(one, resource));
  return isRow(value) ? withoutPersonalData(value, resource) : value;
}

const time = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:?\d\d)$/;

function cellOf(value: unknown, type: ColumnType): Cell {
  if (value === null || value === undefined) return null;
  if (type === 'json') return JSON.stringify(value);
  if (type === 'boolean') return typeof value === 'boolean' ? value : null;
  // PostgreSQL stores no NUL in texts.
  const written = typeof value === 'object' ? JSON.stringify(value) : String(value);
  const text = written.replaceAll('\u0000', '');
  if (type === 'text') return text;
  // In UTC, so that texts sort by time: `2026-02-18T23:11:38Z`.
  if (type === 'timestamp') return momentIn(text)?.toISOString().replace('.000Z', 'Z') ?? null;
  if (type === 'day') return /^\d{4}-\d\d-\d\d/.exec(text)?.[0] ?? null;
  if (!/^-?\d+(?:\.\d+)?$/.test(text)) return null;
  return type === 'numeric' || Number.isInteger(Number(text)) ? text : null;
}

function momentIn(text: unknown): Date | undefined {
  const moment = typeof text === 'string' && time.test(text) ? new Date(text) : undefined;
  return moment && !Number.isNaN(moment.getTime()) ? moment : undefined;
}

/** The Pacific day of a time that the service sent; undefined for anything else. */
export function pacificDayOf(value: unknown): Day | undefined {
  const moment = momentIn(value);
  return moment && pacificDay(Math.floor(moment.getTime() / 1000));
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
