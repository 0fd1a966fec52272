/** The tool `summary`: what the account earned, compared with earlier days. */
import { text as textParam } from '../../operations/operation.ts';
import { orders } from '../../operations/orders.ts';
import { comparisons, type Plan, planOf } from '../../workflows/earnings/comparison.ts';
import { changePercentOf, type Figures, metrics } from '../../workflows/earnings/figures.ts';
import { fittingPlan, usualRows } from '../../workflows/earnings/fitting-plan.ts';
import { type SummaryGroup, summaryGroups } from '../../workflows/earnings/groups.ts';
import { accountsOf } from '../../workflows/earnings/read-transactions.ts';
import { summarize } from '../../workflows/earnings/summarize.ts';
import type { Summary } from '../../workflows/earnings/summary.ts';
import { accountCurrency } from '../../workflows/earnings/transaction.ts';
import { periodFrom } from '../rows/arguments.ts';
import { type Paging, pagingArguments, partOf } from '../rows/paging.ts';
import { linesOf, present, type ToolRow } from '../rows/pick.ts';
import { argumentsFor, inputOf, listOf, outputOf, text } from '../rows/schemas.ts';
import type { Tool, ToolArguments, ToolCall } from '../tool.ts';
import { ToolError } from '../tool-error.ts';

const { startDate, endDate, role } = orders.list.params;

interface Asked extends Paging {
  readonly compare?: (typeof comparisons)[number];
  readonly by?: SummaryGroup;
  readonly role?: 'VENDOR' | 'AFFILIATE';
  readonly account?: string;
}

export const summary: Tool = {
  name: 'summary',
  title: 'Earnings summary',
  description:
    'Add up what the account earned, refunded and lost to chargebacks in a period (default: the last 30 days), in USD, with rates and the change in percent to earlier days; with by, also by group. Reads all transactions of the period: for long periods, use metrics.',
  writes: false,
  writtenByOthers: ['name', 'title'],
  input: inputOf({
    ...argumentsFor({ startDate, endDate, role }),
    ...argumentsFor({ account: textParam('Only this account of the key') }),
    compare: { type: 'string', enum: [...comparisons] },
    by: { type: 'string', enum: [...summaryGroups] },
    ...pagingArguments,
  }),
  output: outputOf(
    {
      currency: text(),
      period: { type: 'object' },
      comparedWith: { type: 'object' },
      totals: { type: 'object', properties: figureSchemas() },
      previous: { type: 'object' },
      changePercent: { type: 'object' },
      rows: listOf({ type: 'object', properties: { name: text() } }),
      next: text(),
    },
    ['currency', 'period', 'totals'],
  ),
  async run(args, call) {
    const { first, last } = periodFrom(args, call.today, ['-29d', 'today']);
    if (first > call.today) throw new ToolError(`The period begins on ${first}, after today.`);
    const { by, compare, account, ...paging } = args as Asked;
    const now = Math.floor(call.now().getTime() / 1000);
    const plan = await planThatFits(planOf({ first, last }, now, { compare }), call);
    const read = await readSummary(args, plan, call);
    const groups = by === undefined ? undefined : groupRows(read, by, plan.before !== undefined);
    const part = groups && partOf(groups, [first, last, by, compare, account], paging);
    const totals = figureRow(read.figures('period'));
    return {
      summary: sentenceOf(plan, read),
      data: {
        currency: accountCurrency,
        period: plan.period,
        totals,
        ...(plan.before && comparisonOf(plan, read)),
        ...(part && { rows: part.rows, ...(part.next !== undefined && { next: part.next }) }),
      },
      lines: [
        ...linesOf(Object.keys(totals), [totals]),
        ...linesOf(['name', 'title', ...Object.keys(totals), 'changePercent'], part?.rows ?? []),
      ],
    };
  },
};

function figureSchemas() {
  const schemaOf = (unit: string) => ({ type: unit === 'count' ? 'integer' : 'string' });
  return Object.fromEntries(metrics.map(({ name, unit }) => [name, schemaOf(unit)]));
}

/** Amounts and rates as decimal texts, counts as numbers. */
function figureRow(figures: Figures): ToolRow {
  return present(Object.fromEntries(metrics.map(({ name }) => [name, figures[name]])));
}

/** Compares nothing if only the period itself has few enough transactions. */
async function planThatFits(plan: Plan, { client }: ToolCall): Promise<Plan> {
  const { plan: fitting, rows } = await fittingPlan([client], plan, usualRows);
  if (fitting) return fitting;
  throw new ToolError(
    `The period has ${rows} transactions, and at most ${usualRows} are read at once.`,
    'Use a shorter period, or the tools metrics and query_copy.',
  );
}

async function readSummary(args: ToolArguments, plan: Plan, { client }: ToolCall) {
  const { by, role, account } = args as Asked;
  const own = await accountsOf(client);
  const only = account?.toUpperCase();
  if (only !== undefined && !own.includes(only)) {
    throw new ToolError(`The key can't read the account ${only}.`, `Use ${own.join(', ')}.`);
  }
  const query = { plan, by: by === undefined ? [] : [by], account: only, accounts: own };
  return summarize(client, query, { role, own });
}

function groupRows(read: Summary, by: SummaryGroup, isCompared: boolean): ToolRow[] {
  return read.groups(by).map(({ name, title, figures }) => {
    const change = changePercentOf(figures.compared, figures.before, 'earned');
    return present({
      ...{ name: name ?? '(none)', title },
      ...figureRow(figures.period),
      ...(isCompared && { changePercent: change }),
    });
  });
}

function comparisonOf({ compareWith, compared, before, until }: Plan, read: Summary) {
  const [now, earlier] = [read.figures('compared'), read.figures('before')];
  const change = metrics.map(({ name }) => [name, changePercentOf(now, earlier, name)] as const);
  return {
    comparedWith: present({ with: compareWith, days: compared, previousDays: before, until }),
    previous: figureRow(earlier),
    changePercent: present(Object.fromEntries(change)),
  };
}

function sentenceOf({ period, unfinished, before }: Plan, read: Summary): string {
  const { earned, refunded, net } = read.figures('period');
  const days = `${period.first} to ${period.last}${unfinished ? ' (today is not over)' : ''}`;
  const compared = before ? '' : ' Not compared with earlier days: too many transactions.';
  return `${days}: earned ${earned} USD, refunded ${refunded} USD, net ${net} USD.${compared}`;
}
