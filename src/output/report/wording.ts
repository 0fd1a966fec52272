/** Formats amounts, counts, rates and days for the report. */
import { addDecimals, grouped, negated } from '../../decimals/decimals.ts';
import { divide } from '../../decimals/divide.ts';
import type { Amounts } from './figures.ts';

/** Writes `-1234567.80` as `-$1,234,567.80`, with every digit. Amounts of accounts are in US dollars. */
export function amountText(digits: string): string {
  const sign = digits.startsWith('-') ? '-' : '';
  return `${sign}$${countText(digits.replace('-', ''))}`;
}

/** Writes `1234567` as `1,234,567`. */
export function countText(digits: string | number): string {
  return grouped(String(digits));
}

/** The share of `part` in `whole` with one decimal, as in `4.5%`; undefined for nothing. */
export function percentText(part: string | number, whole: string | number): string | undefined {
  const percent = divide(scaled(part), String(whole), 1);
  return percent === undefined ? undefined : `${countText(percent)}%`;
}

/** 100 times a number, by moving its decimal point, so that no digit is lost. */
function scaled(number: string | number): string {
  const [whole = '0', fraction = ''] = String(number).split('.');
  return `${whole}${fraction.padEnd(2, '0').slice(0, 2)}.${fraction.slice(2) || '0'}`;
}

export interface Change {
  /** Of the difference: -1, 0 or 1. */
  readonly direction: number;
  /** As in `+$12.50 (+3.1%)`. */
  readonly text: string;
}

export function amountChange(now: string, before: string): Change {
  const difference = addDecimals([now, negated(before)]) ?? String(Number(now) - Number(before));
  const percent = percentText(difference, before.replace('-', ''));
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
  const [now, before] = [ratio(part, whole), ratio(partBefore, wholeBefore)];
  if (now === undefined || before === undefined) return undefined;
  const earlier = percentText(partBefore, wholeBefore);
  const isSame = percentText(part, whole) === earlier;
  return {
    direction: isSame ? 0 : Math.sign(Number(now) - Number(before)),
    text: isSame ? 'unchanged' : `from ${earlier}`,
  };
}

function ratio(part: number, whole: number): string | undefined {
  return divide(String(100 * part), whole, 4);
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
