/** Subscriptions with the sums of their payments, refunds, and chargebacks; and such sums for each product. */
import type { Database, Value } from '../../storage/sqlite.ts';
import {
  type AnalyticsRole,
  bindDays,
  COUNTED,
  ITEMS,
  PACIFIC_DAYS,
  SIDES,
  shareOf,
} from './analytics.ts';
import { given, joined, type Period, within } from './statements.ts';

/** The subscriptions to read. */
export interface SubscriptionFilter {
  readonly role: AnalyticsRole;
  readonly account: string;
  readonly status?: string;
  readonly started?: Period;
  readonly canceled?: Period;
  readonly nextPayment?: Period;
}

/**
 * A subscription with the field names of the resource; only fields used in calculations are declared.
 * Amounts are cents of the customer's currency, without shipping and tax; refunded amounts are positive.
 */
export interface SubscriptionRow extends Readonly<Record<string, Value>> {
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

const OWNERS = { VENDOR: 'p.vendor', AFFILIATE: 's.affiliate' } as const;

/** Returns the oldest subscriptions first. */
export function findSubscriptions(db: Database, filter: SubscriptionFilter): SubscriptionRow[] {
  const { sql, values } = joined([
    given(`${OWNERS[filter.role]} = ?`, filter.account),
    given('s.status = ?', filter.status),
    within('sale.time', filter.started),
    within('s.canceled', filter.canceled),
    within('s.next_payment', filter.nextPayment),
  ]);
  return db.all(
    `${SUBSCRIPTIONS} WHERE ${sql} GROUP BY s.line_item_id ORDER BY sale.time, s.line_item_id`,
    values,
  );
}

/** Days are Pacific and inclusive; instants are seconds. */
export interface TrendsFilter extends Period {
  readonly role: AnalyticsRole;
  readonly account: string;
  readonly firstDay: string;
  readonly lastDay: string;
  readonly now: number;
  readonly byDay: boolean;
  readonly productIds: readonly string[] | undefined;
}

/** A row with the field names of the resource; only columns used in calculations are declared. */
export interface Trend extends Readonly<Record<string, Value>> {
  /** Null if the whole period is one row. */
  readonly day: string | null;
  readonly frequency: string | null;
  readonly active: number;
  /** Seconds. */
  readonly age: number;
  /** Cents. */
  readonly value: number;
}

const SUBSCRIBERS = { VENDOR: 'sale.vendor', AFFILIATE: 's.affiliate' } as const;

/** Payments, refunds, and chargebacks of subscriptions in each period. */
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
    WHERE ${SUBSCRIBERS[role]} = ?`;
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
 * Returns rows by day and product ID, for products with payments or subscribers. Amounts are the account's share in
 * US dollars; events in the future do not count.
 */
export function findTrends(db: Database, filter: TrendsFilter): Trend[] {
  const { role, account, from, until, now } = filter;
  const periods = filter.byDay
    ? bindDays(db, filter.firstDay, filter.lastDay)
    : JSON.stringify([[null, from, until]]);
  const products = filter.productIds ? JSON.stringify(filter.productIds) : null;
  const bound = [now + 1, periods, now + 1, account, account, products, products];
  return db.all<Trend>(trendsOf(role), bound);
}
