/** The nine subscription listings (section 4.1 of the specification). */

import { addDays } from '../dates/day.ts';
import { endOf, instantOf, pacificTime } from '../dates/pacific.ts';
import { analytics, type subscriptionDetailResult } from '../operations/analytics.ts';
import type { Row } from '../operations/resource.ts';
import { type Asker, frequencyText, readAsker, readSpan } from './analytics-request.ts';
import { paymentAfter } from './billing-date.ts';
import type { Context, Handlers, Sent, State } from './handlers.ts';
import { insistFacts } from './param-facts.ts';
import { insist } from './refusal.ts';
import {
  findSubscriptions,
  type SubscriptionFilter,
  type SubscriptionRow,
} from './store/analytics-subscriptions.ts';
import type { Value } from './store/driver.ts';
import type { Period } from './store/statements.ts';

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

/** This many payments to come means that they never end. */
const ENDLESS = 999;

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

/** The instant of the last future payment; null if no payment follows or the subscription is endless. */
function lastPaymentOf(row: SubscriptionRow): number | null {
  const { nextPaymentDate: at, futurePaymentsCount: future } = row;
  if (at === null || future === ENDLESS || future < 1) return null;
  return paymentAfter({ ...row, at }, future - 1);
}

/**
 * A stored subscription with what follows from it. Amounts are in the currency of the order, as the customer
 * paid them. The service sends 0 for refunds and chargebacks since December 2022, and both together as returns.
 */
function derive(row: SubscriptionRow) {
  const { status, futurePaymentsCount: future } = row;
  return {
    ...row,
    status: shownStatusOf(status),
    cancelled: status === 'CANCELED',
    frequency: frequencyText(row.frequency),
    duration: future === ENDLESS ? ENDLESS : row.processedPaymentsCount - 1 + future,
    subEndDate: row.ended ?? lastPaymentOf(row),
    subValue: row.initialSaleAmount + row.rebillSaleAmount - row.returnAmount,
    refundAmount: 0,
    refundCount: 0,
    chargebackAmount: 0,
    chargebackCount: 0,
    // Nothing tells what it is; here, the time of day of the purchase.
    timeStr: pacificTime(row.purchaseDate).slice(11, 19),
  };
}

type Subscription = ReturnType<typeof derive>;

/** What can be ordered by is named after its field: SUB_END_DATE is subEndDate. All but these. */
const FIELDS: Readonly<Record<string, string>> = {
  ITEM_NUMBER: 'itemNo',
  AFFILIATE_NICK_NAME: 'affNickName',
  CUSTOMER_EMAIL: 'email',
};

function fieldOf(orderBy: string): string {
  const camelCase = () =>
    orderBy.toLowerCase().replaceAll(/_[a-z]/g, (letter) => letter.slice(1).toUpperCase());
  return FIELDS[orderBy] ?? camelCase();
}

type Cells = Readonly<Record<string, Value | boolean>>;

interface Sorting {
  readonly orderBy?: string | undefined;
  readonly sortDirection?: string | undefined;
}

/**
 * Equal ones stay as found, the oldest first; what has no value comes last in both directions. An affiliate
 * does not see the customer, and cannot order by what it does not see.
 */
function sorter({ orderBy = 'PURCHASE_DATE', sortDirection = 'ASC' }: Sorting, { role }: Asker) {
  const allowed = role === 'VENDOR' || !orderBy.startsWith('CUSTOMER_');
  insist(allowed, 400, `orderBy can be ${orderBy} for the role VENDOR only.`);
  const field = fieldOf(orderBy);
  const sign = sortDirection === 'ASC' ? 1 : -1;
  return (one: Cells, other: Cells): number => {
    const [a = null, b = null] = [one[field], other[field]];
    if (a === null || b === null) return Number(a === null) - Number(b === null);
    return a === b ? 0 : a < b ? -sign : sign;
  };
}

/** What an affiliate is shown in place of the customer. */
const HIDDEN = {
  customerDisplayName: '--',
  customerFirstName: '--',
  customerLastName: '--',
  email: null,
};

/** The service leaves out what has no value; elsewhere it sends nil. */
function answerDetail(subscription: Subscription, { role }: Asker) {
  const shown = { ...subscription, ...(role === 'AFFILIATE' && HIDDEN) };
  return Object.fromEntries(Object.entries(shown).filter(([, value]) => value !== null));
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
    return listAll(state, call, context, {}, ({ subEndDate: end, ended }) => {
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

function between(filterOf: (period: Period) => Filter): Listings['byStartDate'] {
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
