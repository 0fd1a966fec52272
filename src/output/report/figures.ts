/** The figures of a report: sales, refunds and chargebacks by day and account, exact to the last digit. */
import { group } from 'd3-array';
import { daysFrom } from '../../dates/day.ts';
import { negated } from '../../decimals/decimals.ts';
import { sumOf } from '../chart/series.ts';

export interface Amounts {
  readonly sale: string;
  readonly refund: string;
  readonly chargeback: string;
}

/** The figures of one account on one day, `yyyy-mm-dd`. */
export interface Stat extends Amounts {
  readonly account: string;
  readonly day: string;
}

/** The sums of a day, a month or an account, and their net amount. */
export interface Line extends Amounts {
  readonly name: string;
  readonly net: string;
}

export interface Period {
  readonly first: string;
  readonly last: string;
}

/** A longer period is shown by month. */
const mostDays = 100;

/** The units of the chart: each day of the period as `2026-03-01`, or each month as `2026-03`. */
export function unitsOf({ first, last }: Period): string[] {
  const days = daysFrom(first, last);
  return days.length <= mostDays ? days : [...new Set(days.map((day) => day.slice(0, 7)))];
}

export function linesByUnit(stats: readonly Stat[], units: readonly string[]): Line[] {
  const length = units[0]?.length ?? 0;
  const byUnit = group(stats, ({ day }) => day.slice(0, length));
  return units.map((unit) => lineOf(unit, byUnit.get(unit) ?? []));
}

export function linesByAccount(stats: readonly Stat[], accounts: readonly string[]): Line[] {
  const byAccount = group(stats, ({ account }) => account);
  return accounts.map((name) => lineOf(name, byAccount.get(name) ?? []));
}

export function lineOf(name: string, stats: readonly Stat[]): Line {
  const total = (key: keyof Amounts) => sumOf(['0.00', ...stats.map((stat) => stat[key])]);
  const [sale, refund, chargeback] = [total('sale'), total('refund'), total('chargeback')];
  const net = sumOf([sale, negated(refund), negated(chargeback)]);
  return { name, sale, refund, chargeback, net };
}

/**
 * Refunds and chargebacks as positive amounts. It is not documented whether ClickBank sends them with a minus sign,
 * so the sum over the whole period decides; a single day can have either sign, because chargebacks can be reversed.
 */
export function withoutMinus(stats: readonly Stat[]): readonly Stat[] {
  return (['refund', 'chargeback'] as const).reduce((done, name) => {
    const isNegative = sumOf(done.map((stat) => stat[name])).startsWith('-');
    return isNegative ? done.map((stat) => ({ ...stat, [name]: negated(stat[name]) })) : done;
  }, stats);
}
