/** `cb metrics`: the views of the copy. */
import { type Command, Option } from 'commander';
import { chartOption } from '../../display/chart.ts';
import { addParameters, helpGroups } from '../../flags/flags.ts';
import { addPeriodSynonyms } from '../../flags/period-synonyms.ts';
import { addShowFlags, readShowFlags, type ShowFlags } from '../../flags/show-flags.ts';
import { addHelp, type HelpText } from '../../help/help-text.ts';
import { type MetricFlags, metricFilters } from '../../metrics/metric-options.ts';
import { addAction } from '../../runtime/command.ts';
import type { Call, CommonFlags } from '../../runtime/command-context.ts';

const shows = { rows: true };

const helpText: HelpText = {
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
};

export function buildMetrics(command: Command, call: Call): void {
  command.argument('[name]', 'The name of a metric, such as sales-by-day-and-product');
  addParameters(command, metricFilters);
  addPeriodSynonyms(command, metricFilters);
  command.addOption(
    new Option('--database <db>', 'Another copy, such as shop.db or a postgres:// URL').helpGroup(
      helpGroups.options,
    ),
  );
  command.addOption(
    new Option('--allow-incomplete', 'Show what the copy has of an incomplete period').helpGroup(
      helpGroups.options,
    ),
  );
  command.addOption(chartOption({ names: [], figures: [], standard: ['by metric'] }));
  addShowFlags(command, shows);
  addHelp(command, () => helpText);
  addAction<CommonFlags & ShowFlags & MetricFlags>(command, call, async (cmd, flags, name) => {
    const output = readShowFlags(cmd, flags, shows);
    const { runMetrics } = await import('../../metrics/run-metrics.ts');
    await runMetrics(cmd, flags, output, typeof name === 'string' ? name : undefined);
  });
}
