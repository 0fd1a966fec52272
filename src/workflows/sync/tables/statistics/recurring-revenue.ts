/** Monthly recurring revenue of a subscription, from its details (docs/metrics.md). */
import { addDays, type Day } from '../../../../dates/day.ts';
import { pacificDayOf } from '../cells.ts';
import type { ServiceRow } from '../table.ts';

const fixed: Readonly<Record<string, number>> = {
  DAILY: 12 / 365,
  WEEKLY: 12 / 52,
  BI_WEEKLY: 24 / 52,
  MONTHLY: 1,
  QUARTERLY: 3,
  HALF_YEARLY: 6,
  YEARLY: 12,
};

const units: Readonly<Record<string, number>> = {
  DAY: 12 / 365,
  WEEK: 12 / 52,
  MONTH: 1,
  QUARTER: 3,
  YEAR: 12,
};

/** How many months a payment is for, by words such as `EVERY 3 MONTHS`; undefined for words that cb does not know. */
export function monthsPerPayment(frequency: unknown): number | undefined {
  const words = String(frequency ?? '')
    .trim()
    .toUpperCase();
  if (Object.hasOwn(fixed, words)) return fixed[words];
  const [, count = '1', unit = ''] =
    /^(?:EVERY )?(?:([1-9]\d{0,3}) )?(DAY|WEEK|MONTH|QUARTER|YEAR)S?$/.exec(words) ?? [];
  const months = units[unit];
  return months === undefined ? undefined : Number(count) * months;
}

/**
 * The price of a payment for each month that it is for, with two decimals: the average rebill, or the first payment of
 * a subscription without a trial. Undefined if one of them is not known.
 */
export function recurringRevenue(row: ServiceRow): string | undefined {
  const months = monthsPerPayment(row.frequency);
  const price =
    average(row.rebillSaleAmount, row.rebillSaleCount) ??
    (trialDays(row) === 0 ? average(row.initialSaleAmount, row.initialSaleCount) : undefined);
  return months === undefined || price === undefined ? undefined : (price / months).toFixed(2);
}

function average(amount: unknown, count: unknown): number | undefined {
  const value = Number(amount ?? Number.NaN) / Number(count ?? 0);
  return Number.isFinite(value) ? value : undefined;
}

/** ClickBank sends a number of days, or a text such as `14 DAYS`. */
function trialDays({ trialPeriod }: ServiceRow): number {
  const [days = '0'] = /^\d{1,4}/.exec(String(trialPeriod ?? '')) ?? [];
  return Number(days);
}

/** The first Pacific day after the trial. */
export function startDay(row: ServiceRow): Day | undefined {
  const day = pacificDayOf(row.purchaseDate);
  return day && addDays(day, trialDays(row));
}

/** The Pacific day on which it was canceled or completed; undefined while it is active. */
export function stopDay(row: ServiceRow): Day | undefined {
  const hasEnded = row.status === 'COMPLETED' || row.status === 'CANCELED';
  return pacificDayOf(row.subCancelDate) ?? (hasEnded ? pacificDayOf(row.subEndDate) : undefined);
}
