/** A scripted person, who answers prompts in order and records the questions. */
import type { Prompts } from '../../src/shell/terminal/prompts.ts';

export type Person = ReturnType<typeof person>;

/** An answer: the person presses Ctrl-C. */
export const ctrlC = '^C';

export function person(...answers: (string | boolean)[]) {
  const asked: string[] = [];
  /** The names of the choices of each select. */
  const offered: string[][] = [];
  /** The preselected value of each select. */
  const preselected: (string | undefined)[] = [];
  /** The text to edit of each input. */
  const prefilled: (string | undefined)[] = [];
  const answer = async (question: string): Promise<never> => {
    asked.push(question);
    if (answers.length === 0) throw new Error(`There is no answer to '${question}'.`);
    const next = answers.shift();
    if (next === ctrlC) throw Object.assign(new Error('User closed'), { name: 'ExitPromptError' });
    return next as never;
  };
  const accepted = async (question: string, isAccepted: (given: string) => boolean) => {
    const given: string = await answer(question);
    if (isAccepted(given)) return given;
    throw new Error(`'${question}' does not accept '${given}'.`);
  };
  const prompts: Prompts = {
    // Enter declines: the end of a script is also the end of the wizard.
    confirm: async (question) =>
      question === 'Another customer?' && answers.length === 0 ? false : answer(question),
    hidden: answer,
    select(question, choices, selected) {
      preselected.push(selected ?? choices[0]?.value);
      offered.push(choices.map(({ name }) => name));
      return accepted(question, (given) => choices.some(({ value }) => value === given));
    },
    key: (question, choices) =>
      accepted(question, (given) => choices.some(({ key }) => key === given)),
    async input(question, check, initial) {
      prefilled.push(initial);
      const given: string = await answer(question);
      const problem = check?.(given);
      if (problem) throw new Error(`'${given}' was rejected: ${problem}`);
      return given;
    },
  };
  return { ...prompts, asked, offered, preselected, prefilled };
}
