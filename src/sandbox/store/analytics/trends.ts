/** Sums over the subscriptions of each product, for a period or by day. */
import type { Database, Value } from '../../../storage/sqlite.ts';
import { bindDays, PACIFIC_DAYS } from '../pacific-days.ts';
import { type AnalyticsRole, COUNTED, ITEMS, SIDES, shareOf } from './analytics.ts';

/** Days are Pacific and inclusive; instants are seconds. */
export interface TrendsFilter {
  readonly role: AnalyticsRole;
  readonly account: string;
  readonly firstDay: string;
  readonly lastDay: string;
  readonly from: number;
  readonly until: number;
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
