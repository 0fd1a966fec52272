/** The context of the wizard: client, prompts, messages, and the width of the terminal. */
import type { Client } from '../../client/client.ts';
import type { Day } from '../../dates/day.ts';
import { blanks, displayWidth, wrap } from '../../output/table/display-width.ts';
import { plain } from '../../output/table/terminal-text.ts';
import type { MoneyTicket } from '../../workflows/refund/ticket.ts';
import type { Choice, Prompts } from '../prompts/prompts.ts';
import { exitCodes } from '../runtime/exit-codes.ts';
import { Failure } from '../runtime/failure.ts';
import type { Messages } from '../runtime/messages.ts';
import { type Back, back } from './steps.ts';

export interface WizardContext {
  readonly client: Client;
  readonly prompts: Prompts;
  readonly messages: Messages;
  readonly today: Day;
  readonly width: number;
  /** The reason that was chosen last for a type of ticket; undefined if none is known. */
  lastReason(type: MoneyTicket): string | undefined;
}

/** The values of the two choices that every question offers. */
export const backKey = '<';
export const cancelKey = '!';

const navigation: readonly Choice[] = [
  { value: backKey, name: 'Back' },
  { value: cancelKey, name: 'Cancel (nothing is sent)' },
];

interface ChoiceOptions {
  /** The first question, without Back. */
  readonly isFirst?: boolean;
  /** The value of the initially selected choice; the first one by default. */
  readonly selected?: string | undefined;
}

/** Asks to choose; Back and Cancel are always offered. Throws a Failure for Cancel. */
export async function askChoice<T extends string>(
  { prompts }: WizardContext,
  question: string,
  choices: readonly (Choice & { readonly value: T })[],
  { isFirst = false, selected }: ChoiceOptions = {},
): Promise<T | Back> {
  const shown = choices.map(({ value, name, short }) => ({
    value,
    ...(short !== undefined && { short: plain(short) }),
    name: plain(name),
  }));
  const all = [...shown, ...navigation.slice(isFirst ? 1 : 0)];
  const answer = answerOf(await prompts.select(plain(question), all, selected));
  if (answer === back) return back;
  const chosen = choices.find(({ value }) => value === answer);
  if (!chosen) throw new Error(`'${answer}' is not one of the choices.`);
  return chosen.value;
}

/** Asks for a text; `<` goes back and `!` cancels. `check` returns what is wrong with it; `initial` is text to edit. */
export async function askText(
  { prompts }: WizardContext,
  question: string,
  check: (answer: string) => string | undefined,
  initial?: string,
): Promise<string | Back> {
  const navigates = (answer: string) => navigation.some(({ value }) => value === answer.trim());
  const answer = await prompts.input(
    `${plain(question)} (${backKey} back, ${cancelKey} cancel):`,
    (given) => (navigates(given) ? undefined : check(given.trim())),
    initial,
  );
  return answerOf(answer.trim());
}

function answerOf(answer: string): string | Back {
  if (answer === cancelKey) throw new Failure(exitCodes.declined, 'Canceled. Nothing was sent.');
  return answer === backKey ? back : answer;
}

/** Shows a text wrapped to the terminal; continuation lines are indented by the width of `lead`. */
export function sayWrapped({ messages, width }: WizardContext, text: string, lead = ''): void {
  const indent = blanks('', displayWidth(lead));
  const lines = wrap(plain(text), Math.max(1, width - indent.length - 1));
  messages.say(lines.map((line, i) => (i === 0 ? lead : indent) + line).join('\n'));
}
