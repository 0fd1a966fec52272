/** When a subscription is billed: calendar steps from one Pacific day to the next. */
import { addDays, addMonths } from './pacific.ts';

const WEEKLY_DAYS: Readonly<Record<string, number>> = { WEEKLY: 7, BI_WEEKLY: 14 };
const MONTHS: Readonly<Record<string, number>> = {
  MONTHLY: 1,
  QUARTERLY: 3,
  HALF_YEARLY: 6,
  YEARLY: 12,
};

/**
 * The day `periods` later. `anchor` is the day of the month aimed at, so that a subscription of
 * the 31st comes back to it after February.
 */
export function addPeriods(
  day: string,
  frequency: string,
  periods: number,
  anchor = Number(day.slice(8)),
): string {
  const days = WEEKLY_DAYS[frequency];
  if (days !== undefined) return addDays(day, days * periods);
  return addMonths(day, (MONTHS[frequency] ?? 1) * periods, anchor);
}
