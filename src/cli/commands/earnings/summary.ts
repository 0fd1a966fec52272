/** `cb summary` and `cb today`: what you earned. */
import { orders } from '../../../operations/orders.ts';
import { summaryGroups } from '../../../workflows/earnings/groups.ts';
import {
  byOption,
  compareOption,
  type EarningFlags,
  withoutPeriod,
  withPeriod,
} from '../../earnings/earning-options.ts';
import { groupResource } from '../../earnings/summary-values.ts';
import type { OutputOptions } from '../../flags/show-flags.ts';
import { connectionOptions, type HelpText } from '../../help/help-text.ts';
import type { CommandContext } from '../../runtime/command-context.ts';
import { command } from '../../runtime/define.ts';

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

export const summary = command({
  words: 'summary',
  parameters: [withPeriod],
  options: {
    compare: compareOption(),
    by: byOption('Show a row for each', summaryGroups),
  },
  shows,
  help: summaryHelp,
  run: (cmd, flags, output) => show(cmd, flags, output, 'last-30-days'),
});

export const today = command({
  words: 'today',
  parameters: [withoutPeriod],
  options: { by: byOption('Show a row for each', summaryGroups) },
  shows,
  help: todayHelp,
  run: (cmd, flags, output) => show(cmd, flags, output),
});

/** Loads the code only when it runs, because other commands don't need its libraries. */
async function show(
  cmd: CommandContext,
  flags: EarningFlags,
  output: OutputOptions,
  period?: string,
): Promise<void> {
  const { showSummary } = await import('../../earnings/show-summary.ts');
  await showSummary(cmd, flags, output, period);
}
