/**
 * Which days a sync reads, and in which order.
 *
 * ClickBank does not say which orders changed, so days are read again: the latest ones in every run, those within the
 * look-back once a day, and older ones in turn, the longest unread first. A day that was read before it ended is not
 * complete.
 */
import { addDays, type Day, daysBetween } from '../../dates/day.ts';
import { endOf } from '../../dates/pacific.ts';
import type { DayState } from './destination.ts';
import type { Days } from './tables/source.ts';

export interface PlanOptions {
  readonly today: Day;
  /** The time of the service, in milliseconds since 1970. */
  readonly now: number;
  /** The first day to copy. */
  readonly since: Day;
  /** Days before today that can still change. */
  readonly lookBack: number;
  /** Read all days of the look-back, even if they were read today. */
  readonly readsAll: boolean;
  /** How many older days are read again, the longest unread first. */
  readonly older: number;
  /** Maximum number of days that the service keeps. */
  readonly keeps?: number | undefined;
}

export type Reason =
  /** Today, yesterday, or a day that was read before it ended. */
  | 'recent'
  /** Within the look-back. */
  | 'look-back'
  /** Never read. */
  | 'missing'
  /** Older than the look-back, read in turn. */
  | 'older';

export interface Due {
  readonly day: Day;
  readonly reason: Reason;
}

/** Reading a day of the look-back again is worth a request after this many milliseconds: a bit less than a day. */
const daily = 20 * 3_600_000;

/** Days before today that are read in every run. */
const recentDays = 1;

/** Returns the days to read, the most urgent first. */
export function dueDays(known: ReadonlyMap<Day, DayState>, options: PlanOptions): readonly Due[] {
  const { today, now, lookBack, readsAll, older, keeps } = options;
  const earliest =
    keeps === undefined ? options.since : latest(options.since, addDays(today, -keeps));
  const due: Record<Reason, Day[]> = { recent: [], 'look-back': [], missing: [], older: [] };
  for (let day = today; day >= earliest; day = addDays(day, -1)) {
    const state = known.get(day);
    const age = daysBetween(day, today);
    if (age <= recentDays) due.recent.push(day);
    else if (state === undefined) due.missing.push(day);
    else if (Date.parse(state.syncedAt) < endOf(day) * 1000) due.recent.push(day);
    else if (age <= lookBack) {
      const passed = now - Date.parse(state.syncedAt);
      // A time in the future is from a clock that was ahead.
      if (readsAll || passed >= daily || passed < 0) due['look-back'].push(day);
    } else due.older.push(day);
  }
  const unread = due.older.toSorted((one, other) => readAt(known, one) - readAt(known, other));
  due.older = unread.slice(0, older).toSorted().reverse();
  return (['recent', 'look-back', 'missing', 'older'] as const).flatMap((reason) =>
    due[reason].map((day) => ({ day, reason })),
  );
}

function readAt(known: ReadonlyMap<Day, DayState>, day: Day): number {
  return Date.parse(known.get(day)?.syncedAt ?? '');
}

function latest(one: Day, other: Day): Day {
  return one > other ? one : other;
}

/** A period that is read and replaced at once. */
export interface PlannedWindow extends Days {
  readonly reason: Reason;
  /** Estimated number of rows. */
  readonly rows: number;
}

export interface WindowOptions {
  /** Estimated rows of a day. */
  rowsOf(day: Day): number;
  /** The most rows of a window that has several days. */
  readonly mostRows: number;
  readonly mostDays: number;
  /** Today is a window of its own, because its rows still move. */
  readonly today: Day;
  /** Joins days of all reasons, today too. */
  readonly joinsAll?: boolean | undefined;
}

/**
 * Joins consecutive days of the same reason, in the order of the days, to windows. With `joinsAll`, a window has the
 * reason of its latest day.
 */
export function windowsFrom(due: readonly Due[], options: WindowOptions): readonly PlannedWindow[] {
  const windows: PlannedWindow[] = [];
  const { joinsAll = false } = options;
  const days = joinsAll ? due.toSorted((one, other) => (one.day > other.day ? -1 : 1)) : due;
  for (const { day, reason } of days) {
    const rows = options.rowsOf(day);
    const before = windows.at(-1);
    const joins =
      before !== undefined &&
      (joinsAll || (before.reason === reason && before.last !== options.today)) &&
      addDays(before.first, -1) === day &&
      daysBetween(day, before.last) < options.mostDays &&
      before.rows + rows <= options.mostRows;
    if (joins) windows[windows.length - 1] = { ...before, first: day, rows: before.rows + rows };
    else windows.push({ first: day, last: day, reason, rows });
  }
  return windows;
}

/** The rows a day has, or the average of the known days; `unknown` if none is known. */
export function rowEstimate(known: ReadonlyMap<Day, DayState>, unknown: number) {
  const counts = [...known.values()].map(({ rows }) => rows);
  const average =
    counts.length === 0 ? unknown : counts.reduce((sum, rows) => sum + rows, 0) / counts.length;
  return (day: Day): number => known.get(day)?.rows ?? Math.ceil(average);
}
