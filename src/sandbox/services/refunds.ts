/**
 * Refunds and cancellations by tickets (section 3 of the specification): the payment and line of a ticket, the amounts
 * and rules of a refund, which orders2 also shows, and the effects of opening, changing, and settling a ticket.
 */
import { daysBetween, pacificDay } from '../../dates/day.ts';
import type { Database } from '../../storage/sqlite.ts';
import { assertOr, assertValid } from '../http/arguments.ts';
import { type Caller, WITHOUT_PARTIAL_REFUNDS } from '../http/keys.ts';
import { endSubscription, recordTransaction } from '../notifications/record.ts';
import { insertRow, updateRow } from '../store/statements.ts';
import { findPending, type RefundType, type Ticket, type TicketType } from '../store/ticket.ts';
import {
  type Amounts,
  addReversal,
  findByReceipt,
  findLinesOf,
  getTransaction,
  type LineItem,
  lineExtras,
  linesOf,
  mapAmounts,
  scaled,
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
  readonly amount?: string | undefined;
}

export const FULL = { type: 'FULL' } as const;

/** A payment with a line, by default its only one; for a cart, the subject is the whole cart. */
export function subjectOf(db: Database, txn: Transaction, lineId: number | null = null): Subject {
  const lines = linesOf(txn, findLinesOf(db, txn.purchaseId));
  const only = lines.length === 1 ? lines[0] : undefined;
  return { txn, lines, line: lineId === null ? only : lines.find(({ id }) => id === lineId) };
}

export function subjectOfTicket(db: Database, { txnId, lineItemId }: Ticket): Subject {
  return subjectOf(db, getTransaction(db, txnId), lineItemId);
}

function paidFor(subject: Subject): Amounts {
  const { txn, lines, line } = subject;
  if (!line || lines.length === 1) return txn;
  const extras = lineExtras(txn, lines, line);
  const { customerCents, vendorCents, affiliateCents } = line;
  const totalCents = customerCents + extras.taxCents + extras.shippingCents;
  return { ...extras, totalCents, vendorCents, affiliateCents };
}

/** The amounts paid, less earlier refunds. */
export function leftOf(db: Database, subject: Subject): Amounts {
  const paid = paidFor(subject);
  const lineId = subject.lines.length > 1 ? (subject.line?.id ?? null) : null;
  const back = sumReversals(db, subject.txn.id, lineId);
  return mapAmounts((name) => paid[name] + back[name]);
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

/** Without `sku`, the subject is the whole cart. A subscription matches its original item and the one it was changed to. */
export function findSubject(
  db: Database,
  receipt: string,
  sku: string | undefined,
  caller: Caller,
): Subject {
  const txn = paymentOf(db, receipt, caller);
  if (sku === undefined) return subjectOf(db, txn);
  const all = findLinesOf(db, txn.purchaseId);
  const lines = linesOf(txn, all);
  const current = (line: LineItem) => all.find(({ id }) => id === line.currentItemId)?.itemNo;
  const line = lines.find((each) => each.itemNo === sku || current(each) === sku);
  const known = lines.map(({ itemNo }) => itemNo).join(', ');
  assertValid(line, `The order has no item ${sku}. Its items are ${known}.`);
  return { txn, lines, line };
}

/** Refunds and cancellations apply to a single line, never to a whole cart. */
export function assertOneLine({ line }: Subject): void {
  assertValid(line, 'The order has several items: sku is required.');
}

export function assertAllowed({ txn }: Subject, { type }: RefundRequest): void {
  const isAllowed = type === 'FULL' || txn.vendor !== WITHOUT_PARTIAL_REFUNDS;
  assertOr(isAllowed, 403, 'The vendor is not enabled for partial refunds.');
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

/** A ticket that closes automatically stays open for a day. */
const SETTLING = 86_400;

export type Effect = Pick<Ticket, 'settles' | 'refundType' | 'refundCents' | 'refundState'>;

export const NO_EFFECT: Effect = {
  settles: null,
  refundType: null,
  refundCents: null,
  refundState: null,
};

interface TicketRequest {
  readonly type: TicketType;
  readonly refund: RefundRequest;
  readonly retainSubscription: boolean;
  readonly now: number;
  /** The existing ticket; undefined for a new one. */
  readonly ticketId?: number;
}

export function isRunning(line: LineItem): line is LineItem & { readonly soldAs: number } {
  return line.soldAs !== null && line.status !== 'CANCELED' && line.status !== 'COMPLETED';
}

function endBilling(db: Database, { line }: Subject, now: number): void {
  if (line && isRunning(line)) endSubscription(db, line.soldAs, now);
}

export function isPhysical({ lines, line }: Subject): boolean {
  return (line ? [line] : lines).some((each) => each.shippable === 1);
}

/** A cancellation of a one-time sale is a refund. */
export function begin(db: Database, subject: Subject, wish: TicketRequest): Effect {
  const { type, now, ticketId } = wish;
  const { line, txn } = subject;
  if (type === 'TECH_SUPPORT') return NO_EFFECT;
  if (type === 'CANCEL' && line?.soldAs != null) {
    // A new ticket needs something to cancel; a changed one may have canceled it before.
    const status = ticketId === undefined ? line.status : undefined;
    assertValid(status !== 'CANCELED', 'Subscription already canceled');
    assertValid(status !== 'COMPLETED', 'The subscription has no future payments.');
    endBilling(db, subject, now);
    return { ...NO_EFFECT, settles: now + SETTLING };
  }
  const pending = findPending(db, txn.id);
  assertValid(!pending || pending.id === ticketId, 'Refund ticket already open');
  const problem = refundProblem(db, subject, now);
  assertValid(problem === undefined, problem ?? '');
  const cents = refundCents(db, subject, wish.refund);
  if (!wish.retainSubscription) endBilling(db, subject, now);
  // A refund completes with time; a refund of a shipped item completes with its return.
  const settles = isPhysical(subject) ? null : now + SETTLING;
  return { settles, refundType: wish.refund.type, refundCents: cents, refundState: 'PENDING' };
}

interface Opening extends TicketRequest {
  readonly reason: string;
  readonly openedBy: 'VENDOR' | 'CUSTOMER';
  readonly comment: string | null;
}

/** How long a return shipment of a customer takes before the refund. The vendor acknowledges other returns. */
const RETURN_TIME = 10 * 86_400;

/** Returns the ID of the new ticket. */
export function openTicket(db: Database, subject: Subject, opening: Opening): number {
  const { type, reason, openedBy, retainSubscription, comment, now } = opening;
  const isOwn = openedBy === 'VENDOR';
  const { txn, line } = subject;
  const effect = begin(db, subject, opening);
  const ticketId = insertRow(db, 'ticket', {
    ...effect,
    settles: effect.settles ?? (isOwn ? null : now + RETURN_TIME),
    txnId: txn.id,
    purchaseId: txn.purchaseId,
    lineItemId: line?.id ?? null,
    receipt: txn.receipt,
    vendor: txn.vendor,
    type,
    status: 'OPEN',
    reason,
    source: isOwn ? 'API' : null,
    opened: now,
    updated: now,
    closed: null,
    retainSubscription: retainSubscription ? 1 : 0,
  });
  insertRow(db, 'ticket_comment', {
    ticketId,
    time: now,
    action: 'OPENED',
    role: openedBy,
    comment,
  });
  return ticketId;
}

/** Refunds at most what earlier refunds and chargebacks have left. Returns the refunded cents. */
export function payBack(db: Database, subject: Subject, wanted: number, time: number): number {
  const { txn, lines, line } = subject;
  const left = leftOf(db, subject);
  const cents = Math.min(wanted, left.totalCents);
  if (cents <= 0) return 0;
  // With shipping, tax, and shares in proportion.
  const part = scaled(left, txn.currency, (amount) => (amount * cents) / left.totalCents);
  const amounts = { ...part, totalCents: cents };
  // A refund of a whole payment affects all of its lines, any other refund a single line.
  const isWhole = lines.length === 1 && cents === txn.totalCents;
  const lineItemId = isWhole ? txn.lineItemId : (line?.id ?? txn.lineItemId);
  recordTransaction(db, addReversal(db, txn, { type: 'RFND', lineItemId, amounts, time }));
  return cents;
}

/** Refunds and closes at `time`, by default the instant at which the ticket settles. */
export function settleTicket(db: Database, ticket: Ticket, time = ticket.settles ?? 0): void {
  const pending = ticket.refundState === 'PENDING';
  const refundCents = pending
    ? payBack(db, subjectOfTicket(db, ticket), ticket.refundCents ?? 0, time)
    : ticket.refundCents;
  const refunded = refundCents === 0 ? 'Nothing left to refund' : 'Refund processed';
  updateRow(db, ['ticket', 'id', ticket.id], {
    status: 'CLOSED',
    updated: time,
    closed: time,
    settles: null,
    refundCents,
    refundState: pending ? 'DONE' : ticket.refundState,
  });
  insertRow(db, 'ticket_comment', {
    ticketId: ticket.id,
    time,
    action: 'CLOSED',
    role: 'CBSYSTEM',
    comment: pending ? refunded : 'Cancellation processed',
  });
}
