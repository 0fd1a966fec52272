/** The dashboard of `cb metrics`: eight figures of the last complete month, their change, and a year of each. */
import { addMonths, type Day } from '../../../dates/day.ts';
import { monthYearText } from '../../../dates/day-texts.ts';
import { grouped } from '../../../decimals/decimals.ts';
import * as field from '../../../operations/resource.ts';
import type { Row } from '../../../output/rows/rows.ts';
import { sparkline } from '../../../output/series.ts';
import type { View } from '../../../shell/display/view.ts';
import type { SqlReader } from '../destination.ts';

type Sums = Readonly<Record<string, number>>;

type Kind = 'dollars' | 'count' | 'percent';

/** The value is undefined if there is nothing to divide by. */
type Figure = readonly [says: string, kind: Kind, compute: (sums: Sums) => number | undefined];

/** Sums over all accounts and roles, by month. A sale between two accounts of the copy has a row for each share. */
export const sources: Readonly<Record<string, readonly string[]>> = {
  payments: [
    'sum(net) AS net',
    'sum(earned) AS earned',
    'sum(refunded) AS refunded',
    "count(DISTINCT CASE WHEN transaction_type = 'SALE' THEN receipt END) AS sales",
    "sum(CASE WHEN transaction_type = 'SALE' THEN earned ELSE 0 END) AS sold",
  ],
  customer_value_by_month: [
    'sum(new_customers) AS new_customers',
    'sum(customers_so_far) AS customers',
    'sum(ltv * customers_so_far) AS lifetime',
  ],
  mrr_by_month: [
    'sum(mrr) AS mrr',
    'sum(mrr_at_start) AS mrr_at_start',
    'sum(churned_mrr + contraction_mrr) AS lost_mrr',
  ],
};

const ratio = (part: number | undefined, whole: number | undefined, factor = 1) =>
  part === undefined || !whole ? undefined : (factor * part) / whole;

const figures: readonly Figure[] = [
  ['Net', 'dollars', ({ net }) => net],
  ['Sales', 'count', ({ sales }) => sales],
  ['You earn per sale', 'dollars', ({ sold, sales }) => ratio(sold, sales)],
  ['Refunded share of earned', 'percent', ({ refunded, earned }) => ratio(refunded, earned, 100)],
  ['New customers', 'count', ({ new_customers }) => new_customers],
  ['Lifetime value', 'dollars', ({ lifetime, customers }) => ratio(lifetime, customers)],
  ['MRR, as you earn it', 'dollars', ({ mrr }) => mrr],
  ['MRR churn', 'percent', ({ lost_mrr, mrr_at_start }) => ratio(lost_mrr, mrr_at_start, 100)],
];

const months = 12;

const { text, headed } = field;

const amount = (name: string) =>
  ({ kind: 'text', isAmount: true, from: (row: Row) => row[name] }) as const;

export const dashboardView: View = {
  resource: {
    element: 'figure',
    headline: ['figure', 'value', 'change', 'trend'],
    fields: { figure: text, trend: headed(`${months} months`, text) },
  },
  derived: { value: amount('value'), change: amount('change') },
};

/** The rows of the dashboard of the month that begins on `last`. Without an account, all of the copy. */
export async function dashboardOf(
  copy: SqlReader,
  account: string | undefined,
  last: Day,
  hasUnicode: boolean,
): Promise<{ readonly title: string; readonly rows: readonly Row[] }> {
  const first = addMonths(last, 1 - months);
  const sums = new Map<string, Record<string, number>>();
  const where = `month BETWEEN ? AND ?${account === undefined ? '' : ' AND upper(account) = ?'}`;
  const values = [first, last, ...(account === undefined ? [] : [account.toUpperCase()])];
  for (const [view, columns] of Object.entries(sources)) {
    const found = await copy.query(
      `SELECT CAST(month AS text) AS month, ${columns.join(', ')} FROM ${view} WHERE ${where} GROUP BY month`,
      values,
    );
    for (const { month, ...row } of found) {
      const known = Object.entries(row).filter(([, value]) => value !== null);
      const numbers = Object.fromEntries(known.map(([name, value]) => [name, Number(value)]));
      sums.set(String(month), { ...sums.get(String(month)), ...numbers });
    }
  }
  const days = Array.from({ length: months }, (_, i) => addMonths(first, i));
  const rows = figures.map(([says, kind, compute]): Row => {
    const points = days.map((day) => compute(sums.get(day) ?? {}));
    const [before, now] = points.slice(-2);
    return {
      figure: says,
      value: now === undefined ? '-' : valueText(now, kind),
      change: before === undefined || now === undefined ? '-' : changeText(before, now, kind),
      trend: hasUnicode ? trendOf(points) : '',
    };
  });
  const title = `${monthYearText(last)} compared with ${monthYearText(addMonths(last, -1))}, in US dollars`;
  return { title, rows };
}

/** A column for each month from the first one with a figure. */
function trendOf(points: readonly (number | undefined)[]): string {
  const from = points.findIndex((one) => one !== undefined);
  const known = from < 0 ? [] : points.slice(from).map((one) => one ?? 0);
  return known.length < 2 ? '' : sparkline(known, months).padStart(months);
}

function valueText(value: number, kind: Kind): string {
  if (kind === 'count') return grouped(value);
  return grouped(value.toFixed(2)) + (kind === 'percent' ? '%' : '');
}

/** Percent for amounts and counts, percentage points for rates. */
function changeText(before: number, now: number, kind: Kind): string {
  if (kind !== 'percent' && before === 0) return '-';
  const change = kind === 'percent' ? now - before : (100 * (now - before)) / Math.abs(before);
  const digits = change.toFixed(kind === 'percent' ? 2 : 1);
  return `${change > 0 ? '+' : ''}${grouped(digits)}${kind === 'percent' ? ' pts' : '%'}`;
}
