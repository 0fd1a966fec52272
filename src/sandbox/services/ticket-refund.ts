/** The payment and line of a ticket, and the amounts and rules of a refund, which orders2 also shows. */
import { pacificDay } from '../../dates/pacific.ts';
import { daysBetween } from '../../operations/operation.ts';
import type { Database } from '../../storage/sqlite.ts';
import { assertOr, assertValid } from '../http/arguments.ts';
import type { Caller } from '../http/keys.ts';
import { mayRefundInPart, type RefundType } from '../store/ticket.ts';
import {
  type Amounts,
  findByReceipt,
  findLinesOf,
  type LineItem,
  linesOf,
  mapAmounts,
  sumReversals,
  type Transaction,
} from '../store/transaction.ts';
import { centsOf, moneyText, roundIn } from './money.ts';

/** A payment and one of its lines; without a line, the whole cart. */
export interface Subject {
  readonly txn: Transaction;
  /** The lines that were paid with it. */
  readonly lines: readonly LineItem[];
  readonly line: LineItem | undefined;
}

/** The requested refund; the amount has the digits as sent. */
export interface RefundRequest {
  readonly type: RefundType;
  readonly amount: string | undefined;
}

/** A sale pays for all of its lines, a rebill for one. */
export function linesPaidBy(db: Database, txn: Transaction): LineItem[] {
  return linesOf(txn, findLinesOf(db, txn.purchaseId));
}

const sum = (numbers: readonly number[]) => numbers.reduce((total, n) => total + n, 0);

/** The share of the tax in proportion to the price; the last line takes the rounding difference. */
function taxOf(line: LineItem, { txn, lines }: Subject): number {
  const net = sum(lines.map((each) => each.customerCents)) || 1;
  const tax = (each: LineItem) => roundIn(txn.currency, (txn.taxCents * each.customerCents) / net);
  if (line !== lines.at(-1)) return tax(line);
  return txn.taxCents - sum(lines.slice(0, -1).map(tax));
}

/** The tax and shipping of one line; shipping of a cart belongs to its first physical item. */
export function lineExtras(subject: Subject & { readonly line: LineItem }) {
  const { txn, lines, line } = subject;
  const ships = line === lines.find((each) => each.shippable === 1);
  return { taxCents: taxOf(line, subject), shippingCents: ships ? txn.shippingCents : 0 };
}

/** The amounts paid for the line. */
function paidFor(subject: Subject): Amounts {
  const { txn, lines, line } = subject;
  if (!line || lines.length === 1) return txn;
  const { taxCents, shippingCents } = lineExtras({ txn, lines, line });
  return {
    totalCents: line.customerCents + taxCents + shippingCents,
    shippingCents,
    taxCents,
    vendorCents: line.vendorCents,
    affiliateCents: line.affiliateCents,
  };
}

/** The amounts paid, less earlier refunds. */
export function leftOf(db: Database, subject: Subject): Amounts {
  const paid = paidFor(subject);
  const lineId = subject.lines.length > 1 ? (subject.line?.id ?? null) : null;
  const back = sumReversals(db, subject.txn.id, lineId);
  return mapAmounts((name) => paid[name] + back[name]);
}

/** `cents` of the remaining amount, with shipping, tax, and shares in proportion. */
export function partOf(left: Amounts, cents: number, currency: string): Amounts {
  const scale = (amount: number) => (amount * cents) / left.totalCents;
  return {
    totalCents: cents,
    shippingCents: roundIn(currency, scale(left.shippingCents)),
    taxCents: roundIn(currency, scale(left.taxCents)),
    vendorCents: Math.round(scale(left.vendorCents)),
    affiliateCents: Math.round(scale(left.affiliateCents)),
  };
}

function requestedCents({ type, amount = '' }: RefundRequest, subject: Subject, left: Amounts) {
  const { currency } = subject.txn;
  if (type === 'FULL') return left.totalCents;
  if (type === 'PARTIAL_PERCENT') {
    return roundIn(currency, (paidFor(subject).totalCents * Number(amount)) / 100);
  }
  const cents = centsOf(amount);
  assertValid(
    roundIn(currency, cents) === cents,
    `The parameter refundAmount has more digits than an amount in ${currency}.`,
  );
  return cents;
}

const BARS = {
  REFUND_BLOCKED: 'Refunds of this order are blocked.',
  TOO_OLD: 'The order is too old for a refund.',
} as const;

/** Returns a sentence that says why nothing can be refunded; undefined if something can. */
function nothingLeft({ txn }: Subject, left: Amounts): string | undefined {
  if (txn.reversed === 'CGBK') return 'The sale has already been charged back.';
  const isLeft = txn.reversed === null && left.totalCents > 0;
  return isLeft ? undefined : 'The sale has already been refunded.';
}

/** Returns a sentence that says why a refund can't be requested; undefined if it can. */
export function refundProblem(db: Database, subject: Subject, now: number): string | undefined {
  const { txn, lines, line } = subject;
  const bar = refundBar(txn, line ? [line] : lines, pacificDay(now));
  return nothingLeft(subject, leftOf(db, subject)) ?? (bar && BARS[bar]);
}

/** Cents of the customer's currency; 400 if the remaining amount is too small. */
export function refundCents(db: Database, subject: Subject, request: RefundRequest): number {
  const { currency } = subject.txn;
  const left = leftOf(db, subject);
  const problem = nothingLeft(subject, left);
  assertValid(problem === undefined, problem ?? '');
  const cents = requestedCents(request, subject, left);
  const most = `${moneyText(left.totalCents)} ${currency}`;
  assertValid(cents <= left.totalCents, `The refund is more than the ${most} left to refund.`);
  assertValid(cents > 0, 'The refund amount is zero.');
  return cents;
}

/** 403 if the caller is not the vendor: an affiliate has no tickets. */
function paymentOf(db: Database, receipt: string, { accounts }: Caller): Transaction {
  const own = findByReceipt(db, receipt, accounts).filter(({ vendor }) =>
    accounts.includes(vendor),
  );
  assertOr(own.length > 0, 403, 'The receipt does not exist, or this key may not act on it.');
  const payment = own.find((txn) => txn.receipt === receipt && /(SALE|BILL)$/.test(txn.type));
  assertValid(payment, 'Nothing was paid under this receipt.');
  return payment;
}

/** The line of a subscription matches its original item and the item it was changed to. */
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
  assertValid(line, `The order has no item ${sku}. Its items are ${known}.`);
  return line;
}

/** Without `sku`, the subject is the whole cart. */
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

/** Refunds and cancellations apply to a single line, never to a whole cart. */
export function assertOneLine({ line }: Subject): void {
  assertValid(line, 'The order has several items: sku is required.');
}

/** 403 for a partial refund if the vendor is not enabled for them. */
export function assertAllowed(db: Database, { txn }: Subject, { type }: RefundRequest): void {
  const allowed = type === 'FULL' || mayRefundInPart(db, txn.vendor);
  assertOr(allowed, 403, 'The vendor is not enabled for partial refunds.');
}

/** Days in which a payment can be refunded if its product sets no limit. */
const DEFAULT_DAYS = 60;

/** Returns why none of these lines can be refunded; undefined if the rules allow it for one. */
export function refundBar(
  txn: Transaction,
  lines: readonly LineItem[],
  today: string,
): 'REFUND_BLOCKED' | 'TOO_OLD' | undefined {
  if (lines.every((line) => line.refundsBlocked === 1)) return 'REFUND_BLOCKED';
  const age = daysBetween(pacificDay(txn.time), today);
  const limit = txn.type.endsWith('BILL') ? 'rebillRefundDays' : 'saleRefundDays';
  const isTooOld = lines.every((line) => age > (line[limit] ?? DEFAULT_DAYS));
  return isTooOld ? 'TOO_OLD' : undefined;
}
