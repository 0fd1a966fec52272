/**
 * Where the last good run of a schedule ended: `--since-last NAME`. The next run begins a day before,
 * since some rows come late, and leaves out what it has brought already.
 */
import { createHash } from 'node:crypto';
import { access, constants, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { keyOf } from '../api/lists.ts';
import type { Arguments, Operation } from '../operations/operation.ts';
import { writeAtomic } from '../storage/atomic-file.ts';
import { makeFolder } from '../storage/folder.ts';
import type { Context } from './context.ts';
import { exitCodes } from './exit-codes.ts';
import { Failure, usage } from './failure.ts';
import { kebab, type Typed } from './flags.ts';
import { dataFolder } from './folders.ts';
import { lock } from './lock.ts';

/** What is remembered of one account. */
interface Ended {
  /** The service's day on which the run began. */
  readonly day: string;
  /** Rows from the day before on, as short hashes. */
  readonly seen: readonly string[];
}

interface State {
  readonly version: 1;
  readonly command: string;
  /** SHA-256 of the filters. */
  readonly filters: string;
  readonly accounts: Readonly<Record<string, Ended>>;
}

/** A locked schedule. */
export interface Since {
  /** The days that an account is asked for now; undefined where it was never asked before. */
  rangeFor(
    profile: string | undefined,
  ): { readonly first: string; readonly last: string } | undefined;
  /** From this day on rows are remembered: the next run begins here. */
  readonly overlap: string;
  /** Leaves out rows that were brought before, and remembers those that come now. */
  watch(profile: string | undefined): Watch;
  /** Call once the output is written; only for accounts that came through. */
  save(profiles: readonly (string | undefined)[]): Promise<void>;
  close(): Promise<void>;
}

export interface Watch {
  /** The rows that are new; `args` are those of their window. */
  fresh(rows: readonly unknown[], args: Arguments): readonly unknown[];
  /** What was remembered so far. */
  readonly seen: ReadonlySet<string>;
  /** Goes on with what an earlier run remembered. */
  restore(seen: readonly string[]): void;
}

interface Asked {
  readonly operation: Operation;
  readonly name: string;
  readonly args: Arguments;
  /** The service's day. */
  readonly day: string;
}

/** The parameters that hold the two ends of the days that date the rows. */
export function rangeOf({
  params,
  returns,
}: Operation): { first: string; last: string } | undefined {
  const by = 'dated' in returns ? returns.dated?.by : undefined;
  const nameOf = (end: string) =>
    Object.entries(params).find(([, { range }]) => range?.name === by && range?.end === end)?.[0];
  const [first, last] = [nameOf('first'), nameOf('last')];
  return by !== undefined && first && last ? { first, last } : undefined;
}

/**
 * What was typed, with days for a run of a schedule: from the first day that was typed, or yesterday,
 * up to today. Throws a usage failure for an end, which is always today.
 */
export function typedSince(operation: Operation, typed: Typed, today: string): Typed {
  const range = rangeOf(operation);
  if (!range) throw usage('--since-last is for lists of days, such as orders list');
  if (typed[range.last] !== undefined) {
    throw usage(`--since-last always ends today; leave --${kebab(range.last)} away`);
  }
  const by = operation.params[range.first]?.range?.name ?? '';
  if (typed[by] !== undefined) return typed;
  return { ...typed, [range.first]: typed[range.first] ?? dayBefore(today), [range.last]: today };
}

function dayBefore(day: string): string {
  return new Date(Date.parse(day) - 86_400_000).toISOString().slice(0, 10);
}

export async function openSince(context: Context, asked: Asked): Promise<Since> {
  if (!/^[\w.-]{1,64}$/.test(asked.name) || asked.name.startsWith('.')) {
    throw usage(
      `--since-last '${asked.name}' must be a name of letters, digits, dot, dash or underscore`,
    );
  }
  const folder = join(dataFolder(context), 'since');
  const path = join(folder, `${asked.name}.json`);
  await requireFolder(folder);
  const unlock = await lock(context, path);
  try {
    const state = await readState(path, asked);
    return sinceOn(state, asked, {
      write: (next) => {
        unlock.assertHeld();
        return writeState(path, next);
      },
      close: unlock,
    });
  } catch (error) {
    await unlock();
    throw error;
  }
}

/** A run that could not be remembered would bring the same rows again and again. */
async function requireFolder(folder: string): Promise<void> {
  try {
    makeFolder(folder);
    await access(folder, constants.W_OK);
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    throw usage(`--since-last: ${folder} can't be written (${code})`, {
      hint: 'nothing was sent; name another folder in XDG_DATA_HOME',
      cause,
    });
  }
}

interface Store {
  write(state: State): Promise<void>;
  close(): Promise<void>;
}

function sinceOn(state: State, { operation, day }: Asked, { write, close }: Store): Since {
  const { returns } = operation;
  const key = ('key' in returns ? returns.key : undefined) ?? [];
  const watches = new Map<string, Set<string>>();
  const overlap = dayBefore(day);
  const { first = '' } = rangeOf(operation) ?? {};
  const isLate = (args: Arguments) => String((args as Typed)[first] ?? day) >= overlap;
  return {
    overlap,
    rangeFor: (profile) => {
      const ended = state.accounts[profile ?? ''];
      return ended && { first: dayBefore(ended.day), last: day };
    },
    watch(profile) {
      const before = new Set(state.accounts[profile ?? '']?.seen);
      const seen = new Set<string>();
      watches.set(profile ?? '', seen);
      return {
        seen,
        restore: (earlier) => {
          for (const one of earlier) seen.add(one);
        },
        fresh: (rows, args) =>
          rows.filter((row) => {
            const hash = shortHash(keyOf(row, key));
            if (isLate(args)) seen.add(hash);
            return !before.has(hash);
          }),
      };
    },
    async save(profiles) {
      const ended = profiles.map((profile) => {
        const name = profile ?? '';
        return [name, { day, seen: [...(watches.get(name) ?? [])] }] as const;
      });
      await write({ ...state, accounts: { ...state.accounts, ...Object.fromEntries(ended) } });
    },
    close,
  };
}

/** The same for the same filters on other days. */
function filtersOf(operation: Operation, args: Arguments): string {
  const { first, last } = rangeOf(operation) ?? {};
  const filters = Object.entries(args).filter(([name]) => name !== first && name !== last);
  return createHash('sha256').update(JSON.stringify(filters.sort())).digest('hex');
}

function shortHash(text: string): string {
  return createHash('sha256').update(text).digest('base64').slice(0, 16);
}

async function readState(path: string, { operation, name, args }: Asked): Promise<State> {
  const filters = filtersOf(operation, args);
  const fresh: State = { version: 1, command: operation.command, filters, accounts: {} };
  const text = await readFile(path, 'utf8').catch((cause: NodeJS.ErrnoException) => {
    if (cause.code === 'ENOENT') return undefined;
    throw usage(`${path} can't be read (${cause.code})`, { cause });
  });
  if (text === undefined) return fresh;
  const state = parseState(path, text);
  if (state.command === operation.command && state.filters === filters) return state;
  const what = state.command === operation.command ? 'other filters' : `cb ${state.command}`;
  throw usage(`--since-last ${name} belongs to ${what}`, {
    hint: `take another name; or remove ${path}, which begins it again`,
  });
}

function parseState(path: string, text: string): State {
  try {
    const state = JSON.parse(text) as State;
    if (state.version === 1 && typeof state.accounts === 'object') return state;
    throw new Error(`version ${state.version}`);
  } catch (cause) {
    throw usage(`${path} is damaged: ${(cause as Error).message}`, {
      hint: 'remove it; the next run begins again',
      cause,
    });
  }
}

async function writeState(path: string, state: State): Promise<void> {
  try {
    await writeAtomic(path, JSON.stringify(state), { mode: 0o600, draft: `${path}.next` });
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    const message = `${path} can't be written (${code}): the next run will bring these rows again`;
    throw new Failure(exitCodes.incomplete, message, { cause });
  }
}
