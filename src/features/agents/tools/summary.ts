/** The tool `summary`: what the account earned, compared with earlier days. */

import { isLosslessNumber } from 'lossless-json';
import type { Days } from '../../../client/zoned-period.ts';
import { orders } from '../../../operations/orders.ts';
import {
  comparisons,
  fittingPlan,
  type Plan,
  planOf,
  usualRows,
} from '../../earnings/comparison.ts';
import { changePercentOf, metrics } from '../../earnings/figures.ts';
import { type Summary, summarize } from '../../earnings/summary.ts';
import { dayRows, notCountedText } from '../../earnings/summary-values.ts';
import {
  accountCurrency,
  accountsOf,
  type SummaryGroup,
  summaryGroups,
} from '../../earnings/transaction.ts';
import { periodFrom } from '../arguments.ts';
import type { ToolRow } from '../rows.ts';
import { linesOf, listResult, type Paging, partOf, present } from '../rows.ts';
import * as schema from '../schema.ts';
import { type Tool, ToolError } from '../tool.ts';

const { startDate, endDate, role } = orders.list.params;

interface Asked extends Paging {
  readonly startDate?: string;
  readonly endDate?: string;
  readonly compare?: (typeof comparisons)[number];
  readonly by?: SummaryGroup;
  readonly role?: 'VENDOR' | 'AFFILIATE';
  readonly account?: string;
}

const figureSchemas = Object.fromEntries(
  metrics.map(({ name, unit }) => [name, { type: unit === 'count' ? 'integer' : 'string' }]),
);

export const summary: Tool = {
  name: 'summary',
  title: 'Earnings summary',
  description:
    'Add up what the account earned, refunded and lost to chargebacks in a period (default: the last 30 days), in USD, with rates and the change in percent to earlier days; with by, also by group. Reads all transactions of the period: for long periods, use metrics.',
  writtenByOthers: ['name', 'title'],
  input: schema.listInput({
    ...schema.argumentsFor({ startDate, endDate, role }),
    account: schema.text('Include only this account'),
    compare: { type: 'string', enum: [...comparisons] },
    by: { type: 'string', enum: [...summaryGroups] },
  }),
  output: schema.outputOf(
    {
      currency: schema.text(),
      period: { type: 'object' },
      comparedWith: { type: 'object' },
      totals: { type: 'object', properties: figureSchemas },
      compared: { type: 'object' },
      previous: { type: 'object' },
      changePercent: { type: 'object' },
      notCounted: { type: 'object' },
      rows: schema.listOf({ type: 'object', properties: { name: schema.text() } }),
      total: { type: 'integer' },
      next: schema.text(),
    },
    ['currency', 'period', 'totals'],
  ),
  async run(args, call) {
    const { first, last } = periodFrom(args, call.today, ['-29d', 'today']);
    const { by, role, compare, account, startDate, endDate, ...paging } = args as Asked;
    const now = Math.floor(call.now.getTime() / 1000);
    // The words tell this-month from the same days of any period.
    const typed = endDate === undefined ? startDate : undefined;
    const wished = planOf({ first, last }, now, { compare, typed });
    // Compares nothing if only the period itself has few enough transactions.
    const { plan, rows } = await fittingPlan([call.client], wished, usualRows);
    if (!plan) {
      throw new ToolError(
        `The period has ${rows} transactions, and at most ${usualRows} are read at once.`,
        'Use a shorter period, or the tools metrics and query_copy.',
      );
    }
    const own = await accountsOf(call.client);
    const only = account?.toUpperCase();
    if (only !== undefined && !own.includes(only)) {
      throw new ToolError(`The key can't read the account ${only}.`, `Use ${own.join(', ')}.`);
    }
    const query = { plan, by: by === undefined ? [] : [by], account: only, accounts: own };
    const read = await summarize(call.client, query, { role, own });
    const groups = by === undefined ? undefined : groupRows(read, by, plan);
    const list =
      groups &&
      listResult('row', partOf(groups, [first, last, by, compare, account, role], paging));
    const totals = present({ ...read.all.period });
    const comparison = plan.before && comparisonOf(plan, read);
    const grouped = list && ` By ${by}: ${list.summary}`;
    return {
      summary: `${sentenceOf(plan, read)}${grouped ?? ''}`,
      data: {
        ...{ currency: accountCurrency, period: plan.period, totals, ...comparison },
        notCounted: read.notCounted,
        ...list?.data,
      },
      ownLines: figureLines(totals, comparison),
      lines: linesOf(list?.data.rows ?? []),
    };
  },
};

function groupRows(summary: Summary, by: SummaryGroup, plan: Plan): ToolRow[] {
  if (by === 'day') {
    return dayRows({ plan, summary }).map(({ day, currency: _, ...figures }) => {
      const texts = Object.entries(figures).map(
        ([name, value]) => [name, isLosslessNumber(value) ? value.toString() : value] as const,
      );
      return present({ name: day, ...Object.fromEntries(texts) });
    });
  }
  return summary.groups(by).map(({ name, title, figures: { period, compared, before } }) =>
    present({
      ...{ name: name ?? '(none)', title },
      ...period,
      ...(plan.before && {
        changePercent: changePercentOf(compared, before, 'earned'),
        previousRefunds: before.refunds,
      }),
    }),
  );
}

type Comparison = ReturnType<typeof comparisonOf>;

/** `compared` are the figures of the days that are compared, if they are not all days of the period. */
function comparisonOf(plan: Plan, read: Summary) {
  const { compareWith, compared: days, before: previousDays, until, period } = plan;
  const { compared: now, before: earlier } = read.all;
  const change = metrics.map(({ name }) => [name, changePercentOf(now, earlier, name)] as const);
  return {
    comparedWith: present({ with: compareWith, days, previousDays, until }),
    ...(days.last !== period.last && { compared: present({ ...now }) }),
    ...{ previous: present({ ...earlier }), changePercent: present(Object.fromEntries(change)) },
  };
}

/** A line for each figure, with a column for each side of the comparison. */
function figureLines(totals: ToolRow, comparison: Comparison | undefined): string[] {
  const { compared, previous, changePercent } = comparison ?? {};
  const sides = present({ period: totals, compared, previous, changePercent }) as Record<
    string,
    ToolRow
  >;
  const rows = metrics.map(({ name: figure }) => ({
    figure,
    ...Object.fromEntries(Object.entries(sides).map(([side, figures]) => [side, figures[figure]])),
  }));
  return linesOf(rows);
}

function sentenceOf(plan: Plan, read: Summary): string {
  const { period, unfinished } = plan;
  const { earned, refunded, net } = read.all.period;
  const days = `${daysOf(period)}${unfinished ? ' (today is not over)' : ''}`;
  const figures = `${days}: earned ${earned} USD, refunded ${refunded} USD, net ${net} USD.`;
  return [figures, comparisonText(plan), notCountedText(read)].filter(Boolean).join(' ');
}

function comparisonText({ period, compared, before, compareWith, until }: Plan): string {
  if (!before) return 'Not compared with earlier days: too many transactions.';
  const days = compared.last === period.last ? '' : `${daysOf(compared)} `;
  const hours = until === undefined ? '' : `, both until ${until} Pacific time`;
  const start = days ? 'Compared: ' : 'Compared ';
  return `${start}${days}with ${daysOf(before)} (${compareWith})${hours}.`;
}

function daysOf({ first, last }: Days): string {
  return first === last ? first : `${first} to ${last}`;
}
