/** Customers' own actions: refund requests, chargebacks, and cancellations. */

import type { Database } from '../../storage/sqlite.ts';
import { CHARGEBACK_FEE, convert } from '../money/money.ts';
import { endSubscription, recordTransaction } from '../notifications/record.ts';
import { isPartialRefund, REFUNDED_PERCENT } from '../seed/partial-refunds.ts';
import { type CustomerEvent, deleteEvent } from '../store/orders/billing.ts';
import { addReversal, insertTransaction } from '../store/orders/new-transaction.ts';
import {
  findLinesOf,
  getPayment,
  type LineItem,
  type Transaction,
} from '../store/orders/transaction.ts';
import { findPending, type TicketType } from '../store/tickets/ticket.ts';
import { begin, openTicket } from '../tickets/ticket-effect.ts';
import {
  leftOf,
  linesPaidBy,
  type RefundRequest,
  refundProblem,
  type Subject,
} from '../tickets/ticket-refund.ts';

const DAY = 86_400;
/** How long a return shipment takes before the refund. */
const RETURN_TIME = 10 * DAY;

const COMMENTS = [null, 'Please help.', 'Thank you, "and" <goodbye>!'] as const;
/** One in this number of customers cancels without a ticket. */
const WITHOUT_TICKET = 5;

/** A payment with its only line; for a cart, the subject is the whole cart. */
function subjectOf(db: Database, txn: Transaction): Subject {
  const lines = linesPaidBy(db, txn);
  return { txn, lines, line: lines.length === 1 ? lines[0] : undefined };
}

const isRunning = ({ soldAs, status }: LineItem) =>
  soldAs !== null && status !== 'CANCELED' && status !== 'COMPLETED';

function endSubscriptions(db: Database, purchaseId: number, at: number): void {
  const lines = findLinesOf(db, purchaseId);
  const running = new Set(lines.filter(isRunning).map(({ soldAs }) => soldAs));
  for (const soldAs of running) if (soldAs !== null) endSubscription(db, soldAs, at);
}

function openFor(
  db: Database,
  subject: Subject,
  type: TicketType,
  { at, purchaseId }: CustomerEvent,
  refund: RefundRequest = { type: 'FULL', amount: undefined },
): void {
  const retainSubscription = refund.type !== 'FULL';
  const effect = begin(db, subject, { type, refund, retainSubscription, now: at });
  const reasons = type === 'REFUND' ? 8 : 7;
  openTicket(db, subject, {
    type,
    reason: `ticket.type.${type.toLowerCase()}.${1 + (purchaseId % reasons)}`,
    effect: { ...effect, settles: effect.settles ?? at + RETURN_TIME },
    openedBy: 'CUSTOMER',
    source: null,
    retainSubscription,
    comment: COMMENTS[purchaseId % COMMENTS.length] ?? null,
    now: at,
  });
}

/** Requests a refund with a ticket, unless a refund is impossible. */
function requestRefund(db: Database, event: CustomerEvent): void {
  const subject = subjectOf(db, getPayment(db, event.purchaseId, 'latest'));
  if (findPending(db, subject.txn.id) || refundProblem(db, subject, event.at)) return;
  const { lines, txn } = subject;
  if (isPartialRefund(event.purchaseId, txn.vendor, lines.length)) {
    openFor(db, subject, 'REFUND', event, {
      type: 'PARTIAL_PERCENT',
      amount: String(REFUNDED_PERCENT),
    });
    return;
  }
  openFor(db, subject, 'REFUND', event);
  endSubscriptions(db, event.purchaseId, event.at);
}

/**
 * The bank takes back the remaining amount of a payment, and the vendor pays a fee. The rest of a cart is not charged
 * back, because a transaction is about one item or about all.
 */
function chargeBack(db: Database, { purchaseId, at }: CustomerEvent): void {
  const payment = getPayment(db, purchaseId, 'latest');
  const subject = subjectOf(db, payment);
  const amounts = leftOf(db, subject);
  if (payment.reversed !== null || amounts.totalCents <= 0) return;
  const isRest = amounts.totalCents < payment.totalCents;
  const lineItemId = isRest ? subject.line?.id : payment.lineItemId;
  if (lineItemId === undefined) return;
  const { currency } = payment;
  const chargeback = addReversal(db, payment, { type: 'CGBK', lineItemId, amounts, time: at });
  recordTransaction(db, chargeback);
  const fee = {
    totalCents: -convert(CHARGEBACK_FEE, 'USD', currency),
    shippingCents: 0,
    taxCents: 0,
    vendorCents: -CHARGEBACK_FEE,
    affiliateCents: 0,
  };
  insertTransaction(db, payment, { type: 'FEE', time: at, amounts: fee });
  endSubscriptions(db, purchaseId, at);
}

function cancel(db: Database, event: CustomerEvent): void {
  const { purchaseId, at } = event;
  const txn = getPayment(db, purchaseId, 'sale');
  const lines = linesPaidBy(db, txn);
  const line = lines.find(isRunning);
  if (!line) return;
  if (purchaseId % WITHOUT_TICKET === 0) endSubscriptions(db, purchaseId, at);
  else openFor(db, { txn, lines, line }, 'CANCEL', event);
}

const ACTIONS = { REFUND: requestRefund, CHARGEBACK: chargeBack, CANCEL: cancel } as const;

/** Carries out an event at its scheduled time. Skips an event that has become impossible. */
export function happen(db: Database, event: CustomerEvent): void {
  deleteEvent(db, event.id);
  ACTIONS[event.kind](db, event);
}
