/** `cb metrics`: the views of the copy. */
import { chartOption } from '../display/chart.ts';
import { metricFilters } from '../metrics/run-metrics.ts';
import { command } from '../runtime/define.ts';

export const metrics = command({
  words: 'metrics',
  args: { '[name]': 'The name of a metric, such as sales-by-day-and-product' },
  parameters: [metricFilters],
  options: {
    database: ['--database <db>', 'Another copy, such as shop.db or a postgres:// URL'],
    allowIncomplete: ['--allow-incomplete', 'Show what the copy has of an incomplete period'],
    chart: chartOption({ names: [], figures: [], standard: ['by metric'] }),
  },
  shows: { rows: true },
  help: {
    notes: [
      'Answers from the copy of cb sync, without requests. Without a name, lists the metrics. A metric by month shows each month of the period. If the copy lacks days, it ends with exit code 8.',
    ],
    examples: [
      'cb metrics',
      'cb metrics sales-by-day-and-product --period last-7-days',
      'cb metrics rates-by-affiliate --period last-month --sort refunds:desc --limit 10',
      'cb metrics subscriptions-by-month --chart mrr',
      'cb metrics cohorts -o csv',
    ],
    obeys: ['--profile', '--sandbox'],
    topics: ['dates', 'output', 'exit-codes'],
  },
  async run(cmd, flags, output) {
    const { runMetrics } = await import('../metrics/run-metrics.ts');
    await runMetrics(cmd, flags, output, flags.name);
  },
});
