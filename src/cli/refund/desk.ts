/** Where the wizard sits: the service on one side, the person on the other. */
import type { Api } from '../../api/client.ts';
import { blanks, cut, displayWidth, wrap } from '../../output/display-width.ts';
import { plain } from '../../output/terminal-text.ts';
import type { Day } from '../dates.ts';
import { exitCodes } from '../exit-codes.ts';
import { Failure } from '../failure.ts';
import type { Messages } from '../messages.ts';
import type { Choice, Prompts } from '../prompts.ts';
import { type Back, back } from './walk.ts';

export interface Desk {
  readonly api: Api;
  readonly prompts: Prompts;
  readonly messages: Messages;
  readonly today: Day;
  /** Columns of the terminal. */
  readonly width: number;
}

const backKey = '<';
const cancelKey = '!';

const ways: readonly Choice[] = [
  { value: backKey, name: 'Back' },
  { value: cancelKey, name: 'Cancel: send nothing' },
];

/** The cursor in front of a choice, and a column to spare. */
const cursorWidth = 4;

/** Asks to choose; Back and Cancel are always there, but nothing is behind the first question. */
export async function choose(
  { prompts, width }: Desk,
  question: string,
  choices: readonly Choice[],
  { isFirst = false } = {},
): Promise<string | Back> {
  const shown = choices.map(({ value, name, short }) => ({
    value,
    ...(short !== undefined && { short: plain(short) }),
    name: cut(plain(name), width - cursorWidth),
  }));
  return read(await prompts.select(plain(question), [...shown, ...ways.slice(isFirst ? 1 : 0)]));
}

/** Asks for a text; `<` goes back and `!` cancels. `check` says what is wrong with it. */
export async function write(
  { prompts }: Desk,
  question: string,
  check: (answer: string) => string | undefined,
): Promise<string | Back> {
  const isWay = (answer: string) => ways.some(({ value }) => value === answer.trim());
  const answer = await prompts.input(
    `${plain(question)} (${backKey} back, ${cancelKey} cancel):`,
    (given) => (isWay(given) ? undefined : check(given.trim())),
  );
  return read(answer.trim());
}

function read(answer: string): string | Back {
  if (answer === cancelKey) throw new Failure(exitCodes.declined, 'cancelled; nothing was sent');
  return answer === backKey ? back : answer;
}

/** Shows a text, broken where the terminal ends; what goes on stands under its start. */
export function tellWrapped({ messages, width }: Desk, text: string, lead = ''): void {
  const indent = blanks('', displayWidth(lead));
  const lines = wrap(plain(text), Math.max(1, width - indent.length - 1));
  messages.say(lines.map((line, i) => (i === 0 ? lead : indent) + line).join('\n'));
}
