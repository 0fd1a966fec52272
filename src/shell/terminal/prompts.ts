/** The prompts of cb. They are shown on stderr, because stdout is for the result. */

import type { Readable, Writable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ReadStream } from 'node:tty';
import {
  createPrompt,
  ExitPromptError,
  isEnterKey,
  makeTheme,
  useEffect,
  useKeypress,
  usePrefix,
  useState,
} from '@inquirer/core';
import { confirm, password, select } from '@inquirer/prompts';
import { paint } from '../../output/paint.ts';
import { displayWidth, wrap } from '../../output/table/display-width.ts';
import { plain } from '../../output/table/terminal-text.ts';

/** A key that answers a question: a character, `enter` or `escape`. */
export interface KeyChoice {
  readonly key: string;
  /** What it does, shown beside the key; a key without a name works but is not shown. */
  readonly name?: string;
  /** Shown after the question once it is pressed; default: the name, or the key. */
  readonly short?: string;
}

interface KeyQuestion {
  readonly message: string;
  readonly choices: readonly KeyChoice[];
  readonly width: number;
  readonly color: (key: string) => string;
}

interface Pressed {
  readonly name?: string;
  readonly sequence?: string;
  readonly ctrl: boolean;
  readonly meta?: boolean;
}

/** Other keys, and keys together with Ctrl or Alt, do nothing. */
const askKey = createPrompt<string, KeyQuestion>((question, done) => {
  const [pressed, setPressed] = useState<KeyChoice | undefined>(undefined);
  useKeypress((event, rl) => {
    rl.clearLine(0);
    const key = keyOf(event as Pressed);
    const choice = question.choices.find((one) => one.key === key);
    if (!choice || pressed) return;
    setPressed(choice);
    done(choice.key);
  });
  const message = question.message.split('\n').map(plain).join('\n');
  if (pressed) return `${message} ${plain(pressed.short ?? pressed.name ?? pressed.key)}`;
  return [message, barOf(question)].filter(Boolean).join('\n');
});

function keyOf({ name, sequence, ctrl, meta }: Pressed): string | undefined {
  if (name === 'escape') return 'escape';
  if (ctrl || meta) return undefined;
  if (name === 'return' || name === 'enter') return 'enter';
  return name?.length === 1 || name === 'space' ? name : sequence;
}

function barOf({ choices, width, color }: KeyQuestion): string {
  const lines: string[] = [];
  for (const { key, name } of choices) {
    if (name === undefined) continue;
    const text = `${color(keyNames[key] ?? key)} ${plain(name)}`;
    const longer = `${lines.at(-1)}  ${text}`;
    if (lines.length > 0 && displayWidth(longer) < width) lines[lines.length - 1] = longer;
    else lines.push(text);
  }
  return lines.join('\n');
}

interface TextQuestion {
  readonly message: string;
  readonly check: ((answer: string) => string | undefined) | undefined;
  readonly initial: string;
  readonly hasBack: boolean;
}

/** A line of text. A refused one stays and is selected: the next letter replaces it, an arrow key edits it. */
const askText = createPrompt<string, TextQuestion>((question, done) => {
  const { message, check, initial, hasBack } = question;
  const [value, setValue] = useState(initial);
  const [problem, setProblem] = useState('');
  const [status, setStatus] = useState<'idle' | 'done'>('idle');
  const theme = makeTheme();
  const prefix = usePrefix({ status, theme });
  useEffect((rl) => rl.write(initial), []);
  useKeypress((event, rl) => {
    const { name } = event;
    if (status === 'done') return;
    const isSelected = problem !== '';
    if (name === 'escape' && hasBack) {
      setStatus('done');
      done(backAnswer);
    } else if (isEnterKey(event)) {
      const wrong = check?.(value);
      if (wrong === undefined) {
        setStatus('done');
        done(value);
      } else setProblem(wrong);
    } else {
      if (isSelected && ['left', 'right', 'home', 'end'].includes(name)) rl.write(value);
      setProblem('');
      setValue(rl.line);
    }
  });
  const shown = status === 'done' ? theme.style.answer(value) : value;
  const selected = problem === '' ? shown : `\u001b[7m${plain(value)}\u001b[27m`;
  const line = `${prefix} ${theme.style.message(message, status)} ${selected}`;
  return [line, problem === '' ? '' : theme.style.error(plain(problem))];
});

const keyNames: Readonly<Record<string, string>> = { escape: 'Esc', enter: 'Enter' };

export interface Choice {
  readonly value: string;
  readonly name: string;
  /** Shown after the question once it is selected; default: the name. */
  readonly short?: string;
}

/** The answer of a person who pressed Esc to go back. */
export const backAnswer = '<';

export interface Prompts {
  confirm(message: string): Promise<boolean>;
  /**
   * `check` returns what is wrong with an answer; undefined if it is valid. `initial` is text to edit. With `hasBack`, Esc
   * answers with `backAnswer`.
   */
  input(
    message: string,
    check?: (answer: string) => string | undefined,
    initial?: string,
    options?: { readonly hasBack?: boolean },
  ): Promise<string>;
  hidden(message: string): Promise<string>;
  /** `selected` is the value of the initially selected choice; default: the first one. Esc selects `backAnswer` if it is a choice. */
  select(message: string, choices: readonly Choice[], selected?: string): Promise<string>;
  /** Waits for one of the keys. Without a message, the names of the keys disappear with the answer. */
  key(
    message: string,
    choices: readonly KeyChoice[],
    /** If fresh, keys that were typed before the question appeared do not answer it, as for all other questions. */
    options?: { readonly isFresh?: boolean },
  ): Promise<string>;
}

export interface PromptStreams {
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
  // The library would break lines within words.
  const inLines = (message: string) =>
    wrap(plain(message), widthOf(stderr) - besideQuestion).join('\n');
  return {
    confirm: (message) =>
      answered(() => confirm({ message: inLines(message), default: false }, streams)),
    input: (message, check, initial = '', { hasBack = false } = {}) => {
      const question = { message: inLines(message), check, initial: plain(initial), hasBack };
      return answered(() => askText(question, streams));
    },
    hidden: (message) =>
      answered(() => password({ message: plain(message), toggleMask: false }, streams)),
    select: (message, choices, selected) => {
      const question = {
        message: plain(message),
        choices: choices.map((choice) => wrapped(plain(message), choice, widthOf(stderr))),
        ...{ pageSize: 15, loop: false },
        ...(selected !== undefined && { default: selected }),
      };
      const hasBack = choices.some(({ value }) => value === backAnswer);
      return answered(() =>
        hasBack ? selectOrBack(question, { stdin, stderr, signal }) : select(question, streams),
      );
    },
    key: (message, choices, { isFresh = false } = {}) => {
      const width = stderr.columns ?? 80;
      const paintKey = (key: string) => (color ? paint('cyan', key) : key);
      const question = { message, choices, width, color: paintKey };
      const options = { ...streams, clearPromptOnDone: message === '' };
      return answered(() => askKey(question, options), isFresh);
    },
  };
}

/** The list of the library has no key to go back. */
async function selectOrBack(
  question: Parameters<typeof select<string>>[0],
  { stdin, stderr, signal }: PromptStreams,
): Promise<string> {
  const left = new AbortController();
  const onKey = (_: unknown, { name }: Pressed) => name === 'escape' && left.abort();
  stdin.on('keypress', onKey);
  try {
    const ending = AbortSignal.any([signal, left.signal]);
    return await select(question, { input: stdin, output: stderr, signal: ending });
  } catch (error) {
    if (left.signal.aborted && !signal.aborted) return backAnswer;
    throw error;
  } finally {
    stdin.off('keypress', onKey);
  }
}

/** Milliseconds in which a terminal hands over what was typed while nothing was asked. */
const handover = 30;

const leaving = ['\u0003', '\u0004'];

/** Drops what is waiting in a terminal. Ctrl-C and Ctrl-D still count. */
export async function discardTyped(stdin: Readable | ReadStream): Promise<void> {
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

/** The library would break lines within words: a long name continues below itself, an answer below its question. */
function wrapped(question: string, { value, name, short = name }: Choice, columns: number): Choice {
  const linesOf = (text: string) => wrap(plain(text), columns - besideChoice).join('\n    ');
  const isBeside = displayWidth(question) + displayWidth(plain(short)) + besideQuestion < columns;
  return { value, name: linesOf(name), short: isBeside ? plain(short) : `\n    ${linesOf(short)}` };
}
