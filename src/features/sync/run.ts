/** Brings the copy of one account up to date, the most urgent rows first. */
import { ApiError } from '../../client/errors.ts';
import { type Day, daysFrom } from '../../dates/day.ts';
import { type AccountState, type DayState, DestinationError, hasRead } from './destination.ts';
import { type Budget, BudgetSpent, fitting, type PlanFacts, planSync, type Task } from './plan.ts';
import { readChanges, readDays, readWhole, type WindowContext } from './read-window.ts';
import type { Days, Source } from './tables/table.ts';

interface SyncOptions
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

/** What a run did for one source. */
interface SourceFigures {
  readonly source: string;
  readonly outcome: 'complete' | 'stopped' | 'incomplete' | 'refused';
  readonly rows: number;
  readonly windows: number;
  readonly requests: number;
  /** Rows that the days which were read had in the copy before. */
  readonly rowsBefore: number;
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
  /** Sources that the key may not read, and that the copy has no rows of. */
  readonly refusals: readonly SyncProblem[];
  /** Windows that were copied although the service counts other rows than it lists. */
  readonly mismatches: readonly SyncProblem[];
  readonly sources: readonly SourceFigures[];
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
  const stored = await destination.state(account);
  const days = new Map([...stored.days].map(([name, known]) => [name, new Map(known)]));
  const state: CurrentState = { ...stored, days };
  const facts = { ...options, today, nicknames };
  const queue = [...planSync(state, facts)];
  const of = new Map(queue.map(({ source }) => [source.name, emptyFigures()]));
  const figuresOf = ({ name }: Source) => of.get(name) ?? emptyFigures();
  const problems: SyncProblem[] = [];
  const refusals: SyncProblem[] = [];
  const mismatches: SyncProblem[] = [];
  const sum = (name: 'rows' | 'windows') =>
    [...of.values()].reduce((all, figures) => all + figures[name], 0);
  const requestsLeft = () => queue.reduce((all, { requests }) => all + requests, 0);
  const progress = (task: Task | undefined): SyncProgress => ({
    ...{ source: task?.source.name ?? '', days: task?.days, rows: sum('rows') },
    ...{ windows: sum('windows'), requestsLeft: requestsLeft() },
  });
  let isStopped = false;
  let failures = 0;
  for (let next = queue.shift(); next; next = queue.shift()) {
    const figures = figuresOf(next.source);
    if (figures.isRefused) continue;
    const spentBefore = budget.spent;
    const { task, rest } = fitting(next, budget.left, state, facts);
    const source = next.source.name;
    if (rest) queue.unshift(rest);
    const context: WindowContext = {
      ...options,
      onRows(rows) {
        figures.rows += rows;
        onProgress?.(progress(task));
      },
      onMismatch: (days, error) => mismatches.push({ source, days, error }),
    };
    try {
      if (!task) throw new BudgetSpent('too few are left');
      onProgress?.(progress(task));
      figures.rowsBefore += await perform(context, task, state);
      figures.windows += 1;
      failures = 0;
    } catch (error) {
      if (error instanceof BudgetSpent) {
        queue.unshift(task ?? next);
        isStopped = true;
        break;
      }
      if (!(error instanceof Error) || isFinal(error)) throw error;
      figures.isRefused = error instanceof ApiError && error.kind === 'refused';
      // A refusal affects only this source.
      if (!figures.isRefused) failures += 1;
      const found = isHarmless(error, next.source, state, options) ? refusals : problems;
      found.push({ source, days: (task ?? next).days, error });
      if (failures >= mostFailures) break;
    } finally {
      figures.requests += budget.spent - spentBefore;
    }
    await onWindow?.(progress(task));
  }
  // The key may read nothing at all.
  const isNothing = sum('windows') === 0 && problems.length === 0 && !isStopped;
  if (isNothing && refusals[0]) throw refusals[0].error;
  const outcomeOf = (source: string) => {
    const isOf = (one: SyncProblem) => one.source === source;
    if (problems.some(isOf)) return 'incomplete';
    if (refusals.some(isOf)) return 'refused';
    return queue.some((task) => task.source.name === source) ? 'stopped' : 'complete';
  };
  return {
    outcome: problems.length > 0 ? 'incomplete' : isStopped ? 'stopped' : 'complete',
    ...{ rows: sum('rows'), windows: sum('windows'), problems, refusals, mismatches },
    sources: [...of].map(([source, { isRefused: _, ...figures }]) => ({
      ...{ source, ...figures, outcome: outcomeOf(source) },
    })),
    requestsLeft: requestsLeft(),
  };
}

const emptyFigures = () => ({ rows: 0, windows: 0, requests: 0, rowsBefore: 0, isRefused: false });

/** A key without the permission, and nothing that becomes outdated: neither asked for, nor copied before. */
function isHarmless(
  error: Error,
  { name }: Source,
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
  return ['cancelled', 'key', 'network', 'rate-limit'].includes(error.kind);
}

interface CurrentState extends AccountState {
  readonly days: Map<string, Map<Day, DayState>>;
}

/** Returns the rows that the days of a window had before. */
async function perform(
  context: WindowContext,
  { source, reason, days, rows }: Task,
  { days: all, lists }: CurrentState,
): Promise<number> {
  if (source.kind === 'whole') await readWhole(context, source, lists.get(source.name));
  else if (days && reason === 'changes') await readChanges(context, source, days);
  if (source.kind === 'whole' || reason === 'changes' || !days) return 0;
  const syncedAt = context.now().toISOString();
  const known = all.get(source.name) ?? new Map<Day, DayState>();
  const { nicknames } = context.reader;
  // Days that were read with other nicknames can have more rows than the key can read now.
  const before = daysFrom(days.first, days.last).reduce((sum, day) => {
    const state = known.get(day);
    return sum + (state && hasRead({ nicknames }, state.nicknames) ? state.rows : 0);
  }, 0);
  const rowsByDay = await readDays(context, source, days, { before, rows });
  all.set(source.name, known);
  for (const [day, rows] of rowsByDay) known.set(day, { day, rows, syncedAt, nicknames });
  return before;
}
