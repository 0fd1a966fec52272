/** Somebody at the keyboard, who answers in the order of a script and remembers what was asked. */
import type { Prompts } from '../../src/cli/prompts.ts';

export interface Person extends Prompts {
  readonly asked: readonly string[];
}

export function person(...answers: (string | boolean)[]): Person {
  const asked: string[] = [];
  const answer = async (question: string): Promise<never> => {
    asked.push(question);
    if (answers.length === 0) throw new Error(`nobody answers '${question}'`);
    return answers.shift() as never;
  };
  return {
    asked,
    confirm: answer,
    hidden: answer,
    select: answer,
    async input(question, check) {
      const given: string = await answer(question);
      const problem = check?.(given);
      if (problem) throw new Error(`'${given}' is not taken: ${problem}`);
      return given;
    },
  };
}
