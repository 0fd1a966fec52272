/** Writes everything that goes to stderr: notes, warnings and the report of a failure. */
import { type Color, paint } from '../output/paint.ts';
import { wrapLine } from '../output/table/display-width.ts';
import { plain, visible } from '../output/table/terminal-text.ts';
import { type CommandLine, readArgv } from './argv.ts';
import type { Context, Screen } from './context.ts';
import { exitCodes, Failure } from './failure.ts';

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
    /** stderr is a terminal. */
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
export function failureText({ message, hint, next }: Failure): string {
  const steps = [...(hint ? [hint] : []), ...(next ? [`Try: ${next}`] : [])].join(' ');
  // Each part is made one line, so that no quoted text can look like a message of cb.
  return [`cb: ${message}`, ...(steps ? [`    ${steps}`] : [])].map(plain).join('\n');
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

/**
 * Whether text on a stream has color. In this order: `--no-color`; `FORCE_COLOR` (0 and false disable, as in Node
 * and chalk); `NO_COLOR` with any value (no-color.org); `CLICOLOR_FORCE` other than 0; a dumb terminal;
 * `CLICOLOR=0` (bixense.com/clicolors); otherwise whether the stream is a terminal. Empty variables count as not
 * set.
 */
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
