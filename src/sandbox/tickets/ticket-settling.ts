/** A ticket comes to its end: what is pending is refunded, and the system closes it. */
import type { Database } from '../store/driver.ts';
import { getTransaction, type Transaction } from '../store/orders/transaction.ts';
import { addComment, type Ticket, updateTicket } from '../store/tickets/ticket.ts';
import { addReversal } from '../store/tickets/ticket-refund.ts';
import { leftOf, linesPaidBy, partOf, type Subject } from './ticket-refund.ts';

export function subjectOf(db: Database, ticket: Ticket): Subject {
  const txn = getTransaction(db, ticket.txnId);
  const lines = linesPaidBy(db, txn);
  return { txn, lines, line: lines.find((line) => line.id === ticket.lineItemId) };
}

/** A refund of the whole payment concerns what the payment did, any other one a line. */
function refundedLine({ lines, line }: Subject, txn: Transaction, cents: number): number | null {
  const whole = lines.length === 1 && cents === txn.totalCents;
  return whole ? txn.lineItemId : (line?.id ?? txn.lineItemId);
}

/** Never more than what is left: something else may have been refunded in the meantime. */
function payBack(db: Database, ticket: Ticket, time: number): void {
  const subject = subjectOf(db, ticket);
  const { txn } = subject;
  const left = leftOf(db, subject);
  const cents = Math.min(ticket.refundCents ?? 0, left.totalCents);
  if (cents <= 0) return;
  const amounts = partOf(left, cents, txn.currency);
  const lineItemId = refundedLine(subject, txn, cents);
  addReversal(db, txn, { type: 'RFND', lineItemId, amounts, time });
}

/** Refunds and closes at `time`, by default the instant at which the ticket settles. */
export function settleTicket(db: Database, ticket: Ticket, time = ticket.settles ?? 0): void {
  const pending = ticket.refundState === 'PENDING';
  if (pending) payBack(db, ticket, time);
  updateTicket(db, ticket, {
    status: 'CLOSED',
    updated: time,
    closed: time,
    settles: null,
    refundState: pending ? 'DONE' : ticket.refundState,
  });
  addComment(db, {
    ticketId: ticket.id,
    time,
    action: 'CLOSED',
    role: 'CBSYSTEM',
    comment: pending ? 'Refund processed' : 'Cancellation processed',
  });
}
