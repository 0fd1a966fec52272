/** Everything outside cb that a command may use. main.ts creates it, and so do the tests. */
import type { Readable } from 'node:stream';
import type { Clock } from '../client/clock.ts';
import type { RunningCommand } from '../features/lists/shell-command.ts';
import type { QueryProcess } from '../features/sync/query/remote-queries.ts';
import type { Processes } from '../storage/lock-owner.ts';
import type { Prompts } from './terminal/prompts.ts';

export { processesFrom } from '../storage/lock-owner.ts';

export interface Screen {
  readonly isTTY?: boolean;
  readonly columns?: number | undefined;
  readonly rows?: number | undefined;
  /** All output is discarded: the stream is the null device, which also replaces a closed stream. */
  readonly isDiscarded?: boolean;
  /** `done` is called when the text has been accepted, so that a slow reader slows the writer down. */
  write(text: string | Uint8Array, done?: (error?: Error | null) => void): unknown;
}

export interface Pager {
  /** Rejects with EPIPE when the user has left the pager. */
  write(text: string): Promise<void>;
  /** Resolves when the user has left the pager. */
  end(): Promise<void>;
}

export interface Context {
  readonly stdin: Readable & { readonly isTTY?: boolean };
  readonly stdout: Screen;
  readonly stderr: Screen;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly platform: string;
  /** The version of Node that runs cb, as in 20.18.0. */
  readonly runtime: {
    readonly node: string;
    /** The path of the executable; undefined if Node runs cb from files. */
    readonly executable?: string | undefined;
    /** The words that start cb again: its executable, or Node and the file as it was started. */
    readonly own?: readonly string[];
  };
  readonly processes: Processes;
  /** Identifies the session of the terminal; undefined if it has none. */
  readonly session?: string | undefined;
  /** The user ID; undefined on platforms where files have no owners. */
  readonly user: number | undefined;
  readonly home: string;
  /** The time zone of the terminal, as in Europe/Berlin. */
  readonly zone: string;
  /** The running command, as in `orders list`; set by `run`. */
  command?: string;
  /** Relative paths of files start here. Throws a Failure if the folder was deleted. */
  readonly folder: string;
  now(): Date;
  /** The clock for waits and measurements; default: the real one. */
  readonly clock?: Clock;
  /** Aborted by SIGHUP, SIGINT or SIGTERM. Its reason is the exit code. */
  readonly signal: AbortSignal;
  /** Starts a process that runs queries on a copy, and ends with this one. */
  startQueries(): Promise<QueryProcess>;
  /** Starts the pager of a command line; resolves to undefined if that fails. Absent if there is no pager. */
  startPager?(command: string): Promise<Pager | undefined>;
  /** Runs a command line by the shell, with a text as its standard input. */
  startShell?(line: string, input: string): Promise<RunningCommand>;
  /** A screen reader reads the terminal: nothing is redrawn. */
  readonly isPlain?: boolean;
  /** Loads the prompts when the first one is needed. Plain ones are lines of text. */
  prompts(isPlain?: boolean): Promise<Prompts>;
}

/** Removes variables that are set but empty: they count as not set. */
export function withoutEmptySettings(context: Context): Context {
  const settings = Object.entries(context.env);
  const isEmpty = ([name, value]: readonly [string, unknown]) =>
    // An empty CB_PAGER means that there is no pager.
    name.startsWith('CB_') && name !== 'CB_PAGER' && value === '';
  if (!settings.some(isEmpty)) return context;
  const env = Object.fromEntries(settings.filter((setting) => !isEmpty(setting)));
  return Object.create(context, { env: { value: env } });
}

/** `flags.input` is false with --no-input. stdin is checked last, because opening it is slow. */
export function canAsk(context: Context, flags: { readonly input?: boolean }) {
  if (!context.stderr.isTTY || context.env.CI || flags.input === false) return false;
  return !!context.stdin.isTTY;
}

/** The locale says so, or it runs on Windows, and it is not a dumb terminal. */
export function hasUnicode({ env, platform }: Context): boolean {
  if (env.TERM === 'dumb') return false;
  const locale = env.LC_ALL || env.LC_CTYPE || env.LANG;
  return locale ? /utf-?8/i.test(locale) : platform === 'win32';
}
