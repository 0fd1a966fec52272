/** All views of a copy, and how they are brought up to date. */

import { codeOf } from '../../../storage/error-code.ts';
import { commentsOn, metaOf, setMeta } from '../database/schema.ts';
import { DestinationError, type Dialect, type Sql } from '../destination.ts';
import { salesViews } from './sales-views.ts';
import { subscriptionsByMonth } from './subscription-views.ts';
import {
  accountColumn,
  amount,
  type CopyView,
  count,
  countedTypes,
  type DialectWords,
  day,
  dialects,
  month,
  monthColumn,
  percent,
  percentOf,
  text,
} from './view.ts';

/**
 * Transactions of customers; affiliates do not see who they are. The index has these rows only, so that nothing is
 * compared when it is read.
 */
const ofCustomers = `orders.${countedTypes} AND orders.customer IS NOT NULL AND coalesce(orders.role, 'VENDOR') = 'VENDOR'`;

const sales = "count(*) FILTER (WHERE transaction_type = 'SALE')";

const repeatCustomers: CopyView = {
  name: 'repeat_customers',
  summary: 'Customers with several orders',
  columns: [
    accountColumn,
    text('customer', 'Email address of the customer in lower case'),
    count('orders', 'Sales; rebills are no further orders'),
    count('payments', 'Sales and rebills'),
    count('refunds', 'Refunds and chargebacks'),
    day('first_day', 'Pacific day of the first transaction in the copy'),
    day('last_day', 'Pacific day of the latest transaction'),
    amount('net', 'What the account earned by the customer, in US dollars'),
  ],
  select: () => `SELECT account, customer,
  ${sales} AS orders,
  count(*) FILTER (WHERE transaction_type IN ('SALE', 'BILL')) AS payments,
  count(*) FILTER (WHERE transaction_type IN ('RFND', 'CGBK')) AS refunds,
  min(transaction_day) AS first_day,
  max(transaction_day) AS last_day,
  round(coalesce(sum(account_amount), 0), 2) AS net
FROM orders
WHERE ${ofCustomers}
GROUP BY account, customer
HAVING ${sales} >= 2`,
  source: 'orders',
  isCumulative: true,
  order: 'orders DESC, net DESC, customer',
  charts: ['net'],
};

const cohorts: CopyView = {
  name: 'cohorts',
  summary: 'Retention and revenue of customers by the month of their first sale',
  columns: [
    accountColumn,
    month('cohort', 'First day of the Pacific month of the first sale'),
    month('month', 'First day of a Pacific month with transactions of the cohort'),
    count('months_after', 'Months from the cohort to the month'),
    count('customers', 'Customers of the cohort'),
    count('active_customers', 'Customers with a sale or rebill in the month'),
    percent('retention_percent', 'Active customers in percent of all customers'),
    amount('earned', 'Net earnings of the month by the cohort, in US dollars'),
    amount('earned_so_far', 'Net earnings until the end of the month'),
  ],
  select: (sql) => `WITH firsts AS (
  SELECT account, customer,
    min(transaction_month) FILTER (WHERE transaction_type = 'SALE') AS cohort
  FROM orders
  WHERE ${ofCustomers}
  GROUP BY account, customer
  HAVING ${sales} > 0
),
active AS (
  SELECT firsts.account, firsts.cohort, orders.transaction_month AS month,
    max(CASE WHEN orders.transaction_type IN ('SALE', 'BILL') THEN 1 ELSE 0 END) AS paid,
    sum(orders.account_amount) AS earned
  FROM firsts
  JOIN orders ON orders.account = firsts.account AND orders.customer = firsts.customer
  WHERE ${ofCustomers} AND orders.transaction_month >= firsts.cohort
  GROUP BY firsts.account, firsts.customer, firsts.cohort, orders.transaction_month
),
months AS (
  SELECT account, cohort, month, sum(paid) AS active_customers, coalesce(sum(earned), 0) AS earned
  FROM active
  GROUP BY month, cohort, account
)
SELECT account, cohort, month, ${sql.monthsBetween('cohort', 'month')} AS months_after,
  CAST(max(CASE WHEN month = cohort THEN active_customers END) OVER (PARTITION BY account, cohort) AS bigint) AS customers,
  CAST(active_customers AS bigint) AS active_customers,
  ${percentOf('active_customers', 'max(CASE WHEN month = cohort THEN active_customers END) OVER (PARTITION BY account, cohort)')} AS retention_percent,
  round(earned, 2) AS earned,
  round(sum(earned) OVER (PARTITION BY account, cohort ORDER BY month), 2) AS earned_so_far
FROM months`,
  source: 'orders',
  isCumulative: true,
  order: 'cohort, month',
  charts: ['earned'],
};

const earningsByTrackingId: CopyView = {
  name: 'earnings_by_tracking_id',
  summary: 'Clicks, sales and earnings per click of each tracking ID by month',
  columns: [
    accountColumn,
    text('nickname', 'Nickname whose figures these are'),
    monthColumn,
    text('role', 'Its role: VENDOR or AFFILIATE'),
    text('tracking_id', 'The tracking ID; Not Set without one; Other for the rest'),
    count('clicks', 'Clicks (hops)'),
    count('sales', 'Sales without upsells'),
    count('rebills', 'Rebills'),
    count('refunds', 'Refunds'),
    count('chargebacks', 'Chargebacks'),
    amount('net', 'Net earnings by analytics, in US dollars'),
    amount('earnings_per_click', 'Net earnings for each click, in US dollars'),
    percent('sales_percent', 'Sales in percent of clicks'),
  ],
  select: (sql) => `SELECT account, nickname, month, role, tracking_id,
  clicks, sales, rebills, refunds, chargebacks, net,
  round(1.0 * net / nullif(clicks, 0), 2) AS earnings_per_click,
  ${percentOf('sales', 'clicks')} AS sales_percent
FROM (
  SELECT account, nickname, ${sql.monthOf('day')} AS month, role, dimension_value AS tracking_id,
    CAST(coalesce(sum(hop_count), 0) AS bigint) AS clicks,
    CAST(coalesce(sum(sale_count), 0) AS bigint) AS sales,
    CAST(coalesce(sum(rebill_count), 0) AS bigint) AS rebills,
    CAST(coalesce(sum(refund_count), 0) AS bigint) AS refunds,
    CAST(coalesce(sum(chargeback_count), 0) AS bigint) AS chargebacks,
    round(coalesce(sum(net_sale_amount), 0), 2) AS net
  FROM analytics_days
  WHERE dimension = 'TRACKING_ID'
  GROUP BY account, nickname, ${sql.monthOf('day')}, role, dimension_value
) AS sums`,
  source: 'analytics_days',
  order: 'month, net DESC, tracking_id, nickname, role',
  note: 'Sales are without upsells, because one click leads to both.',
  charts: ['clicks'],
};

/** A day or a list that was read with all nicknames of its account. */
const hasNicknames = (sql: DialectWords, table: string) =>
  `NOT EXISTS (SELECT 1 FROM sync_accounts WHERE sync_accounts.account = ${table}.account
    AND sync_accounts.nicknames <> ${table}.nicknames
    AND NOT ${sql.hasAll(`${table}.nicknames`, 'sync_accounts.nicknames')})`;

const completeMonths: CopyView = {
  name: 'complete_months',
  summary: 'Months of which every day was read after it ended, with all nicknames of the account',
  columns: [
    accountColumn,
    text('source', 'orders, analytics_days or another table that is read by day'),
    monthColumn,
  ],
  select: (sql) => `WITH RECURSIVE listed AS (
  SELECT subscriptions.account, sync_reads.source, ${sql.monthOf('min(start_day)')} AS month,
    ${sql.pacificDayOf('sync_reads.synced_at')} AS read_day
  FROM subscriptions
  JOIN sync_reads ON sync_reads.account = subscriptions.account AND sync_reads.source = 'subscriptions'
  WHERE start_day IS NOT NULL AND ${hasNicknames(sql, 'sync_reads')}
  GROUP BY subscriptions.account, sync_reads.source, sync_reads.synced_at
  UNION ALL
  SELECT account, source, ${sql.nextMonth('month')}, read_day FROM listed
  WHERE ${sql.nextMonth('month')} < read_day
)
SELECT account, source, month
FROM (SELECT account, source, day, ${sql.monthOf('day')} AS month,
    ${sql.pacificDayOf('synced_at')} AS read_day
  FROM sync_days
  WHERE ${hasNicknames(sql, 'sync_days')}) AS days
WHERE day < read_day
GROUP BY account, source, month
HAVING count(*) = ${sql.daysIn('month')}
UNION ALL
SELECT account, source, month FROM listed WHERE ${sql.nextMonth('month')} <= read_day`,
  order: 'source, month, account',
  charts: [],
};

/** A view that reads another one comes after it. */
export const views: readonly CopyView[] = [
  ...salesViews,
  subscriptionsByMonth,
  ...[repeatCustomers, cohorts, earningsByTrackingId, completeMonths],
];

/** What each index is on. They hold all columns that the views read, because the rows of orders are large. */
export const viewIndexes: Readonly<Record<string, string>> = {
  order_items_for_sales:
    'order_items (transaction_month, account, role, vendor, item_no, transaction_day, transaction_type, first_of_product, account_amount)',
  orders_for_rates:
    'orders (transaction_month, account, role, affiliate, transaction_type, account_amount)',
  orders_for_payments:
    "orders (receipt, account, role, transaction_month) WHERE transaction_type IN ('SALE', 'BILL')",
  orders_for_returns:
    "orders (receipt, account, role, transaction_type) WHERE transaction_type IN ('RFND', 'CGBK')",
  subscriptions_for_months:
    'subscriptions (account, role, currency, email, subscription_id, start_day, stop_day, mrr)',
  orders_for_customers: `orders (account, customer, transaction_month, transaction_day, transaction_type, account_amount) WHERE ${ofCustomers.replaceAll('orders.', '')}`,
};

/** What is in a copy besides tables: what each index is on, and the statements of views and of their comments. */
function wanted(dialect: Dialect) {
  const comments = views.flatMap(({ name, summary, columns }) =>
    commentsOn('VIEW', name, summary, columns),
  );
  return {
    indexes: viewIndexes,
    views: Object.fromEntries(views.map(({ name, select }) => [name, select(dialects[dialect])])),
    // SQLite has none.
    comments: dialect === 'sqlite' ? [] : comments,
  };
}

/**
 * Creates the views of this cb in place of those of another version, and the indexes that changed. Does nothing if all
 * are there. Views that users made are left alone. Runs in a transaction.
 */
export async function replaceViews(sql: Sql): Promise<void> {
  const stored = await metaOf(sql, 'views');
  const now = wanted(sql.dialect);
  if (stored === JSON.stringify(now)) return;
  const before: typeof now = { indexes: {}, views: {}, ...JSON.parse(stored ?? '{}') };
  // In PostgreSQL, a view that is replaced keeps its grants and the views of users.
  const isReplaced = (name: string) =>
    sql.dialect === 'postgres' && [before, now].every(({ views }) => Object.hasOwn(views, name));
  for (const name of Object.keys(before.views)) if (!isReplaced(name)) await dropView(sql, name);
  for (const [name, on] of Object.entries({ ...before.indexes, ...now.indexes })) {
    if (before.indexes[name] === now.indexes[name]) continue;
    await sql.query(`DROP INDEX IF EXISTS ${name}`);
    if (Object.hasOwn(now.indexes, name)) await sql.query(`CREATE INDEX ${name} ON ${on}`);
  }
  for (const [name, select] of Object.entries(now.views)) {
    if (isReplaced(name)) await replaceView(sql, name, select);
    else await sql.query(`CREATE VIEW ${name} AS\n${select}`);
  }
  for (const comment of now.comments) await sql.query(comment);
  await setMeta(sql, 'views', JSON.stringify(now));
}

/** PostgreSQL replaces a view with equal columns, and with new ones at the end. */
async function replaceView(sql: Sql, name: string, select: string): Promise<void> {
  await sql.query('SAVEPOINT replaced_view');
  try {
    await sql.query(`CREATE OR REPLACE VIEW ${name} AS\n${select}`);
  } catch (error) {
    if (codeOf(error) !== otherColumns) throw error;
    await sql.query('ROLLBACK TO SAVEPOINT replaced_view');
    await dropView(sql, name);
    await sql.query(`CREATE VIEW ${name} AS\n${select}`);
  }
}

const otherColumns = '42P16';

/** Throws a DestinationError that names what a user made and what stops the change. */
async function dropView(sql: Sql, name: string): Promise<void> {
  try {
    await sql.query(`DROP VIEW IF EXISTS ${name}`);
  } catch (error) {
    if (codeOf(error) !== hasDependents) throw error;
    const [reason = ''] = String((error as { readonly detail?: unknown }).detail).split('\n');
    throw new DestinationError(
      'unsuitable',
      `Cannot change the columns of the view ${name} in ${sql.label}: ${reason}.`,
      {
        hint: 'Drop what depends on it, run the command again, and create it again.',
        cause: error,
      },
    );
  }
}

const hasDependents = '2BP01';
