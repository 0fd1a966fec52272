/** Payments, sales by day and product, and refund and chargeback rates by month. Definitions: docs/metrics.md. */
import {
  accountColumn,
  amount,
  amountColumns,
  amounts,
  type CopyView,
  count,
  countColumns,
  countedTypes,
  countsOf,
  day,
  month,
  monthColumn,
  productColumn,
  rateColumns,
  rates,
  roleColumn,
  text,
  vendorColumn,
} from './view.ts';

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
  summary: 'Every sale, rebill, refund and chargeback once, without tests and fees',
  columns: [
    accountColumn,
    day('day', 'Pacific day of the transaction'),
    monthColumn,
    text('receipt', 'Receipt; a rebill ends in a suffix such as -B002'),
    text('transaction_type', 'SALE, BILL, RFND or CGBK'),
    vendorColumn,
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
    ...amountColumns,
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
    accountColumn,
    day('day', 'Pacific day of the transactions'),
    monthColumn,
    roleColumn,
    vendorColumn,
    productColumn,
    ...countColumns,
    ...amountColumns,
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

const ratesByProduct: CopyView = {
  name: 'rates_by_product',
  summary: 'Refund and chargeback rates of each product by month',
  columns: [
    accountColumn,
    monthColumn,
    roleColumn,
    vendorColumn,
    productColumn,
    ...countColumns,
    ...rateColumns,
  ],
  select: () => `SELECT account, month, role, vendor, product, sales, rebills, refunds, chargebacks,
  ${rates}
FROM (
  SELECT account, transaction_month AS month, role, vendor, item_no AS product,
  ${countsOf('first_of_product')}
  FROM order_items
  WHERE ${countedTypes}
  GROUP BY transaction_month, account, role, vendor, item_no
) AS sums`,
  source: 'orders',
  order: 'month, sales + rebills DESC, vendor, product, role',
  charts: ['refunds', 'chargebacks'],
};

const ratesByAffiliate: CopyView = {
  name: 'rates_by_affiliate',
  summary: 'Refund and chargeback rates of each affiliate by month',
  columns: [
    accountColumn,
    monthColumn,
    roleColumn,
    text('affiliate', 'Nickname of the affiliate; null for sales without one'),
    ...countColumns,
    ...rateColumns,
    ...amountColumns,
  ],
  select: () => `SELECT account, month, role, affiliate, sales, rebills, refunds, chargebacks,
  ${rates}, earned, refunded, charged_back, net
FROM (
  SELECT account, transaction_month AS month, role, affiliate,
  ${countsOf()},
  ${amounts}
  FROM orders
  WHERE ${countedTypes}
  GROUP BY transaction_month, account, role, affiliate
) AS sums`,
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
  summary: 'How many payments of each month were refunded or charged back until now',
  columns: [
    accountColumn,
    month('month', 'First day of the Pacific month of the payments'),
    roleColumn,
    count('sales', 'Sales of the month'),
    count('rebills', 'Rebills of the month'),
    count('refunds', 'Refunds of these payments, whenever they were made'),
    count('chargebacks', 'Chargebacks of these payments, whenever they were made'),
    ...rateColumns,
  ],
  select: () => `SELECT account, month, role, sales, rebills, refunds, chargebacks,
  ${rates}
FROM (
  SELECT account, month, role, CAST(sum(sales) AS bigint) AS sales,
    CAST(sum(rebills) AS bigint) AS rebills, CAST(sum(refunds) AS bigint) AS refunds,
    CAST(sum(chargebacks) AS bigint) AS chargebacks
  FROM (
    SELECT account, transaction_month AS month, role,
      sum(CASE WHEN transaction_type = 'SALE' THEN 1 ELSE 0 END) AS sales,
      sum(CASE WHEN transaction_type = 'BILL' THEN 1 ELSE 0 END) AS rebills,
      0 AS refunds, 0 AS chargebacks
    FROM orders
    WHERE transaction_type IN ('SALE', 'BILL')
    GROUP BY transaction_month, account, role
    UNION ALL
    SELECT paid.account, paid.transaction_month, paid.role, 0, 0,
      CASE WHEN returned.transaction_type = 'RFND' THEN 1 ELSE 0 END,
      CASE WHEN returned.transaction_type = 'CGBK' THEN 1 ELSE 0 END
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

export const salesViews: readonly CopyView[] = [
  payments,
  salesByDayAndProduct,
  ratesByProduct,
  ratesByAffiliate,
  ratesByMonthOfSale,
];
