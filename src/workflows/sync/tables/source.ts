/** A source: a list of the service that fills one or more tables. */
import type { Client } from '../../../client/client.ts';
import { addDays, type Day, daysBetween } from '../../../dates/day.ts';
import type { Resource } from '../../../operations/resource.ts';
import type { ServiceRow, Table } from './table.ts';

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

/** The first and the last Pacific day, both included. */
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

export interface RowPage {
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
