/** A payment of a subscription falls due: it is billed, or fails and is tried again. */
import { addPeriods } from './billing-date.ts';
import { convert, roundIn } from './currency.ts';
import { addDays, instantOf, pacificDay, secondOfDay } from './pacific.ts';
import { shareOf, shippingOf } from './seed/money.ts';
import {
  cancelSubscription,
  type DuePayment,
  type FormerPayment,
  getFormerPayment,
  insertRebill,
  saveBilled,
  saveRetry,
} from './store/billing.ts';
import type { Database } from './store/driver.ts';
import type { Amounts } from './store/ticket-refund.ts';

/** This many payments to come means that they never end. */
const ENDLESS = 999;
const MAX_RETRIES = 2;
const RETRY_DAYS = 3;
/** Of a thousand payments so many fail at first; cards that failed once often fail again. */
const FAILING = 30;
const FAILING_AGAIN = 500;
/** Of a hundred failures so many are of the customer's data, the others of the bank. */
const INVALID = 25;

/** A number that looks random and is the same for the same text (FNV-1a, with its bits mixed). */
function hash(text: string): number {
  let h = 0x811c9dc5;
  for (let i = 0; i < text.length; i += 1) h = Math.imul(h ^ text.charCodeAt(i), 0x01000193);
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return (h ^ (h >>> 16)) >>> 0;
}

/** `MONTHLY1-B002` is the second payment: the first rebill. */
function rebillReceipt({ receipt, processed }: DuePayment): string {
  return `${receipt}-B${String(processed + 1).padStart(3, '0')}`;
}

/** A new price is shared anew, and taxed as the former one was. */
function newAmounts(due: DuePayment, former: FormerPayment): Amounts {
  const { rebillCents, currency, commission } = due;
  const net = former.totalCents - former.shippingCents - former.taxCents;
  const taxCents = net > 0 ? roundIn(currency, (rebillCents * former.taxCents) / net) : 0;
  const shippingCents = shippingOf(due.shippable === 1, currency);
  const dollars = convert(rebillCents, currency, 'USD');
  const share = shareOf({ currency: 'USD', commission }, dollars, due.affiliate !== null);
  return {
    totalCents: rebillCents + shippingCents + taxCents,
    shippingCents,
    taxCents,
    vendorCents: share.vendor,
    affiliateCents: share.affiliate,
  };
}

/** The same as the last time, unless something about it changed. */
function amountsOf(due: DuePayment, former: FormerPayment): Amounts {
  const net = former.totalCents - former.shippingCents - former.taxCents;
  const same =
    former.lineItemId === due.lineItemId &&
    former.affiliate === due.affiliate &&
    net === due.rebillCents;
  return same ? former : newAmounts(due, former);
}

/** The next step of the rhythm, which late payments don't move. */
function nextAfter({ frequency, anchorDay, at, firstDue }: DuePayment): number {
  const due = firstDue ?? at;
  const step = (periods: number) =>
    instantOf(addPeriods(pacificDay(due), frequency, periods, anchorDay), secondOfDay(due));
  let periods = 1;
  while (step(periods) <= at) periods += 1;
  return step(periods);
}

function bill(db: Database, due: DuePayment): void {
  const former = getFormerPayment(db, due);
  insertRebill(db, due, {
    receipt: rebillReceipt(due),
    type: former.type.startsWith('TEST_') ? 'TEST_BILL' : 'BILL',
    amounts: amountsOf(due, former),
  });
  const future = due.future === ENDLESS ? ENDLESS : Math.max(0, due.future - 1);
  saveBilled(db, due.soldAs, {
    processed: due.processed + 1,
    future,
    next: future === 0 ? null : nextAfter(due),
    at: due.at,
  });
}

function fail(db: Database, due: DuePayment, luck: number): void {
  const failures = (due.failures ?? 0) + 1;
  if (failures > MAX_RETRIES) {
    cancelSubscription(db, due.soldAs, due.at);
    return;
  }
  const day = addDays(pacificDay(due.at), RETRY_DAYS);
  saveRetry(db, due.soldAs, {
    failures,
    at: instantOf(day, secondOfDay(due.at)),
    due: due.firstDue ?? due.at,
    status: luck % 100 < INVALID ? 'VALIDATION_FAILURE' : 'AUTHORIZATION_FAILURE',
  });
}

/**
 * Bills the payment at its own time. A small share, the same whenever it is asked, fails: it is
 * tried again twice, three days apart, and then the subscription is cancelled.
 */
export function rebill(db: Database, due: DuePayment): void {
  const luck = hash(`${rebillReceipt(due)} ${pacificDay(due.at)}`);
  const failing = due.failures === null ? FAILING : FAILING_AGAIN;
  if (Math.floor(luck / 100) % 1000 < failing) fail(db, due, luck);
  else bill(db, due);
}
