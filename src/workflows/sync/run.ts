/** Brings the copy of one account up to date, the most urgent rows first. */
import { ApiError } from '../../client/errors.ts';
import type { Day } from '../../dates/day.ts';
import { type Budget, BudgetSpent } from './budget.ts';
import { type AccountState, type DayState, DestinationError, hasRead } from './destination.ts';
import { readChanges, readDays, readWhole, type WindowContext } from './read-window.ts';
import { openTally, type SyncResult } from './run-tally.ts';
import type { Days } from './tables/source.ts';
import {
  fitting,
  knownRowsOf,
  nameOf,
  type PlanFacts,
  planSync,
  regroup,
  requestsOfAll,
  type Task,
} from './tasks.ts';

export type { SyncResult } from './run-tally.ts';

export interface SyncOptions
  extends Omit<WindowContext, 'onRows' | 'onMismatch'>,
    Omit<PlanFacts, 'today' | 'nicknames'> {
  readonly budget: Budget;
  /** Names of sources that must be read: a refusal is then a problem. */
  readonly required?: ReadonlySet<string>;
  onProgress?(progress: SyncProgress): void;
  /** Called between two windows, when the destination is not in use. */
  onWindow?(progress: SyncProgress): Promise<void>;
}

/** What a run does next, or has just done. */
export interface SyncProgress {
  readonly source: string;
  readonly days: Days | undefined;
  /** Rows read in this run. */
  readonly rows: number;
  /** Windows committed in this run. */
  readonly windows: number;
  /** Estimated requests that are left to send. */
  readonly requestsLeft: number;
}

/** Consecutive windows that fail before a run gives up. */
const mostFailures = 3;

/**
 * Reads what is due. A window that can't be read is a problem of the result; the others are read. Throws an ApiError
 * if no request can succeed (no permission for anything, no network), and a DestinationError.
 */
export async function syncAccount(options: SyncOptions): Promise<SyncResult> {
  const { destination, account, budget, onProgress, onWindow } = options;
  const { today, nicknames } = options.reader;
  const state = await destination.state(account);
  const known = new Map([...state.days].map(([name, days]) => [name, new Map(days)]));
  const current: AccountState = { ...state, days: known };
  const queue = [...planSync(state, { ...options, today, nicknames })];
  const tally = openTally(queue, budget);
  const progress = (task: Task | undefined): SyncProgress => ({
    ...{ ...nameOf(task), rows: tally.rows(), windows: tally.windows() },
    requestsLeft: requestsOfAll(queue),
  });
  let isStopped = false;
  let failures = 0;
  for (let next = queue.shift(); next; next = queue.shift()) {
    if (tally.isEnded(next.source)) continue;
    const { task, rest } = fitting(next, budget.left());
    if (rest) queue.unshift(rest);
    const onRows = (rows: number) => {
      tally.addRows(next.source, rows);
      onProgress?.(progress(task));
    };
    try {
      if (!task) throw new BudgetSpent('too few are left');
      onProgress?.(progress(task));
      const onMismatch = (days: Days, error: Error) =>
        tally.addMismatch({ source: task.source.name, days, error });
      await perform({ ...options, onRows, onMismatch }, task, current, known, (before) =>
        tally.reread(task, before),
      );
      tally.addWindow(task.source);
      failures = 0;
      if (task.kind === 'days' && task.window.reason === 'missing') {
        regroup(queue, task.source, current, today);
      }
    } catch (error) {
      if (error instanceof BudgetSpent) {
        queue.unshift(task ?? next);
        isStopped = true;
        break;
      }
      if (!(error instanceof Error) || isFinal(error)) throw error;
      failures += tally.addFailure(task ?? next, error, isRefusal(error, next, current, options));
      if (failures >= mostFailures) break;
    } finally {
      tally.settle(next.source);
    }
    await onWindow?.(progress(task));
  }
  return tally.result(queue, isStopped);
}

/** A key without the permission, and nothing that becomes outdated: neither asked for, nor copied before. */
function isRefusal(
  error: Error,
  { source: { name } }: Task,
  { days, lists }: AccountState,
  { required }: SyncOptions,
): boolean {
  const isRefused = error instanceof ApiError && error.kind === 'refused' && error.status === 403;
  const isCopied = (days.get(name)?.size ?? 0) > 0 || lists.has(name);
  return isRefused && !isCopied && !required?.has(name);
}

/** Whether all further requests would fail, too. */
function isFinal(error: Error): boolean {
  if (error instanceof DestinationError) return true;
  if (!(error instanceof ApiError)) return !['CountMismatch', 'ListEmptied'].includes(error.name);
  return (
    error.kind === 'cancelled' ||
    error.kind === 'key' ||
    error.kind === 'network' ||
    error.kind === 'rate-limit'
  );
}

/** `onReread` receives the rows that the days of a window had before. */
async function perform(
  context: WindowContext,
  task: Task,
  { lists }: AccountState,
  known: Map<string, Map<Day, DayState>>,
  onReread: (rows: number) => void,
): Promise<void> {
  if (task.kind === 'whole') return readWhole(context, task.source, lists.get(task.source.name));
  if (task.kind === 'changes') return readChanges(context, task.source, task.days);
  const { source, window } = task;
  const days = { first: window.first, last: window.last };
  const syncedAt = context.now().toISOString();
  const states = known.get(source.name) ?? new Map<Day, DayState>();
  const { nicknames } = context.reader;
  // Days that were read with other nicknames can have more rows than the key can read now.
  const comparable = [...states].filter(([, state]) => hasRead({ nicknames }, state.nicknames));
  const before = knownRowsOf(new Map(comparable), days);
  const rowsByDay = await readDays(context, source, days, { before, rows: window.rows });
  onReread(before);
  known.set(source.name, states);
  for (const [day, rows] of rowsByDay) states.set(day, { day, rows, syncedAt, nicknames });
}
