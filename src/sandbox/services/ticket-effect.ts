/** The effects of opening, reopening, changing, and settling a ticket (section 3 of the specification). */
import type { Database } from '../../storage/sqlite.ts';
import { assertValid } from '../http/arguments.ts';
import { endSubscription, recordTransaction } from '../notifications/record.ts';
import { insertRow } from '../store/statements.ts';
import {
  addComment,
  findPending,
  type Ticket,
  type TicketType,
  updateTicket,
} from '../store/ticket.ts';
import { addReversal, getTransaction, type Transaction } from '../store/transaction.ts';
import {
  leftOf,
  linesPaidBy,
  partOf,
  type RefundRequest,
  refundCents,
  refundProblem,
  type Subject,
} from './ticket-refund.ts';

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

/** Ends a running subscription; does nothing if it has already ended. */
function endBilling(db: Database, { line }: Subject, now: number): void {
  const ended = line?.status === 'CANCELED' || line?.status === 'COMPLETED';
  if (line?.soldAs != null && !ended) endSubscription(db, line.soldAs, now);
}

/** A new ticket needs something to cancel; a changed one may have canceled it before. */
function beginCancel(db: Database, subject: Subject, { now, ticketId }: TicketRequest): Effect {
  const status = ticketId === undefined ? subject.line?.status : undefined;
  assertValid(status !== 'CANCELED', 'Subscription already canceled');
  assertValid(status !== 'COMPLETED', 'The subscription has no future payments.');
  endBilling(db, subject, now);
  return { ...NO_EFFECT, settles: now + SETTLING };
}

/** A refund completes with time; a refund of a shipped item completes with its return. */
function beginRefund(db: Database, subject: Subject, wish: TicketRequest): Effect {
  const pending = findPending(db, subject.txn.id);
  const other = pending && pending.id !== wish.ticketId;
  assertValid(!other, 'Refund ticket already open');
  const problem = refundProblem(db, subject, wish.now);
  assertValid(problem === undefined, problem ?? '');
  const cents = refundCents(db, subject, wish.refund);
  if (!wish.retainSubscription) endBilling(db, subject, wish.now);
  return {
    settles: isPhysical(subject) ? null : wish.now + SETTLING,
    refundType: wish.refund.type,
    refundCents: cents,
    refundState: 'PENDING',
  };
}

export function isPhysical({ lines, line }: Subject): boolean {
  return (line ? [line] : lines).some((each) => each.shippable === 1);
}

/** A cancellation of a one-time sale is a refund. */
export function begin(db: Database, subject: Subject, wish: TicketRequest): Effect {
  if (wish.type === 'TECH_SUPPORT') return NO_EFFECT;
  const recurring = (subject.line?.soldAs ?? null) !== null;
  if (wish.type === 'CANCEL' && recurring) return beginCancel(db, subject, wish);
  return beginRefund(db, subject, wish);
}

interface Opening extends TicketRequest {
  readonly reason: string;
  readonly openedBy: 'VENDOR' | 'CUSTOMER';
  readonly source: string | null;
  readonly comment: string | null;
  /** Seconds until a shipped item is returned; by default, the vendor acknowledges its return. */
  readonly returnTime?: number;
}

/** Returns the ID of the new ticket. */
export function openTicket(db: Database, subject: Subject, opening: Opening): number {
  const { type, reason, openedBy, source, retainSubscription, comment, now, returnTime } = opening;
  const { txn, line } = subject;
  const effect = begin(db, subject, opening);
  const ticketId = insertRow(db, 'ticket', {
    ...effect,
    settles: effect.settles ?? (returnTime === undefined ? null : now + returnTime),
    txnId: txn.id,
    purchaseId: txn.purchaseId,
    lineItemId: line?.id ?? null,
    receipt: txn.receipt,
    vendor: txn.vendor,
    type,
    status: 'OPEN',
    reason,
    source,
    opened: now,
    updated: now,
    closed: null,
    retainSubscription: retainSubscription ? 1 : 0,
  });
  addComment(db, { ticketId, time: now, action: 'OPENED', role: openedBy, comment });
  return ticketId;
}

export function subjectOf(db: Database, ticket: Ticket): Subject {
  const txn = getTransaction(db, ticket.txnId);
  const lines = linesPaidBy(db, txn);
  return { txn, lines, line: lines.find((line) => line.id === ticket.lineItemId) };
}

/** A refund of a whole payment affects all of its lines, any other refund a single line. */
function refundedLine({ lines, line }: Subject, txn: Transaction, cents: number): number | null {
  const whole = lines.length === 1 && cents === txn.totalCents;
  return whole ? txn.lineItemId : (line?.id ?? txn.lineItemId);
}

/** Refunds at most the remaining amount, since another refund may have happened in the meantime. */
function payBack(db: Database, ticket: Ticket, time: number): void {
  const subject = subjectOf(db, ticket);
  const { txn } = subject;
  const left = leftOf(db, subject);
  const cents = Math.min(ticket.refundCents ?? 0, left.totalCents);
  if (cents <= 0) return;
  const amounts = partOf(left, cents, txn.currency);
  const lineItemId = refundedLine(subject, txn, cents);
  recordTransaction(db, addReversal(db, txn, { type: 'RFND', lineItemId, amounts, time }));
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
