/** `cb check`: exit code 9 if a refund or chargeback rate reaches its limit. */

import { type Command, Option } from 'commander';
import { orders } from '../../../operations/orders.ts';
import { checkGroups } from '../../../workflows/earnings/groups.ts';
import type { LimitFlags } from '../../earnings/check-limits.ts';
import { addEarningFilters, byOption, type EarningFlags } from '../../earnings/earning-options.ts';
import { checkResource } from '../../earnings/earning-resources.ts';
import { helpGroups } from '../../flags/flags.ts';
import { addShowFlags, readShowFlags, type ShowFlags } from '../../flags/show-flags.ts';
import { addHelp, connectionOptions, type HelpText } from '../../help/help-text.ts';
import { addLocalFlags, answering, type LocalFlags } from '../../local/local-options.ts';
import { addAction } from '../../runtime/command.ts';
import type { Call, CommonFlags } from '../../runtime/command-context.ts';

type CheckFlags = CommonFlags & ShowFlags & EarningFlags & LimitFlags & LocalFlags;

const shows = { rows: true, shape: () => checkResource };

const options: readonly (readonly [flags: string, summary: string])[] = [
  ['--refund-rate <percent>', 'Limit of refunds to sales and rebills, by count (default: 15%)'],
  ['--chargeback-rate <percent>', 'Limit of chargebacks, by count (default: 1%)'],
  ['--min-sales <n>', 'Judge nothing with fewer sales and rebills (default: 100)'],
];

const helpText: HelpText = {
  notes: [
    'Prints nothing and ends with exit code 0 if all accounts are below the limits. Otherwise prints who is at or above a limit, and ends with exit code 9: made for cron. Default period: last-14-days. cb config set stores limits.',
  ],
  asks: true,
  examples: [
    'cb check',
    'cb check --by affiliate --refund-rate 25% --chargeback-rate 5%',
    'cb config set refund-rate 12%',
  ],
  roles: orders.list.roles,
  obeys: [...connectionOptions, '--all-profiles'],
  answersNo: true,
  topics: ['exit-codes', 'dates', 'output'],
};

export function buildCheck(command: Command, call: Call): void {
  addEarningFilters(command, true);
  command.addOption(byOption('Also judge each', checkGroups));
  for (const [flags, summary] of options) {
    command.addOption(new Option(flags, summary).helpGroup(helpGroups.options));
  }
  addShowFlags(command, shows);
  addLocalFlags(command);
  addHelp(command, () => helpText);
  addAction(command, call, async (cmd, flags: CheckFlags) => {
    const output = readShowFlags(cmd, flags, shows);
    const { runCheck } = await import('../../earnings/run-check.ts');
    await runCheck(answering(cmd, flags), flags, output, 'last-14-days');
  });
}
