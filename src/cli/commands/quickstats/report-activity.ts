/** Reads the transactions of a report: counts, and what products and affiliates brought. */
import { ApiError } from '../../../client/errors.ts';
import { groupedCount } from '../../../decimals/decimals.ts';
import type { Activity, Earner } from '../../../output/report/report.ts';
import type { Plan } from '../../../workflows/earnings/comparison.ts';
import { fittingPlan, usualRows } from '../../../workflows/earnings/fitting-plan.ts';
import { summarize } from '../../../workflows/earnings/summarize.ts';
import { type Group, Summary, type SummaryQuery } from '../../../workflows/earnings/summary.ts';
import type { Account } from '../../lists/accounts.ts';
import type { Names } from './report-data.ts';

export interface ActivityQuery {
  readonly accounts: readonly Account[];
  readonly plan: Plan;
  readonly names: Names;
  /** True reads any number of transactions, false none. */
  readonly wanted: boolean | undefined;
  onRows(rows: number): void;
}

export interface ActivityAnswer {
  readonly activity?: Activity;
  /** Why it is missing or incomplete, in a sentence. */
  readonly gap?: string;
}

export async function readActivity(query: ActivityQuery): Promise<ActivityAnswer> {
  const { accounts, wanted } = query;
  if (wanted === false || accounts.length === 0) return {};
  try {
    return await readPlanned(query);
  } catch (error) {
    if (!(error instanceof ApiError) || error.kind !== 'refused') throw error;
    return {
      gap: 'Counts, rates, products and affiliates are missing: this key may not read orders.',
    };
  }
}

async function readPlanned(query: ActivityQuery): Promise<ActivityAnswer> {
  const { accounts, wanted } = query;
  const limit = wanted ? Number.POSITIVE_INFINITY : usualRows;
  const clients = accounts.map(({ api }) => api);
  const { plan, rows } = await fittingPlan(clients, query.plan, limit);
  if (!plan) {
    const what = 'Counts, rates, products and affiliates are missing';
    const count = groupedCount(rows, 'transaction');
    return { gap: `${what}, because the period has ${count}. Use --orders to read them.` };
  }
  const activity = activityOf(await readSummary({ ...query, plan }), plan);
  const isPartial = query.plan.before && !plan.before;
  const gap =
    'The days before have too many transactions to compare rates. Use --orders to read them.';
  return { activity, ...(isPartial && { gap }) };
}

async function readSummary({ accounts, plan, names, onRows }: ActivityQuery): Promise<Summary> {
  const query: SummaryQuery = { plan, by: ['product', 'affiliate'] };
  const all = new Summary(query);
  const read = accounts.map((account) =>
    summarize(
      account.api,
      { ...query, accounts: names.nicknamesBeside(account) },
      { isOwn: (name) => names.nameFor(account, name) !== undefined, onPage: onRows },
    ),
  );
  for (const summary of await Promise.all(read)) all.merge(summary);
  return all;
}

function activityOf(summary: Summary, { before }: Plan): Activity {
  return {
    counts: summary.figures('period'),
    ...(before && {
      compared: { now: summary.figures('compared'), before: summary.figures('before') },
    }),
    net: summary.figures('period').net,
    products: earnersOf(summary.groups('product')),
    affiliates: summary.roles.has('VENDOR') ? earnersOf(summary.groups('affiliate')) : [],
  };
}

/** Leaves out groups that have transactions on the days before only. */
function earnersOf(groups: readonly Group[]): Earner[] {
  return groups
    .map(earnerOf)
    .filter(({ payments, returns }) => payments + returns > 0)
    .sort((one, other) => Number(other.net) - Number(one.net));
}

function earnerOf({ name, title, vendor, figures: { period } }: Group): Earner {
  const { sales, rebills, refunds, chargebacks, net } = period;
  return {
    name: title ?? name ?? '',
    detail: vendor === undefined ? '' : [name, vendor].filter(Boolean).join(', '),
    payments: sales + rebills,
    returns: refunds + chargebacks,
    net,
  };
}
