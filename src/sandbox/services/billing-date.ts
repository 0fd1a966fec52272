/** Computes billing dates of subscriptions in Pacific calendar days. */
import { addDays, addMonths, instantOf, pacificDay, secondOfDay } from '../../dates/day.ts';

const FREQUENCIES: Readonly<Record<string, { days?: number; months: number; text: string }>> = {
  WEEKLY: { days: 7, months: 0, text: 'EVERY WEEK' },
  BI_WEEKLY: { days: 14, months: 0, text: 'EVERY 2 WEEKS' },
  MONTHLY: { months: 1, text: 'EVERY MONTH' },
  QUARTERLY: { months: 3, text: 'EVERY 3 MONTHS' },
  HALF_YEARLY: { months: 6, text: 'EVERY 6 MONTHS' },
  YEARLY: { months: 12, text: 'EVERY YEAR' },
};

/** Returns the billing frequency as written in analytics: `EVERY MONTH` for `MONTHLY`. */
export const frequencyText = (frequency: string) => FREQUENCIES[frequency]?.text ?? frequency;

/**
 * Returns the day that is `periods` billing periods after `day`. `anchor` is the day of the month
 * on which the subscription is billed, so that billing on the 31st returns to the 31st after February.
 */
export function addPeriods(
  day: string,
  frequency: string,
  periods: number,
  anchor = Number(day.slice(8)),
): string {
  const { days, months } = FREQUENCIES[frequency] ?? { days: 0, months: 1 };
  return days ? addDays(day, days * periods) : addMonths(day, months * periods, anchor);
}

/** `MONTHLY1-B002` is the second payment: the first rebill. */
export const rebillReceipt = (receipt: string, payment: number) =>
  `${receipt}-B${String(payment).padStart(3, '0')}`;

/** The number of future payments that means an unlimited subscription. */
export const ENDLESS = 999;

/** The next payment of a subscription and its billing cycle. Instants are seconds since 1970. */
export interface PaymentSchedule {
  readonly at: number;
  /** When that payment was first due, if it failed and is being retried. */
  readonly firstDue: number | null;
  readonly frequency: string;
  readonly anchorDay: number;
}

/**
 * Returns the instant of the payment `payments` after the next one; 0 is the next one
 * itself. A retry does not move the payments that follow it.
 */
export function paymentAfter(schedule: PaymentSchedule, payments: number): number {
  const { at, firstDue, frequency, anchorDay } = schedule;
  if (payments === 0) return at;
  const due = firstDue ?? at;
  const step = (periods: number) =>
    instantOf(addPeriods(pacificDay(due), frequency, periods, anchorDay), secondOfDay(due));
  let first = 1;
  while (step(first) <= at) first += 1;
  return step(first + payments - 1);
}
