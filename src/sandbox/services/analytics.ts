/** The service analytics (section 4.1 of the specification): every figure is computed on request. */
import { addDays } from '../../dates/day.ts';
import { endOf, instantOf, pacificTime } from '../../dates/pacific.ts';
import {
  analytics,
  analyticsResult,
  analyticsStatus,
  subscriptionDetailResult,
  subscriptionTrendsData,
} from '../../operations/analytics.ts';
import type { Params } from '../../operations/operation.ts';
import type { Value } from '../../storage/sqlite.ts';
import { assertFacts, assertOrder, assertValid } from '../http/arguments.ts';
import type { Context, Handlers, State } from '../http/handlers.ts';
import type { PlainText } from '../http/json.ts';
import { requireAccount } from '../http/keys.ts';
import {
  type AnalyticsRole,
  type Company,
  type DimensionName,
  type Sums,
  type SumsRow,
  sumByDimension,
  totalOf,
} from '../store/analytics.ts';
import type { Period, Rows } from '../store/statements.ts';
import {
  findSubscriptions,
  findTrends,
  type SubscriptionFilter,
  type SubscriptionRow,
} from '../store/subscriptions.ts';
import { paymentAfter } from './billing-date.ts';
import { moneyText } from './money.ts';

/** A figure is either a count or a number of hundredths. */
interface Figure {
  readonly isCount: boolean;
  readonly of: (sums: Sums) => number;
}

const whole = (of: Figure['of']): Figure => ({ isCount: true, of });
const hundredths = (of: Figure['of']): Figure => ({ isCount: false, of });

/** Returns hundredths; 0 if the denominator is 0. */
function ratio(numerator: number, denominator: number): number {
  return denominator === 0 ? 0 : Math.round((100 * numerator) / denominator);
}

const percent = (part: number, of: number) => ratio(100 * part, of);

const grossCents = (s: Sums) => s.saleCents + s.upsellCents + s.rebillCents;
const grossCount = (s: Sums) => s.saleCount + s.upsellCount + s.rebillCount;
const netCents = (s: Sums) => grossCents(s) - s.refundCents - s.chargebackCents;
const netCount = (s: Sums) => grossCount(s) - s.refundCount - s.chargebackCount;

/**
 * Section 2 names the fields; the sandbox defines their meaning. Rates are percentages: of all
 * payments for refunds and chargebacks, of the displayed order forms for sales. A hop earns the
 * account's share. Upsells are sales that follow another sale, without an order form.
 */
const FIGURES: Readonly<Record<string, Figure>> = {
  SALE_COUNT: whole((s) => s.saleCount),
  SALE_AMOUNT: hundredths((s) => s.saleCents),
  UPSELL_COUNT: whole((s) => s.upsellCount),
  UPSELL_AMOUNT: hundredths((s) => s.upsellCents),
  REBILL_COUNT: whole((s) => s.rebillCount),
  REBILL_AMOUNT: hundredths((s) => s.rebillCents),
  GROSS_SALE_COUNT: whole(grossCount),
  GROSS_SALE_AMOUNT: hundredths(grossCents),
  REFUND_COUNT: whole((s) => s.refundCount),
  REFUND_AMOUNT: hundredths((s) => s.refundCents),
  REFUND_RATE: hundredths((s) => percent(s.refundCount, grossCount(s))),
  CHARGEBACK_COUNT: whole((s) => s.chargebackCount),
  CHARGEBACK_AMOUNT: hundredths((s) => s.chargebackCents),
  CHARGEBACK_RATE: hundredths((s) => percent(s.chargebackCount, grossCount(s))),
  NET_SALE_COUNT: whole(netCount),
  NET_SALE_AMOUNT: hundredths(netCents),
  HOP_COUNT: whole((s) => s.hops),
  HOPS_PER_SALE: hundredths((s) => ratio(s.hops, s.saleCount)),
  EARNINGS_PER_HOP: hundredths((s) => ratio(netCents(s) / 100, s.hops)),
  ORDER_IMPRESSION: whole((s) => s.impressions),
  ORDER_SUBMISSION: whole((s) => s.submissions),
  ORDER_FORM_SALE_CONVERSION: hundredths((s) => percent(s.saleCount, s.impressions)),
  HOPS_PER_ORDER_FORM_IMPRESSION: hundredths((s) => ratio(s.hops, s.impressions)),
};

/** Names the row's value of the dimension instead of a figure. Totals do not have it. */
const VALUE = 'DIMENSION_VALUE';

/** Every data field, in the order of the response. */
const DATA_FIELDS: readonly string[] = [VALUE, ...Object.keys(FIGURES)];

/** The selected figures as sent: counts are integers, all others have two decimals. `id` is the value of a row. */
function dataOf(sums: Sums, select: readonly string[], id?: string) {
  return select.flatMap((attribute): { attribute: string; value: string | PlainText }[] => {
    if (attribute === VALUE) return id === undefined ? [] : [{ attribute, value: { text: id } }];
    const { isCount, of } = FIGURES[attribute] ?? whole(() => 0);
    return [{ attribute, value: isCount ? String(of(sums)) : moneyText(of(sums)) }];
  });
}

/** Sorts by figure, and then by dimension value; by default, puts rows with hops but without sales at the end. */
function sortSums(
  rows: readonly SumsRow[],
  orderBy = 'GROSS_SALE_AMOUNT',
  ascending = false,
): SumsRow[] {
  const figure = FIGURES[orderBy];
  const direction = ascending ? 1 : -1;
  if (!figure) return ascending ? [...rows] : rows.toReversed();
  return rows.toSorted((a, b) => direction * (figure.of(a) - figure.of(b)));
}

type All = Handlers<typeof analytics>;

/** The account whose figures are requested, and its role. */
interface AccountQuery {
  readonly role: AnalyticsRole;
  readonly account: string;
}

/** Refuses a value that its parameter does not allow with 400, and an account of another key with 403. */
function readAsker(params: Params, args: AccountQuery, { caller }: Context): AccountQuery {
  assertFacts(params, { ...args });
  return { role: args.role, account: requireAccount(caller, args.account) };
}

/** Returns the inclusive period of two days; refuses an end before the start with 400. */
function readSpan(startDate: string, endDate: string): Period {
  assertOrder(startDate, endDate);
  return { from: instantOf(startDate), until: endOf(endDate) };
}

const PAGE_SIZE = 100;

/** Returns one page of rows in memory; pages count from 1. */
function pageOf<R>(rows: readonly R[], page: number): Rows<R> {
  const end = page * PAGE_SIZE;
  return { rows: rows.slice(end - PAGE_SIZE, end), more: rows.length > end };
}

const FREQUENCIES: Readonly<Record<string, string>> = {
  WEEKLY: 'EVERY WEEK',
  BI_WEEKLY: 'EVERY 2 WEEKS',
  MONTHLY: 'EVERY MONTH',
  QUARTERLY: 'EVERY 3 MONTHS',
  HALF_YEARLY: 'EVERY 6 MONTHS',
  YEARLY: 'EVERY YEAR',
};

/** Returns the billing frequency as written in analytics: `EVERY MONTH` for `MONTHLY`. */
const frequencyText = (frequency: string) => FREQUENCIES[frequency] ?? frequency;

const ONLY: Readonly<Partial<Record<DimensionName, AnalyticsRole>>> = {
  PRODUCT_SKU: 'VENDOR',
  VENDOR_PRODUCT_SKU: 'AFFILIATE',
};

/** One page of rows, and totals over the rows of all pages. */
function figuresPage(
  { db }: State,
  { args, page }: Parameters<All['dimension']>[1],
  context: Context,
  company: Company,
): ReturnType<All['dimension']> {
  const asker = readAsker(analytics.dimension.params, args, context);
  const { dimension } = args;
  const only = ONLY[dimension] ?? asker.role;
  assertValid(only === asker.role, `The dimension ${dimension} is only for the role ${only}.`);
  const select = [...new Set(args.select ?? DATA_FIELDS)];
  const { startDate = addDays(context.today, -1), endDate = context.today } = args;
  const { dimensionFilter: id, orderBy, sortAscending } = args;
  const filter = { ...asker, ...readSpan(startDate, endDate), dimension, company, id };
  const found = sortSums(sumByDimension(db, filter), orderBy, sortAscending);
  const { rows, more } = pageOf(found, page);
  const row = rows.map((sums) => ({
    ...{ dimensionIdentifier: sums.id, dimensionValue: sums.id, accountNickName: asker.account },
    data: dataOf(sums, select, sums.id),
  }));
  return { content: { rows: { row }, totals: { total: dataOf(totalOf(found), select) } }, more };
}

/**
 * VENDOR_ONLY adds up what the account sold or referred without a partner, AFFILIATE_ONLY what it sold or referred
 * together with another account. Together, they are all figures of the account; amounts are its own share in both.
 */
const COMPANIES = { VENDOR_ONLY: 'alone', AFFILIATE_ONLY: 'partners' } as const;

/**
 * `totalCount` is the number of rows on all pages. Amounts are the account's share in US dollars, ages are days;
 * averages have two decimals.
 */
const trends: All['trends'] = ({ db }, { args, page }, context) => {
  const { startDate: firstDay, endDate: lastDay, groupBy, productId: productIds } = args;
  const asker = readAsker(analytics.trends.params, args, context);
  const areIds = (productIds ?? []).every((id) => /^\d{1,15}$/.test(id));
  assertValid(areIds, 'The parameter productId must be a product ID, a whole number.');
  const days = { ...readSpan(firstDay, lastDay), firstDay, lastDay };
  const byDay = groupBy === 'DATE';
  const found = findTrends(db, { ...asker, ...days, now: context.now, byDay, productIds });
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

type Listing = All['subscriptions'];

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

/** The customer as shown to an affiliate. */
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
  filter: Omit<SubscriptionFilter, 'role' | 'account'> = {},
  keep: (subscription: Subscription) => boolean = () => true,
): ReturnType<Listing> {
  const asker = readAsker(analytics.subscriptions.params, args, context);
  const order = sorter(args, asker);
  const found = findSubscriptions(db, { ...asker, ...filter })
    .map(derive)
    .filter(keep)
    .sort(order);
  const row = found.map((one) => ({ ...one, ...(asker.role === 'AFFILIATE' && HIDDEN) }));
  return { totalCount: row.length, data: { row } };
}

/** Lists subscriptions whose last payment is due today or within the given number of days. */
function completing(days: number): All['completing30'] {
  return (state, call, context) => {
    const until = endOf(addDays(context.today, days));
    return listAll(state, call, context, {}, ({ subEndDate: end, ended }) => {
      return ended === null && end !== null && end >= context.now && end < until;
    });
  };
}

function canceledWithin(days: number): All['canceled30'] {
  return (state, call, context) => {
    const from = instantOf(addDays(context.today, -days));
    return listAll(state, call, context, { canceled: { from, until: context.now + 1 } });
  };
}

function between(column: 'started' | 'canceled' | 'nextPayment'): All['byStartDate'] {
  return (state, call, context) => {
    const { startDate, endDate } = call.args;
    return listAll(state, call, context, { [column]: readSpan(startDate, endDate) });
  };
}

/** The schema of a row declares only a type, because a row is never the root of a document. */
const subscriptionType = {
  ...analytics.subscriptions.returns.resource,
  element: 'subscriptionDetailResultRow',
  typeOnly: true,
};

/** Age of the data in seconds for each status. */
const DELAYS = { GREEN: 0, YELLOW: 6 * 3600, RED: 30 * 3600 } as const;

export const analyticsHandlers: All = {
  // Figures are computed on request, so they are outdated only if a fault says so.
  status({ analyticsStatus }, _call, { now }) {
    const status = analyticsStatus();
    return { status, lastUpdateTime: pacificTime(now - DELAYS[status]) };
  },

  dimension: (state, call, context) => figuresPage(state, call, context, 'any'),
  summary(state, call, context) {
    assertFacts(analytics.summary.params, call.args);
    return figuresPage(state, call, context, COMPANIES[call.args.summaryType]);
  },
  trends,
  subscriptions: (state, call, context) => listAll(state, call, context),
  completing30: completing(30),
  completing60: completing(60),
  canceled30: canceledWithin(30),
  canceled60: canceledWithin(60),
  byStartDate: between('started'),
  byCancelDate: between('canceled'),
  byNextPaymentDate: between('nextPayment'),
  byStatus(state, call, context) {
    assertFacts(analytics.byStatus.params, call.args);
    return listAll(state, call, context, { status: STATUSES[call.args.status] });
  },

  statusSchema: () => analyticsStatus,
  subscriptionsSchema: () => subscriptionDetailResult,
  subscriptionSchema: () => subscriptionType,
  trendsSchema: () => subscriptionTrendsData,
  resultSchema: () => analyticsResult,
};
