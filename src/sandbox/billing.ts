/**
 * The engine of the clock: what has to happen by a moment happens, each event at its own time and
 * in the order of time. Doing it again, or by several processes at once, changes nothing more.
 */
import { rebill } from './billing-rebill.ts';
import { findDuePayment, isAnythingDue } from './store/billing.ts';
import type { Database } from './store/driver.ts';
import { findSettling } from './store/ticket.ts';
import { settleTicket } from './ticket-settling.ts';

/** Events a transaction: other processes get their turn in between. */
const BATCH = 500;

/** Lets the first event happen that is due; false when none is. */
function settleNext(db: Database, now: number): boolean {
  const payment = findDuePayment(db, now);
  const ticket = findSettling(db, now);
  if (ticket && (!payment || (ticket.settles ?? 0) <= payment.at)) settleTicket(db, ticket);
  else if (payment) rebill(db, payment);
  else return false;
  return true;
}

function settleBatch(db: Database, now: number): void {
  for (let events = 0; events < BATCH; events += 1) if (!settleNext(db, now)) return;
}

/** Brings the store up to `now`, seconds since 1970. Costs next to nothing when nothing is due. */
export function settle(db: Database, now: number): void {
  while (isAnythingDue(db, now)) db.immediately(() => settleBatch(db, now));
}
