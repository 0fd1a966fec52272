/** People who answer prompts, and what they were asked. */
import type { Prompts } from '../../src/shell/terminal/prompts.ts';

/** What is on the screen: the question, and the keys that answer it, or undefined for a text. */
export interface Asked {
  readonly question: string;
  readonly keys: readonly string[] | undefined;
  /** The keys that are shown, by name. */
  readonly shown: Readonly<Record<string, string>>;
}

type Answer = string | boolean;

export type Person = ReturnType<typeof agent>;

/** An answer: the person presses Ctrl-C. */
export const ctrlC = '^C';

/** Answers every prompt by `decide`; throws if the prompt does not accept the answer. */
export function agent(decide: (asked: Asked) => Answer | Promise<Answer>) {
  const asked: string[] = [];
  /** The names of the choices of each select. */
  const offered: string[][] = [];
  /** The preselected value of each select. */
  const preselected: (string | undefined)[] = [];
  /** The text to edit of each input. */
  const prefilled: (string | undefined)[] = [];
  const answer = async (question: string, keys?: readonly string[], shown = {}) => {
    asked.push(question);
    const given = await decide({ question, keys, shown });
    if (given === ctrlC) throw Object.assign(new Error('User closed'), { name: 'ExitPromptError' });
    if (keys === undefined || keys.includes(String(given))) return given;
    throw new Error(`'${question}' does not accept '${given}'.`);
  };
  const text = async (...what: Parameters<typeof answer>) => String(await answer(...what));
  const prompts: Prompts = {
    async confirm(question) {
      const given = await answer(question);
      if (typeof given === 'boolean') return given;
      throw new Error(`'${question}' does not accept '${given}'.`);
    },
    hidden: (question) => text(question),
    select(question, choices, selected) {
      preselected.push(selected ?? choices[0]?.value);
      offered.push(choices.map(({ name }) => name));
      return text(
        question,
        choices.map(({ value }) => value),
      );
    },
    key(question, choices) {
      const named = choices.flatMap(({ key, name }) => (name === undefined ? [] : [[name, key]]));
      const keys = choices.map(({ key }) => key);
      return text(question, keys, Object.fromEntries(named));
    },
    async input(question, check, initial) {
      prefilled.push(initial);
      const given = await text(question);
      const problem = check?.(given);
      if (problem) throw new Error(`'${given}' was rejected: ${problem}`);
      return given;
    },
  };
  return { ...prompts, asked, offered, preselected, prefilled };
}

/** Gives these answers in this order. */
export function person(...answers: Answer[]): Person {
  return agent(({ question }) => {
    const next = answers.shift();
    if (next !== undefined) return next;
    // Enter declines: the end of a script is also the end of the wizard.
    if (question === 'Another customer?') return false;
    throw new Error(`There is no answer to '${question}'.`);
  });
}
