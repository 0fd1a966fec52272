/** The nine subscription listings (section 4.1 of the specification). */

import { addDays } from '../dates/day.ts';
import { endOf, instantOf, pacificTime } from '../dates/pacific.ts';
import { analytics, type subscriptionDetailResult } from '../operations/analytics.ts';
import type { Row } from '../operations/resource.ts';
import { type Asker, readAsker, readSpan, type Span } from './analytics-request.ts';
import { ENDLESS, frequencyText, lastPaymentOf } from './analytics-terms.ts';
import type { Context, Handlers, Sent, State } from './handlers.ts';
import { moneyText } from './money.ts';
import { insistFacts } from './param-facts.ts';
import { insist } from './refusal.ts';
import {
  findSubscriptions,
  type SubscriptionFilter,
  type SubscriptionSums,
} from './store/analytics-subscriptions.ts';

type Listings = Handlers<
  Pick<
    typeof analytics,
    | 'subscriptions'
    | 'completing30'
    | 'completing60'
    | 'canceled30'
    | 'canceled60'
    | 'byStartDate'
    | 'byCancelDate'
    | 'byNextPaymentDate'
    | 'byStatus'
  >
>;
type Listed = Sent<Row<typeof subscriptionDetailResult>>;
type Detail = NonNullable<NonNullable<Listed['data']>['row']>[number];

/** A stored subscription with what follows from it. */
interface Subscription extends SubscriptionSums {
  /** When it ended or will end; null without an end. */
  readonly end: number | null;
  readonly valueCents: number;
  /** Rebills in all. */
  readonly duration: number;
  readonly shownStatus: string;
}

/** The states of a subscription as orders tell them, and as analytics do. */
const STATUSES = {
  ACTIVE: 'ACTIVE',
  COMPLETED: 'COMPLETED',
  CANCELED: 'CANCELED',
  RETRY_PAYMENT: 'VALIDATION_FAILURE',
  REQUEST_NEW_CARD: 'AUTHORIZATION_FAILURE',
} as const;

function shownStatusOf(status: string): string {
  return Object.entries(STATUSES).find(([, stored]) => stored === status)?.[0] ?? status;
}

function derive(stored: SubscriptionSums): Subscription {
  const { initialCents, rebillCents, returnCents, future, processed } = stored;
  return {
    ...stored,
    end: stored.ended ?? lastPaymentOf(stored),
    valueCents: initialCents + rebillCents - returnCents,
    duration: future === ENDLESS ? ENDLESS : processed - 1 + future,
    shownStatus: shownStatusOf(stored.status),
  };
}

type Key = (subscription: Subscription) => string | number | null;

const ORDERS: Readonly<Record<string, Key>> = {
  RECEIPT: (s) => s.receipt,
  PURCHASE_DATE: (s) => s.started,
  SUB_END_DATE: (s) => s.end,
  SUB_CANCEL_DATE: (s) => s.canceled,
  NEXT_PAYMENT_DATE: (s) => s.nextPayment,
  SUB_VALUE: (s) => s.valueCents,
  STATUS: (s) => s.shownStatus,
  ITEM_NUMBER: (s) => s.itemNo,
  PROCESSED_PAYMENTS_COUNT: (s) => s.processed,
  FUTURE_PAYMENTS_COUNT: (s) => s.future,
  REFUND_COUNT: () => 0,
  REFUND_AMOUNT: () => 0,
  CHARGEBACK_COUNT: () => 0,
  CHARGEBACK_AMOUNT: () => 0,
  PUB_NICK_NAME: (s) => s.vendor,
  AFFILIATE_NICK_NAME: (s) => s.affiliate,
  DURATION: (s) => s.duration,
  INITIAL_SALE_AMOUNT: (s) => s.initialCents,
  INITIAL_SALE_COUNT: (s) => s.initialCount,
  REBILL_SALE_AMOUNT: (s) => s.rebillCents,
  REBILL_SALE_COUNT: (s) => s.rebillCount,
};

/** An affiliate doesn't see the customer, and can't order by what it doesn't see. */
const VENDOR_ORDERS: Readonly<Record<string, Key>> = {
  CUSTOMER_FIRST_NAME: (s) => s.firstName,
  CUSTOMER_LAST_NAME: (s) => s.lastName,
  CUSTOMER_DISPLAY_NAME: (s) => s.fullName,
  CUSTOMER_EMAIL: (s) => s.email,
};

interface Sorting {
  readonly orderBy?: string | undefined;
  readonly sortDirection?: string | undefined;
}

function compare(a: string | number, b: string | number): number {
  return a === b ? 0 : a < b ? -1 : 1;
}

/** Equal ones stay as found, the oldest first; what has no value comes last in both directions. */
function sorter({ orderBy = 'PURCHASE_DATE', sortDirection = 'ASC' }: Sorting, { role }: Asker) {
  const every = { ...ORDERS, ...VENDOR_ORDERS };
  const allowed = role === 'VENDOR' || Object.hasOwn(ORDERS, orderBy);
  insist(allowed, 400, `orderBy can be ${orderBy} for the role VENDOR only.`);
  const keyOf: Key = every[orderBy] ?? (() => null);
  const sign = sortDirection === 'ASC' ? 1 : -1;
  return (one: Subscription, other: Subscription): number => {
    const [a, b] = [keyOf(one), keyOf(other)];
    if (a === null || b === null) return Number(a === null) - Number(b === null);
    return sign * compare(a, b);
  };
}

const timeOrNil = (instant: number | null) => (instant === null ? null : pacificTime(instant));

/** What an affiliate is shown in place of a customer's name. */
const HIDDEN = '--';

function customerOf(s: Subscription, { role }: Asker) {
  if (role === 'AFFILIATE') {
    const hidden = { customerFirstName: HIDDEN, customerLastName: HIDDEN };
    return { customerDisplayName: HIDDEN, ...hidden, email: null };
  }
  return {
    customerDisplayName: s.fullName,
    customerFirstName: s.firstName,
    customerLastName: s.lastName,
    email: s.email,
  };
}

/** The service leaves out what has no value; elsewhere it sends nil. */
function withoutNulls<T extends object>(row: T): T {
  return Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null)) as T;
}

/**
 * Amounts are in the currency of the order, as the customer paid them, without shipping and tax. The service
 * sends 0 for refunds and chargebacks since December 2022, and both together as returns.
 */
function amountsOf(s: Subscription) {
  return {
    subValue: moneyText(s.valueCents),
    initialSaleAmount: moneyText(s.initialCents),
    initialSaleCount: s.initialCount,
    rebillSaleAmount: moneyText(s.rebillCents),
    rebillSaleCount: s.rebillCount,
    refundAmount: moneyText(0),
    refundCount: 0,
    chargebackAmount: moneyText(0),
    chargebackCount: 0,
    returnAmount: moneyText(s.returnCents),
    returnCount: s.returnCount,
  };
}

function answerDetail(s: Subscription, asker: Asker): Detail {
  return withoutNulls({
    receipt: s.receipt,
    status: s.shownStatus,
    itemNo: s.itemNo,
    pubNickName: s.vendor,
    affNickName: s.affiliate,
    ...customerOf(s, asker),
    countryCode: s.country,
    province: s.state,
    currencyCode: s.currency,
    paymentMethod: s.paymentMethod,
    frequency: frequencyText(s.frequency),
    duration: s.duration,
    trialPeriod: s.trialDays === null ? null : String(s.trialDays),
    purchaseDate: pacificTime(s.started),
    nextPaymentDate: timeOrNil(s.nextPayment),
    subCancelDate: timeOrNil(s.canceled),
    subEndDate: timeOrNil(s.end),
    cancelled: s.status === 'CANCELED',
    processedPaymentsCount: s.processed,
    futurePaymentsCount: s.future,
    ...amountsOf(s),
    ftxnId: s.saleId,
    txnType: s.lastType,
    // Nothing tells what it is; here, the time of day of the purchase.
    timeStr: pacificTime(s.started).slice(11, 19),
  });
}

type Filter = Omit<SubscriptionFilter, 'role' | 'account'>;
type Asked = Parameters<Listings['subscriptions']>[1];

function listAll(
  { db }: State,
  { args }: Asked,
  context: Context,
  filter: Filter = {},
  keep: (subscription: Subscription) => boolean = () => true,
): Listed {
  const asker = readAsker(analytics.subscriptions.params, args, context);
  const order = sorter(args, asker);
  const found = findSubscriptions(db, { ...asker, ...filter })
    .map(derive)
    .filter(keep)
    .sort(order);
  const row = found.map((subscription) => answerDetail(subscription, asker));
  return { totalCount: row.length, data: { row } };
}

/** Today and so many days after it: the last payment falls into them, and is still to come. */
function completing(days: number): Listings['completing30'] {
  return (state, call, context) => {
    const until = endOf(addDays(context.today, days));
    return listAll(state, call, context, {}, ({ end, ended }) => {
      return ended === null && end !== null && end >= context.now && end < until;
    });
  };
}

function canceledWithin(days: number): Listings['canceled30'] {
  return (state, call, context) => {
    const from = instantOf(addDays(context.today, -days));
    return listAll(state, call, context, { canceled: { from, until: context.now + 1 } });
  };
}

function between(filterOf: (span: Span) => Filter): Listings['byStartDate'] {
  return (state, call, context) => {
    const { startDate, endDate } = call.args;
    return listAll(state, call, context, filterOf(readSpan(startDate, endDate)));
  };
}

export const subscriptions: Listings['subscriptions'] = (state, call, context) =>
  listAll(state, call, context);

export const completing30 = completing(30);
export const completing60 = completing(60);
export const canceled30 = canceledWithin(30);
export const canceled60 = canceledWithin(60);
export const byStartDate = between((started) => ({ started }));
export const byCancelDate = between((canceled) => ({ canceled }));
export const byNextPaymentDate = between((nextPayment) => ({ nextPayment }));

export const byStatus: Listings['byStatus'] = (state, call, context) => {
  insistFacts(analytics.byStatus.params, call.args);
  return listAll(state, call, context, { status: STATUSES[call.args.status] });
};
