/** Which days a metric lacks, and how old its rows are. The view `complete_months` is the same for people who write SQL. */
import { WorkflowError } from '../../../client/workflow-error.ts';
import {
  addDays,
  addMonths,
  type Day,
  daysFrom,
  earlier,
  later,
  pacificDay,
} from '../../../dates/day.ts';
import { endedSentence } from '../access.ts';
import { accountsIn, stateOf } from '../database/copy.ts';
import { columnsIn } from '../database/schema.ts';
import {
  DestinationError,
  daysWith,
  hasRead,
  isComplete,
  missingCopy,
  type SqlReader,
} from '../destination.ts';
import { sources } from '../tables/sources.ts';
import { type Cell, type Days, firstDayOf } from '../tables/table.ts';
import type { CopyView } from './view.ts';

/**
 * What the copy has of each account and source of a metric. Without a period, a metric answers for the days until its
 * source was read last. Throws a DestinationError for an empty copy, and a WorkflowError for an account that it does not have.
 */
export async function sourceStates(
  copy: SqlReader,
  view: CopyView,
  asked: MetricQuery,
  today: Day,
) {
  const copied = await accountsIn(copy);
  if (copied.length === 0) throw missingCopy(`in ${copy.label}`);
  const only = asked.account?.toUpperCase();
  const accounts = copied.filter(
    ({ account }) => only === undefined || account.toUpperCase() === only,
  );
  if (accounts.length === 0) {
    const names = copied.map(({ account }) => account).join(', ');
    throw new WorkflowError('bad-input', `The copy has no account '${asked.account}'.`, {
      hint: `Use ${copied.length === 1 ? names : `one of ${names}`}.`,
    });
  }
  const own = sources.filter(({ name }) => name === view.source || name === view.pricedBy);
  const pairs = accounts.flatMap((one) => own.map((source) => ({ one, source })));
  const found = [];
  for (const { one, source } of pairs) {
    const { account, firstDay, nicknames } = one;
    const noun = source.name === 'analytics_days' ? 'analytics' : source.name;
    const { days, lists } = await stateOf(copy, account);
    const known = daysWith(days.get(source.name), nicknames);
    const list = lists.get(source.name);
    const isList = source.kind === 'whole';
    const listedAt = list && hasRead(list, nicknames) ? list.syncedAt : undefined;
    const times = [...known.values()].map(({ syncedAt }) => syncedAt).sort();
    const readAt = isList ? listedAt : times.at(-1);
    const readDay = readAt === undefined ? today : pacificDay(Date.parse(readAt) / 1000);
    const isAsked = asked.first !== undefined || asked.last !== undefined;
    const end = isAsked ? today : readDay;
    const start = isList ? firstDay : firstDayOf(source, firstDay, today);
    const period = daysOf(view, asked, { first: start, last: end });
    const isPrice = source.name !== view.source;
    const first = view.isCumulative || isPrice ? earlier(period.first, start) : period.first;
    const last = view.isCumulative ? later(period.last, readDay) : period.last;
    // A day is complete if it was read after it ended. The last day, which may not be over, only has to be read.
    const isThere = (day: Day) => {
      const isCurrent = day === end || (day === readDay && day > period.last);
      if (!isList) return isComplete(known.get(day)) || (isCurrent && known.has(day));
      return readAt !== undefined && (day < readDay || (isCurrent && day === readDay));
    };
    const missing = daysFrom(first, earlier(last, end)).filter((day) => !isThere(day));
    const [day] = missing;
    const isGone = !isList && day !== undefined && day < firstDayOf(source, day, today);
    const whose = accounts.length > 1 ? ` of ${account}` : '';
    const says = `The copy${whose} does not have all ${noun} of ${daysText(missing)}.`;
    found.push({
      ...{ firstDay, noun, readAt },
      /** The first missing day, whether ClickBank no longer lists it, and a sentence that names all missing days. */
      missing: day === undefined ? undefined : { first: day, says, isGone },
      ended: endedSentence(one),
    });
  }
  return found;
}

/** The source of a metric that has gone unread the longest, and when it was read. */
export function oldestRead(states: Awaited<ReturnType<typeof sourceStates>>) {
  const read = states.flatMap(({ noun, readAt = '' }) => (readAt === '' ? [] : { noun, readAt }));
  return read.sort((one, other) => (one.readAt < other.readAt ? -1 : 1))[0];
}

/** The part of a period that lies within `all`. */
function daysOf(view: CopyView, { first, last }: MetricQuery, all: Days): Days {
  const isByDay = view.columns.some(({ kind }) => kind === 'day');
  const start = (isByDay ? first : monthOf(first)) ?? all.first;
  const asked = last === undefined || isByDay ? last : addDays(addMonths(monthOf(last), 1), -1);
  return { first: start, last: earlier(asked ?? all.last, all.last) };
}

/** As in `2026-03-01 to 2026-03-09 (9 days)`; the days need not be consecutive. */
function daysText(days: readonly Day[]): string {
  const [first = '', last = first] = [days[0], days.at(-1)];
  return first === last ? first : `${first} to ${last} (${days.length} days)`;
}

export interface MetricQuery {
  readonly account: string | undefined;
  readonly first: Day | undefined;
  readonly last: Day | undefined;
}

/** A view by day is limited by month, too, because its index begins with the month. */
export function queryOf(
  { name, columns, order }: CopyView,
  { account, first, last }: MetricQuery,
): { readonly text: string; readonly values: readonly Cell[] } {
  const conditions: (readonly [text: string, value: Cell])[] = [];
  if (account !== undefined) conditions.push(['upper(account) = ?', account.toUpperCase()]);
  // A row with a first and a last day is in a period that it overlaps.
  const days = columns.filter(({ kind }) => kind === 'day').map(({ name }) => name);
  for (const { name, kind } of columns) {
    if (kind !== 'day' && kind !== 'month') continue;
    const start = kind === 'month' ? monthOf(first) : first;
    const isEnd = kind === 'month' || name === days.at(-1);
    const isStart = kind === 'month' || name === days[0];
    if (start !== undefined && isEnd) conditions.push([`${name} >= ?`, start]);
    if (last !== undefined && isStart) conditions.push([`${name} <= ?`, last]);
  }
  const where = conditions.map(([text]) => text).join(' AND ');
  // Without these words, PostgreSQL sorts NULL as the largest value, and SQLite as the smallest one.
  const terms = order
    .split(', ')
    .map((one) => `${one} NULLS ${one.endsWith(' DESC') ? 'LAST' : 'FIRST'}`);
  // As texts: a driver would make times of days.
  const selected = columns.map(({ name }) => `CAST(${name} AS text) AS ${name}`).join(', ');
  return {
    text: `SELECT ${selected} FROM (SELECT * FROM ${name}${where && ` WHERE ${where}`} ORDER BY ${terms.join(', ')}) AS rows`,
    values: conditions.map(([, value]) => value),
  };
}

function monthOf<D extends Day | undefined>(day: D): D;
function monthOf(day: Day | undefined): Day | undefined {
  return day && `${day.slice(0, 'yyyy-mm'.length)}-01`;
}

/** Throws a DestinationError if an older cb wrote the copy, which lacks the view or some of its columns. */
export async function requireView(copy: SqlReader, { name, columns }: CopyView): Promise<void> {
  const known = await columnsIn(copy, name);
  if (columns.every((column) => known.has(column.name))) return;
  throw new DestinationError('missing', `${copy.label} does not have this metric yet.`, {
    hint: 'Run `cb sync` to bring the copy up to date.',
  });
}
