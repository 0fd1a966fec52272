/** Writes everything that goes to stderr: notes, warnings and the report of a failure. */
import { plain, visible } from '../../output/table/terminal-text.ts';
import { wrapLine } from '../../output/table/wrap-line.ts';
import { hasColor, withLabelColor } from '../terminal/color.ts';
import type { CommandLine } from './argv.ts';
import type { Context } from './context.ts';
import type { Failure } from './failure.ts';

export interface Messages {
  /** A person looks at stderr. */
  readonly watched: boolean;
  /** Writes sentences, which are wrapped between words on a terminal. */
  say(text: string): void;
  /** Writes lines to copy, or lines laid out already, which are never wrapped. */
  show(lines: string): void;
  /** Says what is good to know for a person; left out where nobody looks. */
  tell(text: string): void;
  /** Writes lines only with --debug. */
  debug(lines: string): void;
  /** Shows a line that the next one replaces, for a person; '' removes it. */
  status(text: string): void;
}

export function messagesOf(context: Context, { debug = false, color = false } = {}): Messages {
  const { stderr } = context;
  const watched = !!stderr.isTTY;
  let hasStatus = false;
  const status = (text: string) => {
    if (!watched || (text === '' && !hasStatus)) return;
    const fitting = plain(text).slice(0, Math.max(0, (stderr.columns ?? 80) - 1));
    stderr.write(`\r\x1b[K${fitting}`);
    hasStatus = text !== '';
  };
  const write = (lines: readonly string[]) => {
    status('');
    stderr.write(`${lines.join('\n')}\n`);
  };
  const show = (lines: string) => write(lines.split('\n').map(plain));
  const say = (text: string) => {
    // A full line makes some terminals add an empty one.
    const width = watched ? (stderr.columns ?? 80) - 1 : Number.POSITIVE_INFINITY;
    const lines = text.split('\n').flatMap((line) => wrapLine(plain(line), width));
    write(lines.map((line) => withLabelColor(line, color)));
  };
  return {
    watched,
    say,
    show,
    tell: (text) => watched && say(text),
    debug: (lines) => debug && show(lines),
    status,
  };
}

/** Reports what ended a command. With `-o json` it is one object on one line. */
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

/** What happened, as one line that begins with `cb:`, and below it what to do. */
export function failureText({ message, hint, next }: Failure): string {
  const steps = [...(hint ? [hint] : []), ...(next ? [`Try: ${next}`] : [])].join(' ');
  // Each is one line, whatever it quotes: nothing else may speak in the name of cb.
  return [`cb: ${message}`, ...(steps ? [`    ${steps}`] : [])].map(plain).join('\n');
}

export function failureJson({ code, message, hint, status, next }: Failure): string {
  return visible(
    JSON.stringify({
      code,
      message,
      hint: hint ?? null,
      status: status ?? null,
      next: next ?? null,
    }),
  );
}
