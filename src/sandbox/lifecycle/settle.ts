/**
 * Brings the store up to date: carries out all due events, each at its scheduled time and in
 * chronological order. Repeating it, or running it in several processes, has no further effect.
 */
import { setImmediate } from 'node:timers/promises';
import type { Database } from '../../storage/sqlite.ts';
import { newSales, type Sales } from '../seed/new-sales.ts';
import { findUrls } from '../store/notifications/ins-url.ts';
import {
  findDuePayment,
  findNextInstants,
  getFirstEvent,
  type NextInstants,
} from '../store/orders/billing.ts';
import { findSettling } from '../store/tickets/ticket.ts';
import { settleTicket } from '../tickets/ticket-effect.ts';
import { type Clock, instantOn, moveClock } from './clock.ts';
import { happen } from './customer-event.ts';
import { rebill } from './rebill.ts';

/** Events per transaction; other processes can write between transactions. */
const BATCH = 500;

/** The order of events at the same instant. */
const KINDS = ['ticket', 'event', 'payment', 'sale'] as const;

interface Due {
  readonly kind: keyof NextInstants;
  readonly at: number;
}

/** Returns the first event that is due by `now`. */
function findDue(db: Database, now: number): Due | undefined {
  const instants = findNextInstants(db);
  let due: Due | undefined;
  for (const kind of KINDS) {
    const at = instants[kind];
    if (at !== null && at <= now && (due === undefined || at < due.at)) due = { kind, at };
  }
  return due;
}

function carryOut(db: Database, { kind, at }: Due, sales: Sales): void {
  if (kind === 'sale') sales.happen(at);
  else if (kind === 'event') happen(db, getFirstEvent(db));
  else if (kind === 'payment') {
    const payment = findDuePayment(db, at);
    if (payment) rebill(db, payment);
  } else {
    const ticket = findSettling(db, at);
    if (ticket) settleTicket(db, ticket);
  }
}

/** Carries out up to `BATCH` events in one transaction; returns false if no more events are due. */
function settleBatch(db: Database, now: number, sales: Sales): boolean {
  if (!findDue(db, now)) return false;
  return db.immediately(() => {
    for (let events = 0; events < BATCH; events += 1) {
      const due = findDue(db, now);
      if (!due) return false;
      carryOut(db, due, sales);
    }
    return true;
  });
}

/** `now` is in seconds since 1970. Reads a single row if nothing is due. */
export function settle(db: Database, now: number): void {
  const sales = newSales(db);
  while (settleBatch(db, now, sales));
}

interface SettleOptions {
  /** Stops between two transactions and throws the reason. */
  readonly signal?: AbortSignal | undefined;
  /** Called once if more than one transaction is needed. */
  readonly onCatchUp?: (() => void) | undefined;
}

/** Like `settle`, with a pause after each transaction. */
export async function settleAtLength(
  db: Database,
  now: number,
  { signal, onCatchUp }: SettleOptions = {},
): Promise<void> {
  const sales = newSales(db);
  for (let batches = 1; settleBatch(db, now, sales); batches += 1) {
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
  {
    signal,
    onStep,
    deliver,
  }: AdvanceOptions & { deliver?(signal?: AbortSignal): Promise<void> } = {},
): Promise<Date> {
  if (!Number.isSafeInteger(seconds) || seconds < 0) {
    throw new RangeError(`The clock advances by whole seconds, not by ${seconds}.`);
  }
  await deliver?.(signal);
  for (let done = 0; done < seconds && !signal?.aborted; ) {
    const longest = findUrls(db).length > 0 ? STEP_WITH_NOTIFICATIONS : STEP;
    const step = Math.min(longest, seconds - done);
    moveClock(db, step);
    await settleAtLength(db, instantOn(clock));
    await deliver?.(signal);
    done += step;
    onStep?.(done);
    await setImmediate();
  }
  return clock.now();
}
