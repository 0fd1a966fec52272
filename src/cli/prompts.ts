/** The questions that cb can ask, on stderr: stdout is for the result. */
import { confirm, input, password, select } from '@inquirer/prompts';
import type { Context } from './context.ts';

export interface Choice {
  readonly value: string;
  readonly name: string;
  /** Stands behind the question once it is chosen; the name when absent. */
  readonly short?: string;
}

export interface Prompts {
  confirm(message: string): Promise<boolean>;
  /** `check` says what is wrong with an answer, or nothing. */
  input(message: string, check?: (answer: string) => string | undefined): Promise<string>;
  /** Shows nothing of what is typed. */
  hidden(message: string): Promise<string>;
  select(message: string, choices: readonly Choice[]): Promise<string>;
}

export function promptsOn(context: Pick<Context, 'stdin' | 'stderr' | 'signal'>): Prompts {
  const streams = { input: context.stdin, output: context.stderr, signal: context.signal };
  return {
    confirm: (message) => confirm({ message, default: false }, streams),
    input: (message, check) =>
      input({ message, validate: (answer) => check?.(answer) ?? true }, streams),
    hidden: (message) => password({ message }, streams),
    select: (message, choices) =>
      select({ message, choices: [...choices], pageSize: 15, loop: false }, streams),
  };
}
