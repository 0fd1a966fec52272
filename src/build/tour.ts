/** The tour that `npm run demo` prints: six commands on the sandbox, each with the reason to use it. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { cut } from '../output/table/display-width.ts';
import { textOf } from '../shell/help/blocks.ts';
import { runOnScreen, type Screen } from './screen.ts';

interface Stop {
  readonly title: string;
  /** One sentence. */
  readonly why: string;
  readonly command: string;
  /** A file that the command writes: its first lines are shown. */
  readonly file?: string;
}

export const stops: readonly Stop[] = [
  {
    title: 'A list',
    why: 'Filters are words, and the columns that matter fit your terminal.',
    command: 'cb orders list --period last-7-days --limit 5',
  },
  {
    title: 'A chart',
    why: 'The best affiliates of last month, with exact figures next to the bars.',
    command:
      'cb analytics dimension AFFILIATE --role VENDOR --account GREENLEAF --period last-month --chart --limit 5',
  },
  {
    title: 'A receipt',
    why: 'It shows the customer, the items, and whether a refund is still possible.',
    command:
      'cb orders get DIGITAL1 --fields receipt,totalOrderAmount,fullName,email,customerRefundableState,lineItemData',
  },
  {
    title: 'An export',
    why: 'A whole month goes to one file, and --resume continues an interrupted export.',
    command: 'cb orders list --period last-month --out orders.csv',
    file: 'orders.csv',
  },
  {
    title: 'A refund, tried out',
    why: '--dry-run checks the request, shows what would happen, and sends nothing.',
    command:
      'cb tickets create DIGITAL1 --type rfnd --reason ticket.type.refund.2 --refund-type FULL --dry-run',
  },
  {
    title: 'A mistake',
    why: 'An error says what is wrong and what to type instead, and nothing is sent.',
    command: 'cb ordres list',
  },
];

/** Yields the tour in parts. The sandbox must exist: creating it prints a message of its own. */
export async function* tour(screen: Screen): AsyncGenerator<string> {
  for (const [index, { title, why, command, file }] of stops.entries()) {
    const typed = textOf([[command]], screen.columns).trimStart();
    yield `\n${index + 1}. ${title}\n${why}\n\n$ ${typed}\n`;
    yield await runOnScreen(screen, command);
    if (file) yield firstLines(screen, file);
  }
  yield '\nNext: read docs/README.md, or run cb login to use your own account.\n';
}

/** How long a part is shown before the next one follows. */
export function secondsToRead(part: string): number {
  const lines = part.split('\n').filter((line) => line.trim() !== '');
  return 1 + lines.length / 2;
}

function firstLines({ home, columns }: Screen, file: string): string {
  const lines = readFileSync(join(home, file), 'utf8').trimEnd().split('\n');
  const shown = lines.slice(0, 2).map((line) => cut(line, columns));
  return `$ head -n 2 ${file}\n${shown.join('\n')}\n$ wc -l ${file}\n${lines.length} ${file}\n`;
}
