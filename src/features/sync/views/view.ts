/** The views of a copy: questions that every vendor asks, as SQL that SQLite and PostgreSQL both understand. */

import { LosslessNumber } from 'lossless-json';
import type { Value } from '../../../output/rows/rows.ts';
import type { Dialect } from '../destination.ts';

export type ViewColumnKind =
  | 'text'
  /** A Pacific day. */
  | 'day'
  /** The first day of a Pacific month. */
  | 'month'
  | 'count'
  /** An amount of money with two decimals. */
  | 'amount'
  /** A percentage with two decimals; null where there is nothing to divide by. */
  | 'percent'
  /** Another number with two decimals. */
  | 'decimal';

export interface ViewColumn {
  readonly name: string;
  readonly kind: ViewColumnKind;
  /** One sentence without a period: meaning and unit. */
  readonly comment: string;
}

export interface CopyView {
  readonly name: string;
  /** Other names that people type, such as mrr. */
  readonly also?: readonly string[];
  /** One sentence without a period. */
  readonly summary: string;
  readonly columns: readonly ViewColumn[];
  /** The rows without an asked order, as a SELECT whose columns are in the order of `columns`. */
  select(sql: DialectWords): string;
  /** The source whose rows it adds up; none if it says what the copy has. */
  readonly source?: 'orders' | 'subscriptions' | 'analytics_days';
  /** A second source that prices the rows. All of its days until the end of a period are required. */
  readonly pricedBy?: 'orders';
  /** Its rows depend on all days up to the end of a period. */
  readonly isCumulative?: true;
  /** What it says if the copy begins after the first sale, as a sentence. */
  readonly ofShortCopy?: string;
  /** The order in which people read the rows, as an ORDER BY of columns. */
  readonly order: string;
  /** What differs from the figures of other commands, as a sentence. */
  readonly note?: string;
  /** The figures that a chart draws unless the user names one. */
  readonly charts: readonly string[];
}

/** What the two databases say differently; arguments and results are expressions. */
export type DialectWords = typeof sqlite;

const sqlite = {
  /** The first day of the month of a day. */
  monthOf: (day: string) => `substr(${day}, 1, 7) || '-01'`,
  nextMonth: (month: string) => `date(${month}, '+1 month')`,
  /** Whole months from one first day of a month to another. */
  monthsBetween: (first: string, last: string) =>
    `(substr(${last}, 1, 4) - substr(${first}, 1, 4)) * 12 + substr(${last}, 6, 2) - substr(${first}, 6, 2)`,
  daysIn: (month: string) => `julianday(${month}, '+1 month') - julianday(${month})`,
  // SQLite has no time zones: daylight time is from the second Sunday of March to the first one of November.
  pacificDayOf: (moment: string) => `date(${moment}, CASE
    WHEN ${moment} >= date(substr(${moment}, 1, 4) || '-03-08', 'weekday 0') || 'T10:00'
      AND ${moment} < date(substr(${moment}, 1, 4) || '-11-01', 'weekday 0') || 'T09:00'
    THEN '-7 hours' ELSE '-8 hours' END)`,
  daysBetween: (first: string, last: string) => `julianday(${last}) - julianday(${first})`,
  /** The receipt of the sale that a rebill such as ABC-B002 belongs to. */
  saleOf: (receipt: string) =>
    `CAST(substr(${receipt}, 1, instr(${receipt} || '-B', '-B') - 1) AS text)`,
  /** Whether a JSON list of texts has all texts of another one. */
  hasAll: (list: string, other: string) =>
    `NOT EXISTS (SELECT 1 FROM json_each(${other}) AS wanted WHERE wanted.value NOT IN (SELECT value FROM json_each(${list})))`,
};

const postgres: DialectWords = {
  monthOf: (day) => `date_trunc('month', ${day})::date`,
  nextMonth: (month) => `(${month} + interval '1 month')::date`,
  monthsBetween: (first, last) =>
    `((extract(year FROM ${last}) - extract(year FROM ${first})) * 12 + extract(month FROM ${last}) - extract(month FROM ${first}))::bigint`,
  daysIn: (month) => `(${month} + interval '1 month')::date - ${month}`,
  pacificDayOf: (moment) => `(${moment} AT TIME ZONE 'America/Los_Angeles')::date`,
  daysBetween: (first, last) => `(${last} - ${first})`,
  saleOf: (receipt) => `split_part(${receipt}, '-B', 1)`,
  hasAll: (list, other) => `(${list})::jsonb @> (${other})::jsonb`,
};

export const dialects: Readonly<Record<Dialect, DialectWords>> = { sqlite, postgres };

/** Types that count; test orders (`TEST_…`), fees and unknown types never do. */
export const countedTypes = "transaction_type IN ('SALE', 'BILL', 'RFND', 'CGBK')";

const typesOf = { sales: 'SALE', rebills: 'BILL', refunds: 'RFND', chargebacks: 'CGBK' } as const;

/** Counts of transactions by kind; `condition` chooses among the rows of a transaction. */
export function countsOf(condition?: string): string {
  const also = condition === undefined ? '' : ` AND ${condition}`;
  return Object.entries(typesOf)
    .map(
      ([name, type]) =>
        `sum(CASE WHEN transaction_type = '${type}'${also} THEN 1 ELSE 0 END) AS ${name}`,
    )
    .join(',\n  ');
}

/** What the account earns by the rows: the column account_amount is negative in refunds and chargebacks. */
export const amounts = `round(coalesce(sum(CASE WHEN transaction_type IN ('SALE', 'BILL') THEN account_amount END), 0), 2) AS earned,
  round(0 - coalesce(sum(CASE WHEN transaction_type = 'RFND' THEN account_amount END), 0), 2) AS refunded,
  round(0 - coalesce(sum(CASE WHEN transaction_type = 'CGBK' THEN account_amount END), 0), 2) AS charged_back,
  round(coalesce(sum(account_amount), 0), 2) AS net`;

/** A percentage of two sums. */
export function percentOf(part: string, whole: string): string {
  return `round(100.0 * (${part}) / nullif(${whole}, 0), 2)`;
}

/** By count, for `shared.rates`. */
export const rates = `${percentOf('refunds', 'sales + rebills')} AS refund_rate_percent,
  ${percentOf('chargebacks', 'sales + rebills')} AS chargeback_rate_percent`;

/** By amount, for `shared.ratesByAmount`. */
export const ratesByAmount = `${percentOf('refunded', 'earned')} AS refunded_percent,
  ${percentOf('charged_back', 'earned')} AS charged_back_percent`;

function columnsOfKind(kind: ViewColumnKind) {
  return (name: string, comment: string): ViewColumn => ({ name, kind, comment });
}

export const column = {
  text: columnsOfKind('text'),
  day: columnsOfKind('day'),
  month: columnsOfKind('month'),
  count: columnsOfKind('count'),
  amount: columnsOfKind('amount'),
  percent: columnsOfKind('percent'),
  decimal: columnsOfKind('decimal'),
};

const { amount, count, month, percent, text } = column;

/** Columns that several views have. */
export const shared = {
  account: text('account', 'The account: its first nickname'),
  month: month('month', 'First day of the Pacific month'),
  role: text('role', 'Role of the account in the transactions, such as VENDOR'),
  vendor: text('vendor', 'Nickname of the vendor'),
  product: text('product', 'SKU of the product'),
  counts: [
    count('sales', 'Sales'),
    count('rebills', 'Rebills'),
    count('refunds', 'Refunds'),
    count('chargebacks', 'Chargebacks'),
  ],
  amounts: [
    amount('earned', 'What the account earned by sales and rebills, in US dollars'),
    amount('refunded', 'What refunds took back, in US dollars, positive'),
    amount('charged_back', 'What chargebacks took back, in US dollars, positive'),
    amount('net', 'Earned less refunded and charged back, in US dollars'),
  ],
  rates: [
    percent('refund_rate_percent', 'Refunds in percent of sales and rebills, by count'),
    percent('chargeback_rate_percent', 'Chargebacks in percent of sales and rebills, by count'),
  ],
  ratesByAmount: [
    percent('refunded_percent', 'What refunds took back in percent of earned'),
    percent('charged_back_percent', 'What chargebacks took back in percent of earned'),
  ],
};

/** A value of a driver as cb prints it: amounts have two decimals in both databases. */
export function cellValue(value: unknown, kind: ViewColumnKind): Value {
  if (value === null || value === undefined) return null;
  if (kind === 'count') return Number(value);
  if (kind === 'text' || kind === 'day' || kind === 'month') return String(value);
  // SQLite returns doubles, and PostgreSQL digits.
  return new LosslessNumber(Number(value).toFixed(2));
}

/** What people should know who add up the rows of a view, in sentences. */
export function notesOf(
  { columns, note }: CopyView,
  rows: readonly Readonly<Record<string, unknown>>[],
): readonly string[] {
  const roles = new Set(rows.map(({ role }) => role));
  const hasCounts = columns.some(({ name }) => name === 'sales');
  const isShared = hasCounts && roles.has('VENDOR') && roles.has('AFFILIATE');
  return [
    ...(isShared
      ? [
          'A transaction between two of your accounts is in a row of each role: add up the amounts of the rows, but not their counts.',
        ]
      : []),
    ...(note && rows.length > 0 ? [note] : []),
  ];
}

/** Where the copy begins, if its figures depend on that. */
export function beginningOf(
  { ofShortCopy }: CopyView,
  rows: readonly unknown[],
  [first]: readonly { readonly firstDay: string }[],
): readonly string[] {
  if (!ofShortCopy || !first || rows.length === 0) return [];
  return [`The copy begins on ${first.firstDay}. ${ofShortCopy}`];
}
