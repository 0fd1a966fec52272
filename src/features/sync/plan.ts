/**
 * Plans a run: today, the look-back, then the oldest days, until the budget is spent. ClickBank does not say which
 * orders changed, so days are read again. A day that was read before it ended is not complete.
 */
import { ApiError } from '../../client/errors.ts';
import {
  addDays,
  type Day,
  daysBetween,
  daysFrom,
  earlier,
  endOf,
  pacificDay,
} from '../../dates/day.ts';
import { type AccountState, type DayState, daysWith, hasRead } from './destination.ts';
import {
  type AccountReader,
  type DatedSource,
  type Days,
  firstDayOf,
  type Source,
} from './tables/table.ts';

/** The next request would be one too many; it is not sent. */
export class BudgetSpent extends Error {
  override readonly name = 'BudgetSpent';
}

/** The requests that a sync may send. */
export class Budget {
  spent = 0;
  /** Those that are spent included. */
  most: number;

  constructor(most: number) {
    this.most = most;
  }

  get left(): number {
    return Math.max(0, this.most - this.spent);
  }

  /** Called before each request. Throws BudgetSpent if none is left. */
  take(): void {
    if (this.left === 0) throw new BudgetSpent(`all ${this.most} requests are spent`);
    this.spent += 1;
  }
}

/** The most urgent first. Missing days come before the look-back, so that few requests suffice in the end. */
const reasons = ['recent', 'changes', 'whole', 'missing', 'look-back', 'older'] as const;

/** One thing to read: a window of days, the changes of some days, or a whole list. */
export interface Task {
  readonly source: Source;
  readonly reason: (typeof reasons)[number];
  readonly days?: Days;
  readonly rows: number;
  readonly requests: number;
}

export interface PlanFacts {
  readonly sources: readonly Source[];
  /** What was read without one of its nicknames is unread. */
  readonly reader: Pick<AccountReader, 'today' | 'nicknames'>;
  readonly since: Day;
  /** Days before today that can still change, as for refunds. */
  readonly lookBack: number;
  /** Read all days of the look-back, even if they were read less than a day ago. */
  readonly readsAll: boolean;
  /** `cb ins listen --sync` keeps the copy current, so the look-back of what events announce is read weekly. */
  readonly isLive?: boolean;
  /** Rows of a day on average, by the name of a source, for days that were never read. */
  readonly usualRows?: ReadonlyMap<string, number>;
  /** Sources that are read even if they were read less than a day ago. */
  readonly dueNow?: ReadonlySet<string>;
  now(): Date;
}

/** Days within which every older day is read again, if cb syncs daily. */
const refreshWithin = 365;
/** A bit less than a day and a week, in milliseconds, so that a run at the same hour counts. */
const [daily, weekly] = [20 * 3_600_000, 164 * 3_600_000];
/** Milliseconds by which two processes may see the time of the service differently, which it sends in whole seconds. */
export const clockError = 5000;
/** A look-back of fewer days says that the run is meant to be cheap: it reads so many rows of older days. */
const [shortestLookBack, cheapRows] = [7, 500];
/** Of a window: enough that the count of each is cheap, and few enough to be read again. */
const [mostRows, mostDays] = [10_000, 31];
/** Rows of a day that nobody has read yet. */
const unknownRows = 20;

/** The tasks of a run by what is known now, in order. */
export function planSync(state: AccountState, facts: PlanFacts): readonly Task[] {
  const tasks = facts.sources.flatMap((source): Task[] => {
    const last = state.lists.get(source.name);
    const readAt = last && hasRead(last, facts.reader.nicknames) ? last.syncedAt : undefined;
    if (source.kind === 'days') return datedTasks(source, readAt, state, facts);
    const isRead = isDue(readAt, facts) || facts.dueNow?.has(source.name);
    return isRead ? [{ source, reason: 'whole', rows: 0, requests: 1 }] : [];
  });
  return reasons.flatMap((reason) => tasks.filter((task) => task.reason === reason));
}

/** Whether what is read once a day, or once a week with a short look-back, is read now. */
function isDue(readAt: string | undefined, { lookBack, now }: PlanFacts): boolean {
  const passed = now().getTime() - Date.parse(readAt ?? '');
  // A time in the future is from a clock that was ahead.
  return !(passed >= -clockError && passed < (lookBack < shortestLookBack ? weekly : daily));
}

function datedTasks(
  source: DatedSource,
  listedAt: string | undefined,
  state: AccountState,
  facts: PlanFacts,
): Task[] {
  const { lookBack, readsAll, isLive, now } = facts;
  const { today, nicknames } = facts.reader;
  const { changesFor, isDaily, againRows = Number.POSITIVE_INFINITY } = source;
  const known = daysWith(state.days.get(source.name), nicknames);
  const times = [...known.values()].map(({ syncedAt }) => syncedAt).sort();
  const readAt = (day: Day) => Date.parse(known.get(day)?.syncedAt ?? '');
  const restFor = isLive && source.isAnnounced ? weekly : daily;
  const [recent, missing, again, old]: [Day[], Day[], Day[], Day[]] = [[], [], [], []];
  for (let day = today; day >= firstDayOf(source, facts.since, today); day = addDays(day, -1)) {
    const age = daysBetween(day, today);
    const passed = now().getTime() - readAt(day);
    if (age <= 1 || readAt(day) < endOf(day) * 1000) recent.push(day);
    else if (!known.has(day)) missing.push(day);
    else if (age > Math.min(lookBack, changesFor ?? lookBack)) old.push(day);
    else if (readsAll || passed >= restFor || passed < -clockError) again.push(day);
  }
  const due = new Map<Day, Task['reason']>();
  // Days that each cost requests of their own are read a month at a time.
  const isCostly = (source.requestsOf?.(0, mostDays, 1) ?? 0) > mostDays;
  for (const day of missing.slice(0, isCostly ? mostDays : undefined)) due.set(day, 'missing');
  const isNow = facts.dueNow?.has(source.name) && missing.length === 0;
  if (!isDaily || isNow || isDue(times.at(-1), facts)) {
    for (const day of recent) due.set(day, 'recent');
    const longestUnread = (one: Day, other: Day) => readAt(one) - readAt(other);
    let rows = 0;
    for (const day of again.sort(longestUnread)) {
      rows += known.get(day)?.rows ?? 0;
      if (rows <= againRows || day === again[0]) due.set(day, 'look-back');
    }
    // Rows that no longer change, or whose changes are listed, are not read again.
    const isShort = lookBack < shortestLookBack;
    const isStill = changesFor !== undefined || (isShort && source.readChanges !== undefined);
    const isInTurn = (again.length > 0 || readsAll) && !isStill;
    const inTurn = isInTurn ? Math.ceil(old.length / refreshWithin) : 0;
    rows = 0;
    for (const day of old.sort(longestUnread).slice(0, inTurn)) {
      rows += known.get(day)?.rows ?? 0;
      if (!isShort || rows <= cheapRows) due.set(day, 'older');
    }
  }
  const tasks = windowsFrom(source, due, state, facts);
  const from = listedAt ?? times[0];
  // The first run reads all days anyway.
  if (!source.readChanges || from === undefined) return tasks;
  // A day earlier, for changes that the service dates late.
  const first = earlier(today, addDays(pacificDay(Date.parse(from) / 1000), -1));
  const days = { first, last: today };
  return [...tasks, { source, reason: 'changes', days, rows: 0, requests: 1 }];
}

/** Joins consecutive days of the same reason, or of all reasons if the source joins them. */
function windowsFrom(
  source: DatedSource,
  due: ReadonlyMap<Day, Task['reason']>,
  state: AccountState,
  facts: PlanFacts,
): Task[] {
  const { isJoined, windowDays = mostDays } = source;
  const windows: { reason: Task['reason']; first: Day; last: Day }[] = [];
  for (const [day, reason] of [...due].sort(([one], [other]) => (one > other ? -1 : 1))) {
    const before = windows.at(-1);
    const isNext = before && addDays(before.first, -1) === day;
    // Otherwise, today is a window of its own, because its rows still move.
    const isAlike = isJoined || (before?.reason === reason && before.last !== facts.reader.today);
    if (isNext && isAlike && daysBetween(day, before.last) < windowDays) before.first = day;
    else windows.push({ reason, first: day, last: day });
  }
  const taskOf = windowMaker(source, state, facts);
  return windows.map(({ reason, ...days }) => taskOf(reason, days));
}

/** A day that was never read is expected to have as many rows as the known days on average. */
function windowMaker(source: DatedSource, state: AccountState, facts: PlanFacts) {
  const known = state.days.get(source.name) ?? new Map<Day, DayState>();
  const sum = [...known.values()].reduce((all, { rows }) => all + rows, 0);
  const usual = facts.usualRows?.get(source.name) ?? unknownRows;
  const average = known.size === 0 ? usual : Math.ceil(sum / known.size);
  return (reason: Task['reason'], days: Days): Task => {
    const each = daysFrom(days.first, days.last);
    const rows = each.reduce((all, day) => all + (known.get(day)?.rows ?? average), 0);
    const pages = Math.max(1, Math.ceil(rows / 100));
    const requests = source.requestsOf?.(rows, each.length, facts.reader.nicknames.length) ?? pages;
    return { source, reason, days, rows, requests: requests + (source.count ? 1 : 0) };
  };
}

/**
 * The latest days of a task that fit into a window and so many requests by what is known now, if there are any, and the
 * rest: a window that was begun and needs more requests than are left would be read in vain, by each run again.
 */
export function fitting(
  task: Task,
  requests: number,
  state: AccountState,
  facts: PlanFacts,
): { readonly task?: Task; readonly rest?: Task } {
  const { source, reason, days } = task;
  if (source.kind === 'whole' || reason === 'changes' || !days) {
    return task.requests <= requests ? { task } : {};
  }
  const taskOf = windowMaker(source, state, facts);
  for (let { first } = days; first <= days.last; first = addDays(first, 1)) {
    const latest = taskOf(reason, { first, last: days.last });
    if (latest.requests > requests || (latest.rows > mostRows && first < days.last)) continue;
    if (first === days.first) return { task: latest };
    return { task: latest, rest: taskOf(reason, { first: days.first, last: addDays(first, -1) }) };
  }
  return {};
}

/**
 * Asks the service how many rows a day has on average, for sources that were never read and that it counts, so that the
 * plan of a first sync is not a guess. A source that can't be counted is left out.
 */
export async function usualRowsOf(
  reader: AccountReader,
  sources: readonly Source[],
  state: AccountState,
  since: Day,
): Promise<ReadonlyMap<string, number>> {
  const { today } = reader;
  const found = new Map<string, number>();
  for (const source of sources) {
    if (source.kind !== 'days' || state.days.has(source.name)) continue;
    const first = firstDayOf(source, since, today);
    try {
      const rows = await source.count?.(reader, { first, last: today });
      const days = daysBetween(first, today) + 1;
      if (rows !== undefined) found.set(source.name, Math.ceil(rows / days));
    } catch (error) {
      // The run itself will meet the same error, and say what it affects.
      const isOfList = error instanceof ApiError && ['refused', 'failed'].includes(error.kind);
      if (!isOfList && !(error instanceof BudgetSpent)) throw error;
    }
  }
  return found;
}
