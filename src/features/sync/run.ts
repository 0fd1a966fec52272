/** Reads what a run has planned for one account into the copy, the most urgent rows first. */
import { ApiError } from '../../client/errors.ts';
import { type CountedList, isLastingMismatch } from '../../client/paging/count.ts';
import { type Day, daysFrom } from '../../dates/day.ts';
import {
  type AccountState,
  type Completed,
  type DayState,
  type Destination,
  DestinationError,
  type Emptied,
  hasRead,
  type ListState,
  type WindowWriter,
} from './destination.ts';
import { type Budget, BudgetSpent, fitting, type PlanFacts, planSync, type Task } from './plan.ts';
import { rowMaker } from './tables/rows.ts';
import {
  type AccountReader,
  type DatedSource,
  type Days,
  halvesOf,
  type Part,
  type RowPages,
  type ServiceRow,
  type Source,
  type WholeSource,
} from './tables/table.ts';

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

interface WindowContext {
  readonly account: string;
  readonly reader: AccountReader;
  readonly destination: Destination;
  /** The time of the service. */
  now(): Date;
  /** Whether the personal data of a row is left out. */
  isAnonymous(row: ServiceRow): boolean;
  /** Called after each page with the number of its rows. */
  onRows(rows: number): void;
  /** Called for a window that was committed although the service counts other rows than it lists. */
  onMismatch(days: Days, error: Error): void;
}

/** The service counts other rows than it lists. */
class CountMismatch extends Error {
  override readonly name = 'CountMismatch';

  constructor(counted: number, listed: number) {
    super(`ClickBank counts ${counted} rows but lists ${listed}`);
  }
}

/** A list is suddenly empty, which is more likely an error of the service than the truth. Its rows stay. */
class ListEmptied extends Error {
  override readonly name = 'ListEmptied';
}

/**
 * New rows may arrive between the count and the end of the list, and rows may move between pages, so both are tried
 * again.
 */
const attempts = 3;

interface Expected {
  /** Rows that days had when they were last read; 0 if they never were. */
  rowsBefore(days: Days): number;
  /** Estimated rows, which bound prefetching. */
  readonly rows: number;
}

/**
 * Replaces the rows of some days. Returns the number of rows by day. If the service always counts and lists the same
 * two different numbers, the listed rows are taken, unless the copy has more of them. Days whose rows always move
 * between pages are read in two parts. Throws CountMismatch, ListEmptied or an ApiError.
 */
async function readDays(
  context: WindowContext,
  source: DatedSource,
  days: Days,
  expected: Expected,
): Promise<ReadonlyMap<Day, number>> {
  const mismatches: CountedList[] = [];
  const expectedRows = expected.rowsBefore(days);
  for (let attempt = 1; ; attempt++) {
    const counted = await source.count?.(context.reader, days);
    const rowsByDay = new Map(daysFrom(days.first, days.last).map((day) => [day, 0]));
    let before: Day | undefined;
    const place = (row: ServiceRow) => {
      // Lists are in the order of time, so a row without one is of the day of the row before it.
      const day = dayWithin(source.dayOf(row) ?? before, days);
      before = day;
      rowsByDay.set(day, (rowsByDay.get(day) ?? 0) + 1);
      return day;
    };
    const pages = source.read(context.reader, { days, expected: counted ?? expected.rows });
    let mismatch: CountMismatch | undefined;
    try {
      await collect(context, source, pages, place, async (writer, syncedAt, listed) => {
        if (counted !== undefined && counted !== listed) {
          mismatch = new CountMismatch(counted, listed);
          mismatches.push({ counted, listed });
          const rows = [...rowsByDay.values()].reduce((sum, one) => sum + one, 0);
          const isLess = rows === 0 || rows < expectedRows;
          const isStable = mismatches.length === attempts && isLastingMismatch(mismatches);
          if (isLess || !isStable) throw mismatch;
        }
        if (counted === undefined && listed === 0 && expectedRows > 0) {
          throw new ListEmptied(
            `ClickBank lists nothing, but the copy has ${expectedRows} rows of these days`,
          );
        }
        await writer.commit({ extent: days, syncedAt, rowsByDay, ...whoseOf(context.reader) });
      });
    } catch (error) {
      const code = error instanceof ApiError ? error.code : undefined;
      const hasMoved = code === 'shifted-rows' || code === 'missing-rows';
      if (!hasMoved && error !== mismatch) throw error;
      if (attempt < attempts) continue;
      if (!hasMoved || days.first === days.last) throw error;
      const half = { ...expected, rows: Math.ceil(expected.rows / 2) };
      const [later, earlier] = halvesOf(days);
      return new Map([
        ...(await readDays(context, source, later, half)),
        ...(await readDays(context, source, earlier, half)),
      ]);
    }
    if (mismatch) context.onMismatch(days, mismatch);
    return rowsByDay;
  }
}

/** A row without a time, or with one of another day, belongs to the window that listed it. */
function dayWithin(day: Day | undefined, { first, last }: Days): Day {
  if (day === undefined || day < first) return first;
  return day > last ? last : day;
}

/** Replaces rows of any day that changed in these days. */
async function readChanges(context: WindowContext, source: DatedSource, days: Days): Promise<void> {
  const pages = source.readChanges?.(context.reader, days);
  if (!pages) return;
  const place = (row: ServiceRow) => source.dayOf(row) ?? days.first;
  await collect(context, source, pages, place, (writer, syncedAt) =>
    writer.commit({
      ...{ extent: 'changes', syncedAt, rowsByDay: new Map() },
      ...whoseOf(context.reader),
    }),
  );
}

/** Whose rows are replaced. */
function whoseOf({
  nicknames,
  isPartial = false,
}: AccountReader): Pick<Completed, 'nicknames' | 'isPartial'> {
  return { nicknames, isPartial };
}

/** A part that stays empty for so long, in milliseconds, has no rows: the third of three nightly runs agrees. */
const emptyFor = 40 * 3_600_000;

/** Replaces all rows of a source. Throws ListEmptied, after the commit, if a part is suddenly empty: its rows stay. */
async function readWhole(
  context: WindowContext,
  source: WholeSource,
  before: ListState | undefined,
): Promise<void> {
  const emptied = new Map<Part, string>();
  const pages = nonEmptyParts(context, source, before?.emptied ?? {}, emptied);
  await collect(
    context,
    source,
    pages,
    () => '',
    (writer, syncedAt) =>
      writer.commit({
        ...{ extent: 'whole', syncedAt, rowsByDay: new Map(), emptied },
        ...whoseOf(context.reader),
      }),
  );
  if (emptied.size === 0) return;
  const names = [...emptied.keys()].map(textOf).join(', ');
  throw new ListEmptied(`ClickBank lists none of ${names}, but the copy has some`);
}

/** As in `SHOP VENDOR`. */
export function textOf({ nickname, role }: Part): string {
  return role === undefined ? nickname : `${nickname} ${role}`;
}

/** Reads a part again that is empty although the copy has rows of it. Adds it to `emptied` if it stays empty. */
async function* nonEmptyParts(
  { account, destination, reader, now }: WindowContext,
  source: WholeSource,
  emptyBefore: Emptied,
  emptied: Map<Part, string>,
): RowPages {
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
    const since = emptyBefore[textOf(part)] ?? now().toISOString();
    if (held > 0 && now().getTime() - Date.parse(since) < emptyFor) emptied.set(part, since);
  }
}

async function collect(
  { account, reader, destination, now, isAnonymous, onRows }: WindowContext,
  source: Source,
  pages: RowPages,
  dayOf: (row: ServiceRow) => Day,
  commit: (writer: WindowWriter, syncedAt: string, rows: number) => Promise<void>,
): Promise<void> {
  // The time before the first request: what changes afterwards is read again.
  const syncedAt = now()
    .toISOString()
    .replace(/\.\d+Z$/, 'Z');
  const make = rowMaker(source, { account, syncedAt, isAnonymous });
  const writer = await destination.begin(account, source);
  let listed = 0;
  try {
    for await (const { rows, isExtra } of pages) {
      reader.signal.throwIfAborted();
      await writer.write(make(rows.map((row) => ({ row, day: dayOf(row) }))));
      if (!isExtra) listed += rows.length;
      onRows(rows.length);
    }
    await commit(writer, syncedAt, listed);
  } catch (error) {
    await writer.discard().catch(() => undefined);
    throw error;
  }
}
