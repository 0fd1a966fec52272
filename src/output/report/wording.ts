/** Amounts and days as a reader wants them. */
import type { Amounts } from './figures.ts';

/** `1234567.80` as `1,234,567.80`: every digit as it is. */
export function amountText(digits: string): string {
  return digits.replace(/^-?\d+/, (whole) => whole.replaceAll(/\B(?=(\d{3})+$)/g, ','));
}

const dayFormat = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' });
const monthFormat = new Intl.DateTimeFormat('en-GB', {
  month: 'long',
  year: 'numeric',
  timeZone: 'UTC',
});
const shortDay = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'short',
  timeZone: 'UTC',
});
const shortMonth = new Intl.DateTimeFormat('en-GB', {
  month: 'short',
  year: '2-digit',
  timeZone: 'UTC',
});

/** `2026-03-01` as `1 March 2026`, `2026-03` as `March 2026`. */
export function unitText(unit: string): string {
  return (isMonth(unit) ? monthFormat : dayFormat).format(new Date(unit));
}

/** `2026-03-01` as `1 Mar`, `2026-03` as `Mar 26`. */
export function unitLabel(unit: string): string {
  return (isMonth(unit) ? shortMonth : shortDay).format(new Date(unit));
}

export function isMonth(unit = ''): boolean {
  return unit.length === '2026-03'.length;
}

export const amountNames: Readonly<Record<keyof Amounts, string>> = {
  sale: 'Sales',
  refund: 'Refunds',
  chargeback: 'Chargebacks',
};
