/** The figures of a report: sales, refunds and chargebacks by day and account, exact to the last digit. */
import { group } from 'd3-array';
import { daysFrom } from '../../dates/day.ts';
import type { Period } from '../../dates/words.ts';
import { addDecimals, grouped, negated } from '../../decimals/decimals.ts';
import { divide } from '../../decimals/divide.ts';
import type { Row, Value } from '../rows/rows.ts';
import { digitsOf, sumOf } from '../series.ts';

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

export function statOf({ quickStatDate, nickName, sale, refund, chargeback }: Row): Stat {
  const amount = (value: Value) => digitsOf(value) ?? '0.00';
  return {
    account: String(nickName ?? ''),
    day: String(quickStatDate ?? '').slice(0, 'yyyy-mm-dd'.length),
    ...{ sale: amount(sale), refund: amount(refund), chargeback: amount(chargeback) },
  };
}

export interface Line extends Amounts {
  readonly name: string;
  readonly net: string;
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

/** Writes `-1234567.80` as `-$1,234,567.80`, with every digit. Amounts of accounts are in US dollars. */
export function amountText(digits: string): string {
  const sign = digits.startsWith('-') ? '-' : '';
  return `${sign}$${grouped(digits.replace('-', ''))}`;
}

/** The share of `part` in `whole` as in `4.52%`; undefined for nothing. Limits of rates are as close as 0.9 and 1%. */
export function percentText(
  part: string | number,
  whole: string | number,
  decimals = 2,
): string | undefined {
  // The exponent multiplies by 100 without losing a digit.
  const percent = divide(`${part}e2`, String(whole), decimals);
  return percent === undefined ? undefined : `${grouped(percent)}%`;
}

export interface Change {
  /** Of the difference: -1, 0 or 1. */
  readonly direction: number;
  /** As in `+$12.50 (+3.1%)`. */
  readonly text: string;
}

export function amountChange(now: string, before: string): Change {
  const difference = addDecimals([now, negated(before)]) ?? String(Number(now) - Number(before));
  const percent = percentText(difference, before.replace('-', ''), 1);
  // A percentage of thousands says only that there was next to nothing before.
  const isTelling =
    percent !== undefined && Math.abs(Number(difference)) < 10 * Math.abs(Number(before));
  const relative = isTelling ? ` (${signed(percent)})` : '';
  return {
    direction: Math.sign(Number(difference)),
    text: `${signed(amountText(difference))}${relative}`,
  };
}

/** How a rate of events differs from an earlier one; undefined if one of them has no events to count. */
export function rateChange(
  [part, whole]: readonly [number, number],
  [partBefore, wholeBefore]: readonly [number, number],
): Change | undefined {
  const [now, before] = [percentText(part, whole), percentText(partBefore, wholeBefore)];
  if (now === undefined || before === undefined) return undefined;
  if (now === before) return { direction: 0, text: 'unchanged' };
  return { direction: Math.sign(part * wholeBefore - partBefore * whole), text: `from ${before}` };
}

function signed(text: string): string {
  return /^-|^\D*0(?:\.0*)?%?$/.test(text) ? text : `+${text}`;
}

/** Writes `2026-03-01` as `March 1, 2026` and `2026-03` as `March 2026`. */
export function unitText(unit: string): string {
  return dateText(unit, { day: 'numeric', month: 'long', year: 'numeric' });
}

/** Writes `2026-03-01` as `Mar 1` and `2026-03` as `Mar 26`. */
export function unitLabel(unit: string): string {
  return dateText(unit, {
    day: 'numeric',
    month: 'short',
    ...(isMonth(unit) && { year: '2-digit' }),
  });
}

function dateText(unit: string, { day, ...format }: Intl.DateTimeFormatOptions): string {
  const shown = isMonth(unit) ? format : { day, ...format };
  return new Date(unit).toLocaleDateString('en-US', { ...shown, timeZone: 'UTC' });
}

export function isMonth(unit = ''): boolean {
  return unit.length === '2026-03'.length;
}

export const amountNames: Readonly<Record<keyof Amounts, string>> = {
  sale: 'Sales',
  refund: 'Refunds',
  chargeback: 'Chargebacks',
};
