/** The prompts of cb. They are shown on stderr, because stdout is for the result. */
import type { Readable, Writable } from 'node:stream';
import { confirm, input, password, select } from '@inquirer/prompts';
import { wrap } from '../../output/table/display-width.ts';
import { plain } from '../../output/table/terminal-text.ts';

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
}

interface PromptStreams {
  readonly stdin: Readable;
  readonly stderr: Writable & { readonly columns?: number | undefined };
  readonly signal: AbortSignal;
}

/** Removes control sequences from all texts, so that none can control the terminal. */
export function promptsOn({ stdin, stderr, signal }: PromptStreams): Prompts {
  const streams = { input: stdin, output: stderr, signal };
  return {
    confirm: (message) => {
      // The library would break lines within words.
      const lines = wrap(plain(message), Math.max(20, (stderr.columns ?? 80) - besideQuestion));
      return confirm({ message: lines.join('\n'), default: false }, streams);
    },
    input: (message, check, initial) => {
      const validate = (answer: string) => plain(check?.(answer) ?? '') || true;
      const prefilled = initial && ({ default: plain(initial), prefill: 'editable' } as const);
      return input({ message: plain(message), validate, ...(prefilled || {}) }, streams);
    },
    hidden: (message) => password({ message: plain(message) }, streams),
    select: (message, choices, selected) =>
      select(
        {
          message: plain(message),
          choices: choices.map(plainChoice),
          pageSize: 15,
          loop: false,
          ...(selected !== undefined && { default: selected }),
        },
        streams,
      ),
  };
}

/** Width of the symbol before a question and of the "(y/N)" after it. */
const besideQuestion = 8;

function plainChoice({ value, name, short }: Choice): Choice {
  return { value, name: plain(name), ...(short !== undefined && { short: plain(short) }) };
}
