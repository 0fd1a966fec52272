/** Brings the copy of one account up to date, the most urgent rows first. */
import { ApiError } from '../../client/errors.ts';
import type { Day } from '../../dates/day.ts';
import { type Budget, BudgetSpent } from './budget.ts';
import { type AccountState, type DayState, DestinationError } from './destination.ts';
import { readChanges, readDays, readWhole, type WindowContext } from './read-window.ts';
import type { Days } from './tables/source.ts';
import { nameOf, type PlanFacts, planSync, regroup, requestsOf, type Task } from './tasks.ts';

export interface SyncOptions extends Omit<WindowContext, 'onRows'>, Omit<PlanFacts, 'today'> {
  readonly budget: Budget;
  onProgress?(progress: SyncProgress): void;
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

/** A window that could not be read; the copy keeps what it had. */
export interface SyncProblem {
  readonly source: string;
  readonly days: Days | undefined;
  readonly error: Error;
}

export interface SyncResult {
  /** `stopped`: the requests were spent. `incomplete`: there were problems. */
  readonly outcome: 'complete' | 'stopped' | 'incomplete';
  readonly rows: number;
  readonly windows: number;
  readonly problems: readonly SyncProblem[];
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
  const { destination, account, reader, budget, now, onProgress } = options;
  const { today } = reader;
  const state = await destination.state(account);
  const known = new Map([...state.days].map(([name, days]) => [name, new Map(days)]));
  const current: AccountState = { ...state, days: known };
  const queue = [...planSync(state, { ...options, today })];
  const problems: SyncProblem[] = [];
  const refused = new Set<string>();
  let rows = 0;
  let windows = 0;
  let failures = 0;
  const context: WindowContext = {
    ...{ account, reader, destination, now, isAnonymous: options.isAnonymous },
    onRows(count) {
      rows += count;
      tell();
    },
  };
  let task: Task | undefined;
  const tell = () => {
    const left = queue.reduce((sum, one) => sum + requestsOf(one), 0);
    onProgress?.({ ...nameOf(task), rows, windows, requestsLeft: left });
  };
  const result = (outcome: SyncResult['outcome']): SyncResult => {
    const requestsLeft = queue.reduce((sum, one) => sum + requestsOf(one), 0);
    return { outcome, rows, windows, problems, requestsLeft };
  };

  for (task = queue.shift(); task; task = queue.shift()) {
    if (refused.has(task.source.name)) continue;
    try {
      if (budget.spent() + requestsOf(task) > budget.most)
        throw new BudgetSpent('too few are left');
      tell();
      await perform(context, task, known);
      windows += 1;
      failures = 0;
      if (task.kind === 'days' && task.window.reason === 'missing') {
        regroup(queue, task.source, current, today);
      }
    } catch (error) {
      if (error instanceof BudgetSpent) {
        queue.unshift(task);
        return result('stopped');
      }
      if (!(error instanceof Error) || isFinal(error)) throw error;
      problems.push({ ...nameOf(task), error });
      if (error instanceof ApiError && error.kind === 'refused') refused.add(task.source.name);
      else failures += 1;
      if (failures >= mostFailures) break;
    }
  }
  return result(problems.length === 0 ? 'complete' : 'incomplete');
}

/** Whether all further requests would fail, too. */
function isFinal(error: Error): boolean {
  if (error instanceof DestinationError) return true;
  if (!(error instanceof ApiError)) return error.name !== 'CountMismatch';
  return (
    error.kind === 'cancelled' ||
    error.kind === 'key' ||
    error.kind === 'network' ||
    error.kind === 'rate-limit'
  );
}

async function perform(
  context: WindowContext,
  task: Task,
  known: Map<string, Map<Day, DayState>>,
): Promise<void> {
  if (task.kind === 'whole') return readWhole(context, task.source);
  if (task.kind === 'changes') return readChanges(context, task.source, task.days);
  const { source, window } = task;
  const days = { first: window.first, last: window.last };
  const syncedAt = context.now().toISOString();
  const rowsByDay = await readDays(context, source, days, window.rows);
  const states = known.get(source.name) ?? new Map<Day, DayState>();
  known.set(source.name, states);
  for (const [day, rows] of rowsByDay) states.set(day, { day, rows, syncedAt });
}
