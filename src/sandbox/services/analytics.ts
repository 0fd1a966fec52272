/** The service analytics (section 4.1 of the specification): every figure is computed on request. */
import { addDays, pacificTime } from '../../dates/day.ts';
import {
  analytics,
  analyticsResult,
  analyticsStatus,
  roleOfDimension,
} from '../../operations/analytics.ts';
import { assertFacts, assertValid } from '../http/arguments.ts';
import type { Context, Handlers, State } from '../http/handlers.ts';
import type { PlainText } from '../http/json.ts';
import type { VENDORS } from '../http/keys.ts';
import { type AnalyticsRole, COUNTED, ITEMS, SIDES, shareOf } from '../store/analytics.ts';
import { moneyText } from './money.ts';
import { pageOf, readAsker, readSpan, subscriptionHandlers } from './subscriptions.ts';

const CATEGORIES: Readonly<Record<(typeof VENDORS)[number], string>> = {
  GREENLEAF: 'Home & Garden',
  FITLAB24: 'Health & Fitness',
  COOKWELL: 'Cooking, Food & Wine',
  CODEMENTOR: 'Computers / Internet',
  YOGAHOME: 'Health & Fitness',
};

const CASES = Object.entries(CATEGORIES).map((entry) => `WHEN '${entry.join("' THEN '")}'`);

/** The columns of the dimensions of section 2. Provinces include the country, because two countries have a WA. */
const DIMENSIONS = {
  AFFILIATE: 'affiliate',
  CUSTOMER_CURRENCY: 'currency',
  CUSTOMER_COUNTRY: 'country',
  CUSTOMER_PROVINCE: "coalesce(country || '-', '') || state",
  CUSTOMER_LANGUAGE: 'language',
  PRODUCT_SKU: 'sku',
  TRACKING_ID: 'tracking_id',
  VENDOR: 'vendor',
  VENDOR_CATEGORY: `CASE vendor ${CASES.join(' ')} END`,
  VENDOR_PRODUCT_SKU: "vendor || ':' || sku",
} as const;

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

type Sums = Readonly<Record<keyof typeof SUMS, number>>;

type SumsRow = Sums & { readonly id: string };

const NOT_SET = 'Not Set';

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

/**
 * VENDOR_ONLY adds up what the account sold or referred without a partner, AFFILIATE_ONLY what it sold or referred
 * together with another account. Together, they are all figures of the account; amounts are its own share in both. An
 * account that is both vendor and affiliate of a sale made it alone, too.
 */
function companyOf(role: AnalyticsRole, summary: SummaryType | undefined): string {
  const { own, other } = SIDES[role];
  const alone = `coalesce(e.${other}, e.${own}) = e.${own}`;
  if (summary === undefined) return '1';
  return summary === 'VENDOR_ONLY' ? alone : `NOT (${alone})`;
}

const SUM_COLUMNS = Object.entries(SUMS).map(([name, sql]) => `${sql} ${name}`);

type All = Handlers<typeof analytics>;
type SummaryType = Parameters<All['summary']>[1]['args']['summaryType'];

function totalOf(rows: readonly Sums[]): Sums {
  const names = Object.keys(SUMS) as (keyof Sums)[];
  const sums = names.map((name) => [name, rows.reduce((sum, row) => sum + row[name], 0)]);
  return Object.fromEntries(sums);
}

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
 * account's share. Upsells are sales that follow another sale, without an order form. All but counts are hundredths.
 */
const FIGURES: Readonly<Record<string, (sums: Sums) => number>> = {
  SALE_COUNT: (s) => s.saleCount,
  SALE_AMOUNT: (s) => s.saleCents,
  UPSELL_COUNT: (s) => s.upsellCount,
  UPSELL_AMOUNT: (s) => s.upsellCents,
  REBILL_COUNT: (s) => s.rebillCount,
  REBILL_AMOUNT: (s) => s.rebillCents,
  GROSS_SALE_COUNT: grossCount,
  GROSS_SALE_AMOUNT: grossCents,
  REFUND_COUNT: (s) => s.refundCount,
  REFUND_AMOUNT: (s) => s.refundCents,
  REFUND_RATE: (s) => percent(s.refundCount, grossCount(s)),
  CHARGEBACK_COUNT: (s) => s.chargebackCount,
  CHARGEBACK_AMOUNT: (s) => s.chargebackCents,
  CHARGEBACK_RATE: (s) => percent(s.chargebackCount, grossCount(s)),
  NET_SALE_COUNT: netCount,
  NET_SALE_AMOUNT: netCents,
  HOP_COUNT: (s) => s.hops,
  HOPS_PER_SALE: (s) => ratio(s.hops, s.saleCount),
  EARNINGS_PER_HOP: (s) => ratio(netCents(s) / 100, s.hops),
  ORDER_IMPRESSION: (s) => s.impressions,
  ORDER_SUBMISSION: (s) => s.submissions,
  ORDER_FORM_SALE_CONVERSION: (s) => percent(s.saleCount, s.impressions),
  HOPS_PER_ORDER_FORM_IMPRESSION: (s) => ratio(s.hops, s.impressions),
};

const isCount = (name: string) => /_COUNT$|^ORDER_(IMPRESSION|SUBMISSION)$/.test(name);

/** Names the row's value of the dimension instead of a figure. Totals do not have it. */
const VALUE = 'DIMENSION_VALUE';

/** Every data field, in the order of the response. */
const DATA_FIELDS: readonly string[] = [VALUE, ...Object.keys(FIGURES)];

/** The selected figures as sent: counts are integers, all others have two decimals. `id` is the value of a row. */
function dataOf(sums: Sums, select: readonly string[], id?: string) {
  return select.flatMap((attribute): { attribute: string; value: string | PlainText }[] => {
    if (attribute === VALUE) return id === undefined ? [] : [{ attribute, value: { text: id } }];
    const figure = FIGURES[attribute]?.(sums) ?? 0;
    return [{ attribute, value: isCount(attribute) ? String(figure) : moneyText(figure) }];
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
  return rows.toSorted((a, b) => direction * (figure(a) - figure(b)));
}

/** One page of rows, one for each value of the dimension, and totals over the rows of all pages. */
function figuresPage(
  { db }: State,
  { args, page }: Parameters<All['dimension']>[1],
  context: Context,
  summary?: SummaryType,
): ReturnType<All['dimension']> {
  const asker = readAsker(analytics.dimension.params, args, context);
  const { role, account } = asker;
  const { dimension, dimensionFilter: id = null, orderBy, sortAscending } = args;
  const only = roleOfDimension[dimension] ?? role;
  assertValid(only === role, `The dimension ${dimension} is only for the role ${only}.`);
  const select = [...new Set(args.select ?? DATA_FIELDS)];
  const { startDate = addDays(context.today, -1), endDate = context.today } = args;
  const { from, until } = readSpan(startDate, endDate);
  // These belong to single items.
  const byItem = dimension.endsWith('PRODUCT_SKU');
  const sums = db.all<SumsRow>(
    `SELECT coalesce(nullif(${DIMENSIONS[dimension]}, ''), '${NOT_SET}') id, ${SUM_COLUMNS.join(', ')}
     FROM (${payments(role, byItem)} UNION ALL ${visits(role, byItem)}) e
     WHERE ${companyOf(role, summary)}
     GROUP BY 1 HAVING ? IS NULL OR id = ? ORDER BY 1`,
    [account, from, until, account, from, until, id, id],
  );
  const found = sortSums(sums, orderBy, sortAscending);
  const { rows, more } = pageOf(found, page);
  const row = rows.map((one) => ({
    ...{ dimensionIdentifier: one.id, dimensionValue: one.id, accountNickName: account },
    data: dataOf(one, select, one.id),
  }));
  return { content: { rows: { row }, totals: { total: dataOf(totalOf(found), select) } }, more };
}

/** Age of the data in seconds for each status. */
const DELAYS = { GREEN: 0, YELLOW: 6 * 3600, RED: 30 * 3600 } as const;

export const analyticsHandlers: All = {
  // Figures are computed on request, so they are outdated only if a fault says so.
  status({ analyticsStatus }, _call, { now }) {
    const status = analyticsStatus();
    return { status, lastUpdateTime: pacificTime(now - DELAYS[status]) };
  },

  dimension: (state, call, context) => figuresPage(state, call, context),
  summary(state, call, context) {
    assertFacts(analytics.summary.params, call.args);
    return figuresPage(state, call, context, call.args.summaryType);
  },

  ...subscriptionHandlers,
  statusSchema: () => analyticsStatus,
  resultSchema: () => analyticsResult,
};
