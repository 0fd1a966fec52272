/**
 * Subscriptions by month, as ChartMogul counts them: the recurring revenue of a customer starts, grows, shrinks, ends
 * or comes back, and churn rates follow from the sums (docs/metrics.md). A customer counts once in each group of keys.
 */
import {
  type CopyView,
  column,
  type DialectWords,
  percentOf,
  shared,
  type ViewColumn,
} from './view.ts';

const { amount, count, percent, text } = column;

const movements = {
  new: 'before = 0 AND after > 0 AND nth = 1',
  expansion: 'before > 0 AND after > 0 AND mrr > 0',
  contraction: 'before > 0 AND after > 0 AND mrr < 0',
  churned: 'before > 0 AND after = 0',
  reactivation: 'before = 0 AND after > 0 AND nth > 1',
} as const;

const losing: readonly string[] = ['contraction', 'churned'];

const movedAmounts = Object.entries(movements).map(([name, when]) => {
  const sign = losing.includes(name) ? '0 - ' : '';
  return `${sign}coalesce(sum(CASE WHEN ${when} THEN mrr END), 0) AS ${name}_mrr`;
});

const movedCustomers = [
  `sum(CASE WHEN ${movements.new} THEN 1 ELSE 0 END) AS new_customers`,
  `sum(CASE WHEN ${movements.churned} THEN 1 ELSE 0 END) AS churned_customers`,
  `sum(CASE WHEN ${movements.reactivation} THEN 1 ELSE 0 END) AS reactivated_customers`,
];

const movedNames = Object.keys(movements).map((name) => `${name}_mrr`);
const moreMrr = 'new_mrr + expansion_mrr + reactivation_mrr - contraction_mrr - churned_mrr';
const atStart = `round(mrr - (${moreMrr}), 2)`;
const moreCustomers = 'new_customers + reactivated_customers - churned_customers';

/** `currency` says what amounts are in. */
function columnsOf(keys: readonly ViewColumn[], currency: string): readonly ViewColumn[] {
  const money = (name: string, comment: string) => amount(name, `${comment}, in ${currency}`);
  return [
    shared.account,
    shared.month,
    text('role', 'Role of the account: VENDOR or AFFILIATE'),
    ...keys,
    count(
      'active_subscriptions',
      'Subscriptions without end that are active at the end of the month',
    ),
    count('new_subscriptions', 'Subscriptions without end that became active in the month'),
    count('ended_subscriptions', 'Subscriptions without end that were canceled in the month'),
    count('without_mrr', 'Active subscriptions whose payments are not known'),
    count('active_customers', 'Customers with recurring revenue at the end of the month'),
    count('new_customers', 'Customers whose first subscription became active'),
    count('churned_customers', 'Customers whose last active subscription ended'),
    count('reactivated_customers', 'Customers who had churned and came back'),
    money('mrr_at_start', 'Monthly recurring revenue at the start of the month'),
    money('new_mrr', 'Recurring revenue of new customers'),
    money('expansion_mrr', 'Growth of the recurring revenue of active customers'),
    money('contraction_mrr', 'Decline of the recurring revenue of customers who stay, positive'),
    money('churned_mrr', 'Recurring revenue of customers who left, positive'),
    money('reactivation_mrr', 'Recurring revenue of customers who came back'),
    money('mrr', 'Monthly recurring revenue at the end of the month'),
    percent(
      'gross_mrr_churn_percent',
      'Churned and contraction MRR in percent of the MRR at the start',
    ),
    percent(
      'net_mrr_churn_percent',
      'Churned and contraction less expansion and reactivation MRR, in percent of the MRR at the start',
    ),
    percent('customer_churn_percent', 'Churned customers in percent of the customers at the start'),
    count(
      'installment_plans',
      'Active plans with a fixed number of payments, at the end of the month',
    ),
    money('installments', 'Payments of these plans by month, not in mrr'),
  ];
}

const counts = [
  ...['active_subscriptions', 'new_subscriptions', 'ended_subscriptions', 'without_mrr'],
  ...['active_customers', 'new_customers', 'churned_customers', 'reactivated_customers'],
];
const moved = [
  ...['new_subscriptions', 'ended_subscriptions', 'unpriced', 'plans', 'planned'],
  ...['new_customers', 'churned_customers', 'reactivated_customers', ...movedNames],
];

/** A plan with a fixed number of payments is not recurring, and ends when it is paid. */
const isEndless = 'coalesce(duration, future_payments, 999) >= 999';

/** The price as the customer pays it. */
const prices = () => 'SELECT subscriptions.*, mrr AS revenue FROM subscriptions';

/** What the account earns by a payment: by its rebills, or by the first payment of a subscription without a trial. */
const earnings = (sql: DialectWords) => `SELECT subscriptions.*,
    round(coalesce(shares.rebill, CASE WHEN start_day = ${sql.pacificDayOf('purchase_time')} THEN shares.sale END)
      / nullif(payment_months, 0), 2) AS revenue
  FROM subscriptions
  LEFT JOIN (
    SELECT account, role, ${sql.saleOf('receipt')} AS receipt, item_no,
      1.0 * sum(CASE WHEN transaction_type = 'BILL' THEN account_amount END)
        / count(DISTINCT CASE WHEN transaction_type = 'BILL' THEN receipt END) AS rebill,
      sum(CASE WHEN transaction_type = 'SALE' THEN account_amount END) AS sale
    FROM order_items
    WHERE transaction_type IN ('SALE', 'BILL')
    GROUP BY account, role, ${sql.saleOf('receipt')}, item_no
  ) AS shares ON shares.account = subscriptions.account AND shares.role = subscriptions.role
    AND shares.receipt = subscriptions.receipt AND shares.item_no = subscriptions.item_no`;

interface Grouping {
  /** Names of columns of the result, by the expressions of the subscription that they are. */
  readonly keys: Readonly<Record<string, string>>;
  /** The subscriptions with their revenue. */
  terms(sql: DialectWords): string;
}

/** Customers with one subscription, who are most of them, need no running sums. */
function select(sql: DialectWords, { keys, terms }: Grouping): string {
  const group = ['account', 'role', ...Object.keys(keys)].join(', ');
  const running = `OVER (PARTITION BY ${group} ORDER BY month)`;
  const named = Object.entries(keys).map(
    ([name, expression]) => `coalesce(${expression}, '') AS ${name}, `,
  );
  const shown = Object.keys(keys).map((name) => `nullif(${name}, '') AS ${name}, `);
  return `WITH RECURSIVE today AS (
  SELECT account AS owner, ${sql.pacificDayOf('synced_at')} AS day
  FROM sync_reads
  WHERE source = 'subscriptions'
),
terms AS MATERIALIZED (
  SELECT account, role, ${named.join('')}
    coalesce(lower(email), subscription_id) AS customer, start_day,
    CASE WHEN stop_day <= today.day THEN stop_day END AS stop_day,
    CASE WHEN ${isEndless} THEN 1 ELSE 0 END AS is_endless, revenue AS mrr
  FROM (${terms(sql)}) AS subscriptions JOIN today ON today.owner = subscriptions.account
  WHERE start_day <= today.day AND (stop_day IS NULL OR stop_day > start_day)
),
priced AS (
  SELECT ${group}, customer, start_day, stop_day, mrr,
    count(*) OVER (PARTITION BY ${group}, customer) AS subscriptions
  FROM terms WHERE mrr IS NOT NULL AND is_endless = 1
),
days AS (
  SELECT ${group}, customer, day, sum(change) AS change, sum(mrr) AS mrr
  FROM (
    SELECT ${group}, customer, start_day AS day, 1 AS change, mrr FROM priced WHERE subscriptions > 1
    UNION ALL
    SELECT ${group}, customer, stop_day, -1, 0 - mrr FROM priced
    WHERE subscriptions > 1 AND stop_day IS NOT NULL
  ) AS changes
  GROUP BY ${group}, customer, day
),
states AS (
  SELECT ${group}, day, mrr,
    sum(change) OVER customer_days - change AS before,
    sum(change) OVER customer_days AS after,
    row_number() OVER customer_days AS nth
  FROM days
  WINDOW customer_days AS (PARTITION BY ${group}, customer ORDER BY day)
  UNION ALL
  SELECT ${group}, start_day, mrr, 0, 1, 1 FROM priced WHERE subscriptions = 1
  UNION ALL
  SELECT ${group}, stop_day, 0 - mrr, 1, 0, 2 FROM priced
  WHERE subscriptions = 1 AND stop_day IS NOT NULL
),
moved AS (
  SELECT ${group}, ${sql.monthOf('day')} AS month,
    ${[...movedAmounts, ...movedCustomers].join(',\n    ')}
  FROM states
  GROUP BY ${group}, ${sql.monthOf('day')}
),
counted AS (
  SELECT ${group}, month,
    sum(CASE WHEN is_endless = 1 AND step = 1 THEN 1 ELSE 0 END) AS new_subscriptions,
    sum(CASE WHEN is_endless = 1 AND step = -1 THEN 1 ELSE 0 END) AS ended_subscriptions,
    sum(CASE WHEN is_endless = 1 AND mrr IS NULL THEN step ELSE 0 END) AS unpriced,
    sum(CASE WHEN is_endless = 0 THEN step ELSE 0 END) AS plans,
    sum(CASE WHEN is_endless = 0 THEN step * coalesce(mrr, 0) ELSE 0 END) AS planned
  FROM (
    SELECT ${group}, ${sql.monthOf('start_day')} AS month, 1 AS step, is_endless, mrr FROM terms
    UNION ALL
    SELECT ${group}, ${sql.monthOf('stop_day')}, -1, is_endless, mrr FROM terms
    WHERE stop_day IS NOT NULL
  ) AS changes
  GROUP BY ${group}, month
),
months AS (
  SELECT ${group}, min(month) AS month,
    (SELECT ${sql.monthOf('today.day')} FROM today WHERE today.owner = counted.account) AS final
  FROM counted
  GROUP BY ${group}
  UNION ALL
  SELECT ${group}, ${sql.nextMonth('month')}, final FROM months WHERE month < final
),
figures AS (
  SELECT ${group}, month, ${moved.map((name) => `coalesce(${name}, 0) AS ${name}`).join(', ')}
  FROM months
  LEFT JOIN counted USING (${group}, month)
  LEFT JOIN moved USING (${group}, month)
),
totals AS (
  SELECT *,
    sum(new_subscriptions - ended_subscriptions) ${running} AS active_subscriptions,
    sum(unpriced) ${running} AS without_mrr,
    sum(plans) ${running} AS installment_plans,
    round(sum(planned) ${running}, 2) AS installments,
    sum(${moreCustomers}) ${running} AS active_customers,
    round(sum(${moreMrr}) ${running}, 2) AS mrr
  FROM figures
)
SELECT account, month, role, ${shown.join('')}
  ${counts.map((name) => `CAST(${name} AS bigint) AS ${name}`).join(', ')},
  ${atStart} AS mrr_at_start,
  ${movedNames.map((name) => `round(${name}, 2) AS ${name}`).join(', ')},
  mrr,
  ${percentOf('churned_mrr + contraction_mrr', atStart)} AS gross_mrr_churn_percent,
  ${percentOf('churned_mrr + contraction_mrr - expansion_mrr - reactivation_mrr', atStart)} AS net_mrr_churn_percent,
  ${percentOf('churned_customers', `active_customers - (${moreCustomers})`)} AS customer_churn_percent,
  CAST(installment_plans AS bigint) AS installment_plans, installments
FROM totals`;
}

const facts = { source: 'subscriptions', charts: ['mrr'] } as const;
const ofEarnings = {
  ...facts,
  pricedBy: 'orders',
  ofShortCopy: 'Subscriptions without a payment since then have no MRR.',
} as const;
const dollars = 'US dollars, as the account earns it';

const subscriptionsByMonth: CopyView = {
  ...facts,
  name: 'subscriptions_by_month',
  also: ['subscriptions'],
  summary: 'MRR as customers pay it, and churn, by currency',
  columns: columnsOf([text('currency', 'Currency that the customers pay with')], 'currency'),
  select: (sql) =>
    select(sql, { keys: { currency: "coalesce(currency, 'unknown')" }, terms: prices }),
  order: 'month, currency, role',
};

const mrrByMonth: CopyView = {
  ...ofEarnings,
  name: 'mrr_by_month',
  also: ['mrr', 'churn'],
  summary: 'MRR as the account earns it, and churn',
  columns: columnsOf([], dollars),
  select: (sql) => select(sql, { keys: {}, terms: earnings }),
  order: 'month, role',
};

const mrrByProduct: CopyView = {
  ...ofEarnings,
  name: 'mrr_by_product',
  summary: 'MRR and churn by product, vendor and affiliate',
  columns: columnsOf(
    [
      shared.vendor,
      shared.product,
      text('affiliate', 'Nickname of the affiliate; null for sales without one'),
    ],
    dollars,
  ),
  select: (sql) => {
    const keys = { vendor: 'vendor', product: 'item_no', affiliate: 'affiliate' };
    return select(sql, { keys, terms: earnings });
  },
  order: 'month, mrr DESC, vendor, product, affiliate, role',
};

/** A trial that was canceled before its end was not paid. */
const trialsByMonth: CopyView = {
  name: 'trials_by_month',
  also: ['trials'],
  summary: 'Trials that ended, and how many were paid',
  columns: [
    shared.account,
    shared.month,
    text('role', 'Role of the account: VENDOR or AFFILIATE'),
    count('trials', 'Trials whose last day was in the month'),
    count('paid', 'Trials that were followed by a payment'),
    percent('trial_to_paid_percent', 'Paid trials in percent of all trials'),
  ],
  select: (sql) => `SELECT account, month, role, trials, paid,
  ${percentOf('paid', 'trials')} AS trial_to_paid_percent
FROM (
  SELECT account, ${sql.monthOf('start_day')} AS month, role, count(*) AS trials,
    sum(CASE WHEN rebill_sale_count > 0 THEN 1 ELSE 0 END) AS paid
  FROM subscriptions
  WHERE start_day > ${sql.pacificDayOf('purchase_time')}
    AND start_day <= (SELECT ${sql.pacificDayOf('sync_reads.synced_at')} FROM sync_reads
      WHERE sync_reads.account = subscriptions.account AND source = 'subscriptions')
  GROUP BY account, ${sql.monthOf('start_day')}, role
) AS ended`,
  source: 'subscriptions',
  order: 'month, role',
  charts: ['trials', 'paid'],
};

export const subscriptionViews: readonly CopyView[] = [
  subscriptionsByMonth,
  mrrByMonth,
  mrrByProduct,
  trialsByMonth,
];
