/** Customers with several orders, and cohorts. A customer is an email address of an account. */
import {
  accountColumn,
  type CopyView,
  countedTypes,
  noneKept,
  percent,
  type ViewIndex,
  viewColumn,
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
    viewColumn('customer', 'text', 'Email address of the customer in lower case'),
    viewColumn('orders', 'count', 'Sales; rebills are no further orders'),
    viewColumn('payments', 'count', 'Sales and rebills'),
    viewColumn('refunds', 'count', 'Refunds and chargebacks'),
    viewColumn('first_day', 'day', 'Pacific day of the first transaction in the copy'),
    viewColumn('last_day', 'day', 'Pacific day of the latest transaction'),
    viewColumn('net', 'amount', 'What the account earned by the customer, in US dollars'),
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
    viewColumn('cohort', 'month', 'First day of the Pacific month of the first sale'),
    viewColumn('month', 'month', 'First day of a Pacific month with transactions of the cohort'),
    viewColumn('months_after', 'count', 'Months from the cohort to the month'),
    viewColumn('customers', 'count', 'Customers of the cohort'),
    viewColumn('active_customers', 'count', 'Customers with a sale or rebill in the month'),
    viewColumn('retention_percent', 'percent', 'Active customers in percent of all customers'),
    viewColumn('earned', 'amount', 'Net earnings of the month by the cohort, in US dollars'),
    viewColumn('earned_so_far', 'amount', 'Net earnings until the end of the month'),
  ],
  select: (sql) => `WITH firsts AS (
  SELECT account, customer,
    min(transaction_month) FILTER (WHERE transaction_type = 'SALE') AS cohort
  FROM (SELECT 1 AS computed FROM sync_meta WHERE name = 'schema_version' AND ${noneKept}) AS unless_kept
  CROSS JOIN orders
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
  ${percent('active_customers', 'max(CASE WHEN month = cohort THEN active_customers END) OVER (PARTITION BY account, cohort)')} AS retention_percent,
  round(earned, 2) AS earned,
  round(sum(earned) OVER (PARTITION BY account, cohort ORDER BY month), 2) AS earned_so_far
FROM months`,
  isKept: true,
  source: 'orders',
  isCumulative: true,
  order: 'cohort, month',
  charts: ['earned'],
};

export const customerViews: readonly CopyView[] = [repeatCustomers, cohorts];

export const customerIndexes: readonly ViewIndex[] = [
  {
    name: 'orders_for_customers',
    on: `orders (account, customer, transaction_month, transaction_day, transaction_type, account_amount) WHERE ${ofCustomers.replaceAll('orders.', '')}`,
  },
];
