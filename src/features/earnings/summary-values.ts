/** The figures of a summary as values for programs: amounts and rates are numbers that keep their digits. */
import { LosslessNumber } from 'lossless-json';
import { daysBetween, daysFrom } from '../../dates/day.ts';
import { countOf } from '../../decimals/decimals.ts';
import * as field from '../../operations/resource.ts';
import type { Row, Value } from '../../output/rows/rows.ts';
import { comparedWith, type Plan } from './comparison.ts';
import { changeOf, changePercentOf, type Metric, metrics } from './figures.ts';
import type { Group, Summary } from './summary.ts';
import { accountCurrency, type Dimension, type EarningRole } from './transaction.ts';

/** A whole summary: what it is about, and what was read. */
export interface EarningsView {
  readonly plan: Plan;
  readonly accounts: readonly string[];
  /** If only the shares of one role were asked for. */
  readonly role?: EarningRole | undefined;
  readonly summary: Summary;
}

/** Counts stay plain numbers; absent figures are null. */
export function numeral(value: string | number | undefined): Value {
  if (value === undefined) return null;
  return typeof value === 'number' ? value : new LosslessNumber(value);
}

/** What is not in the figures, in one sentence; empty if they lack nothing. */
export function notCountedText({ notCounted }: Summary): string {
  const { fees, feeAmount, tests, otherTypes, undated } = notCounted;
  const feeTotal = feeAmount === '0.00' ? '' : ` (in USD: ${feeAmount})`;
  const parts = [
    ...(fees > 0 ? [`${countOf(fees, 'fee')}${feeTotal}`] : []),
    ...(tests > 0 ? [countOf(tests, 'test order')] : []),
    ...(otherTypes > 0 ? [`${otherTypes} of other types`] : []),
    ...(undated > 0 ? [`${undated} without a time`] : []),
  ];
  return parts.length === 0 ? '' : `Not counted: ${parts.join(', ')}.`;
}

function eachMetric(figureOf: (name: Metric) => string | number | undefined): Row {
  return Object.fromEntries(metrics.map(({ name }) => [name, numeral(figureOf(name))]));
}

/** The one object of `-o json`. */
export function summaryValue({ plan, accounts, summary }: EarningsView): Row {
  const { period: all, compared: now, before } = summary.all;
  const topRows = (dimension: Dimension) =>
    topGroups(summary, dimension).map((group) => groupRow(dimension, group));
  return {
    currency: accountCurrency,
    accounts,
    period: { ...plan.period, days: daysBetween(plan.period.first, plan.period.last) + 1 },
    unfinishedDay: plan.unfinished ?? null,
    comparison: plan.before
      ? {
          with: plan.compareWith,
          compared: { ...plan.compared },
          previous: { ...plan.before },
          until: plan.until ?? null,
        }
      : null,
    totals: eachMetric((name) => all[name]),
    compared: eachMetric((name) => now[name]),
    previous: eachMetric((name) => before[name]),
    change: eachMetric((name) => changeOf(now, before, name)),
    changePercent: eachMetric((name) => changePercentOf(now, before, name)),
    notCounted: { ...summary.notCounted, feeAmount: numeral(summary.notCounted.feeAmount) },
    byDay: dayRows({ plan, summary }),
    topProducts: topRows('product'),
    topAffiliates: topRows('affiliate'),
    topVendors: topRows('vendor'),
    topTrackingIds: topRows('tracking-id'),
  };
}

const mostTop = 5;

/** The groups of a dimension that earned most in the period. */
export function topGroups(summary: Summary, dimension: Dimension): Group[] {
  return summary
    .groups(dimension)
    .filter(({ figures: { period } }) => Number(period.earned) > 0)
    .slice(0, mostTop);
}

/** The totals are those of all transactions: one that has two products is still one sale. */
export function totalRow(dimension: Dimension, { all: figures }: Summary): Row {
  const { currency, title, vendor, ...row } = groupRow(dimension, {
    key: '',
    name: 'TOTAL',
    figures,
  });
  return row;
}

export function groupRow(dimension: Dimension, { name, title, vendor, figures }: Group): Row {
  return {
    [nameOf(dimension)]: name,
    ...(dimension === 'product' && { title: title ?? null, vendor: vendor ?? null }),
    ...eachMetric((name) => figures.period[name]),
    comparedEarned: numeral(figures.compared.earned),
    previousEarned: numeral(figures.before.earned),
    changePercent: numeral(changePercentOf(figures.compared, figures.before, 'earned')),
    currency: accountCurrency,
  };
}

/** A row for each day of the period, also for days without transactions. */
export function dayRows({ plan, summary }: Pick<EarningsView, 'plan' | 'summary'>): Row[] {
  return daysFrom(plan.period.first, plan.period.last).map((day) => {
    const figures = summary.day('period', day);
    const isFinished = day !== plan.unfinished;
    const isCompared = plan.before !== undefined && (isFinished || plan.until !== undefined);
    const previousDay = isCompared ? comparedWith(plan, day) : undefined;
    const before = previousDay ? summary.day('before', day) : undefined;
    return {
      day,
      isFinished,
      ...eachMetric((name) => figures[name]),
      previousDay: previousDay ?? null,
      comparedEarned: previousDay ? numeral(figures.earned) : null,
      previousEarned: numeral(before?.earned),
      changePercent: numeral(before && changePercentOf(figures, before, 'earned')),
      currency: accountCurrency,
    };
  });
}

/** A row for each metric, for csv, tsv and ndjson. */
export function metricRows({ summary }: EarningsView): Row[] {
  const { period: all, compared: now, before } = summary.all;
  const units = { amount: accountCurrency, count: 'count', percent: 'percent' };
  return metrics.map(({ name, unit }) => ({
    metric: name,
    value: numeral(all[name]),
    unit: units[unit],
    compared: numeral(now[name]),
    previous: numeral(before[name]),
    change: numeral(changeOf(now, before, name)),
    changePercent: numeral(changePercentOf(now, before, name)),
  }));
}

const { alike, boolean, decimal, headed, integer, naming, ratio, resource, text } = field;

const rates = {
  refundRatePercent: headed('Refund %', ratio),
  chargebackRatePercent: headed('Chargeback %', ratio),
};

const figures = {
  ...alike(decimal, 'earned', 'refunded', 'chargedBack', 'net'),
  averageEarned: headed('Per payment', ratio),
  ...alike(integer, 'sales', 'rebills', 'refunds', 'chargebacks'),
  ...rates,
};

const before = {
  comparedEarned: headed('Earned on the days compared', decimal),
  previousEarned: headed('Earned before', decimal),
  changePercent: headed('Change %', ratio),
  currency: text,
};

export const metricResource = resource(
  'metric',
  ['metric', 'value', 'unit', 'previous', 'changePercent', 'compared', 'change'],
  {
    ...{ metric: text, value: decimal, unit: text },
    ...alike(decimal, 'compared', 'previous', 'change'),
    changePercent: headed('Change %', decimal),
  },
);

/** The name of the group comes first, then what a person compares. */
const headline = [
  ...(['earned', 'changePercent', 'net', 'refundRatePercent', 'sales', 'rebills'] as const),
  ...(['refunds', 'chargebackRatePercent', 'chargebacks'] as const),
];

/** The own fields of a group; the first names it. A currency is the one that the customer paid with. */
const names: Readonly<Record<Dimension, field.Fields>> = {
  day: { day: field.day, isFinished: headed('Finished', boolean) },
  product: {
    product: naming('sku', text),
    title: { ...text, room: 30 },
    vendor: naming('account', text),
  },
  ...{ affiliate: { affiliate: text }, vendor: { vendor: text }, account: { account: text } },
  ...{ 'tracking-id': { trackingId: text }, country: { country: text } },
  currency: { customerCurrency: headed('Customer paid in', text) },
};

export function nameOf(dimension: Dimension): string {
  return Object.keys(names[dimension])[0] ?? '';
}

export function groupResource(dimension: Dimension): field.Resource {
  const shown = dimension === 'product' ? ['product', 'title'] : [nameOf(dimension)];
  const extra = dimension === 'day' ? { previousDay: field.day } : {};
  const fields = { ...names[dimension], ...figures, ...extra, ...before };
  return { element: 'group', headline: [...shown, ...headline], fields };
}

export const checkResource = resource(
  'check',
  [
    ...(['scope', 'name', 'exceeds', 'refundRatePercent', 'refundLimitPercent'] as const),
    ...(['chargebackRatePercent', 'chargebackLimitPercent', 'sales', 'rebills'] as const),
    ...(['refunds', 'chargebacks', 'title'] as const),
  ],
  {
    ...alike(text, 'scope', 'name', 'title', 'exceeds'),
    ...alike(integer, 'sales', 'rebills', 'refunds'),
    refundRatePercent: rates.refundRatePercent,
    refundLimitPercent: headed('Limit %', decimal),
    chargebacks: integer,
    chargebackRatePercent: rates.chargebackRatePercent,
    chargebackLimitPercent: headed('Chargeback limit %', decimal),
    startDate: field.day,
    endDate: field.day,
  },
);
