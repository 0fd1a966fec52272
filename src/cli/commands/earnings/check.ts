/** `cb check`: exit code 9 if a refund or chargeback rate reaches its limit. */
import { orders } from '../../../operations/orders.ts';
import { checkGroups } from '../../../workflows/earnings/groups.ts';
import { byOption, withPeriod } from '../../earnings/earning-options.ts';
import { checkResource } from '../../earnings/summary-values.ts';
import { connectionOptions } from '../../help/help-text.ts';
import { command } from '../../runtime/define.ts';

export const check = command({
  words: 'check',
  parameters: [withPeriod],
  options: {
    by: byOption('Also judge each', checkGroups),
    refundRate: [
      '--refund-rate <percent>',
      'Limit of refunds to sales and rebills, by count (default: 15%)',
    ],
    chargebackRate: ['--chargeback-rate <percent>', 'Limit of chargebacks, by count (default: 1%)'],
    minSales: ['--min-sales <n>', 'Judge nothing with fewer sales and rebills (default: 100)'],
  },
  shows: { rows: true, shape: () => checkResource },
  help: {
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
  },
  async run(cmd, flags, output) {
    const { runCheck } = await import('../../earnings/run-check.ts');
    await runCheck(cmd, flags, output, 'last-14-days');
  },
});
