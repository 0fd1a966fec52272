/** Formats amounts and days for the report. */
import type { Amounts } from './figures.ts';

/** Writes `1234567.80` as `1,234,567.80`, with every digit. */
export function amountText(digits: string): string {
  return digits.replace(/^-?\d+/, (whole) => whole.replaceAll(/\B(?=(\d{3})+$)/g, ','));
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
