/** All that a command may touch of the world outside: one value, made by main.ts and by tests. */
import type { Readable } from 'node:stream';
import type { Clock } from '../../client/clock.ts';
import type { Processes } from '../../storage/lock-owner.ts';
import type { Prompts } from '../prompts/prompts.ts';

/** Where text goes to, and whether a person looks at it. */
export interface Screen {
  readonly isTTY?: boolean;
  readonly columns?: number | undefined;
  /** Lines of the terminal. */
  readonly rows?: number | undefined;
  /** What is written goes nowhere: the null device, which also takes the place of a closed stream. */
  readonly isDiscarded?: boolean;
  /** `done` is called when the text is taken, so that a slow reader slows the writer. */
  write(text: string | Uint8Array, done?: (error?: Error | null) => void): unknown;
}

/** A running pager, which shows text on the terminal. */
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
  /** What runs cb: the version of Node, as in 20.18.0. */
  readonly runtime: { readonly node: string };
  /** This process and the others of the machine. */
  readonly processes: Processes;
  /** The user's number; undefined where files have no owners. */
  readonly user: number | undefined;
  /** The user's home folder. */
  readonly home: string;
  /** The time zone of the terminal, as in Europe/Berlin. */
  readonly zone: string;
  /** The command that runs, as in `orders list`; set by `run`. */
  command?: string;
  /** Relative paths of files start here. Throws a Failure if the folder was deleted. */
  readonly folder: string;
  /** Frees what the command holds; called by `run` when it has ended, however it ended. */
  onEnd?: () => Promise<void>;
  now(): Date;
  /** The clock that waits and measures; the real one when absent. */
  readonly clock?: Clock;
  /** Ends what is under way: SIGHUP, SIGINT, SIGTERM. Its reason is the exit code. */
  readonly signal: AbortSignal;
  /** Starts the pager of a command line; resolves to undefined if it can't be started. Absent: there is no pager. */
  startPager?(command: string): Promise<Pager | undefined>;
  /** Loaded when something is asked for the first time. */
  prompts(): Promise<Prompts>;
}

/** A variable that a script leaves empty counts as not set. */
export function withoutEmptySettings(context: Context): Context {
  const settings = Object.entries(context.env);
  const isEmpty = ([name, value]: readonly [string, unknown]) =>
    // An empty CB_PAGER means that there is no pager.
    name.startsWith('CB_') && name !== 'CB_PAGER' && value === '';
  if (!settings.some(isEmpty)) return context;
  const env = Object.fromEntries(settings.filter((setting) => !isEmpty(setting)));
  return Object.create(context, { env: { value: env } });
}

/**
 * A person sits at it and may be asked. `flags.input` is false with --no-input. stdin, which takes its
 * time to be opened, is looked at last.
 */
export function canAsk(context: Context, flags: { readonly input?: boolean }) {
  if (!context.stderr.isTTY || context.env.CI || flags.input === false) return false;
  return !!context.stdin.isTTY;
}

/** More than ASCII can be shown: the locale says so, or Windows, and the terminal can do anything at all. */
export function hasUnicode({ env, platform }: Context): boolean {
  if (env.TERM === 'dumb') return false;
  const locale = env.LC_ALL || env.LC_CTYPE || env.LANG;
  return locale ? /utf-?8/i.test(locale) : platform === 'win32';
}
