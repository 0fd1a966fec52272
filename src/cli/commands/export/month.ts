/** `cb export month`: the workbook of a month for a bookkeeper. */
import { type Command, Option } from 'commander';
import { orders } from '../../../operations/orders.ts';
import { helpGroups } from '../../flags/flags.ts';
import { addHelp, connectionOptions, type HelpText } from '../../help/help-text.ts';
import { addAction, addCommand, newCommand } from '../../runtime/command.ts';
import type { Call } from '../../runtime/command-context.ts';
import type { MonthFlags } from './month-run.ts';

export function addMonth(group: Command, call: Call): void {
  const command = newCommand(call.context, 'month').description(
    'Write a month to a workbook, compared with quickstats',
  );
  addCommand(group, command, call, () => {
    command.argument('<month...>', 'Month, such as 2026-10, last-month or October 2026');
    const out = new Option('--out <file>', 'File to write, such as 2026-10.xlsx; - is stdout');
    addHelp(command.addOption(out.helpGroup(helpGroups.output)), () => helpText);
    addAction(command, call, async (cmd, flags: MonthFlags) => {
      const { exportMonth } = await import('./month-run.ts');
      await exportMonth(cmd, flags, command.args.join(' '));
    });
  });
}

const helpText: HelpText = {
  notes: [
    'The workbook has the sheets Summary, Transactions, Line items, Refunds and Chargebacks. What you earn is in US dollars, the currency of your accounts. Amounts of different currencies are never added.',
    'If what you earn differs from quickstats of the same days, cb says by how much and ends with exit code 8. A month that is not over is marked.',
  ],
  asks: true,
  examples: [
    'cb export month last-month --out month.xlsx',
    'cb export month January --out january.xlsx',
  ],
  roles: orders.list.roles,
  obeys: connectionOptions,
  ownFormat: true,
  topics: ['dates', 'credentials', 'exit-codes'],
};
