/** `cb quickstats …` */
import { quickstats } from '../../operations/quickstats.ts';
import { day, decimal, headed, naming, resource, text } from '../../operations/resource.ts';
import type { Row, Value } from '../../output/rows/rows.ts';
import type { GroupSpec } from '../../shell/define.ts';
import type { ChartFacts } from '../../shell/display/chart.ts';
import { columnSums } from '../../shell/display/summary.ts';
import type { View } from '../../shell/display/view.ts';
import { endpointCommands } from './endpoint-command.ts';
import { report } from './quickstats-report.ts';

const amounts = ['sale', 'refund', 'chargeback'] as const;

/** A row for each day and account; in a count the day is null. */
const dailyStats = resource('dailyStats', ['quickStatDate', 'nickName', ...amounts], {
  quickStatDate: headed('Day', day),
  nickName: naming('account', text),
  sale: decimal,
  refund: decimal,
  chargeback: decimal,
});

function daysOf(accounts: readonly Row[]): Row[] {
  // ClickBank sends the day as the time at which it begins.
  const dayIn = (time: Value) =>
    typeof time === 'string' ? time.replace(/^(\d{4}-\d\d-\d\d)T00:00.*$/, '$1') : time;
  return accounts.flatMap(({ nickName, quickStats }) =>
    ((quickStats ?? []) as readonly Row[]).map(
      ({ quickStatDate, ...stats }): Row => ({
        quickStatDate: dayIn(quickStatDate),
        nickName,
        ...stats,
      }),
    ),
  );
}

/** A day that is missing in the response had no sales, refunds or chargebacks. */
const days = { day: 'quickStatDate', names: ['nickName'], figures: amounts, missing: '0' };

const chart: ChartFacts = { ...days, standard: amounts };

const view = (): View => ({
  resource: dailyStats,
  trend: days,
  reshape: daysOf,
  screen: async (rows, options) => (await import('./day-table.ts')).dayTable(rows, options),
  summing: () => columnSums(amounts, { nickName: 'TOTAL' satisfies Value }),
});

export const quickstatsGroup: GroupSpec = {
  words: 'quickstats',
  help: {
    asks: true,
    examples: [
      'cb quickstats list --period this-month',
      'cb quickstats count --period last-month',
      'cb quickstats report --out report.html',
    ],
    topics: ['dates', 'output'],
  },
  commands: endpointCommands(Object.values(quickstats), {
    special: {
      'quickstats list': {
        view,
        chart,
        examples: [
          'cb quickstats list --period last-30-days --chart',
          'cb quickstats list --chart sale',
        ],
      },
      'quickstats count': { view, chart, next: report },
    },
  }),
};
