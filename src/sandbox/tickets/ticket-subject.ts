/** From a receipt to the payment and the line item that a ticket is about. */
import type { Caller } from '../request/access.ts';
import { assertOr } from '../request/refusal.ts';
import type { Database } from '../store/driver.ts';
import {
  findByReceipt,
  findLinesOf,
  type LineItem,
  type Transaction,
} from '../store/orders/transaction.ts';
import { mayRefundInPart } from '../store/tickets/ticket.ts';
import { linesPaidBy, type RefundRequest, type Subject } from './ticket-refund.ts';

/** 403 for what the caller didn't sell: an affiliate has no tickets. */
function paymentOf(db: Database, receipt: string, { accounts }: Caller): Transaction {
  const own = findByReceipt(db, receipt, accounts).filter(({ vendor }) =>
    accounts.includes(vendor),
  );
  assertOr(own.length > 0, 403, 'The receipt does not exist, or this key may not act on it.');
  const payment = own.find((txn) => txn.receipt === receipt && /(SALE|BILL)$/.test(txn.type));
  assertOr(payment, 400, 'Nothing was paid under this receipt.');
  return payment;
}

/** A subscription's line is known by its item as sold, and by the item it was changed to. */
function chooseLine(
  db: Database,
  { purchaseId }: Transaction,
  lines: readonly LineItem[],
  sku: string | undefined,
): LineItem | undefined {
  if (sku === undefined) return lines.length === 1 ? lines[0] : undefined;
  const all = findLinesOf(db, purchaseId);
  const current = (line: LineItem) => all.find(({ id }) => id === line.currentItemId)?.itemNo;
  const line = lines.find((each) => each.itemNo === sku || current(each) === sku);
  const known = lines.map(({ itemNo }) => itemNo).join(', ');
  assertOr(line, 400, `The order has no item ${sku}. Its items are ${known}.`);
  return line;
}

/** Without `sku` a cart is meant as a whole. */
export function findSubject(
  db: Database,
  receipt: string,
  sku: string | undefined,
  caller: Caller,
): Subject {
  const txn = paymentOf(db, receipt, caller);
  const lines = linesPaidBy(db, txn);
  return { txn, lines, line: chooseLine(db, txn, lines, sku) };
}

/** Money goes back for one line at a time: a cart as a whole isn't refunded or cancelled. */
export function assertOneLine({ line }: Subject): void {
  assertOr(line, 400, 'The order has several items: sku is needed.');
}

/** 403 for a partial refund of a vendor that isn't enabled for them. */
export function assertAllowed(db: Database, { txn }: Subject, { type }: RefundRequest): void {
  const allowed = type === 'FULL' || mayRefundInPart(db, txn.vendor);
  assertOr(allowed, 403, 'The vendor is not enabled for partial refunds.');
}
