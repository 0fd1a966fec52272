/** Sums over transactions and traffic: by the values of a dimension, by account and day; and SQL of all analytics. */
import { daysFrom } from '../../dates/day.ts';
import { endOf, instantOf, pacificDay } from '../../dates/pacific.ts';
import type { Database } from '../../storage/sqlite.ts';
import { getRow, ONE_OF, type Period } from './statements.ts';

/** The role of the requested account. */
export type AnalyticsRole = 'VENDOR' | 'AFFILIATE';

/** A dimension: its column, and whether it belongs to single items. */
interface Dimension {
  readonly column: string;
  readonly byItem?: boolean;
}

/** The dimensions of section 2. Provinces include the country, because two countries have a WA. */
export const DIMENSIONS = {
  AFFILIATE: { column: 'affiliate' },
  CUSTOMER_CURRENCY: { column: 'currency' },
  CUSTOMER_COUNTRY: { column: 'country' },
  CUSTOMER_PROVINCE: { column: "coalesce(country || '-', '') || state" },
  CUSTOMER_LANGUAGE: { column: 'language' },
  PRODUCT_SKU: { column: 'sku', byItem: true },
  TRACKING_ID: { column: 'tracking_id' },
  VENDOR: { column: 'vendor' },
  VENDOR_CATEGORY: { column: 'category' },
  VENDOR_PRODUCT_SKU: { column: "vendor || ':' || sku", byItem: true },
} as const satisfies Readonly<Record<string, Dimension>>;

export type DimensionName = keyof typeof DIMENSIONS;

/** Whether the account made its sales alone or together with another account. */
export type Company = 'any' | 'alone' | 'partners';

export interface SumsFilter extends Period {
  readonly dimension: DimensionName;
  readonly role: AnalyticsRole;
  readonly account: string;
  readonly company: Company;
  /** The value of the dimension, case-sensitive. */
  readonly id?: string | undefined;
}

const cents = (kind: string, sign = '') => `sum(iif(kind = '${kind}', ${sign}cents, 0))`;
const count = (kind: string) => `sum(kind = '${kind}')`;

/** The sums and their SQL. Amounts are cents; refunded amounts are positive. */
const SUMS = {
  saleCents: cents('SALE'),
  saleCount: count('SALE'),
  upsellCents: cents('UPSELL'),
  upsellCount: count('UPSELL'),
  rebillCents: cents('BILL'),
  rebillCount: count('BILL'),
  refundCents: cents('RFND', '-'),
  refundCount: count('RFND'),
  chargebackCents: cents('CGBK', '-'),
  chargebackCount: count('CGBK'),
  hops: 'sum(hops)',
  impressions: 'sum(impressions)',
  submissions: 'sum(submissions)',
} as const;

export type Sums = Readonly<Record<keyof typeof SUMS, number>>;

/** The sums of one value of the dimension. */
export type SumsRow = Sums & { readonly id: string };

/** The columns of each role: its account, the account of the partner, and its share in cents. */
export const SIDES = {
  VENDOR: { own: 'vendor', other: 'affiliate', cents: 'vendor_cents' },
  AFFILIATE: { own: 'affiliate', other: 'vendor', cents: 'affiliate_cents' },
} as const;

/** The value of a dimension that was never set. */
const NOT_SET = 'Not Set';

/** Excludes tests and fees. */
export const COUNTED = "t.type IN ('SALE', 'BILL', 'RFND', 'CGBK')";

/** The items of a transaction: a cart of three items counts three times, each with its own share. */
export const ITEMS = `line_item l ON l.purchase_id = t.purchase_id
  AND iif(t.line_item_id IS NULL, l.replaces IS NULL, l.id = t.line_item_id)`;

/** An item's share of a transaction, which equals accountAmount in orders2. */
export const shareOf = (cents: string) => `iif(t.line_item_id IS NULL,
  iif(t.total_cents < 0, -1, 1) * l.${cents}, t.${cents})`;

/** Whole transactions, or one row per item. */
function payments(role: AnalyticsRole, byItem: boolean): string {
  const { own, cents } = SIDES[role];
  return `SELECT t.vendor, t.affiliate, p.tracking_id, p.currency, p.language, p.country, p.state,
      ${byItem ? 'l.item_no' : 'NULL'} sku,
      iif(t.type = 'SALE' AND p.upsell_of IS NOT NULL, 'UPSELL', t.type) kind,
      ${byItem ? shareOf(cents) : `t.${cents}`} cents, 0 hops, 0 impressions, 0 submissions
    FROM txn t CROSS JOIN purchase p ON p.id = t.purchase_id ${byItem ? `JOIN ${ITEMS}` : ''}
    WHERE t.${own} = ? AND t.time >= ? AND t.time < ? AND ${COUNTED}`;
}

function visits(role: AnalyticsRole, byItem: boolean): string {
  return `SELECT f.vendor, f.affiliate, f.tracking_id, f.currency, f.language, f.country, f.state,
      g.sku, 'VISIT' kind, 0 cents, f.hops, f.impressions, f.submissions
    FROM traffic f JOIN product g ON g.id = f.product_id
    WHERE f.${SIDES[role].own} = ? AND f.time >= ? AND f.time < ?${byItem ? '' : ' AND f.main = 1'}`;
}

/** An account that is both vendor and affiliate of a sale made it alone, too. */
function companyOf(role: AnalyticsRole, company: Company): string {
  const { own, other } = SIDES[role];
  const alone = `coalesce(e.${other}, e.${own}) = e.${own}`;
  return { any: '1', alone, partners: `NOT (${alone})` }[company];
}

const SUM_COLUMNS = Object.entries(SUMS).map(([name, sql]) => `${sql} ${name}`);

/**
 * Returns one row for each value of the dimension, sorted by value. Amounts are the account's share in its role, in
 * US dollars, which equals accountAmount in orders2.
 */
export function sumByDimension(db: Database, filter: SumsFilter): SumsRow[] {
  const { dimension, role, account, from, until, company, id } = filter;
  const { column, byItem = false }: Dimension = DIMENSIONS[dimension];
  return db.all<SumsRow>(
    `SELECT coalesce(nullif(${column}, ''), '${NOT_SET}') id, ${SUM_COLUMNS.join(', ')}
     FROM (SELECT e.*, c.category
       FROM (${payments(role, byItem)} UNION ALL ${visits(role, byItem)}) e
         LEFT JOIN vendor_category c ON c.vendor = e.vendor
       WHERE ${companyOf(role, company)})
     GROUP BY 1 HAVING ? IS NULL OR id = ? ORDER BY 1`,
    [account, from, until, account, from, until, id ?? null, id ?? null],
  );
}

/** Adds up all rows. */
export function totalOf(rows: readonly Sums[]): Sums {
  const names = Object.keys(SUMS) as (keyof Sums)[];
  const sums = names.map((name) => [name, rows.reduce((sum, row) => sum + row[name], 0)] as const);
  return Object.fromEntries(sums) as Record<keyof Sums, number>;
}

/**
 * A table of days: `day` (yyyy-mm-dd), `starts`, `ends` (instants, exclusive end). It binds one
 * value, created by `bindDays`. A CROSS JOIN makes the days the outer loop, so that each day reads its own
 * range of the index by time:
 *
 *     SELECT d.day, sum(t.vendor_cents) cents
 *     FROM ${PACIFIC_DAYS} d CROSS JOIN txn t ON t.time >= d.starts AND t.time < d.ends
 *     GROUP BY d.day
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
  const days = daysFrom(first > oldest ? first : oldest, last < newest ? last : newest);
  return JSON.stringify(days.map((day) => [day, instantOf(day), endOf(day)]));
}

/** US cents, all positive; `day` is null for the sum of a whole period. */
export interface QuickStat {
  readonly account: string;
  readonly day: string | null;
  readonly sale: number;
  readonly refund: number;
  readonly chargeback: number;
}

/** The shares of both roles in the transactions of each day. */
const EARNINGS = ['vendor', 'affiliate']
  .map(
    (role) => `SELECT d.day, t.type, t.${role} account, t.${role}_cents cents
    FROM ${PACIFIC_DAYS} d CROSS JOIN txn t ON t.time >= d.starts AND t.time < d.ends
    WHERE t.${role} ${ONE_OF}`,
  )
  .join(' UNION ALL ');

/** Excludes fees and tests, and days and accounts without transactions. */
export function sumQuickStats(
  db: Database,
  filter: { accounts: readonly string[]; firstDay: string; lastDay: string },
  byDay: boolean,
): QuickStat[] {
  const days = bindDays(db, filter.firstDay, filter.lastDay);
  const accounts = JSON.stringify(filter.accounts);
  return db.all<QuickStat>(
    `SELECT account, ${byDay ? 'day' : 'NULL'} day,
       sum(iif(type IN ('SALE', 'BILL'), cents, 0)) sale,
       -sum(iif(type = 'RFND', cents, 0)) refund,
       -sum(iif(type = 'CGBK', cents, 0)) chargeback
     FROM (${EARNINGS}) WHERE type IN ('SALE', 'BILL', 'RFND', 'CGBK')
     GROUP BY 1, 2 ORDER BY 1, 2`,
    [days, accounts, days, accounts],
  );
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
