/** What opening, reopening or changing a ticket does to its receipt (specification, section 3). */
import { assertOr } from '../request/refusal.ts';
import type { Database } from '../store/driver.ts';
import { cancelSubscription } from '../store/orders/billing.ts';
import { findPending, type TicketState, type TicketType } from '../store/tickets/ticket.ts';
import { type RefundRequest, refundCents, refundProblem, type Subject } from './ticket-refund.ts';

/** An open ticket that the clock can close stays open for a day. */
const SETTLING = 86_400;

export type Effect = Pick<TicketState, 'settles' | 'refundType' | 'refundCents' | 'refundState'>;

export const NO_EFFECT: Effect = {
  settles: null,
  refundType: null,
  refundCents: null,
  refundState: null,
};

interface Wish {
  readonly type: TicketType;
  readonly refund: RefundRequest;
  readonly retainSubscription: boolean;
  readonly now: number;
  /** The ticket that it is about, when that isn't a new one. */
  readonly ticketId?: number;
}

/** Ends what still runs; of a subscription that has ended nothing changes. */
function endBilling(db: Database, { line }: Subject, now: number): void {
  const ended = line?.status === 'CANCELED' || line?.status === 'COMPLETED';
  if (line?.soldAs != null && !ended) cancelSubscription(db, line.soldAs, now);
}

/** A new ticket needs something to cancel; a changed one may have cancelled it before. */
function beginCancel(db: Database, subject: Subject, { now, ticketId }: Wish): Effect {
  const status = ticketId === undefined ? subject.line?.status : undefined;
  assertOr(status !== 'CANCELED', 400, 'Subscription already canceled');
  assertOr(status !== 'COMPLETED', 400, 'The subscription has no payments to come.');
  endBilling(db, subject, now);
  return { ...NO_EFFECT, settles: now + SETTLING };
}

/** A refund waits for the clock; of something that was shipped, for its return. */
function beginRefund(db: Database, subject: Subject, wish: Wish): Effect {
  const pending = findPending(db, subject.txn.id);
  const other = pending && pending.id !== wish.ticketId;
  assertOr(!other, 400, 'Refund ticket already open');
  const problem = refundProblem(db, subject, wish.now);
  assertOr(problem === undefined, 400, problem ?? '');
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

/** A cancellation of what isn't a subscription is a refund. */
export function begin(db: Database, subject: Subject, wish: Wish): Effect {
  if (wish.type === 'TECH_SUPPORT') return NO_EFFECT;
  const recurring = (subject.line?.soldAs ?? null) !== null;
  if (wish.type === 'CANCEL' && recurring) return beginCancel(db, subject, wish);
  return beginRefund(db, subject, wish);
}
