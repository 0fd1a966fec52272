/** Bills a subscription payment that is due: it succeeds, or fails and is retried. */
import { addDays } from '../../dates/day.ts';
import { instantOf, pacificDay, secondOfDay } from '../../dates/pacific.ts';
import type { Database } from '../../storage/sqlite.ts';
import { paymentAfter } from '../money/billing-date.ts';
import { convert, roundIn, shareOf, shippingOf } from '../money/money.ts';
import { endSubscription, recordChange, recordTransaction } from '../notifications/record.ts';
import { hash } from '../seed/random.ts';
import { type DuePayment, saveBilled, saveRetry } from '../store/orders/billing.ts';
import { insertTransaction } from '../store/orders/new-transaction.ts';
import { type Amounts, getPayment, type Transaction } from '../store/orders/transaction.ts';

/** The number of future payments that means an unlimited subscription. */
const ENDLESS = 999;
const MAX_RETRIES = 2;
const RETRY_DAYS = 3;
/** Failures per thousand payments; a card that failed before often fails again. */
const FAILING = 30;
const FAILING_AGAIN = 500;
/** Validation failures per hundred failures; the others are authorization failures. */
const INVALID = 25;

/** `MONTHLY1-B002` is the second payment: the first rebill. */
function rebillReceipt({ receipt, processed }: DuePayment): string {
  return `${receipt}-B${String(processed + 1).padStart(3, '0')}`;
}

/** A new price is split between the accounts again, and taxed at the former rate. */
function newAmounts(due: DuePayment, former: Transaction): Amounts {
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

/** The amounts of the last payment, unless the product, the price, or the affiliate changed. */
function amountsOf(due: DuePayment, former: Transaction): Amounts {
  const net = former.totalCents - former.shippingCents - former.taxCents;
  const same =
    former.lineItemId === due.lineItemId &&
    former.affiliate === due.affiliate &&
    net === due.rebillCents;
  return same ? former : newAmounts(due, former);
}

function bill(db: Database, due: DuePayment): void {
  const former = getPayment(db, due.purchaseId, 'latest', due.soldAs);
  const { lineItemId, at: time } = due;
  const txnId = insertTransaction(
    db,
    { ...due, receipt: rebillReceipt(due) },
    {
      lineItemId,
      time,
      type: former.type.startsWith('TEST_') ? 'TEST_BILL' : 'BILL',
      amounts: amountsOf(due, former),
    },
  );
  const future = due.future === ENDLESS ? ENDLESS : Math.max(0, due.future - 1);
  saveBilled(db, due.soldAs, {
    processed: due.processed + 1,
    future,
    next: future === 0 ? null : paymentAfter(due, 1),
    at: due.at,
  });
  recordTransaction(db, txnId);
}

function recordFailure(db: Database, due: DuePayment): void {
  const { soldAs, at: time } = due;
  recordChange(db, 'failPayment', { soldAs, time, receipt: rebillReceipt(due) });
}

function fail(db: Database, due: DuePayment, draw: number): void {
  const failures = (due.failures ?? 0) + 1;
  if (failures > MAX_RETRIES) {
    recordFailure(db, due);
    endSubscription(db, due.soldAs, due.at);
    return;
  }
  const day = addDays(pacificDay(due.at), RETRY_DAYS);
  saveRetry(db, due.soldAs, {
    failures,
    at: instantOf(day, secondOfDay(due.at)),
    due: due.firstDue ?? due.at,
    status: draw % 100 < INVALID ? 'VALIDATION_FAILURE' : 'AUTHORIZATION_FAILURE',
  });
  recordFailure(db, due);
}

/**
 * Bills the payment at its due time. A small, repeatable share of payments fails. A failed payment is
 * retried twice, three days apart, and then the subscription is canceled.
 */
export function rebill(db: Database, due: DuePayment): void {
  const draw = hash(`${rebillReceipt(due)} ${pacificDay(due.at)}`);
  const failing = due.failures === null ? FAILING : FAILING_AGAIN;
  if (Math.floor(draw / 100) % 1000 < failing) fail(db, due, draw);
  else bill(db, due);
}
