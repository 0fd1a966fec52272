/** The nine subscription listings (section 4.1 of the specification). */
import { addDays } from '../../dates/day.ts';
import { endOf, instantOf, pacificTime } from '../../dates/pacific.ts';
import { analytics, type subscriptionDetailResult } from '../../operations/analytics.ts';
import type { Row } from '../../operations/resource.ts';
import type { Value } from '../../storage/sqlite.ts';
import { paymentAfter } from '../money/billing-date.ts';
import { assertFacts } from '../request/arguments.ts';
import type { Context, Handlers, Sent, State } from '../request/handlers.ts';
import { assertOr } from '../request/refusal.ts';
import {
  findSubscriptions,
  type SubscriptionFilter,
  type SubscriptionRow,
} from '../store/analytics/subscriptions.ts';
import type { Period } from '../store/statements.ts';
import { type AccountQuery, frequencyText, readAsker, readSpan } from './request.ts';

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

/** The number of future payments that means an unlimited subscription. */
const ENDLESS = 999;

/** The status of a subscription in analytics, and its name in orders2 and in the store. */
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

/** Returns the instant of the last future payment; null if there is none or the subscription is unlimited. */
function lastPaymentOf(row: SubscriptionRow): number | null {
  const { nextPaymentDate: at, futurePaymentsCount: future } = row;
  if (at === null || future === ENDLESS || future < 1) return null;
  return paymentAfter({ ...row, at }, future - 1);
}

/**
 * Adds the fields that are computed from stored ones. Amounts are in the currency of the order, as the customer
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
    // Not documented; the sandbox sends the time of day of the purchase.
    timeStr: pacificTime(row.purchaseDate).slice(11, 19),
  };
}

type Subscription = ReturnType<typeof derive>;

/** Values of orderBy that are not named after their field, as SUB_END_DATE is after subEndDate. */
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
 * Rows with equal values stay in the order of their purchase; rows without a value come last in both directions.
 * An affiliate does not see the customer, so it cannot sort by a field of the customer.
 */
function sorter(
  { orderBy = 'PURCHASE_DATE', sortDirection = 'ASC' }: Sorting,
  { role }: AccountQuery,
) {
  const allowed = role === 'VENDOR' || !orderBy.startsWith('CUSTOMER_');
  assertOr(allowed, 400, `orderBy can be ${orderBy} only for the role VENDOR.`);
  const field = fieldOf(orderBy);
  const sign = sortDirection === 'ASC' ? 1 : -1;
  return (one: Cells, other: Cells): number => {
    const [a = null, b = null] = [one[field], other[field]];
    if (a === null || b === null) return Number(a === null) - Number(b === null);
    return a === b ? 0 : a < b ? -sign : sign;
  };
}

/** The customer as shown to an affiliate. */
const HIDDEN = {
  customerDisplayName: '--',
  customerFirstName: '--',
  customerLastName: '--',
  email: null,
};

function detailRow(subscription: Subscription, { role }: AccountQuery) {
  return { ...subscription, ...(role === 'AFFILIATE' && HIDDEN) };
}

type Filter = Omit<SubscriptionFilter, 'role' | 'account'>;
type AnalyticsCall = Parameters<Listings['subscriptions']>[1];

function listAll(
  { db }: State,
  { args }: AnalyticsCall,
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
  const row = found.map((subscription) => detailRow(subscription, asker));
  return { totalCount: row.length, data: { row } };
}

/** Keeps subscriptions whose last payment is due today or within the given number of days. */
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
  assertFacts(analytics.byStatus.params, call.args);
  return listAll(state, call, context, { status: STATUSES[call.args.status] });
};
