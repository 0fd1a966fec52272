/** The figures of a group of transactions: exact sums, counts, and the rates that follow from them. */
import { ApiError } from '../../client/errors.ts';
import { addDecimals, negated } from '../../decimals/decimals.ts';
import { divide } from '../../decimals/divide.ts';
import type { TransactionKind } from './transaction.ts';

/** By kind: how many transactions, and the exact sum of what the account earns by them. */
export type Tally<Kind = TransactionKind> = Map<Kind, { count: number; amount: string }>;

export function addTo<Kind>(tally: Tally<Kind>, kind: Kind, amount: string, count = 1): void {
  const before = tally.get(kind);
  tally.set(kind, {
    count: (before?.count ?? 0) + count,
    amount: sum(before?.amount ?? '0.00', amount),
  });
}

export function addTally(tally: Tally, other: Tally): void {
  for (const [kind, { amount, count }] of other) addTo(tally, kind, amount, count);
}

/** The exact sum. An amount with an exponent can't be added; ClickBank sends none. */
export function sum(...amounts: readonly string[]): string {
  const total = addDecimals(amounts);
  if (total !== undefined) return total;
  throw new ApiError('failed', `The amounts ${amounts.join(' and ')} can't be added.`);
}

export type Figures = ReturnType<typeof figuresOf>;

export type Metric = keyof Figures;

/** `better` says whether more is good news. */
export const metrics = [
  { name: 'earned', unit: 'amount', better: 'more' },
  { name: 'refunded', unit: 'amount', better: 'less' },
  { name: 'chargedBack', unit: 'amount', better: 'less' },
  { name: 'net', unit: 'amount', better: 'more' },
  { name: 'averageEarned', unit: 'amount', better: 'more' },
  { name: 'sales', unit: 'count', better: 'more' },
  { name: 'rebills', unit: 'count', better: 'more' },
  { name: 'refunds', unit: 'count', better: 'less' },
  { name: 'chargebacks', unit: 'count', better: 'less' },
  { name: 'refundRatePercent', unit: 'percent', better: 'less' },
  { name: 'chargebackRatePercent', unit: 'percent', better: 'less' },
] as const satisfies readonly {
  readonly name: Metric;
  readonly unit: string;
  readonly better: string;
}[];

/** Amounts are decimal strings in the currency of the account; rates are undefined without a sale or rebill. */
export function figuresOf(tally: Tally) {
  const count = (kind: TransactionKind) => tally.get(kind)?.count ?? 0;
  const amount = (kind: TransactionKind) => tally.get(kind)?.amount ?? '0.00';
  const earned = sum(amount('sale'), amount('rebill'));
  const payments = count('sale') + count('rebill');
  return {
    /** Your share of sales and rebills. */
    earned,
    /** What refunds and chargebacks took back, as positive numbers. */
    refunded: negated(amount('refund')),
    chargedBack: negated(amount('chargeback')),
    /** Earned less refunded and charged back. */
    net: sum(earned, amount('refund'), amount('chargeback')),
    /** What you earn by one sale or rebill; not the price that customers pay. */
    averageEarned: divide(earned, payments),
    sales: count('sale'),
    rebills: count('rebill'),
    refunds: count('refund'),
    chargebacks: count('chargeback'),
    /** Refunds as a percentage of sales and rebills, by count. */
    refundRatePercent: divide(String(100 * count('refund')), payments),
    chargebackRatePercent: divide(String(100 * count('chargeback')), payments),
  };
}

/** The difference to an earlier figure, in its unit; undefined if one of the two is absent. */
export function changeOf(now: Figures, before: Figures, metric: Metric): string | undefined {
  const [value, base] = [now[metric], before[metric]];
  if (value === undefined || base === undefined) return undefined;
  return sum(String(value), negated(String(base)));
}

/** The difference as a percentage of the earlier figure; undefined if that is zero. */
export function changePercentOf(now: Figures, before: Figures, metric: Metric): string | undefined {
  const change = changeOf(now, before, metric);
  const base = String(before[metric] ?? 0).replace('-', '');
  const ratio = change === undefined ? undefined : divide(change, base, 3);
  return ratio === undefined ? undefined : (Number(ratio) * 100).toFixed(1);
}
