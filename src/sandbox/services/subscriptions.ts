/** The operations of analytics on subscriptions (section 4.1 of the specification), with the sums of their payments. */
import { addDays, endOf, instantOf, pacificTime } from '../../dates/day.ts';
import {
  analytics,
  subscriptionDetailResult,
  subscriptionTrendsData,
} from '../../operations/analytics.ts';
import type { Params } from '../../operations/operation.ts';
import type { Value } from '../../storage/sqlite.ts';
import { assertFacts, assertOrder, assertValid } from '../http/arguments.ts';
import type { Context, Handlers, State } from '../http/handlers.ts';
import { requireAccount } from '../http/keys.ts';
import {
  type AnalyticsRole,
  bindDays,
  COUNTED,
  ITEMS,
  PACIFIC_DAYS,
  SIDES,
  shareOf,
} from '../store/analytics.ts';
import {
  type Condition,
  given,
  joined,
  PAGE_SIZE,
  type Period,
  type Rows,
  within,
} from '../store/statements.ts';
import { ENDLESS, frequencyText, paymentAfter } from './billing-date.ts';

type All = Handlers<typeof analytics>;

interface AccountQuery {
  readonly role: AnalyticsRole;
  readonly account: string;
}

/** Refuses a value that its parameter does not allow with 400, and an account of another key with 403. */
export function readAsker(params: Params, args: AccountQuery, { caller }: Context): AccountQuery {
  assertFacts(params, { ...args });
  return { role: args.role, account: requireAccount(caller, args.account) };
}

/** Returns the inclusive period of two days; refuses an end before the start with 400. */
export function readSpan(startDate: string, endDate: string): Period {
  assertOrder(startDate, endDate);
  return { from: instantOf(startDate), until: endOf(endDate) };
}

export function pageOf<R>(rows: readonly R[], page: number): Rows<R> {
  const end = page * PAGE_SIZE;
  return { rows: rows.slice(end - PAGE_SIZE, end), more: rows.length > end };
}

/**
 * A subscription with the field names of the resource; only fields used in calculations are declared.
 * Amounts are cents of the customer's currency, without shipping and tax; refunded amounts are positive.
 */
interface SubscriptionRow extends Readonly<Record<string, Value>> {
  readonly status: string;
  readonly frequency: string;
  readonly anchorDay: number;
  readonly processedPaymentsCount: number;
  readonly futurePaymentsCount: number;
  readonly purchaseDate: number;
  readonly nextPaymentDate: number | null;
  /** When the next payment was first due, if it failed and is being retried. */
  readonly firstDue: number | null;
  readonly ended: number | null;
  readonly initialSaleAmount: number;
  readonly rebillSaleAmount: number;
  /** Refunds and chargebacks. */
  readonly returnAmount: number;
}

/** The part of a transaction for the line: all of it, or the line's price in a cart. */
const CENTS = `iif(t.line_item_id IS NULL, iif(t.total_cents < 0, -1, 1) * l.customer_cents,
  t.total_cents - t.shipping_cents - t.tax_cents)`;

const sumOf = (types: string, name: string, sign = '') => `
  sum(iif(t.type IN (${types}), ${sign}${CENTS}, 0)) ${name}Amount,
  sum(t.type IN (${types})) ${name}Count`;

/** Excludes test subscriptions, whose sale has another type. */
const SUBSCRIPTIONS = `SELECT p.receipt, s.status, c.item_no itemNo, p.vendor pubNickName,
  s.affiliate affNickName, p.full_name customerDisplayName, p.first_name customerFirstName,
  p.last_name customerLastName, p.email, p.country countryCode, p.state province,
  p.currency currencyCode, p.payment_method paymentMethod, s.frequency, s.anchor_day anchorDay,
  g.trial_days trialPeriod, s.processed processedPaymentsCount, s.future futurePaymentsCount,
  sale.time purchaseDate, s.next_payment nextPaymentDate, r.due firstDue, s.canceled subCancelDate,
  s.ended, sale.id ftxnId, iif(sum(t.type = 'BILL') > 0, 'BILL', 'SALE') txnType,
  ${sumOf("'SALE'", 'initialSale')}, ${sumOf("'BILL'", 'rebillSale')},
  ${sumOf("'RFND', 'CGBK'", 'return', '-')}
  FROM subscription s
    JOIN line_item l ON l.id = s.line_item_id
    JOIN line_item c ON c.id = s.current_item_id
    JOIN product g ON g.id = c.product_id
    LEFT JOIN billing_retry r ON r.line_item_id = s.line_item_id AND r.at = s.next_payment
    JOIN purchase p ON p.id = l.purchase_id
    JOIN txn sale ON sale.purchase_id = p.id AND sale.type = 'SALE'
    JOIN txn t ON t.purchase_id = p.id AND (t.line_item_id IS NULL OR t.line_item_id IN
      (SELECT o.id FROM line_item o
       WHERE o.purchase_id = p.id AND coalesce(o.replaces, o.id) = l.id))`;

const OWNERS = { VENDOR: 'sale.vendor', AFFILIATE: 's.affiliate' } as const;

type Listing = All['subscriptions'];

/** The status of a subscription in analytics, and its name in orders2 and in the store. */
const STATUSES = {
  ACTIVE: 'ACTIVE',
  COMPLETED: 'COMPLETED',
  CANCELED: 'CANCELED',
  RETRY_PAYMENT: 'VALIDATION_FAILURE',
  REQUEST_NEW_CARD: 'AUTHORIZATION_FAILURE',
} as const;

/**
 * Adds the fields that are computed from stored ones. Amounts are in the currency of the order, as the customer
 * paid them. The service sends 0 for refunds and chargebacks since December 2022, and both together as returns.
 */
function derive(row: SubscriptionRow) {
  const { status, nextPaymentDate: at, futurePaymentsCount: future } = row;
  const isEndless = future === ENDLESS;
  const hasLast = at !== null && !isEndless && future > 0;
  return {
    ...row,
    status: Object.entries(STATUSES).find(([, stored]) => stored === status)?.[0] ?? status,
    cancelled: status === 'CANCELED',
    frequency: frequencyText(row.frequency),
    duration: isEndless ? ENDLESS : row.processedPaymentsCount - 1 + future,
    subEndDate: row.ended ?? (hasLast ? paymentAfter({ ...row, at }, future - 1) : null),
    subValue: row.initialSaleAmount + row.rebillSaleAmount - row.returnAmount,
    ...{ refundAmount: 0, refundCount: 0, chargebackAmount: 0, chargebackCount: 0 },
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

type Cells = Readonly<Record<string, Value | boolean>>;

/**
 * Rows with equal values stay in the order of their purchase; rows without a value come last in both directions.
 * An affiliate does not see the customer, so it cannot sort by a field of the customer.
 */
function sorter(
  { orderBy = 'PURCHASE_DATE', sortDirection = 'ASC' }: Parameters<Listing>[1]['args'],
  { role }: AccountQuery,
) {
  const allowed = role === 'VENDOR' || !orderBy.startsWith('CUSTOMER_');
  assertValid(allowed, `orderBy can be ${orderBy} only for the role VENDOR.`);
  const field =
    FIELDS[orderBy] ??
    orderBy.toLowerCase().replaceAll(/_[a-z]/g, (letter) => letter.slice(1).toUpperCase());
  const sign = sortDirection === 'ASC' ? 1 : -1;
  return (one: Cells, other: Cells): number => {
    const [a = null, b = null] = [one[field], other[field]];
    if (a === null || b === null) return Number(a === null) - Number(b === null);
    return a === b ? 0 : a < b ? -sign : sign;
  };
}

const HIDDEN = {
  customerDisplayName: '--',
  customerFirstName: '--',
  customerLastName: '--',
  email: null,
};

function listAll(
  { db }: State,
  { args }: Parameters<Listing>[1],
  context: Context,
  which?: Condition,
  keep: (subscription: Subscription) => boolean = () => true,
): ReturnType<Listing> {
  const asker = readAsker(analytics.subscriptions.params, args, context);
  const order = sorter(args, asker);
  const { sql, values } = joined([given(`${OWNERS[asker.role]} = ?`, asker.account), which]);
  // The oldest first.
  const found = db.all<SubscriptionRow>(
    `${SUBSCRIPTIONS} WHERE ${sql} GROUP BY s.line_item_id ORDER BY sale.time, s.line_item_id`,
    values,
  );
  const sorted = found.map(derive).filter(keep).sort(order);
  const row = sorted.map((one) => ({ ...one, ...(asker.role === 'AFFILIATE' && HIDDEN) }));
  return { totalCount: row.length, data: { row } };
}

function completing(days: number): All['completing30'] {
  return (state, call, context) => {
    const until = endOf(addDays(context.today, days));
    return listAll(state, call, context, undefined, ({ subEndDate: end, ended }) => {
      return ended === null && end !== null && end >= context.now && end < until;
    });
  };
}

function canceledWithin(days: number): All['canceled30'] {
  return (state, call, context) => {
    const from = instantOf(addDays(context.today, -days));
    return listAll(state, call, context, within('s.canceled', { from, until: context.now + 1 }));
  };
}

function between(column: string): All['byStartDate'] {
  return (state, call, context) => {
    const period = readSpan(call.args.startDate, call.args.endDate);
    return listAll(state, call, context, within(column, period));
  };
}

/** The schema of a row declares only a type, because a row is never the root of a document. */
const subscriptionType = {
  ...analytics.subscriptions.returns.resource,
  element: 'subscriptionDetailResultRow',
  typeOnly: true,
};

/** A row with the field names of the resource; only columns used in calculations are declared. */
interface Trend extends Readonly<Record<string, Value>> {
  /** Null if the whole period is one row. */
  readonly day: string | null;
  readonly frequency: string | null;
  readonly active: number;
  /** Seconds. */
  readonly age: number;
  /** Cents. */
  readonly value: number;
}

function paidOf(role: AnalyticsRole): string {
  const { own, cents } = SIDES[role];
  return `SELECT d.day, l.product_id product,
      sum(iif(t.type = 'SALE', ${shareOf(cents)}, 0)) initialCents,
      sum(t.type = 'SALE') initialCount,
      sum(iif(t.type = 'BILL', ${shareOf(cents)}, 0)) rebillCents,
      sum(t.type = 'BILL') rebillCount,
      sum(iif(t.type IN ('RFND', 'CGBK'), -${shareOf(cents)}, 0)) reversedCents,
      0 canceled, 0 active, 0 age, 0 valueCents
    FROM period d CROSS JOIN txn t ON t.time >= d.starts AND t.time < d.ends
      JOIN ${ITEMS} AND l.recurring = 1
    WHERE t.${own} = ? AND ${COUNTED} GROUP BY d.day, l.product_id`;
}

/** The current and former products of each subscription, with the start and end of each. */
const SPANS = `SELECT s.line_item_id soldAs, s.current_item_id item, s.affiliate, s.canceled,
    coalesce(s.canceled, s.ended, 9e15) finished,
    (SELECT max(f.until) FROM former_item f WHERE f.sold_as = s.line_item_id) begun
  FROM subscription s
  UNION ALL SELECT f.sold_as, f.line_item_id, f.affiliate, NULL, f.until,
    (SELECT max(e.until) FROM former_item e
     WHERE e.sold_as = f.sold_as AND e.line_item_id < f.line_item_id)
  FROM former_item f`;

/** Every subscription from its sale to its end, split by product. */
function subscribedOf(role: AnalyticsRole): string {
  const { cents } = SIDES[role];
  return `SELECT c.product_id product, sale.time sold, coalesce(s.begun, sale.time) begun,
      s.canceled, s.finished,
      (SELECT sum(${shareOf(cents)}) FROM txn t
       WHERE t.purchase_id = l.purchase_id AND ${COUNTED}
         AND coalesce(t.line_item_id, l.id) = c.id) cents
    FROM (${SPANS}) s
      JOIN line_item l ON l.id = s.soldAs
      JOIN line_item c ON c.id = s.item
      JOIN txn sale ON sale.purchase_id = l.purchase_id AND sale.type = 'SALE'
    WHERE ${OWNERS[role]} = ?`;
}

/**
 * A subscription that runs for half of a period counts as half. Its value is the amount paid for the product
 * until today; its age is measured from its sale.
 */
const RUNNING = `SELECT d.day, b.product, 0 initialCents, 0 initialCount, 0 rebillCents,
    0 rebillCount, 0 reversedCents,
    sum(coalesce(b.canceled >= d.starts AND b.canceled < d.ends, 0)) canceled,
    sum(min(b.finished, d.ends) - max(b.begun, d.starts)) * 1.0 / (d.ends - d.starts) active,
    avg(min(b.finished, d.ends) - b.sold) age, avg(b.cents) valueCents
  FROM period d CROSS JOIN subscribed b ON b.begun < d.ends AND b.finished >= d.starts
  GROUP BY d.day, b.product`;

/** Counts are texts, because numbers of decimal fields are hundredths. */
const countOf = (sums: string) => `CAST(${sums} AS TEXT)`;

function trendsOf(role: AnalyticsRole): string {
  return `WITH period AS MATERIALIZED
      (SELECT day, starts, min(ends, ?) ends FROM ${PACIFIC_DAYS} WHERE starts < ?),
    subscribed AS MATERIALIZED (${subscribedOf(role)})
    SELECT f.day, g.id productId, g.site nickname, g.sku itemNo, g.title, g.description, g.frequency,
      g.duration, g.trial_days trialPeriod, sum(initialCents) initialSaleAmt,
      sum(rebillCents) recurringSaleAmt, sum(initialCents + rebillCents) grossSales,
      sum(initialCents + rebillCents - reversedCents) netSales,
      ${countOf('sum(initialCount)')} initialSaleCnt, ${countOf('sum(rebillCount)')} recurringSaleCnt,
      ${countOf('sum(initialCount + rebillCount)')} totalSalesCnt,
      ${countOf('sum(canceled)')} cancelSubCnt,
      sum(active) active, sum(age) age, sum(valueCents) value
    FROM (${paidOf(role)} UNION ALL ${RUNNING}) f JOIN product g ON g.id = f.product
    WHERE ? IS NULL OR g.id IN (SELECT CAST(value AS INTEGER) FROM json_each(?))
    GROUP BY f.day, g.id ORDER BY f.day, g.id`;
}

/**
 * Rows by day and product ID, for products with payments or subscribers; events in the future do not count.
 * `totalCount` is the number of rows on all pages. Amounts are the account's share in US dollars, ages are days;
 * averages have two decimals.
 */
const trends: All['trends'] = ({ db }, { args, page }, context) => {
  const { startDate: firstDay, endDate: lastDay, groupBy, productId: productIds } = args;
  const { role, account } = readAsker(analytics.trends.params, args, context);
  const areIds = (productIds ?? []).every((id) => /^\d{1,15}$/.test(id));
  assertValid(areIds, 'The parameter productId must be a product ID, a whole number.');
  const { from, until } = readSpan(firstDay, lastDay);
  const periods =
    groupBy === 'DATE' ? bindDays(db, firstDay, lastDay) : JSON.stringify([[null, from, until]]);
  const products = productIds ? JSON.stringify(productIds) : null;
  const end = context.now + 1;
  const bound = [end, periods, end, account, account, products, products];
  const found = db.all<Trend>(trendsOf(role), bound);
  const { rows, more } = pageOf(found, page);
  const row = rows.map(({ day, frequency, duration, active, age, value, ...trend }) => ({
    ...trend,
    businessDate: day === null ? null : instantOf(day),
    frequency: frequency === null ? null : frequencyText(frequency),
    // A product that is not sold as a subscription anymore.
    duration: duration ?? 0,
    avgActiveSubCnt: Math.round(active * 100),
    avgSubAge: Math.round((age / 86_400) * 100),
    avgSubValue: Math.round(value),
  }));
  return { content: { totalCount: found.length, data: { row } }, more };
};

export const subscriptionHandlers = {
  trends,
  subscriptions: (state, call, context) => listAll(state, call, context),
  completing30: completing(30),
  completing60: completing(60),
  canceled30: canceledWithin(30),
  canceled60: canceledWithin(60),
  byStartDate: between('sale.time'),
  byCancelDate: between('s.canceled'),
  byNextPaymentDate: between('s.next_payment'),
  byStatus(state, call, context) {
    assertFacts(analytics.byStatus.params, call.args);
    const status = STATUSES[call.args.status];
    return listAll(state, call, context, given('s.status = ?', status));
  },

  subscriptionsSchema: () => subscriptionDetailResult,
  subscriptionSchema: () => subscriptionType,
  trendsSchema: () => subscriptionTrendsData,
} satisfies Partial<All>;
