/** Counts what a run reads and sends, by source. */
import { ApiError } from '../../client/errors.ts';
import type { Budget } from './budget.ts';
import type { Days, Source } from './tables/source.ts';
import { nameOf, requestsOfAll, type Task } from './tasks.ts';

/** What a run did for one source. */
export interface SourceFigures {
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

interface Counts {
  rows: number;
  windows: number;
  requests: number;
  rowsBefore: number;
  /** Its remaining windows are not read. */
  isEnded: boolean;
}

export function openTally(tasks: readonly Task[], budget: Budget) {
  const counts = new Map<string, Counts>();
  const of = ({ name }: Source): Counts => {
    const found = counts.get(name) ?? { ...{ rows: 0, windows: 0, requests: 0 }, ...none };
    counts.set(name, found);
    return found;
  };
  for (const { source } of tasks) of(source);
  const problems: SyncProblem[] = [];
  const refusals: SyncProblem[] = [];
  const mismatches: SyncProblem[] = [];
  let settled = budget.spent();
  const sum = (name: 'rows' | 'windows') =>
    [...counts.values()].reduce((total, one) => total + one[name], 0);
  return {
    rows: () => sum('rows'),
    windows: () => sum('windows'),
    isEnded: (source: Source) => of(source).isEnded,
    addRows(source: Source, rows: number) {
      of(source).rows += rows;
    },
    addWindow(source: Source) {
      of(source).windows += 1;
    },
    reread({ source }: Task, rows: number) {
      of(source).rowsBefore += rows;
    },
    addMismatch(mismatch: SyncProblem) {
      mismatches.push(mismatch);
    },
    /** The requests since the last call belong to this source. */
    settle(source: Source) {
      of(source).requests += budget.spent() - settled;
      settled = budget.spent();
    },
    /** Returns how many failures it counts as: none if only this source is affected. */
    addFailure(task: Task, error: Error, isRefusal: boolean): number {
      (isRefusal ? refusals : problems).push({ ...nameOf(task), error });
      const isRefused = error instanceof ApiError && error.kind === 'refused';
      if (isRefused) of(task.source).isEnded = true;
      return isRefused ? 0 : 1;
    },
    /** Throws the refusal if the key may read nothing at all. */
    result(queue: readonly Task[], isStopped: boolean): SyncResult {
      const isNothing = sum('windows') === 0 && problems.length === 0 && !isStopped;
      if (isNothing && refusals[0]) throw refusals[0].error;
      const left = [...counts].map(([source, { isEnded: _, ...figures }]) => ({
        ...{ source, ...figures },
        outcome: outcomeOf(source, { problems, refusals, queue }),
      }));
      const outcome = problems.length > 0 ? 'incomplete' : isStopped ? 'stopped' : 'complete';
      const requestsLeft = requestsOfAll(queue);
      return {
        ...{ outcome, rows: sum('rows'), windows: sum('windows'), problems, refusals },
        ...{ mismatches, sources: left, requestsLeft },
      };
    },
  };
}

const none = { rowsBefore: 0, isEnded: false };

function outcomeOf(
  name: string,
  {
    problems,
    refusals,
    queue,
  }: {
    readonly problems: readonly SyncProblem[];
    readonly refusals: readonly SyncProblem[];
    readonly queue: readonly Task[];
  },
): SourceFigures['outcome'] {
  if (problems.some(({ source }) => source === name)) return 'incomplete';
  if (refusals.some(({ source }) => source === name)) return 'refused';
  return queue.some(({ source }) => source.name === name) ? 'stopped' : 'complete';
}
