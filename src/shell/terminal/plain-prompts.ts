/** The prompts as lines of text for a screen reader: nothing is redrawn but the prompt for a key, and each answer ends with Enter. */
import { createInterface } from 'node:readline';
import { ExitPromptError } from '@inquirer/core';
import { password } from '@inquirer/prompts';
import { plain } from '../../output/table/terminal-text.ts';
import { backAnswer, discardTyped, type PromptStreams, type Prompts } from './prompts.ts';

/** `<` stands for Esc in answers. */
export function plainPromptsOn({ stdin, stderr, signal }: PromptStreams): Prompts {
  const tell = (text: string) => stderr.write(`${text.split('\n').map(plain).join('\n')}\n`);

  /** The line that the person types after the question. What was typed before it does not count. */
  async function lineAfter(question: string, isFresh = true): Promise<string> {
    if (isFresh) await discardTyped(stdin);
    const reading = createInterface({ input: stdin, terminal: false });
    try {
      stderr.write(`${plain(question)} `);
      return await new Promise<string>((resolve, reject) => {
        const leave = () => reject(new ExitPromptError('The person has left.'));
        reading.once('line', (line) => resolve(line.trim()));
        reading.once('close', leave);
        signal.addEventListener('abort', leave, { once: true });
        if (signal.aborted) leave();
      });
    } finally {
      reading.close();
    }
  }

  async function ask<T>(
    question: string,
    read: (line: string) => T | undefined,
    problem: (line: string) => string,
    isFresh?: boolean,
  ): Promise<T> {
    for (;;) {
      const line = await lineAfter(question, isFresh);
      const answer = read(line);
      if (answer !== undefined) return answer;
      tell(problem(line));
    }
  }

  return {
    confirm: (message) =>
      ask(
        `${message} Type yes or no:`,
        (line) => (/^y(es)?$/i.test(line) ? true : /^(no?)?$/i.test(line) ? false : undefined),
        () => 'Type yes or no.',
      ),
    input(message, check, initial = '', { hasBack = false } = {}) {
      const kept = initial === '' ? '' : ` (Enter keeps: ${initial})`;
      const answerOf = (line: string) => (line === '' ? initial : line);
      return ask(
        `${message.replace('(Esc: back', '(<: back')}${kept}`,
        (line) => {
          if (hasBack && line === backAnswer) return backAnswer;
          return check?.(answerOf(line)) === undefined ? answerOf(line) : undefined;
        },
        (line) => check?.(answerOf(line)) ?? '',
      );
    },
    /** The terminal does not show what is typed. */
    hidden: (message) =>
      password(
        { message: plain(message), mask: false, toggleMask: false },
        { input: stdin, output: stderr, signal },
      ),
    select(message, choices, selected = choices[0]?.value) {
      tell(message);
      for (const [at, { name }] of choices.entries())
        tell(`${at + 1}. ${name.replace('(Esc)', '')}`);
      const usual = choices.findIndex(({ value }) => value === selected) + 1;
      return ask(
        `Number (Enter: ${usual}):`,
        (line) =>
          line === backAnswer
            ? choices.find(({ value }) => value === backAnswer)?.value
            : choices[Number(line || usual) - 1]?.value,
        () => `Type a number from 1 to ${choices.length}.`,
      );
    },
    key(message, choices, { isFresh = false } = {}) {
      const named = choices.filter(({ name }) => name !== undefined);
      for (const { key, name } of named) tell(`${typedFor(key)}: ${name}`);
      return ask(
        message === '' ? 'Key:' : message,
        (line) => choices.find(({ key }) => typedFor(key) === line.toLowerCase())?.key,
        () => `Type one of ${named.map(({ key }) => typedFor(key)).join(', ')}.`,
        isFresh,
      );
    },
  };
}

/** What is typed, before Enter, for a key. */
function typedFor(key: string): string {
  const names: Readonly<Record<string, string>> = { enter: '', escape: backAnswer, space: 'more' };
  return names[key] ?? key;
}
