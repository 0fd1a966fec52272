/** `cb summary` and `cb today`: what you earned. */

import type { Command } from 'commander';
import { orders } from '../../../operations/orders.ts';
import { summaryGroups } from '../../../workflows/earnings/groups.ts';
import {
  addEarningFilters,
  byOption,
  compareOption,
  type EarningFlags,
} from '../../earnings/earning-options.ts';
import { groupResource } from '../../earnings/earning-resources.ts';
import { addShowFlags, readShowFlags, type ShowFlags } from '../../flags/show-flags.ts';
import { addHelp, connectionOptions, type HelpText } from '../../help/help-text.ts';
import { addLocalFlags, answering, type LocalFlags } from '../../local/local-options.ts';
import { addAction } from '../../runtime/command.ts';
import type { Call, CommandContext, CommonFlags } from '../../runtime/command-context.ts';

type SummaryFlags = CommonFlags & ShowFlags & EarningFlags & LocalFlags;

const shows = { rows: true, totals: true, shape: () => groupResource('product') };

const common = {
  asks: true,
  roles: orders.list.roles,
  obeys: [...connectionOptions, '--all-profiles'],
  topics: ['dates', 'output', 'exit-codes'],
} as const;

const definitions =
  'Earned is your share of sales and rebills, in US dollars; net is earned less refunds and chargebacks. Rates are by count, of sales and rebills. Test orders never count.';

const summaryHelp: HelpText = {
  ...common,
  notes: [`${definitions} Today is not over, so it is never compared with a whole day.`],
  examples: [
    'cb summary',
    'cb summary --period last-month --compare year-before',
    'cb summary --by tracking-id --limit 10',
    'cb summary --period this-month -o json',
  ],
};

const todayHelp: HelpText = {
  ...common,
  notes: [definitions],
  examples: ['cb today', 'cb today --by product', 'cb today -o json'],
};

export function buildSummary(command: Command, call: Call): void {
  addEarningFilters(command, true);
  command.addOption(compareOption()).addOption(byOption('Show a row for each', summaryGroups));
  addShowFlags(command, shows);
  addLocalFlags(command);
  addHelp(command, () => summaryHelp);
  addAction(command, call, async (cmd, flags: SummaryFlags) => {
    await show(cmd, flags, 'last-30-days');
  });
}

export function buildToday(command: Command, call: Call): void {
  addEarningFilters(command, false);
  command.addOption(byOption('Show a row for each', summaryGroups));
  addShowFlags(command, shows);
  addLocalFlags(command);
  addHelp(command, () => todayHelp);
  addAction(command, call, async (cmd, flags: SummaryFlags) => {
    await show(cmd, flags);
  });
}

/** Loads the code only when it runs, because other commands don't need its libraries. */
async function show(cmd: CommandContext, flags: SummaryFlags, period?: string): Promise<void> {
  const output = readShowFlags(cmd, flags, shows);
  const { showSummary } = await import('../../earnings/show-summary.ts');
  await showSummary(answering(cmd, flags), flags, output, period);
}
