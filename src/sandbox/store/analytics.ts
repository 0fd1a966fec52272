/** Sums over transactions and traffic by the values of a dimension. */
import type { Database } from './driver.ts';

/** In which role the asked account took part. */
export type AnalyticsRole = 'VENDOR' | 'AFFILIATE';

/** What sums are told apart by: a column of the entries, and whether it is one of single items. */
interface Dimension {
  readonly column: string;
  readonly byItem?: boolean;
}

/** The dimensions of section 2. A province is named with its country: WA is in two of them. */
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

/** With whom the account made its sales: on its own, or with another account. */
export type Company = 'any' | 'alone' | 'partners';

/** Instants; the end is exclusive. */
export interface SumsFilter {
  readonly dimension: DimensionName;
  readonly role: AnalyticsRole;
  readonly account: string;
  readonly from: number;
  readonly until: number;
  readonly company: Company;
  /** Exactly this value, in upper and lower case too. */
  readonly id?: string | undefined;
}

/** Amounts are cents; of what went back they are positive. */
export interface Sums {
  readonly id: string;
  readonly saleCents: number;
  readonly saleCount: number;
  readonly upsellCents: number;
  readonly upsellCount: number;
  readonly rebillCents: number;
  readonly rebillCount: number;
  readonly refundCents: number;
  readonly refundCount: number;
  readonly chargebackCents: number;
  readonly chargebackCount: number;
  readonly hops: number;
  readonly impressions: number;
  readonly submissions: number;
}

/** The column of the account asked for, the one beside it, and the share of the money. */
const SIDES = {
  VENDOR: { own: 'vendor', other: 'affiliate', cents: 'vendor_cents' },
  AFFILIATE: { own: 'affiliate', other: 'vendor', cents: 'affiliate_cents' },
} as const;

/** Stands for whatever nobody set. */
const NOT_SET = 'Not Set';

/** Transactions whole; tests and fees are neither sale nor refund. */
function wholeEntries(role: AnalyticsRole): string {
  return `SELECT t.vendor, t.affiliate, p.tracking_id, p.currency, p.language, p.country, p.state,
      NULL sku, iif(t.type = 'SALE' AND p.upsell_of IS NOT NULL, 'UPSELL', t.type) kind,
      t.${SIDES[role].cents} cents, 0 hops, 0 impressions, 0 submissions
    FROM txn t CROSS JOIN purchase p ON p.id = t.purchase_id
    WHERE t.${SIDES[role].own} = ? AND t.time >= ? AND t.time < ?
      AND t.type IN ('SALE', 'BILL', 'RFND', 'CGBK')`;
}

/** Transactions item by item: a cart of three counts three times, each with its own share. */
function itemEntries(role: AnalyticsRole): string {
  const { own, cents } = SIDES[role];
  return `SELECT t.vendor, t.affiliate, p.tracking_id, p.currency, p.language, p.country, p.state,
      l.item_no sku, iif(t.type = 'SALE' AND p.upsell_of IS NOT NULL, 'UPSELL', t.type) kind,
      iif(t.line_item_id IS NULL, iif(t.total_cents < 0, -1, 1) * l.${cents}, t.${cents}) cents,
      0 hops, 0 impressions, 0 submissions
    FROM txn t CROSS JOIN purchase p ON p.id = t.purchase_id
      JOIN line_item l ON l.purchase_id = t.purchase_id
        AND iif(t.line_item_id IS NULL, l.replaces IS NULL, l.id = t.line_item_id)
    WHERE t.${own} = ? AND t.time >= ? AND t.time < ?
      AND t.type IN ('SALE', 'BILL', 'RFND', 'CGBK')`;
}

function visits(role: AnalyticsRole, byItem: boolean): string {
  return `SELECT f.vendor, f.affiliate, f.tracking_id, f.currency, f.language, f.country, f.state,
      g.sku, 'VISIT' kind, 0 cents, f.hops, f.impressions, f.submissions
    FROM traffic f JOIN product g ON g.id = f.product_id
    WHERE f.${SIDES[role].own} = ? AND f.time >= ? AND f.time < ?${byItem ? '' : ' AND f.main = 1'}`;
}

/** Who is both vendor and affiliate of a sale made it alone too. */
function companyOf(role: AnalyticsRole, company: Company): string {
  const { own, other } = SIDES[role];
  const alone = `coalesce(e.${other}, e.${own}) = e.${own}`;
  return { any: '1', alone, partners: `NOT (${alone})` }[company];
}

const sumOf = (kind: string, name: string, sign = '') => `
  sum(iif(kind = '${kind}', ${sign}cents, 0)) ${name}Cents, sum(kind = '${kind}') ${name}Count`;

const SUMS = [
  sumOf('SALE', 'sale'),
  sumOf('UPSELL', 'upsell'),
  sumOf('BILL', 'rebill'),
  sumOf('RFND', 'refund', '-'),
  sumOf('CGBK', 'chargeback', '-'),
  'sum(hops) hops, sum(impressions) impressions, sum(submissions) submissions',
].join(', ');

/**
 * One row for each value of the dimension, in the order of the values. Money is the account's
 * share in US dollars, in its role: what the orders list tells as accountAmount of its line items.
 */
export function sumByDimension(db: Database, filter: SumsFilter): Sums[] {
  const { dimension, role, account, from, until, company, id } = filter;
  const { column, byItem = false }: Dimension = DIMENSIONS[dimension];
  const entries = byItem ? itemEntries(role) : wholeEntries(role);
  return db.all<Sums>(
    `SELECT coalesce(nullif(${column}, ''), '${NOT_SET}') id, ${SUMS}
     FROM (SELECT e.*, c.category
       FROM (${entries} UNION ALL ${visits(role, byItem)}) e
         LEFT JOIN vendor_category c ON c.vendor = e.vendor
       WHERE ${companyOf(role, company)})
     GROUP BY 1 HAVING ? IS NULL OR id = ? ORDER BY 1`,
    [account, from, until, account, from, until, id ?? null, id ?? null],
  );
}
