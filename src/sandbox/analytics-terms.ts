/** What analytics say of a subscription's terms: how often it is billed, for how long. */
import { type PaymentSchedule, paymentAfter } from './billing-date.ts';

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

/** What is known of the payments that a subscription still has to make. */
interface Running extends Omit<PaymentSchedule, 'at'> {
  readonly nextPayment: number | null;
  readonly future: number;
}

/** Returns the instant of the last future payment; null if no payment follows or the subscription is endless. */
export function lastPaymentOf({ nextPayment, future, ...cycle }: Running): number | null {
  if (nextPayment === null || future === ENDLESS || future < 1) return null;
  return paymentAfter({ ...cycle, at: nextPayment }, future - 1);
}
