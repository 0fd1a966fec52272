/** Payments, sales, rates, customers, clicks, and the months that are complete. Definitions: docs/metrics.md. */
import {
  amounts,
  type CopyView,
  column,
  countedTypes,
  countsOf,
  type DialectWords,
  percentOf,
  rates,
  ratesByAmount,
  shared,
} from './view.ts';

const { amount, count, day, month, percent, text } = column;

/** A payment, or what was paid back of one. */
const when = (types: string, amount: string) =>
  `round(CASE WHEN transaction_type IN (${types}) THEN ${amount} ELSE 0 END, 2)`;

const otherRow = (from: string, to: string) =>
  `FROM orders AS counterpart WHERE counterpart.account = orders.account
      AND counterpart.transaction_id = replace(orders.transaction_id, '.${from}', '.${to}')`;

/**
 * A transaction between two own nicknames has a row for each role, whose identities differ by the role only. It counts
 * with the row of the vendor. Few affiliates are own nicknames, so the other share is looked up for them only.
 */
const payments: CopyView = {
  name: 'payments',
  summary: 'Each sale, rebill, refund and chargeback once',
  columns: [
    shared.account,
    day('day', 'Pacific day of the transaction'),
    shared.month,
    text('receipt', 'Receipt; a rebill ends in a suffix such as -B002'),
    text('transaction_type', 'SALE, BILL, RFND or CGBK'),
    shared.vendor,
    text('affiliate', 'Nickname of the affiliate; null without one'),
    text('tracking_id', 'Tracking ID (promo code)'),
    text('country', 'Country of the customer'),
    text('customer', 'Email address of the customer in lower case'),
    text('currency', 'Currency that the customer paid in'),
    amount(
      'customer_paid',
      'What the customer paid, in US dollars or in currency, which is disputed',
    ),
    amount('paid_back', 'What the customer got back, positive, as customer_paid'),
    ...shared.amounts,
  ],
  select: () => `SELECT account, transaction_day AS day, transaction_month AS month, receipt,
  transaction_type, vendor, affiliate, tracking_id, country, customer, currency,
  ${when("'SALE', 'BILL'", 'paid')} AS customer_paid,
  ${when("'RFND', 'CGBK'", 'abs(paid)')} AS paid_back,
  ${when("'SALE', 'BILL'", 'share')} AS earned,
  ${when("'RFND'", '0 - share')} AS refunded,
  ${when("'CGBK'", '0 - share')} AS charged_back,
  round(share, 2) AS net
FROM (
  SELECT orders.*, coalesce(total_order_amount, 0) AS paid,
    coalesce(account_amount, 0) + CASE
      WHEN role = 'VENDOR' AND affiliate IN (SELECT affiliate FROM orders WHERE role = 'AFFILIATE')
      THEN coalesce((SELECT account_amount ${otherRow('VENDOR', 'AFFILIATE')}), 0)
      ELSE 0 END AS share
  FROM orders
  WHERE ${countedTypes} AND (coalesce(role, '') <> 'AFFILIATE'
    OR NOT EXISTS (SELECT 1 ${otherRow('AFFILIATE', 'VENDOR')}))
) AS shares`,
  source: 'orders',
  order: 'day, receipt, transaction_type',
  charts: ['earned', 'net'],
};

/** The index has the order of the groups, so that they are added up as they are read. */
const salesByDayAndProduct: CopyView = {
  name: 'sales_by_day_and_product',
  summary: 'What each product sold, earned and lost by day',
  columns: [
    shared.account,
    day('day', 'Pacific day of the transactions'),
    shared.month,
    shared.role,
    shared.vendor,
    shared.product,
    ...shared.counts,
    ...shared.amounts,
  ],
  select: () => `SELECT account, transaction_day AS day, transaction_month AS month, role, vendor,
  item_no AS product,
  ${countsOf('first_of_product')},
  ${amounts}
FROM order_items
WHERE ${countedTypes}
GROUP BY transaction_month, account, role, vendor, item_no, transaction_day`,
  source: 'orders',
  order: 'day, net DESC, vendor, product, role',
  charts: ['earned', 'net'],
};

const ofRates = [...shared.counts, ...shared.rates, ...shared.amounts, ...shared.ratesByAmount];

/** Rates by month, role and `keys`, which has SQL expressions by column name. */
function ratesBy(
  keys: Readonly<Record<string, string>>,
  rows: 'orders' | 'order_items',
  counts: string,
): string {
  const named = Object.entries(keys).map(([name, from]) => `${from} AS ${name}`);
  return `SELECT account, month, role, ${Object.keys(keys).join(', ')}, sales, rebills, refunds, chargebacks,
  ${rates}, earned, refunded, charged_back, net,
  ${ratesByAmount}
FROM (
  SELECT account, transaction_month AS month, role, ${named.join(', ')},
  ${counts},
  ${amounts}
  FROM ${rows}
  WHERE ${countedTypes}
  GROUP BY transaction_month, account, role, ${Object.values(keys).join(', ')}
) AS sums`;
}

const ratesByProduct: CopyView = {
  name: 'rates_by_product',
  also: ['refund-rate', 'refund-rates'],
  summary: 'Refund and chargeback rates by product and month',
  columns: [shared.account, shared.month, shared.role, shared.vendor, shared.product, ...ofRates],
  select: () =>
    ratesBy({ vendor: 'vendor', product: 'item_no' }, 'order_items', countsOf('first_of_product')),
  source: 'orders',
  order: 'month, sales + rebills DESC, vendor, product, role',
  charts: ['refunds', 'chargebacks'],
};

const ratesByAffiliate: CopyView = {
  name: 'rates_by_affiliate',
  summary: 'Refund and chargeback rates by affiliate and month',
  columns: [
    shared.account,
    shared.month,
    shared.role,
    text('affiliate', 'Nickname of the affiliate; null for sales without one'),
    ...ofRates,
  ],
  select: () => ratesBy({ affiliate: 'affiliate' }, 'orders', countsOf()),
  source: 'orders',
  order: 'month, sales + rebills DESC, affiliate, role',
  charts: ['refunds', 'chargebacks'],
};

/**
 * The other way to date a refund: by the month of the payment that it returns. Payments are found by receipt; a
 * receipt has one payment in each role. A left join makes SQLite begin with the few returns; those whose payment is
 * older than the copy have no month.
 */
const ratesByMonthOfSale: CopyView = {
  name: 'rates_by_month_of_sale',
  summary: 'Refund rates of the payments of each month',
  columns: [
    shared.account,
    month('month', 'First day of the Pacific month of the payments'),
    shared.role,
    count('sales', 'Sales of the month'),
    count('rebills', 'Rebills of the month'),
    count('refunds', 'Refunds of these payments, whenever they were made'),
    count('chargebacks', 'Chargebacks of these payments, whenever they were made'),
    ...shared.rates,
    column.decimal('days_to_refund', 'Average days from these payments to their refunds'),
  ],
  select: (sql) => `SELECT account, month, role, sales, rebills, refunds, chargebacks,
  ${rates}, days_to_refund
FROM (
  SELECT account, month, role, CAST(sum(sales) AS bigint) AS sales,
    CAST(sum(rebills) AS bigint) AS rebills, CAST(sum(refunds) AS bigint) AS refunds,
    CAST(sum(chargebacks) AS bigint) AS chargebacks,
    round(1.0 * sum(days) / nullif(sum(refunds), 0), 2) AS days_to_refund
  FROM (
    SELECT account, transaction_month AS month, role, ${countsOf()}, 0 AS days
    FROM orders
    WHERE transaction_type IN ('SALE', 'BILL')
    GROUP BY transaction_month, account, role
    UNION ALL
    SELECT paid.account, paid.transaction_month, paid.role, 0, 0,
      CASE WHEN returned.transaction_type = 'RFND' THEN 1 ELSE 0 END,
      CASE WHEN returned.transaction_type = 'CGBK' THEN 1 ELSE 0 END,
      CASE WHEN returned.transaction_type = 'RFND'
        THEN ${sql.daysBetween('paid.transaction_day', 'returned.transaction_day')} ELSE 0 END
    FROM orders AS returned
    LEFT JOIN orders AS paid ON paid.receipt = returned.receipt AND paid.account = returned.account
      AND coalesce(paid.role, '') = coalesce(returned.role, '')
      AND paid.transaction_type IN ('SALE', 'BILL')
    WHERE returned.transaction_type IN ('RFND', 'CGBK')
  ) AS parts
  GROUP BY month, account, role
  HAVING month IS NOT NULL
) AS sums`,
  source: 'orders',
  isCumulative: true,
  order: 'month, role',
  charts: ['refund_rate_percent'],
};

/** What an order is worth: upsells are transactions of their own, which belong to an order. */
const orderValueByMonth: CopyView = {
  name: 'order_value_by_month',
  also: ['aov', 'order-value', 'upsells'],
  summary: 'Earnings per order, and upsells, by month',
  columns: [
    shared.account,
    shared.month,
    shared.role,
    count('orders', 'Sales without upsells'),
    count('upsells', 'Upsells'),
    amount('earned', 'What the account earned by sales and upsells, in US dollars'),
    amount('earned_per_order', 'Earned for each order, in US dollars'),
    percent('upsell_percent', 'What upsells earned in percent of earned'),
  ],
  select: () => `SELECT account, month, role, orders, upsells, round(earned, 2) AS earned,
  round(1.0 * earned / nullif(orders, 0), 2) AS earned_per_order,
  ${percentOf('upsold', 'earned')} AS upsell_percent
FROM (
  SELECT account, transaction_month AS month, role,
    count(DISTINCT CASE WHEN line_item_type IS DISTINCT FROM 'UPSELL' THEN transaction_id END) AS orders,
    count(DISTINCT CASE WHEN line_item_type = 'UPSELL' THEN transaction_id END) AS upsells,
    coalesce(sum(account_amount), 0) AS earned,
    coalesce(sum(CASE WHEN line_item_type = 'UPSELL' THEN account_amount END), 0) AS upsold
  FROM order_items
  WHERE transaction_type = 'SALE'
  GROUP BY transaction_month, account, role
) AS sums`,
  source: 'orders',
  order: 'month, role',
  charts: ['earned_per_order'],
};

/**
 * Transactions of customers; affiliates do not see who they are. The index has these rows only, so that nothing is
 * compared when it is read.
 */
export const ofCustomers = `orders.${countedTypes} AND orders.customer IS NOT NULL AND coalesce(orders.role, 'VENDOR') = 'VENDOR'`;

const sales = "count(*) FILTER (WHERE transaction_type = 'SALE')";

const repeatCustomers: CopyView = {
  name: 'repeat_customers',
  also: ['customers'],
  summary: 'Customers with several orders',
  columns: [
    shared.account,
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
  ofShortCopy: 'Customers who bought before count as new.',
  order: 'orders DESC, net DESC, customer',
  charts: ['net'],
};

/** Whoever paid a rebill on an earlier day than a sale bought before the copy begins, and is in no cohort. */
const cohorts: CopyView = {
  name: 'cohorts',
  also: ['retention'],
  summary: 'Retention and revenue by month of the first sale',
  columns: [
    shared.account,
    month('cohort', 'First day of the Pacific month of the first sale'),
    month('month', 'First day of a Pacific month with transactions of the cohort'),
    count('months_after', 'Months from the cohort to the month'),
    count('customers', 'Customers of the cohort'),
    count('active_customers', 'Customers with a sale or rebill in the month'),
    percent('retention_percent', 'Active customers in percent of all customers'),
    amount('earned', 'Net earnings of the month by the cohort, in US dollars'),
    amount('earned_so_far', 'Net earnings until the end of the month'),
    amount('ltv', 'Lifetime value to date: net earnings so far for each customer of the cohort'),
  ],
  select: (sql) => `WITH firsts AS (
  SELECT account, customer,
    min(transaction_month) FILTER (WHERE transaction_type = 'SALE') AS cohort
  FROM orders
  WHERE ${ofCustomers}
  GROUP BY account, customer
  HAVING min(transaction_day) FILTER (WHERE transaction_type = 'SALE')
    <= min(transaction_day) FILTER (WHERE transaction_type IN ('SALE', 'BILL'))
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
  round(sum(earned) OVER (PARTITION BY account, cohort ORDER BY month), 2) AS earned_so_far,
  round(1.0 * sum(earned) OVER (PARTITION BY account, cohort ORDER BY month)
    / max(CASE WHEN month = cohort THEN active_customers END) OVER (PARTITION BY account, cohort), 2) AS ltv
FROM months`,
  source: 'orders',
  isCumulative: true,
  ofShortCopy: 'Customers who bought before count as new.',
  order: 'cohort, month',
  charts: ['earned'],
};

const customerValueByMonth: CopyView = {
  name: 'customer_value_by_month',
  also: ['ltv', 'lifetime-value', 'arpu'],
  summary: 'Earnings per customer, by month and to date',
  columns: [
    shared.account,
    shared.month,
    count('customers', 'Customers with a sale or rebill in the month'),
    count('new_customers', 'Customers whose first sale was in the month'),
    amount('net', 'Net earnings of the month by customers, in US dollars'),
    amount('net_per_customer', 'Net earnings of the month for each of its customers'),
    count('customers_so_far', 'All customers until the end of the month'),
    amount('ltv', 'Lifetime value to date: all net earnings so far for each of these customers'),
  ],
  select: (sql) => `SELECT account, month, CAST(customers AS bigint) AS customers,
  CAST(new_customers AS bigint) AS new_customers, net,
  round(1.0 * net / nullif(customers, 0), 2) AS net_per_customer,
  CAST(sum(new_customers) OVER until AS bigint) AS customers_so_far,
  round(1.0 * sum(net) OVER until / nullif(sum(new_customers) OVER until, 0), 2) AS ltv
FROM (
  SELECT account, month, sum(active_customers) AS customers,
    sum(CASE WHEN month = cohort THEN active_customers ELSE 0 END) AS new_customers,
    round(sum(earned), 2) AS net
  FROM (${cohorts.select(sql)}) AS cohorts
  GROUP BY account, month
) AS months
WINDOW until AS (PARTITION BY account ORDER BY month)`,
  source: 'orders',
  isCumulative: true,
  ofShortCopy: 'Customers who bought before count as new.',
  order: 'month',
  charts: ['ltv'],
};

const earningsByTrackingId: CopyView = {
  name: 'earnings_by_tracking_id',
  also: ['epc'],
  summary: 'Clicks, sales and earnings per click by tracking ID',
  columns: [
    shared.account,
    text('nickname', 'Nickname whose figures these are'),
    shared.month,
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
  summary: 'Months for which the copy is complete',
  columns: [
    shared.account,
    text('source', 'orders, analytics_days or another table that is read by day'),
    shared.month,
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

export const salesViews: readonly CopyView[] = [
  payments,
  salesByDayAndProduct,
  ratesByProduct,
  ratesByAffiliate,
  ratesByMonthOfSale,
  orderValueByMonth,
];

export const customerViews: readonly CopyView[] = [
  repeatCustomers,
  cohorts,
  customerValueByMonth,
  earningsByTrackingId,
  completeMonths,
];
