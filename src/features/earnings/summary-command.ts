/** `cb summary` and `cb today`: what you earned. */
import { orders } from '../../operations/orders.ts';
import { queryRows } from '../../output/query.ts';
import { onePage } from '../../output/stream.ts';
import { type CommandContext, hasColor, hasUnicode } from '../../shell/context.ts';
import { command } from '../../shell/define.ts';
import { showPages, showValue, tellWritten } from '../../shell/display/show.ts';
import { fileOf, writeTo } from '../../shell/display/sink.ts';
import { usage } from '../../shell/failure.ts';
import { connectionOptions } from '../../shell/help/help-text.ts';
import type { Typed } from '../../shell/options/flags.ts';
import { type OutputOptions, requireShowable } from '../../shell/options/show-flags.ts';
import { choiceFrom } from '../../shell/options/values.ts';
import {
  byOption,
  compareOption,
  type EarningFlags,
  readAsked,
  readEarnings,
  withoutPeriod,
  withPeriod,
} from './read-earnings.ts';
import { comparisonText, summaryScreen, titlesOf } from './screen.ts';
import {
  dayRows,
  type EarningsView,
  groupResource,
  groupRow,
  metricResource,
  metricRows,
  nameOf,
  summaryValue,
  totalRow,
} from './summary-values.ts';
import { type Dimension, type SummaryGroup, summaryGroups } from './transaction.ts';

/** What the screen and the object need. */
const standardGroups: readonly Dimension[] = [
  ...(['day', 'product', 'affiliate', 'vendor', 'tracking-id'] as const),
];

/** Without a default period, the period is today. */
async function showSummary(
  cmd: CommandContext,
  flags: EarningFlags,
  output: OutputOptions,
  defaultPeriod?: string,
): Promise<void> {
  const by = choiceFrom('--by', flags.by, summaryGroups);
  requireShowable(output, by ? groupResource(by) : metricResource);
  if (!by) {
    const { limit, totals, sort } = output;
    const others = totals ? '--totals' : sort && '--sort';
    const name = limit === undefined ? others : '--limit';
    if (name)
      throw usage(`${name} works only with --by.`, { hint: 'Add --by product, for example.' });
  }
  const asked = await readAsked(cmd, flags, defaultPeriod);
  const { each, accounts } = await readEarnings(cmd, asked, by ? [by] : standardGroups);
  const [summary, ...others] = each.map((one) => one.summary);
  if (!summary) return;
  for (const other of others) summary.merge(other);
  const view = { plan: asked.plan, role: asked.role, accounts, summary };
  if (by) await showGroups(cmd, output, by, view);
  else await showWhole(cmd, output, view);
}

async function showWhole(
  cmd: CommandContext,
  output: OutputOptions,
  view: EarningsView,
): Promise<void> {
  const { context, flags } = cmd;
  const { format, query, fields } = output;
  // A query gives the same answer in every format.
  if (format === 'json' || query !== undefined) {
    const value = summaryValue(view);
    await showValue(cmd, output, query === undefined ? value : queryRows(value, query));
    return;
  }
  if (format !== 'table' || fields) {
    await showPages(cmd, output, { resource: metricResource }, onePage(metricRows(view)));
    return;
  }
  const isSeen = fileOf(output.out) === undefined;
  const text = summaryScreen(view, {
    width: (isSeen && context.stdout.isTTY && context.stdout.columns) || 80,
    color: isSeen && hasColor(context, context.stdout, flags),
    hasUnicode: hasUnicode(context),
  });
  await writeTo(context, output.out, (sink) => sink.write(text), 'drawing');
  tellWritten(cmd, output);
}

async function showGroups(
  cmd: CommandContext,
  output: OutputOptions,
  by: SummaryGroup,
  view: EarningsView,
): Promise<void> {
  const groups = view.summary.groups(by);
  const rows = by === 'day' ? dayRows(view) : groups.map((group) => groupRow(by, group));
  const field = nameOf(by);
  // In a table, a blank cell looks like a mistake, and an unfinished day like a bad one.
  const readable = rows.map((row) => {
    const name = row[field] ?? '(none)';
    return { ...row, [field]: row.isFinished === false ? `${name} so far` : name };
  });
  const shown = output.format === 'table' ? readable : rows;
  const summing = () => ({ add: () => undefined, row: () => totalRow(by, view.summary) });
  const unit = 'In US dollars. Earned is before refunds and chargebacks, and Net is after them.';
  const title = [...titlesOf(view), unit];
  await showPages(cmd, output, { resource: groupResource(by), summing, title }, onePage(shown));
  cmd.messages.tell(comparisonText(view.plan));
}

const shows = {
  ...{ rows: true, totals: true },
  shape(typed?: Typed) {
    const by = summaryGroups.find((one) => one === typed?.by);
    return typed && !by ? metricResource : groupResource(by ?? 'product');
  },
};

const common = {
  asks: true,
  roles: orders.list.roles,
  obeys: [...connectionOptions, '--all-profiles'],
  topics: ['dates', 'output', 'exit-codes'],
} as const;

const definitions =
  'Earned is your share of sales and rebills, in US dollars. Net is earned minus refunds and chargebacks. Rates are refunds and chargebacks as a percentage of sales and rebills, by count. Test orders never count.';

export const summary = command({
  words: 'summary',
  parameters: [withPeriod],
  options: {
    compare: compareOption,
    by: byOption('Group by', summaryGroups),
  },
  shows,
  help: {
    ...common,
    notes: [
      `${definitions} Today is unfinished, so it is never compared with a whole day. The default period is last-30-days.`,
    ],
    examples: [
      'cb summary',
      'cb summary --period last-month --compare year-before',
      'cb summary --by tracking-id --limit 10',
      'cb summary --period this-month -o json',
    ],
  },
  run: (cmd, flags, output) => showSummary(cmd, flags, output, 'last-30-days'),
});

export const today = command({
  words: 'today',
  parameters: [withoutPeriod],
  options: { by: byOption('Group by', summaryGroups) },
  shows,
  help: {
    ...common,
    notes: [definitions],
    examples: ['cb today', 'cb today --by product', 'cb today -o json'],
  },
  run: showSummary,
});
