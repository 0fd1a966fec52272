/** Groups transactions by Pacific day, for which SQL has no function. */
import { daysFrom } from '../../dates/day.ts';
import { endOf, instantOf, pacificDay } from '../../dates/pacific.ts';
import type { Database } from '../../storage/sqlite.ts';

/**
 * A table of days: `day` (yyyy-mm-dd), `starts`, `ends` (instants, exclusive end). It binds one
 * value, created by `bindDays`. A CROSS JOIN makes the days the outer loop, so that each day reads its own
 * range of the index by time:
 *
 *     SELECT d.day, sum(t.vendor_cents) cents
 *     FROM ${PACIFIC_DAYS} d CROSS JOIN txn t ON t.time >= d.starts AND t.time < d.ends
 *     GROUP BY d.day
 */
export const PACIFIC_DAYS = `(SELECT value ->> 0 day, value ->> 1 starts, value ->> 2 ends
  FROM json_each(?))`;

/** The days from `first` to `last` (inclusive) that can have transactions. */
export function bindDays(db: Database, first: string, last: string): string {
  const store = db.first<{ first: number | null; last: number | null }>(
    'SELECT (SELECT min(time) FROM txn) first, (SELECT max(time) FROM txn) last',
  );
  if (store?.first == null || store.last == null) return '[]';
  const [oldest, newest] = [pacificDay(store.first), pacificDay(store.last)];
  const days = daysFrom(first > oldest ? first : oldest, last < newest ? last : newest);
  return JSON.stringify(days.map((day) => [day, instantOf(day), endOf(day)]));
}
