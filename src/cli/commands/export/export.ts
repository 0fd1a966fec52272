/** `cb export …` */
import type { Command } from 'commander';
import { addHelp } from '../../help/help-text.ts';
import type { Call } from '../../runtime/command-context.ts';
import { addMonth } from './month.ts';

export function addExport(group: Command, call: Call): void {
  addHelp(group, () => ({
    asks: true,
    examples: [
      'cb export month last-month --out month.xlsx',
      'cb orders list --period last-month --out orders.xlsx',
      'cb orders list --period last-month --layout accounting --out books.csv',
    ],
    topics: ['dates', 'output'],
  }));
  addMonth(group, call);
}
