/** The prompts of cb. They are shown on stderr, because stdout is for the result. */
import type { Readable, Writable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ReadStream } from 'node:tty';
import { ExitPromptError } from '@inquirer/core';
import { confirm, input, password, select } from '@inquirer/prompts';
import { paint } from '../../output/paint.ts';
import { displayWidth, wrap } from '../../output/table/display-width.ts';
import { plain } from '../../output/table/terminal-text.ts';
import { askKey, type KeyChoice } from './key-prompt.ts';

export interface Choice {
  readonly value: string;
  readonly name: string;
  /** Shown after the question once it is selected; default: the name. */
  readonly short?: string;
}

export interface Prompts {
  confirm(message: string): Promise<boolean>;
  /** `check` returns what is wrong with an answer; undefined if it is valid. `initial` is text to edit. */
  input(
    message: string,
    check?: (answer: string) => string | undefined,
    initial?: string,
  ): Promise<string>;
  /** Hides what is typed. */
  hidden(message: string): Promise<string>;
  /** `selected` is the value of the initially selected choice; default: the first one. */
  select(message: string, choices: readonly Choice[], selected?: string): Promise<string>;
  /** Waits for one of the keys. Without a message, the names of the keys disappear with the answer. */
  key(message: string, choices: readonly KeyChoice[], options?: KeyOptions): Promise<string>;
}

interface KeyOptions {
  /** Keys that were typed before the question appeared do not answer it, as for all questions but this kind. */
  readonly isFresh?: boolean;
}

interface PromptStreams {
  readonly stdin: Readable;
  readonly stderr: Writable & { readonly columns?: number | undefined };
  readonly signal: AbortSignal;
  /** The keys that answer a question are colored. */
  readonly color?: boolean;
}

/**
 * Removes control sequences from all texts, so that none can control the terminal. What was typed before a question
 * appeared does not answer it, except for a key that moves on in the ticket queue.
 */
export function promptsOn({ stdin, stderr, signal, color = true }: PromptStreams): Prompts {
  const streams = { input: stdin, output: stderr, signal };
  const answered = async <T>(ask: () => Promise<T>, isFresh = true) => {
    if (isFresh) await discardTyped(stdin);
    return untilClosed(ask(), { stdin, stderr });
  };
  return {
    confirm: (message) => {
      // The library would break lines within words.
      const lines = wrap(plain(message), widthOf(stderr) - besideQuestion);
      return answered(() => confirm({ message: lines.join('\n'), default: false }, streams));
    },
    input: (message, check, initial) => {
      const validate = (answer: string) => plain(check?.(answer) ?? '') || true;
      const prefilled = initial && ({ default: plain(initial), prefill: 'editable' } as const);
      const question = { message: plain(message), validate, ...(prefilled || {}) };
      return answered(() => input(question, streams));
    },
    hidden: (message) => answered(() => password({ message: plain(message) }, streams)),
    select: (message, choices, selected) =>
      answered(() =>
        select(
          {
            message: plain(message),
            choices: choices.map((choice) => wrapped(plain(message), choice, widthOf(stderr))),
            pageSize: 15,
            loop: false,
            ...(selected !== undefined && { default: selected }),
          },
          streams,
        ),
      ),
    key: (message, choices, { isFresh = false } = {}) => {
      const width = stderr.columns ?? 80;
      const paintKey = (key: string) => (color ? paint('cyan', key) : key);
      const question = { message, choices, width, color: paintKey };
      const options = { ...streams, clearPromptOnDone: message === '' };
      return answered(() => askKey(question, options), isFresh);
    },
  };
}

/** Milliseconds in which a terminal hands over what was typed while nothing was asked. */
const handover = 30;

const leaving = ['\u0003', '\u0004'];

/** Drops what is waiting in a terminal. Ctrl-C and Ctrl-D still count. */
async function discardTyped(stdin: Readable | ReadStream): Promise<void> {
  if (!('setRawMode' in stdin) || !stdin.isTTY) return;
  let typed = '';
  let isQuiet = false;
  const read = (bytes: Buffer | string) => {
    typed += bytes.toString();
    isQuiet = false;
  };
  stdin.setRawMode(true);
  stdin.on('data', read).resume();
  while (!isQuiet) {
    isQuiet = true;
    await sleep(handover);
  }
  stdin.off('data', read).pause();
  stdin.setRawMode(false);
  if (leaving.some((key) => typed.includes(key))) throw new ExitPromptError('The person has left.');
}

/** Ctrl-D closes the input, and the library would then wait for ever. It counts as Ctrl-C. */
function untilClosed<T>(
  prompt: Promise<T>,
  { stdin, stderr }: Pick<PromptStreams, 'stdin' | 'stderr'>,
): Promise<T> {
  return new Promise((resolve, reject) => {
    let isSettled = false;
    const end = () => {
      if (isSettled) return;
      stderr.write('\n');
      reject(new ExitPromptError('The input was closed.'));
    };
    // The prompt itself closes the input too, but only once it is settled.
    const onPause = () => void setImmediate(end);
    stdin.once('pause', onPause);
    prompt.then(resolve, reject).finally(() => {
      isSettled = true;
      stdin.off('pause', onPause);
    });
  });
}

/** Width of the symbol before a question and of the "(y/N)" after it. */
const besideQuestion = 8;

/** Width of the cursor before a choice and of the margin after it, or of the indentation of its next lines. */
const besideChoice = 4;

function widthOf({ columns = 80 }: PromptStreams['stderr']): number {
  return Math.max(28, columns);
}

/**
 * A name that is wider than the terminal continues below itself, and an answer that does not fit beside its
 * question stands below it: the library would break lines within words.
 */
function wrapped(question: string, { value, name, short = name }: Choice, columns: number): Choice {
  const linesOf = (text: string) => wrap(plain(text), columns - besideChoice).join('\n    ');
  const isBeside = displayWidth(question) + displayWidth(plain(short)) + besideQuestion < columns;
  return { value, name: linesOf(name), short: isBeside ? plain(short) : `\n    ${linesOf(short)}` };
}
