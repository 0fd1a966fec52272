/** What analytics say of a subscription's terms: how often it is billed, for how long. */
import { addPeriods } from './billing-date.ts';
import { instantOf, pacificDay, secondOfDay } from './pacific.ts';

/** This many payments to come means that they never end. */
export const ENDLESS = 999;

const FREQUENCIES: Readonly<Record<string, string>> = {
  WEEKLY: 'EVERY WEEK',
  BI_WEEKLY: 'EVERY 2 WEEKS',
  MONTHLY: 'EVERY MONTH',
  QUARTERLY: 'EVERY 3 MONTHS',
  HALF_YEARLY: 'EVERY 6 MONTHS',
  YEARLY: 'EVERY YEAR',
};

/** `MONTHLY` is told as `EVERY MONTH`. */
export function frequencyText(frequency: string): string {
  return FREQUENCIES[frequency] ?? frequency;
}

interface Running {
  readonly nextPayment: number | null;
  readonly future: number;
  readonly frequency: string;
  readonly anchorDay: number;
}

/** The instant of the last payment to come; null where there is none, or no last one. */
export function lastPaymentOf({ nextPayment, future, frequency, anchorDay }: Running) {
  if (nextPayment === null || future === ENDLESS || future < 1) return null;
  const day = addPeriods(pacificDay(nextPayment), frequency, future - 1, anchorDay);
  return instantOf(day, secondOfDay(nextPayment));
}
