/** Which days a metric lacks, and how old its rows are. The view `complete_months` is the same for people who write SQL. */
import { addDays, addMonths, type Day, daysFrom } from '../../../dates/day.ts';
import { pacificDay } from '../../../dates/pacific.ts';
import { accountsIn } from '../database/copy.ts';
import type { SqlReader } from '../database/sql.ts';
import { stateOf } from '../database/sql-destination.ts';
import type { DayState } from '../destination.ts';
import { missingDays } from '../local/coverage.ts';
import type { Days } from '../tables/source.ts';
import { sources } from '../tables/sources.ts';
import { type MetricQuery, monthOf } from './metric-query.ts';
import type { CopyView } from './view.ts';

/** What the source of a metric has of an account. */
export interface SourceState {
  readonly account: string;
  /** The first day that is copied. */
  readonly firstDay: Day;
  /** ISO 8601 in UTC; undefined if the source was never read. */
  readonly readAt: string | undefined;
  readonly missing: readonly Day[];
}

/** Without a period, a metric answers for the days until its source was read last. */
export async function sourceStates(
  copy: SqlReader,
  view: CopyView,
  asked: MetricQuery,
  today: Day,
): Promise<readonly SourceState[]> {
  const source = sources.find(({ name }) => name === view.source);
  if (!source) return [];
  const only = asked.account?.toUpperCase();
  const found: SourceState[] = [];
  for (const { account, firstDay } of await accountsIn(copy)) {
    if (only !== undefined && account.toUpperCase() !== only) continue;
    const { days, readAt } = await stateOf(copy, account);
    const known: ReadonlyMap<Day, DayState> = days.get(source.name) ?? new Map();
    const times = [...known.values()].map(({ syncedAt }) => syncedAt).sort();
    const read = source.kind === 'whole' ? readAt.get(source.name) : times.at(-1);
    const readDay = read === undefined ? today : pacificDay(Date.parse(read) / 1000);
    const isAsked = asked.first !== undefined || asked.last !== undefined;
    const end = isAsked ? today : readDay;
    const oldest =
      source.kind === 'days' && source.keeps ? addDays(today, -source.keeps) : firstDay;
    const period = daysOf(view, asked, { first: later(firstDay, oldest), last: readDay, end });
    const missing =
      source.kind === 'days'
        ? missingDays(known, period, end)
        : unlisted(period, read && readDay, today);
    found.push({ account, firstDay, readAt: read, missing });
  }
  return found;
}

interface Known extends Days {
  /** The last day that can be asked for. */
  readonly end: Day;
}

function daysOf(view: CopyView, { first, last }: MetricQuery, known: Known): Days {
  const isByDay = view.columns.some(({ kind }) => kind === 'day');
  const start = (isByDay ? first : monthOf(first)) ?? known.first;
  const asked = last === undefined || isByDay ? last : addDays(addMonths(monthOf(last), 1), -1);
  const end = earlier(asked ?? known.end, known.end);
  if (!view.isCumulative) return { first: start, last: end };
  return { first: earlier(start, known.first), last: later(end, known.last) };
}

/** A list that is read as a whole has everything up to the day on which it was read. */
function unlisted({ first, last }: Days, readDay: Day | undefined, today: Day): readonly Day[] {
  if (readDay === undefined) return daysFrom(first, last);
  return daysFrom(later(first, addDays(readDay, 1)), earlier(last, addDays(today, -1)));
}

function earlier(one: Day, other: Day): Day {
  return one < other ? one : other;
}

function later(one: Day, other: Day): Day {
  return one > other ? one : other;
}
