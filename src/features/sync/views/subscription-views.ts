/**
 * Subscriptions by month, as ChartMogul counts them: the recurring revenue of a customer starts, grows, shrinks, ends
 * or comes back, and churn rates follow from the sums (docs/metrics.md).
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

const group = 'account, role, currency';
const running = `OVER (PARTITION BY ${group} ORDER BY month)`;

const inCurrency = (name: string, comment: string) => amount(name, `${comment}, in currency`);

const columns: readonly ViewColumn[] = [
  shared.account,
  shared.month,
  text('role', 'Role of the account: VENDOR or AFFILIATE'),
  text('currency', 'Currency that the customers pay with'),
  count('active_subscriptions', 'Subscriptions that are active at the end of the month'),
  count('new_subscriptions', 'Subscriptions that became active in the month'),
  count('ended_subscriptions', 'Subscriptions that were canceled or completed in the month'),
  count('without_mrr', 'Active subscriptions whose price or frequency is not known'),
  count('active_customers', 'Customers with recurring revenue at the end of the month'),
  count('new_customers', 'Customers whose first subscription became active'),
  count('churned_customers', 'Customers whose last active subscription ended'),
  count('reactivated_customers', 'Customers who had churned and came back'),
  inCurrency('mrr_at_start', 'Monthly recurring revenue at the start of the month'),
  inCurrency('new_mrr', 'Recurring revenue of new customers'),
  inCurrency('expansion_mrr', 'Growth of the recurring revenue of active customers'),
  inCurrency('contraction_mrr', 'Decline of the recurring revenue of customers who stay, positive'),
  inCurrency('churned_mrr', 'Recurring revenue of customers who left, positive'),
  inCurrency('reactivation_mrr', 'Recurring revenue of customers who came back'),
  inCurrency('mrr', 'Monthly recurring revenue at the end of the month'),
  percent(
    'gross_mrr_churn_percent',
    'Churned and contraction MRR in percent of the MRR at the start',
  ),
  percent(
    'net_mrr_churn_percent',
    'Churned and contraction less expansion and reactivation MRR, in percent of the MRR at the start',
  ),
  percent('customer_churn_percent', 'Churned customers in percent of the customers at the start'),
];

const counts = columns.flatMap(({ name, kind }) => (kind === 'count' ? name : []));
const moved = [
  ...['new_subscriptions', 'ended_subscriptions', 'unpriced'],
  ...['new_customers', 'churned_customers', 'reactivated_customers', ...movedNames],
];

/** Customers with one subscription, who are most of them, need no running sums. */
const select = (sql: DialectWords) => `WITH RECURSIVE today AS (
  SELECT account AS owner, max(pacific_day) AS day
  FROM sync_runs
  GROUP BY account
),
terms AS (
  SELECT account, role, coalesce(currency, 'unknown') AS currency,
    coalesce(lower(email), subscription_id) AS customer, start_day,
    CASE WHEN stop_day <= today.day THEN stop_day END AS stop_day, mrr
  FROM subscriptions JOIN today ON today.owner = subscriptions.account
  WHERE start_day <= today.day AND (stop_day IS NULL OR stop_day > start_day)
),
priced AS (
  SELECT ${group}, customer, start_day, stop_day, mrr,
    count(*) OVER (PARTITION BY ${group}, customer) AS subscriptions
  FROM terms WHERE mrr IS NOT NULL
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
  SELECT ${group}, month, sum(started) AS new_subscriptions, sum(stopped) AS ended_subscriptions,
    sum(unpriced) AS unpriced
  FROM (
    SELECT ${group}, ${sql.monthOf('start_day')} AS month, 1 AS started, 0 AS stopped,
      CASE WHEN mrr IS NULL THEN 1 ELSE 0 END AS unpriced
    FROM terms
    UNION ALL
    SELECT ${group}, ${sql.monthOf('stop_day')}, 0, 1, CASE WHEN mrr IS NULL THEN -1 ELSE 0 END
    FROM terms WHERE stop_day IS NOT NULL
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
    sum(${moreCustomers}) ${running} AS active_customers,
    round(sum(${moreMrr}) ${running}, 2) AS mrr
  FROM figures
)
SELECT account, month, role, currency,
  ${counts.map((name) => `CAST(${name} AS bigint) AS ${name}`).join(', ')},
  ${atStart} AS mrr_at_start,
  ${movedNames.map((name) => `round(${name}, 2) AS ${name}`).join(', ')},
  mrr,
  ${percentOf('churned_mrr + contraction_mrr', atStart)} AS gross_mrr_churn_percent,
  ${percentOf('churned_mrr + contraction_mrr - expansion_mrr - reactivation_mrr', atStart)} AS net_mrr_churn_percent,
  ${percentOf('churned_customers', `active_customers - (${moreCustomers})`)} AS customer_churn_percent
FROM totals`;

export const subscriptionsByMonth: CopyView = {
  name: 'subscriptions_by_month',
  summary: 'Active, new and ended subscriptions, recurring revenue and churn by month',
  columns,
  select,
  source: 'subscriptions',
  order: 'month, currency, role',
  charts: ['mrr'],
};
