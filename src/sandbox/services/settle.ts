/**
 * Brings the store up to date: carries out all due events, each at its scheduled time and in
 * chronological order. Repeating it, or running it in several processes, has no further effect.
 */
import { setImmediate } from 'node:timers/promises';
import { addDays, instantOf, pacificDay, secondOfDay } from '../../dates/day.ts';
import { words } from '../../operations/resource.ts';
import type { Database } from '../../storage/sqlite.ts';
import { endSubscription, recordChange, recordTransaction } from '../notifications/record.ts';
import { newSales } from '../seed/new-sales.ts';
import { isPartialRefund, REFUNDED_PERCENT } from '../seed/purchase.ts';
import { hash } from '../seed/random.ts';
import { findUrls } from '../store/notification.ts';
import { type Stored, select } from '../store/schema.ts';
import { getRow } from '../store/statements.ts';
import { type Clock, readSetting, writeSetting } from '../store/store.ts';
import { findPending, TICKET, type Ticket, type TicketType } from '../store/ticket.ts';
import {
  type Amounts,
  addReversal,
  feeOf,
  findLinesOf,
  forgetFailures,
  getPayment,
  insertTransaction,
  type Transaction,
  updateSubscription,
} from '../store/transaction.ts';
import { ENDLESS, paymentAfter, rebillReceipt } from './billing-date.ts';
import { chargeOf, roundIn, shareOf } from './money.ts';
import {
  FULL,
  isRunning,
  leftOf,
  openTicket,
  type RefundRequest,
  refundProblem,
  type Subject,
  settleTicket,
  subjectOf,
} from './refunds.ts';

/** Events per transaction; other processes can write between transactions. */
const BATCH = 500;

/** The order of events at the same instant. */
const KINDS = ['ticket', 'event', 'payment', 'sale'] as const;

function findDue(db: Database, now: number) {
  const instants = getRow<Readonly<Record<(typeof KINDS)[number], number | null>>>(
    db,
    `SELECT (SELECT min(settles) FROM ticket WHERE settles IS NOT NULL) ticket,
       (SELECT min(at) FROM customer_event) event,
       (SELECT min(next_payment) FROM subscription WHERE next_payment IS NOT NULL) payment,
       (SELECT nullif(CAST(value AS INTEGER), 0) FROM setting WHERE name = 'nextSale') sale`,
  );
  const [due] = KINDS.map((kind) => ({
    kind,
    at: instants[kind] ?? Number.POSITIVE_INFINITY,
  })).sort((one, other) => one.at - other.at);
  return due && due.at <= now ? due : undefined;
}

const SETTLING = `${TICKET} WHERE k.settles <= ? ORDER BY k.settles, k.id LIMIT 1`;

type CustomerEvent = Stored<'customer_event'>;

/** Carries out up to `BATCH` events in one transaction; returns false if no more events are due. */
function settleBatch(db: Database, now: number, sell: (at: number) => void): boolean {
  if (!findDue(db, now)) return false;
  return db.immediately(() => {
    for (let events = 0; events < BATCH; events += 1) {
      const due = findDue(db, now);
      if (!due) return false;
      const { kind, at } = due;
      if (kind === 'sale') sell(at);
      else if (kind === 'payment') rebill(db, getDuePayment(db, at));
      else if (kind === 'ticket') settleTicket(db, getRow<Ticket>(db, SETTLING, [at]));
      else {
        // An event that has become impossible has no effect.
        const first = `SELECT ${select('e', 'customer_event')} FROM customer_event e`;
        const event = getRow<CustomerEvent>(db, `${first} ORDER BY e.at, e.id LIMIT 1`);
        db.run('DELETE FROM customer_event WHERE id = ?', [event.id]);
        ACTIONS[event.kind](db, event);
      }
    }
    return true;
  });
}

/** `now` is in seconds since 1970. Reads a single row if nothing is due. */
export function settle(db: Database, now: number): void {
  const sell = newSales(db);
  while (settleBatch(db, now, sell));
}

/**
 * Like `settle`, with a pause after each transaction. `signal` stops it between two of them and throws the reason;
 * `onCatchUp` is called once if more than one is needed.
 */
export async function settleAtLength(
  db: Database,
  now: number,
  { signal, onCatchUp }: { signal?: AbortSignal | undefined; onCatchUp?: (() => void) | undefined },
): Promise<void> {
  const sell = newSales(db);
  for (let batches = 1; settleBatch(db, now, sell); batches += 1) {
    if (batches === 1) onCatchUp?.();
    await setImmediate();
    signal?.throwIfAborted();
  }
}

export interface AdvanceOptions {
  /** Stops after the current step. */
  readonly signal?: AbortSignal;
  /** Called after each step with the seconds advanced so far. */
  readonly onStep?: (done: number) => void;
}

/** In seconds. Steps are not interrupted, so all events up to the clock's time have happened. */
const STEP = 86_400;
/** While notifications are sent, each step ends when the next attempts are due. */
const STEP_WITH_NOTIFICATIONS = 4 * 3600;

/**
 * Advances the clock and carries out due events, day by day or, with notifications to send, in steps of four
 * hours. `deliver` sends those that are due, before the first step and after each one. Returns the new time. If
 * `signal` is aborted, the clock stays at the end of the last complete step.
 */
export async function advance(
  db: Database,
  clock: Clock,
  seconds: number,
  { signal, onStep, deliver }: AdvanceOptions & { deliver(signal?: AbortSignal): Promise<void> },
): Promise<Date> {
  await deliver(signal);
  for (let done = 0; done < seconds && !signal?.aborted; ) {
    const longest = findUrls(db).length > 0 ? STEP_WITH_NOTIFICATIONS : STEP;
    const step = Math.min(longest, seconds - done);
    // Changes by concurrent processes add up.
    db.immediately(() => {
      writeSetting(db, 'clockOffset', readSetting(db, 'clockOffset') + step);
    });
    await settleAtLength(db, clock.instant(), {});
    await deliver(signal);
    done += step;
    onStep?.(done);
    await setImmediate();
  }
  return clock.now();
}

const MAX_RETRIES = 2;
const RETRY_DAYS = 3;
/** Failures per thousand payments; a card that failed before often fails again. */
const FAILING = 30;
const FAILING_AGAIN = 500;
/** Validation failures per hundred failures; the others are authorization failures. */
const INVALID = 25;

const TERMS = words('affiliate frequency anchorDay rebillCents processed future');

/** A subscription whose next payment is due. Amounts are cents of the customer's currency. */
interface DuePayment
  extends Pick<Stored<'line_item'>, 'purchaseId' | 'shippable'>,
    Pick<Stored<'purchase'>, 'receipt' | 'vendor' | 'currency'>,
    Pick<Stored<'subscription'>, (typeof TERMS)[number]> {
  /** The original line item of the subscription, and the current one. */
  readonly soldAs: number;
  readonly lineItemId: number;
  /** The affiliate's share of a rebill, in percent. */
  readonly commission: number;
  readonly at: number;
  /** Earlier failed attempts, and when the first one was due. */
  readonly failures: number | null;
  readonly firstDue: number | null;
}

/** The first payment that is due. If its date was changed after a failure, it counts as a first attempt. */
function getDuePayment(db: Database, now: number): DuePayment {
  return getRow<DuePayment>(
    db,
    `SELECT s.line_item_id soldAs, s.current_item_id lineItemId, l.purchase_id purchaseId,
     p.receipt, p.vendor, p.currency, l.shippable, ${select('s', 'subscription', TERMS)},
     coalesce(g.rebill_commission, g.purchase_commission) commission, s.next_payment at,
     r.failures, r.due firstDue
     FROM subscription s JOIN line_item l ON l.id = s.current_item_id
     JOIN purchase p ON p.id = l.purchase_id JOIN product g ON g.id = l.product_id
     LEFT JOIN billing_retry r ON r.line_item_id = s.line_item_id AND r.at = s.next_payment
     WHERE s.next_payment <= ? ORDER BY s.next_payment, s.line_item_id LIMIT 1`,
    [now],
  );
}

/** The amounts of the last payment, unless the product, which alone can change the affiliate, or the price changed. */
function amountsOf(due: DuePayment, former: Transaction): Amounts {
  const { rebillCents, currency, lineItemId, affiliate } = due;
  const net = former.totalCents - former.shippingCents - former.taxCents;
  if (former.lineItemId === lineItemId && net === rebillCents) return former;
  // A new price is split between the accounts again, and taxed at the former rate.
  const taxCents = net > 0 ? roundIn(currency, (rebillCents * former.taxCents) / net) : 0;
  return {
    ...chargeOf(rebillCents, taxCents, due.shippable === 1, currency),
    ...shareOf(due, rebillCents, affiliate !== null),
  };
}

/**
 * Bills the payment at its due time. A small, repeatable share of payments fails. A failed payment is
 * retried twice, three days apart, and then the subscription is canceled.
 */
function rebill(db: Database, due: DuePayment): void {
  const { soldAs, at, failures: before } = due;
  const receipt = rebillReceipt(due.receipt, due.processed + 1);
  const draw = hash(`${receipt} ${pacificDay(at)}`);
  if (Math.floor(draw / 100) % 1000 >= (before === null ? FAILING : FAILING_AGAIN)) {
    const former = getPayment(db, due.purchaseId, 'latest', soldAs);
    const txnId = insertTransaction(
      db,
      { ...due, receipt },
      {
        lineItemId: due.lineItemId,
        time: at,
        type: former.type.startsWith('TEST_') ? 'TEST_BILL' : 'BILL',
        amounts: amountsOf(due, former),
      },
    );
    const future = due.future === ENDLESS ? ENDLESS : Math.max(0, due.future - 1);
    updateSubscription(db, soldAs, {
      ...{ processed: due.processed + 1, future },
      ...(future === 0
        ? { status: 'COMPLETED', ended: at, nextPayment: null }
        : { status: 'ACTIVE', ended: null, nextPayment: paymentAfter(due, 1) }),
    });
    forgetFailures(db, soldAs);
    recordTransaction(db, txnId);
    return;
  }
  const failures = (before ?? 0) + 1;
  if (failures <= MAX_RETRIES) {
    const again = instantOf(addDays(pacificDay(at), RETRY_DAYS), secondOfDay(at));
    const status = draw % 100 < INVALID ? 'VALIDATION_FAILURE' : 'AUTHORIZATION_FAILURE';
    updateSubscription(db, soldAs, { nextPayment: again, status });
    db.run(
      'INSERT OR REPLACE INTO billing_retry (line_item_id, failures, at, due) VALUES (?, ?, ?, ?)',
      [soldAs, failures, again, due.firstDue ?? at],
    );
  }
  recordChange(db, 'failPayment', { soldAs, time: at, receipt });
  if (failures > MAX_RETRIES) endSubscription(db, soldAs, at);
}

const COMMENTS = [null, 'Please help.', 'Thank you, "and" <goodbye>!'] as const;
/** One in this number of customers cancels without a ticket. */
const WITHOUT_TICKET = 5;

function endSubscriptions(db: Database, purchaseId: number, at: number): void {
  const running = findLinesOf(db, purchaseId).filter(isRunning);
  for (const soldAs of new Set(running.map((line) => line.soldAs))) endSubscription(db, soldAs, at);
}

function openFor(
  db: Database,
  subject: Subject,
  type: TicketType,
  { at, purchaseId }: CustomerEvent,
  refund: RefundRequest = FULL,
): void {
  openTicket(db, subject, {
    type,
    refund,
    retainSubscription: refund.type !== 'FULL',
    reason: `ticket.type.${type.toLowerCase()}.${1 + (purchaseId % (type === 'REFUND' ? 8 : 7))}`,
    openedBy: 'CUSTOMER',
    comment: COMMENTS[purchaseId % COMMENTS.length] ?? null,
    now: at,
  });
}

function requestRefund(db: Database, event: CustomerEvent): void {
  const subject = subjectOf(db, getPayment(db, event.purchaseId, 'latest'));
  if (findPending(db, subject.txn.id) || refundProblem(db, subject, event.at)) return;
  const { lines, txn } = subject;
  if (isPartialRefund(event.purchaseId, txn.vendor, lines.length)) {
    const refund = { type: 'PARTIAL_PERCENT', amount: String(REFUNDED_PERCENT) } as const;
    openFor(db, subject, 'REFUND', event, refund);
  } else {
    openFor(db, subject, 'REFUND', event);
    endSubscriptions(db, event.purchaseId, event.at);
  }
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
  const chargeback = addReversal(db, payment, { type: 'CGBK', lineItemId, amounts, time: at });
  recordTransaction(db, chargeback);
  insertTransaction(db, payment, { type: 'FEE', time: at, amounts: feeOf(payment.currency) });
  endSubscriptions(db, purchaseId, at);
}

function cancel(db: Database, event: CustomerEvent): void {
  const { purchaseId, at } = event;
  const subject = subjectOf(db, getPayment(db, purchaseId, 'sale'));
  const line = subject.lines.find(isRunning);
  if (!line) return;
  if (purchaseId % WITHOUT_TICKET === 0) endSubscriptions(db, purchaseId, at);
  else openFor(db, { ...subject, line }, 'CANCEL', event);
}

const ACTIONS = { REFUND: requestRefund, CHARGEBACK: chargeBack, CANCEL: cancel } as const;
