/** The one writer to stderr: notes, warnings, the last word on a failure. */
import { plain, visible } from '../../output/table/terminal-text.ts';
import type { Context } from './context.ts';
import type { Failure } from './failure.ts';

export interface Messages {
  /** A person looks at stderr. */
  readonly watched: boolean;
  /** Always written. */
  say(text: string): void;
  /** Good to know for a person; left out where nobody looks. */
  tell(text: string): void;
  /** Only with --debug. */
  debug(text: string): void;
  /** A line that the next one takes the place of, for a person; '' takes it away. */
  status(text: string): void;
}

export function messagesOf(context: Context, { debug = false } = {}): Messages {
  const watched = !!context.stderr.isTTY;
  let hasStatus = false;
  const status = (text: string) => {
    if (!watched || (text === '' && !hasStatus)) return;
    const fitting = plain(text).slice(0, Math.max(0, (context.stderr.columns ?? 80) - 1));
    context.stderr.write(`\r\x1b[K${fitting}`);
    hasStatus = text !== '';
  };
  const say = (text: string) => {
    status('');
    context.stderr.write(`${text.split('\n').map(plain).join('\n')}\n`);
  };
  return {
    watched,
    say,
    tell: (text) => watched && say(text),
    debug: (text) => debug && say(text),
    status,
  };
}

/** A failure as it is shown: a line, or with `-o json` an object on one line. */
export function failureText(failure: Failure, { json = false, debug = false }): string {
  const { code, message, hint, status, next } = failure;
  if (json) {
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
  // Of one line, whatever it quotes: nobody else is to speak in the name of cb.
  const line = plain(`cb: ${withHint(message, hint)}${next ? ` — try: ${next}` : ''}`);
  const { cause } = failure;
  const trace = cause instanceof Error ? (cause.stack ?? '') : (failure.stack ?? '');
  return debug ? `${line}\n${trace}` : line;
}

/** Sentences follow each other; a fragment stands in parentheses. */
function withHint(message: string, hint: string | undefined): string {
  if (!hint) return message;
  const areSentences = /[.?]$/.test(message) && /^[A-Z].*[.?]$/s.test(hint);
  return areSentences ? `${message} ${hint}` : `${message} (${hint})`;
}
