/** The requests of a run as tasks, the most urgent first. */
import { addDays, type Day, daysBetween, daysFrom } from '../../dates/day.ts';
import { pacificDay } from '../../dates/pacific.ts';
import { capped, isDue, isShort } from './cadence.ts';
import { type AccountState, type DayState, daysWith, hasRead } from './destination.ts';
import {
  type Due,
  dueDays,
  type PlannedWindow,
  type Reason,
  rowEstimate,
  windowsFrom,
} from './plan.ts';
import type { DatedSource, Days, Source } from './tables/source.ts';

/** One thing to read. */
export type Task =
  | DaysTask
  | { readonly kind: 'changes'; readonly source: DatedSource; readonly days: Days }
  | { readonly kind: 'whole'; readonly source: Extract<Source, { kind: 'whole' }> };

interface DaysTask {
  readonly kind: 'days';
  readonly source: DatedSource;
  readonly window: PlannedWindow;
  /** How many nicknames the key can read. */
  readonly nicknames: number;
}

/** Rows of a window: enough that the count of each is cheap, and few enough to be read again. */
const mostRows = 10_000;
const mostDays = 31;
const rowsOnAPage = 100;

/** Rows of a day that nobody has read yet. */
const unknownRows = 20;

export interface PlanFacts {
  readonly sources: readonly Source[];
  readonly today: Day;
  /** The first day to copy. */
  readonly since: Day;
  /** Days before today that can still change, as for refunds. */
  readonly lookBack: number;
  /** Read all days of the look-back, even if they were read less than a day ago. */
  readonly readsAll: boolean;
  /** Days within which every older day is read again, if cb syncs daily. */
  readonly refreshWithin: number;
  /** Rows of a day on average, by the name of a source, for days that were never read. */
  readonly usualRows?: ReadonlyMap<string, number>;
  /** The nicknames that the key can read: what was read without one of them is unread. */
  readonly nicknames: readonly string[];
  /** Sources that are read even if they were read less than a day ago. */
  readonly dueNow?: ReadonlySet<string>;
  /** The time of the service. */
  now(): Date;
}

/** The tasks of a run by what is known now, in order. Windows of days that were never read are estimates. */
export function planSync(state: AccountState, facts: PlanFacts): readonly Task[] {
  const plans = facts.sources.map((source) => planOf(source, state, facts));
  const windows = (reason: Reason) =>
    plans.flatMap(({ windows }) => windows.filter((task) => task.window.reason === reason));
  return [
    ...windows('recent'),
    ...plans.flatMap(({ others }) => others),
    // Before the look-back: with few requests in each run, days would otherwise stay missing for ever.
    ...windows('missing'),
    ...windows('look-back'),
    ...windows('older'),
  ];
}

function planOf(source: Source, state: AccountState, facts: PlanFacts) {
  const { nicknames, dueNow } = facts;
  const isDueNow = dueNow?.has(source.name) ?? false;
  if (source.kind === 'whole') {
    const last = state.lists.get(source.name);
    const isCurrent = last && hasRead(last, nicknames) && !isDue(last.syncedAt, facts);
    const others = isCurrent && !isDueNow ? [] : [{ kind: 'whole', source } as Task];
    return { windows: [], others };
  }
  const read = state.days.get(source.name) ?? new Map<Day, DayState>();
  const known = daysWith(read, nicknames);
  const usualRows = facts.usualRows?.get(source.name) ?? unknownRows;
  const rowsOf = rowEstimate(read, usualRows);
  const due = capped(source, dueOf(source, known, facts), { known, rowsOf, facts, isDueNow });
  const windows = windowsOf(source, read, due, facts.today, usualRows);
  return {
    windows: windows.map((window) => daysTask(source, window, nicknames.length)),
    others: changesOf(source, state, facts),
  };
}

function daysTask(source: DatedSource, window: PlannedWindow, nicknames = 1): DaysTask {
  return { kind: 'days', source, window, nicknames };
}

/** Rows that changed since the last run; the first run reads all days anyway. */
function changesOf(
  source: DatedSource,
  { lists, days }: AccountState,
  { today, nicknames }: PlanFacts,
): Task[] {
  if (!source.readChanges || !days.has(source.name)) return [];
  const last = lists.get(source.name);
  const read = [...daysWith(days.get(source.name), nicknames).values()];
  const oldest = read.map(({ syncedAt }) => syncedAt).sort();
  const from = last && hasRead(last, nicknames) ? last.syncedAt : oldest[0];
  if (from === undefined) return [];
  // A day earlier, for changes that the service dates late.
  const first = addDays(pacificDay(Date.parse(from) / 1000), -1);
  return [{ kind: 'changes', source, days: { first: first < today ? first : today, last: today } }];
}

function dueOf(
  source: DatedSource,
  known: ReadonlyMap<Day, DayState>,
  { since, lookBack, readsAll, refreshWithin, now, today }: PlanFacts,
): readonly Due[] {
  const { changesFor, keeps } = source;
  const options = {
    ...{ today, since, readsAll, keeps, older: 0 },
    now: now().getTime(),
    lookBack: Math.min(lookBack, changesFor ?? lookBack),
  };
  const due = dueDays(known, options);
  // Rows that no longer change are not read again.
  if (changesFor !== undefined) return due;
  // A run with a short look-back is meant to be cheap, and the changes of tickets are listed.
  if (source.readChanges && isShort(lookBack)) return due;
  const again = due.filter(({ reason }) => reason === 'look-back').map(({ day }) => day);
  if (again.length === 0 && !readsAll) return due;
  const older = olderDays(known, [...again, today], { since, lookBack, refreshWithin, today });
  return dueDays(known, { ...options, older });
}

/** Older rows are read in proportion to the others, so that a short look-back stays cheap. */
const olderShare = 0.1;
const olderRows = 500;

function olderDays(
  known: ReadonlyMap<Day, DayState>,
  again: readonly Day[],
  {
    since,
    lookBack,
    refreshWithin,
    today,
  }: Pick<PlanFacts, 'since' | 'lookBack' | 'refreshWithin' | 'today'>,
): number {
  const edge = addDays(today, -lookBack);
  const old = [...known.values()].filter(({ day }) => day >= since && day < edge);
  const rowsOf = rowEstimate(known, unknownRows);
  const rows = again.reduce((sum, day) => sum + rowsOf(day), 0);
  const perDay = old.reduce((sum, one) => sum + one.rows, 0) / Math.max(1, old.length);
  const affordable = Math.floor(Math.max(olderRows, olderShare * rows) / Math.max(1, perDay));
  return Math.min(Math.ceil(old.length / refreshWithin), affordable);
}

function windowsOf(
  { isJoined: joinsAll, windowDays = mostDays }: DatedSource,
  known: ReadonlyMap<Day, DayState>,
  due: readonly Due[],
  today: Day,
  usualRows = unknownRows,
): readonly PlannedWindow[] {
  const rowsOf = rowEstimate(known, usualRows);
  return windowsFrom(due, { rowsOf, mostRows, mostDays: windowDays, today, joinsAll });
}

/** The part of a task for which so many requests are enough, if there is any, and the rest of it. */
export function fitting(
  task: Task,
  requests: number,
): { readonly task?: Task; readonly rest?: Task } {
  if (mostRequestsOf(task) <= requests) return { task };
  if (task.kind !== 'days') return {};
  const { window } = task;
  const { first, last } = window;
  const days = daysBetween(first, last) + 1;
  const part = (days: Days): Task => {
    const share = (daysBetween(days.first, days.last) + 1) / (daysBetween(first, last) + 1);
    return { ...task, window: { ...window, ...days, rows: Math.ceil(window.rows * share) } };
  };
  for (let count = days - 1; count > 0; count--) {
    const latest = part({ first: addDays(last, 1 - count), last });
    if (mostRequestsOf(latest) > requests) continue;
    return { task: latest, rest: part({ first, last: addDays(last, -count) }) };
  }
  return {};
}

/** The rows that these days had when they were last read. */
export function knownRowsOf(known: ReadonlyMap<Day, DayState>, { first, last }: Days): number {
  return daysFrom(first, last).reduce((sum, day) => sum + (known.get(day)?.rows ?? 0), 0);
}

/** Estimated requests of a task. */
export function requestsOf(task: Task): number {
  if (task.kind !== 'days') return 1;
  const { source, window, nicknames } = task;
  const { first, last, rows } = window;
  const pages = Math.max(1, Math.ceil(rows / rowsOnAPage));
  const requests = source.requestsOf?.(rows, daysBetween(first, last) + 1, nicknames) ?? pages;
  return requests + (source.count ? 1 : 0);
}

/** A window that was begun and needs more requests than are left would be read in vain, by each run again. */
function mostRequestsOf(task: Task): number {
  if (task.kind !== 'days' || !task.source.mostRequestsOf) return requestsOf(task);
  const { first, last } = task.window;
  return task.source.mostRequestsOf(daysBetween(first, last) + 1, task.nicknames);
}

export function requestsOfAll(tasks: readonly Task[]): number {
  return tasks.reduce((sum, task) => sum + requestsOf(task), 0);
}

export function nameOf(task: Task | undefined) {
  if (!task) return { source: '', days: undefined };
  const days = task.kind === 'whole' ? undefined : task.kind === 'days' ? task.window : task.days;
  return { source: task.source.name, days };
}

/** Cuts the windows of days that were never read anew, by the rows that days turned out to have. */
export function regroup(queue: Task[], source: DatedSource, state: AccountState, today: Day): void {
  const isOfSource = (task: Task) =>
    task.kind === 'days' && task.source === source && task.window.reason === 'missing';
  const at = queue.findIndex(isOfSource);
  if (at < 0) return;
  const nicknames = queue.flatMap((task) => (task.kind === 'days' ? [task.nicknames] : []))[0];
  const days = queue.filter(isOfSource).flatMap((task) => daysOf(task).reverse());
  const due = days.map((day) => ({ day, reason: 'missing' }) as const);
  const known = state.days.get(source.name) ?? new Map<Day, DayState>();
  const windows = windowsOf(source, known, due, today);
  const others = queue.filter((task) => !isOfSource(task));
  const tasks = windows.map((window) => daysTask(source, window, nicknames));
  queue.splice(0, queue.length, ...others.slice(0, at), ...tasks, ...others.slice(at));
}

function daysOf(task: Task): Day[] {
  return task.kind === 'days' ? daysFrom(task.window.first, task.window.last) : [];
}
