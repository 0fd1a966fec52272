/** The rules for refunds, which orders2 shows and refund tickets apply. */
import { pacificDay } from '../../dates/pacific.ts';
import { daysBetween } from '../../operations/operation.ts';
import type { LineItem, Transaction } from '../store/orders/transaction.ts';

/** Days in which a payment can be refunded if its product sets no limit. */
const DEFAULT_DAYS = 60;

function daysLimit({ type }: Transaction, line: LineItem): number {
  const limit = type.endsWith('BILL') ? line.rebillRefundDays : line.saleRefundDays;
  return limit ?? DEFAULT_DAYS;
}

/** Returns why none of these lines can be refunded; undefined if the rules allow it for one. */
export function refundBar(
  txn: Transaction,
  lines: readonly LineItem[],
  today: string,
): 'REFUND_BLOCKED' | 'TOO_OLD' | undefined {
  if (lines.every((line) => line.refundsBlocked === 1)) return 'REFUND_BLOCKED';
  const age = daysBetween(pacificDay(txn.time), today);
  return lines.every((line) => age > daysLimit(txn, line)) ? 'TOO_OLD' : undefined;
}
