/** Reads what a run has planned for one account into the copy, the most urgent rows first. */
import { ApiError } from '../../client/errors.ts';
import { type Day, daysFrom, earlier, later } from '../../dates/day.ts';
import type { Destination } from './database/copy.ts';
import {
  type AccountState,
  type Completed,
  DestinationError,
  hasRead,
  type ListState,
} from './destination.ts';
import { type Budget, BudgetSpent, fitting, type PlanFacts, planSync, type Task } from './plan.ts';
import {
  type AccountReader,
  type DatedSource,
  type Days,
  halvesOf,
  type Part,
  partText,
  type RowPages,
  rowMaker,
  type ServiceRow,
  type Source,
  type WholeSource,
} from './tables/table.ts';

interface SyncOptions extends PlanFacts {
  readonly account: string;
  readonly reader: AccountReader;
  readonly destination: Destination;
  readonly budget: Budget;
  /** Names of sources that must be read: a refusal is then a problem. */
  readonly required?: ReadonlySet<string>;
  isAnonymous(row: ServiceRow): boolean;
  onProgress?(progress: SyncProgress): void;
  /** Called between two windows, when the destination is not in use. */
  onWindow?(progress: SyncProgress): Promise<void>;
}

/** What a run does next, or has just done. */
export interface SyncProgress {
  readonly source: string;
  readonly days: Days | undefined;
  readonly rows: number;
  readonly windows: number;
  readonly requestsLeft: number;
}

/** A window that could not be read; the copy keeps what it had. */
export interface SyncProblem {
  readonly source: string;
  readonly days: Days | undefined;
  readonly error: Error;
}

interface SourceFigures {
  readonly source: string;
  outcome: 'complete' | 'stopped' | 'incomplete' | 'refused';
  rows: number;
  windows: number;
  requests: number;
  /** Rows that the days which were read had in the copy before. */
  rowsBefore: number;
}

/** Consecutive windows that fail before a run gives up. */
const mostFailures = 3;

/**
 * Reads what is due. A window that can't be read is a problem of the result; the others are read. Throws an ApiError
 * if no request can succeed (no permission for anything, no network), and a DestinationError.
 */
export async function syncAccount(options: SyncOptions) {
  const { destination, account, budget, required, onProgress, onWindow } = options;
  const state = await destination.state(account);
  const queue = [...planSync(state, options)];
  const figures = new Map<Source, SourceFigures>();
  for (const { source } of queue) {
    const counts = { rows: 0, windows: 0, requests: 0, rowsBefore: 0 };
    figures.set(source, { source: source.name, outcome: 'complete', ...counts });
  }
  const problems: SyncProblem[] = [];
  /** Sources that the key may not read, and that the copy has no rows of. */
  const refusals: SyncProblem[] = [];
  /** Windows that were copied although the service counts other rows than it lists. */
  const mismatches: SyncProblem[] = [];
  const refused = new Set<Source>();
  const sum = (name: 'rows' | 'windows') =>
    [...figures.values()].reduce((all, one) => all + one[name], 0);
  const requestsLeft = () => queue.reduce((all, { requests }) => all + requests, 0);
  const progress = ({ source, days }: Task): SyncProgress => ({
    ...{ source: source.name, days, rows: sum('rows'), windows: sum('windows') },
    requestsLeft: requestsLeft(),
  });
  let isStopped = false;
  let failures = 0;
  for (let next = queue.shift(); next; next = queue.shift()) {
    const { source } = next;
    const own = figures.get(source);
    if (!own || refused.has(source)) continue;
    const spentBefore = budget.spent;
    const fits = fitting(next, budget.left, state, options);
    const task = fits.task ?? next;
    if (fits.rest) queue.unshift(fits.rest);
    const report = (error: Error) => ({ source: source.name, days: task.days, error });
    const context: WindowContext = {
      ...options,
      onRows(rows) {
        own.rows += rows;
        onProgress?.(progress(task));
      },
      onMismatch: (days, error) => mismatches.push({ ...report(error), days }),
    };
    try {
      if (!fits.task) throw new BudgetSpent('too few are left');
      onProgress?.(progress(task));
      own.rowsBefore += await readTask(context, task, state);
      own.windows += 1;
      failures = 0;
    } catch (error) {
      if (error instanceof BudgetSpent) {
        queue.unshift(task);
        isStopped = true;
        break;
      }
      if (!(error instanceof Error) || isFinal(error)) throw error;
      const isRefused = error instanceof ApiError && error.kind === 'refused';
      // A refusal affects only this source.
      if (isRefused) refused.add(source);
      else failures += 1;
      // A source that the key can't read isn't outdated unless it was requested or copied before.
      const isCopied = state.lists.has(source.name) || (state.days.get(source.name)?.size ?? 0) > 0;
      const isHarmless =
        isRefused && error.status === 403 && !isCopied && !required?.has(source.name);
      own.outcome = isHarmless && own.outcome === 'complete' ? 'refused' : 'incomplete';
      (isHarmless ? refusals : problems).push(report(error));
      if (failures >= mostFailures) break;
    } finally {
      own.requests += budget.spent - spentBefore;
    }
    await onWindow?.(progress(task));
  }
  // The key may read nothing at all.
  const isNothing = sum('windows') === 0 && problems.length === 0 && !isStopped;
  if (isNothing && refusals[0]) throw refusals[0].error;
  for (const { source } of queue) {
    const own = figures.get(source);
    if (own?.outcome === 'complete') own.outcome = 'stopped';
  }
  // Stopped, if the requests were spent.
  const outcome: 'complete' | 'stopped' | 'incomplete' =
    problems.length > 0 ? 'incomplete' : isStopped ? 'stopped' : 'complete';
  return {
    outcome,
    ...{ rows: sum('rows'), windows: sum('windows'), problems, refusals, mismatches },
    ...{ sources: [...figures.values()], requestsLeft: requestsLeft() },
  };
}

/** Whether all further requests would fail, too. */
function isFinal(error: Error): boolean {
  if (error instanceof DestinationError) return true;
  if (!(error instanceof ApiError)) return !(error instanceof DoubtfulList);
  return ['cancelled', 'key', 'network', 'rate-limit'].includes(error.kind);
}

/** What the service lists is more likely its error than the truth. The rows of the copy stay. */
class DoubtfulList extends Error {
  override readonly name = 'DoubtfulList';
}

interface WindowContext extends SyncOptions {
  /** Called after each page with the number of its rows, and with a negative number if they are not committed. */
  onRows(rows: number): void;
  /** Called for a window that was committed although the service counts other rows than it lists. */
  onMismatch(days: Days, error: Error): void;
}

/** Returns the rows that the days of a window had before. */
async function readTask(
  context: WindowContext,
  { source, reason, days, rows }: Task,
  { days: all, lists }: AccountState,
): Promise<number> {
  if (source.kind === 'whole') {
    await readWhole(context, source, lists.get(source.name)?.emptied ?? {});
    return 0;
  }
  if (!days) return 0;
  if (reason === 'changes') {
    // Rows of any day that changed in these days are replaced.
    const pages = source.readChanges?.(context.reader, days);
    const dayOf = (row: ServiceRow) => source.dayOf(row) ?? days.first;
    if (pages) await copyRows(context, source, pages, dayOf, () => ({ extent: 'changes' }));
    return 0;
  }
  const syncedAt = context.now().toISOString();
  const known = all.get(source.name) ?? new Map();
  const { nicknames } = context.reader;
  // Days that were read with other nicknames can have more rows than the key can read now.
  const rowsBefore = ({ first, last }: Days) =>
    daysFrom(first, last).reduce((sum, day) => {
      const state = known.get(day);
      return sum + (state && hasRead({ nicknames }, state.nicknames) ? state.rows : 0);
    }, 0);
  const before = rowsBefore(days);
  const rowsByDay = await readDays(context, source, days, { rowsBefore, rows });
  all.set(source.name, known);
  for (const [day, rows] of rowsByDay) known.set(day, { day, rows, syncedAt, nicknames });
  return before;
}

/**
 * New rows may arrive between the count and the end of the list, and rows may move between pages, so both are tried
 * again.
 */
const attempts = 3;

/**
 * Replaces the rows of some days. Returns the number of rows by day. If the service always counts and lists the same
 * two different numbers, the listed rows are taken, unless the copy has more of them. Days whose rows always move
 * between pages are read in two parts. `expected` has the rows that days had when they were last read, 0 if they never
 * were, and an estimate, which bounds prefetching. Throws DoubtfulList or an ApiError.
 */
async function readDays(
  context: WindowContext,
  source: DatedSource,
  days: Days,
  expected: { rowsBefore(days: Days): number; readonly rows: number },
): Promise<ReadonlyMap<Day, number>> {
  const { first, last } = days;
  const expectedRows = expected.rowsBefore(days);
  const mismatches: { readonly counted: number; readonly listed: number }[] = [];
  for (let attempt = 1; ; attempt++) {
    const counted = await source.count?.(context.reader, days);
    const rowsByDay = new Map(daysFrom(first, last).map((day) => [day, 0]));
    let latest = first;
    const dayOf = (row: ServiceRow) => {
      // Lists are in the order of time, so a row without one is of the day of the row before it.
      const day = source.dayOf(row) ?? latest;
      // A row of another day belongs to the window that listed it.
      latest = earlier(later(day, first), last);
      rowsByDay.set(latest, (rowsByDay.get(latest) ?? 0) + 1);
      return latest;
    };
    let mismatch: DoubtfulList | undefined;
    const completed = (listed: number) => {
      if (counted === undefined && listed === 0 && expectedRows > 0) {
        const has = `the copy has ${expectedRows} rows of these days`;
        throw new DoubtfulList(`ClickBank lists nothing, but ${has}`);
      }
      if (counted !== undefined && counted !== listed) {
        mismatch = new DoubtfulList(`ClickBank counts ${counted} rows but lists ${listed}`);
        mismatches.push({ counted, listed });
        const rows = [...rowsByDay.values()].reduce((sum, one) => sum + one, 0);
        const isLess = rows === 0 || rows < expectedRows;
        const isSame = mismatches.every((one) => one.counted === counted && one.listed === listed);
        const isStable = mismatches.length === attempts && isSame;
        if (isLess || !isStable) throw mismatch;
      }
      return { extent: days, rowsByDay };
    };
    const pages = source.read(context.reader, { days, expected: counted ?? expected.rows });
    try {
      await copyRows(context, source, pages, dayOf, completed);
    } catch (error) {
      const code = error instanceof ApiError ? error.code : undefined;
      const hasMoved = code === 'shifted-rows' || code === 'missing-rows';
      if (!hasMoved && error !== mismatch) throw error;
      if (attempt < attempts) continue;
      if (!hasMoved || first === last) throw error;
      const half = { ...expected, rows: Math.ceil(expected.rows / 2) };
      const [newer, older] = halvesOf(days);
      return new Map([
        ...(await readDays(context, source, newer, half)),
        ...(await readDays(context, source, older, half)),
      ]);
    }
    if (mismatch) context.onMismatch(days, mismatch);
    return rowsByDay;
  }
}

/** A part that stays empty for so long, in milliseconds, has no rows: the third of three nightly runs agrees. */
const emptyFor = 40 * 3_600_000;

/** Replaces all rows of a source. Throws DoubtfulList, after the commit, if a part is suddenly empty: its rows stay. */
async function readWhole(
  context: WindowContext,
  source: WholeSource,
  emptyBefore: ListState['emptied'],
): Promise<void> {
  const { account, destination, reader, now } = context;
  const emptied = new Map<Part, string>();
  // A part that is empty although the copy has rows of it is read again.
  async function* pages(): RowPages {
    for (const part of reader.nicknames.flatMap(source.partsOf)) {
      let held = 0;
      for (let attempt = 1; attempt === 1 || (held > 0 && attempt <= attempts); attempt++) {
        let rows = 0;
        for await (const page of source.read(reader, part)) {
          rows += page.rows.length;
          yield page;
        }
        held = rows > 0 ? 0 : await destination.rowsOf(account, source, part);
      }
      const since = emptyBefore[partText(part)] ?? now().toISOString();
      if (held > 0 && now().getTime() - Date.parse(since) < emptyFor) emptied.set(part, since);
    }
  }
  const completed = () => ({ extent: 'whole', emptied }) as const;
  await copyRows(context, source, pages(), () => '', completed);
  if (emptied.size === 0) return;
  const names = [...emptied.keys()].map(partText).join(', ');
  throw new DoubtfulList(`ClickBank lists none of ${names}, but the copy has some`);
}

/**
 * Writes the rows of a window. `completed` gets the number of listed rows and says what they replace; if it throws, the
 * copy stays as it is.
 */
async function copyRows(
  { account, reader, destination, now, isAnonymous, onRows }: WindowContext,
  source: Source,
  pages: RowPages,
  dayOf: (row: ServiceRow) => Day,
  completed: (listed: number) => Pick<Completed, 'extent' | 'rowsByDay' | 'emptied'>,
): Promise<void> {
  // The time before the first request: what changes afterwards is read again.
  const syncedAt = now()
    .toISOString()
    .replace(/\.\d+Z$/, 'Z');
  const make = rowMaker(source, { account, syncedAt, isAnonymous });
  const writer = await destination.begin(account, source);
  let [listed, read] = [0, 0];
  try {
    for await (const { rows, isExtra } of pages) {
      await writer.write(make(rows.map((row) => ({ row, day: dayOf(row) }))));
      if (!isExtra) listed += rows.length;
      read += rows.length;
      onRows(rows.length);
    }
    const { nicknames, isPartial = false } = reader;
    await writer.commit({ ...completed(listed), syncedAt, nicknames, isPartial });
  } catch (error) {
    // They are not in the copy.
    onRows(-read);
    throw error;
  }
}
