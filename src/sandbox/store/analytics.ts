/** SQL that all statistics share, and the traffic of order forms. */
import { daysFrom, earlier, endOf, instantOf, later, pacificDay } from '../../dates/day.ts';
import type { Database } from '../../storage/sqlite.ts';
import { getRow } from './statements.ts';

export type AnalyticsRole = 'VENDOR' | 'AFFILIATE';

/** The columns of each role: its account, the account of the partner, and its share in cents. */
export const SIDES = {
  VENDOR: { own: 'vendor', other: 'affiliate', cents: 'vendor_cents' },
  AFFILIATE: { own: 'affiliate', other: 'vendor', cents: 'affiliate_cents' },
} as const;

/** Excludes tests and fees. */
export const COUNTED = "t.type IN ('SALE', 'BILL', 'RFND', 'CGBK')";

/** The items of a transaction: a cart of three items counts three times, each with its own share. */
export const ITEMS = `line_item l ON l.purchase_id = t.purchase_id
  AND iif(t.line_item_id IS NULL, l.replaces IS NULL, l.id = t.line_item_id)`;

/** An item's share of a transaction, which equals accountAmount in orders2. */
export const shareOf = (cents: string) => `iif(t.line_item_id IS NULL,
  iif(t.total_cents < 0, -1, 1) * l.${cents}, t.${cents})`;

/**
 * A table of days: `day` (yyyy-mm-dd), `starts`, `ends` (instants, exclusive end). It binds one value, created by
 * `bindDays`. A CROSS JOIN makes the days the outer loop, so that each day reads its own range of the index by time.
 */
export const PACIFIC_DAYS = `(SELECT value ->> 0 day, value ->> 1 starts, value ->> 2 ends
  FROM json_each(?))`;

/** The days from `first` to `last` (inclusive) that can have transactions. */
export function bindDays(db: Database, first: string, last: string): string {
  const store = getRow<{ oldest: number; newest: number }>(
    db,
    'SELECT (SELECT min(time) FROM txn) oldest, (SELECT max(time) FROM txn) newest',
  );
  const [oldest, newest] = [pacificDay(store.oldest), pacificDay(store.newest)];
  const days = daysFrom(later(first, oldest), earlier(last, newest));
  return JSON.stringify(days.map((day) => [day, instantOf(day), endOf(day)]));
}

/** Pseudo-random whole numbers up to 9,972, reproducible for the same random seed. */
const CHANCE = '((l.id * 7919 + ? * 6733 + t.id % 101 * 3571) % 9973)';

/**
 * One row for each sold item, without tests and upsells: an upsell is shown after the
 * order form. Every submitted form was seen, and the form of a sale was submitted at least once,
 * so that sales never exceed submissions in any dimension. Only affiliates'
 * links count hops.
 */
const VISITS = `SELECT t.time, t.vendor, t.affiliate, p.tracking_id, p.currency, p.language,
  p.country, p.state, l.product_id, l.id = f.first main, ${CHANCE} chance
  FROM txn t
    JOIN purchase p ON p.id = t.purchase_id AND p.upsell_of IS NULL
    JOIN line_item l ON l.purchase_id = p.id
    JOIN (SELECT purchase_id, min(id) first FROM line_item WHERE purchase_id >= ?
      GROUP BY purchase_id) f ON f.purchase_id = p.id
  WHERE t.type = 'SALE' AND t.purchase_id >= ?`;

/** Adds the visits of every sale, starting with a purchase. Call it once for each sale. */
export function addTraffic(db: Database, randomSeed: number, firstPurchase: number): void {
  db.run(
    `INSERT INTO traffic
     SELECT time, vendor, affiliate, tracking_id, currency, language, country, state, product_id,
       main, iif(affiliate IS NULL OR main = 0, 0, 12 + chance % 71),
       2 + chance % 9, 1 + (chance % 7 = 0)
     FROM (${VISITS})`,
    [randomSeed % 9973, firstPurchase, firstPurchase],
  );
}
