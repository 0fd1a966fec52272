/**
 * Incremental export: each run exports the rows that came since the last one. A run reads again from
 * the day before the last day with rows, since some rows come late, and leaves out those that were
 * exported before. Its state moves on by rows that were read and never by a clock alone, so that a
 * clock that is wrong for one run loses and repeats nothing.
 */
import { createHash } from 'node:crypto';
import { access, constants, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { ApiError } from '../../api/errors.ts';
import { keyOf } from '../../api/lists.ts';
import type { Arguments, Operation } from '../../operations/operation.ts';
import { type Account, createFingerprint, matchesFingerprint } from '../../storage/fingerprint.ts';
import {
  type AccountState,
  type AppendState,
  type Day,
  readState,
  type ScheduleState,
  writeState,
} from './state.ts';

/** The parameters that hold the first and the last day of the period. */
export interface RangeNames {
  readonly first: string;
  readonly last: string;
}

interface Days {
  readonly first: Day;
  readonly last: Day;
}

/** What a run has read, with a day that is not before that of the rows. */
export type SeenRows = Readonly<Record<Day, readonly string[]>>;

/** The rows of one account in this run. */
export interface AccountRun {
  /** The days to read; undefined in the first run, which reads the days that were asked for. */
  readonly days: Days | undefined;
  /** The rows that were not exported before; `args` are those of their window. */
  take(rows: readonly unknown[], args: Arguments): readonly unknown[];
  /** All rows of the account have been taken. */
  finish(): void;
  /** For a checkpoint. */
  seen(): SeenRows;
  restore(seen: SeenRows): void;
}

export interface Schedule {
  /** From this day on each day is read on its own. */
  readonly dailyFrom: Day;
  readonly spoolPath: string;
  readonly file: AppendState | undefined;
  /** Throws an ApiError of kind `request` where the state belongs to another account. */
  openAccount(name: string, account: Account, args: Arguments): AccountRun;
  /** Records the rows that were taken so far as exported, with the file that they are in. */
  commit(file?: AppendState): Promise<void>;
  /** Records the file alone. */
  keep(file: AppendState): Promise<void>;
}

export interface ScheduleOptions {
  readonly folder: string;
  readonly name: string;
  readonly operation: Operation;
  readonly range: RangeNames;
  readonly args: Arguments;
  /** The day at the service, as far as it is known. */
  readonly today: Day;
  /** The file that rows are added to. */
  readonly append: string | undefined;
}

/** Days before today that are read one by one, so that few rows have to be remembered. */
const dailyDays = 3;

export function statePath({ folder, name }: Pick<ScheduleOptions, 'folder' | 'name'>): string {
  return join(folder, `${name}.json`);
}

export function daysBefore(day: Day, count: number): Day {
  return new Date(Date.parse(day) - count * 86_400_000).toISOString().slice(0, 10);
}

/** Opens the state of a name, which the caller has locked. Throws an ApiError of kind `request`. */
export async function openSchedule(options: ScheduleOptions): Promise<Schedule> {
  const path = statePath(options);
  await requireFolder(options.folder);
  const filters = filtersOf(options);
  const { command } = options.operation;
  const stored = await readState(path);
  if (stored) requireSame(stored, options, filters);
  const state = stored ?? { version: 2, command, filters, accounts: {} };
  return scheduleOn(state, path, options);
}

/** Rows whose export can't be recorded would be exported again by every run. */
async function requireFolder(folder: string): Promise<void> {
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await access(folder, constants.W_OK);
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    throw new ApiError('request', `--since-last: ${folder} can't be written (${code}).`, {
      hint: 'Nothing was sent. Name another folder in XDG_DATA_HOME.',
      cause,
    });
  }
}

function requireSame(stored: ScheduleState, options: ScheduleOptions, filters: string): void {
  const { name, operation, append } = options;
  const hint = `Use another name, or delete ${statePath(options)} to export everything again.`;
  const refuse = (owner: string): never => {
    throw new ApiError('request', `--since-last ${name} belongs to ${owner}.`, { hint });
  };
  if (stored.command !== operation.command) refuse(`cb ${stored.command}`);
  if (stored.filters !== filters) refuse('other filters');
  if (stored.file && stored.file.path !== append) refuse(`--append ${stored.file.path}`);
}

function scheduleOn(before: ScheduleState, path: string, options: ScheduleOptions): Schedule {
  const { today, name } = options;
  const runs = new Map<string, Run>();
  let saved = before;
  const commit: Schedule['commit'] = async (file) => {
    const accounts = [...runs].map(([account, run]) => [account, run.state()] as const);
    const next = {
      ...saved,
      accounts: { ...saved.accounts, ...Object.fromEntries(accounts) },
      ...(file && { file }),
    };
    await writeState(path, next);
    saved = next;
  };
  return {
    dailyFrom: daysBefore(today, dailyDays),
    spoolPath: `${path}.rows`,
    file: before.file,
    openAccount(account, identity, args) {
      const stored = before.accounts[account];
      requireAccount(stored, identity, { name, account, path });
      const run = runOf(stored, identity, options, args);
      runs.set(account, run);
      return run;
    },
    commit,
    keep: async (file) => {
      const next = { ...saved, file };
      await writeState(path, next);
      saved = next;
    },
  };
}

interface Whose {
  readonly name: string;
  readonly account: string;
  readonly path: string;
}

/** State that an older version wrote belongs to whoever uses it first. */
function requireAccount(
  stored: AccountState | undefined,
  identity: Account,
  { name, account, path }: Whose,
): void {
  if (!stored || stored.fingerprint === '' || matchesFingerprint(stored.fingerprint, identity)) {
    return;
  }
  const profile = account === '' ? '' : ` for profile ${account}`;
  const message = `--since-last ${name} belongs to another API key or service${profile}.`;
  throw new ApiError('request', message, {
    hint: `Nothing was sent. Use another name for this account, or delete ${path} to start over.`,
  });
}

interface Run extends AccountRun {
  state(): AccountState;
}

function runOf(
  stored: AccountState | undefined,
  identity: Account,
  { operation, range, today }: ScheduleOptions,
  args: Arguments,
): Run {
  const { returns } = operation;
  const key = ('key' in returns ? returns.key : undefined) ?? [];
  const fingerprint = stored?.fingerprint || createFingerprint(identity);
  const dayOf = (of: Arguments, end: string) => String((of as Record<string, unknown>)[end]);
  const from = stored?.from ?? dayOf(args, range.first);
  const exported = new Map(entriesOf(stored?.seen ?? {}));
  const all = new Map(exported);
  let latest = knownThrough(stored, today);
  let isDone = false;
  return {
    days: stored && daysToRead(from, latest, today),
    take(rows, window) {
      const [first, last] = [dayOf(window, range.first), dayOf(window, range.last)];
      if (rows.length > 0 && (latest === undefined || first > latest)) latest = first;
      return rows.filter((row) => {
        const hash = hashOfRow(row, key);
        const known = all.get(hash);
        all.set(hash, known !== undefined && known < last ? known : last);
        return !exported.has(hash);
      });
    },
    finish: () => {
      isDone = true;
    },
    seen: () => byDay(all),
    restore: (seen) => {
      for (const [hash, day] of entriesOf(seen)) all.set(hash, day);
    },
    state() {
      if (!isDone) {
        const through = stored?.through;
        return { fingerprint, from, ...(through && { through }), seen: byDay(all) };
      }
      const through = latest ?? from;
      return { fingerprint, from, through, seen: byDay(all, daysBefore(through, 1)) };
    },
  };
}

/** A stored day that has not come yet is the mistake of a clock. */
function knownThrough(stored: AccountState | undefined, today: Day): Day | undefined {
  if (stored?.through === undefined || stored.fingerprint !== '') return stored?.through;
  return stored.through < today ? stored.through : today;
}

/** Up to today, and to the last day with rows where the clock is behind it. */
function daysToRead(from: Day, through: Day | undefined, today: Day): Days {
  const first = through === undefined ? from : daysBefore(through, 1);
  const last = through !== undefined && through > today ? through : today;
  return { first: first < last ? first : last, last };
}

function entriesOf(seen: SeenRows): (readonly [string, Day])[] {
  return Object.entries(seen).flatMap(([day, hashes]) =>
    hashes.map((hash) => [hash, day] as const),
  );
}

function byDay(seen: ReadonlyMap<string, Day>, since: Day = ''): SeenRows {
  const days: Record<Day, string[]> = {};
  for (const [hash, day] of seen) {
    if (day < since) continue;
    days[day] ??= [];
    days[day].push(hash);
  }
  return days;
}

/** A row without its key is told from others by all that it holds. */
function hashOfRow(row: unknown, key: readonly string[]): string {
  const fields = row as Readonly<Record<string, unknown>>;
  const isKeyed = key.some((name) => fields[name] !== undefined && fields[name] !== null);
  const text = isKeyed ? keyOf(row, key) : JSON.stringify(row);
  return createHash('sha256').update(text).digest('base64').slice(0, 16);
}

/** The same for the same filters on other days. */
function filtersOf({ args, range }: ScheduleOptions): string {
  const filters = Object.entries(args).filter(
    ([name]) => name !== range.first && name !== range.last,
  );
  return createHash('sha256').update(JSON.stringify(filters.sort())).digest('hex');
}
