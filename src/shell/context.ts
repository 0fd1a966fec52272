/** What a command may use: everything outside cb, which main.ts and the tests create; its options; its messages on stderr. */
import type { Readable } from 'node:stream';
import type { Clock } from '../client/clock.ts';
import type { RunningCommand } from '../features/lists/shell-command.ts';
import type { QueryProcess } from '../features/sync/query/remote-queries.ts';
import { type Color, paint } from '../output/paint.ts';
import { wrapLine } from '../output/table/display-width.ts';
import { plain, visible } from '../output/table/terminal-text.ts';
import type { Service } from '../profiles/find-service.ts';
import type { Processes } from '../storage/lock-owner.ts';
import { type CommandLine, readArgv } from './argv.ts';
import { type ExitCode, exitCodes, Failure } from './failure.ts';
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
function canAsk(context: Context, flags: { readonly input?: boolean }) {
  if (!context.stderr.isTTY || context.env.CI || flags.input === false) return false;
  return !!context.stdin.isTTY;
}

/** The locale says so, or it runs on Windows, and it is not a dumb terminal. */
export function hasUnicode({ env, platform }: Context): boolean {
  if (env.TERM === 'dumb') return false;
  const locale = env.LC_ALL || env.LC_CTYPE || env.LANG;
  return locale ? /utf-?8/i.test(locale) : platform === 'win32';
}

export type Messages = ReturnType<typeof messagesOf>;

/** Where a status line is shown, which the next message of any command replaces. */
const statusOn = new WeakSet<Screen>();

export function messagesOf(context: Context, { debug = false, color = false } = {}) {
  const { stderr } = context;
  const watched = !!stderr.isTTY;
  const status = (text: string) => {
    if (!watched || context.isPlain || (text === '' && !statusOn.has(stderr))) return;
    const fitting = plain(text).slice(0, Math.max(0, (stderr.columns ?? 80) - 1));
    stderr.write(`\r\x1b[K${fitting}`);
    if (text === '') statusOn.delete(stderr);
    else statusOn.add(stderr);
  };
  const write = (lines: readonly string[]) => {
    status('');
    stderr.write(`${lines.join('\n')}\n`);
  };
  const show = (lines: string) => write(lines.split('\n').map(plain));
  const say = (text: string) => {
    // Some terminals add an empty line after a full one.
    const width = watched ? (stderr.columns ?? 80) - 1 : Number.POSITIVE_INFINITY;
    const lines = text.split('\n').flatMap((line) => wrapLine(plain(line), width));
    const colored = (label: string) => {
      const known = Object.hasOwn(labels, label) ? labels[label] : undefined;
      return known ? paint(known, label) : label;
    };
    write(color ? lines.map((line) => line.replace(/^\S+/, colored)) : lines);
  };
  return {
    watched,
    /** Writes sentences, which are wrapped between words on a terminal. */
    say,
    /** Writes lines that are meant to be copied or already laid out; they are never wrapped. */
    show,
    /** Writes a note for people; omitted if stderr is not a terminal. */
    tell: (text: string) => watched && say(text),
    debug: (lines: string) => debug && show(lines),
    /** Shows a line that the next status replaces, on a terminal only; '' removes it. */
    status,
  };
}

/** Reports the failure of a command. With `-o json` it is one object on one line. */
export function report(
  context: Context,
  failure: Failure,
  { json, debug, color }: Pick<CommandLine, 'json' | 'debug' | 'color'>,
): void {
  const isColored = hasColor(context, context.stderr, { color });
  const messages = messagesOf(context, { debug, color: isColored });
  if (json) {
    messages.show(failureJson(failure));
    return;
  }
  messages.say(failureText(failure));
  const { cause } = failure;
  messages.debug((cause instanceof Error ? cause.stack : failure.stack) ?? '');
}

/** Formats a failure: one line that begins with `cb:`, and below it what to do. */
function failureText({ message, hint, next }: Failure): string {
  const steps = [...(hint ? [hint] : []), ...(next ? [`Try: ${next}`] : [])].join(' ');
  // Each part is made one line, so that no quoted text can look like a message of cb.
  return [`cb: ${message}`, ...(steps ? [`    ${steps}`] : [])].map(plain).join('\n');
}

/** Reports the failure of one part, such as one of several IDs, while the others continue; as JSON with `-o json`. */
export function sayFailure(
  { flags, messages }: CommandContext,
  what: string,
  error: Failure,
): void {
  const failure = new Failure(error.code, `${what}: ${error.message}`, error);
  if (flags.output?.toLowerCase() === 'json') messages.show(failureJson(failure));
  else messages.say(failureText(failure));
}

function failureJson({ code, message, hint, status, next }: Failure): string {
  const shown = { code, message, hint: hint ?? null, status: status ?? null, next: next ?? null };
  return visible(JSON.stringify(shown));
}

/** Never its message, which may quote what was sent or stored, such as a key; with --debug, its stack. */
export function faultText(error: unknown, argv: readonly string[]): string {
  const { name = 'unknown', stack = '' } = error instanceof Error ? error : {};
  const message = `cb stopped because of an internal error (${name}).`;
  const hint = 'This is an error in cb itself. Please report it with the output of --debug.';
  const failure = new Failure(exitCodes.internal, message, { hint });
  const { json, debug } = readArgv(argv);
  const line = json ? failureJson(failure) : failureText(failure);
  if (!debug) return line;
  const places = stack.split('\n').filter((text) => /^ +at .+:\d+:\d+\)?$/.test(text));
  return [line, ...places.map(plain)].join('\n');
}

/** By the rules of no-color.org and bixense.com/clicolors; `FORCE_COLOR` counts as in Node and chalk. */
export function hasColor(
  { env }: Pick<Context, 'env'>,
  screen: Pick<Screen, 'isTTY'>,
  flags: { readonly color?: boolean },
): boolean {
  if (flags.color === false) return false;
  if (env.FORCE_COLOR) return !['0', 'false'].includes(env.FORCE_COLOR.toLowerCase());
  if (env.NO_COLOR) return false;
  if (env.CLICOLOR_FORCE && env.CLICOLOR_FORCE !== '0') return true;
  return !!screen.isTTY && env.TERM !== 'dumb' && env.CLICOLOR !== '0';
}

const labels: Readonly<Record<string, Color>> = {
  'cb:': 'red',
  'warning:': 'yellow',
  'note:': 'cyan',
};

type Texts = 'output' | 'profile' | 'tz' | 'timeout' | 'maxWait' | 'wire';
type Switches = 'allProfiles' | 'sandbox' | 'input' | 'color' | 'plain' | 'pager' | 'debug';

export type CommonFlags = { readonly [name in Texts]?: string | undefined } & {
  readonly [name in Switches]?: boolean;
};

/** One call of cb: its context, and the exit code if nothing fails. */
export interface Call {
  readonly context: Context;
  code: ExitCode;
  /** A command line to run instead of the rest of this one. */
  next?: readonly string[];
}

/** The open service of a command, and the key to use. */
export interface Session extends Service {
  readonly isPublic?: boolean;
  close?(): Promise<void>;
}

export interface CommandContext {
  readonly context: Context;
  readonly flags: CommonFlags;
  readonly messages: Messages;
  /** The keys that this call uses. Each is also redacted in responses to the others. */
  readonly keysInUse: string[];
  readonly mayAsk: boolean;
  /** Sets the exit code although nothing failed. */
  endWith(code: ExitCode): void;
  continueWith(line: readonly string[]): void;
}

/** What tells the service of a command and its time. */
export type Asking = Pick<CommandContext, 'context' | 'flags'>;

export function contextFor(call: Call, flags: CommonFlags): CommandContext {
  const given = call.context;
  const { ACCESSIBLE: accessible = '' } = given.env;
  const isPlain = flags.plain || !['', '0', 'false'].includes(accessible);
  const forScreenReader = {
    isPlain: { value: true },
    prompts: { value: () => given.prompts(true) },
    startPager: { value: undefined },
  };
  const context: Context = isPlain ? Object.create(given, forScreenReader) : given;
  return {
    context,
    flags,
    messages: messagesOf(context, {
      debug: flags.debug ?? false,
      color: hasColor(context, context.stderr, flags),
    }),
    keysInUse: [],
    mayAsk: canAsk(context, flags),
    endWith: (code) => {
      call.code = code;
    },
    continueWith: (line) => {
      call.next = line;
    },
  };
}
