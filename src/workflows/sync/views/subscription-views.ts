/**
 * Subscriptions by month, as ChartMogul counts them: the recurring revenue of a customer starts, grows, shrinks, ends
 * or comes back, and churn rates follow from the sums (docs/metrics.md).
 */
import {
  accountColumn,
  type CopyView,
  type DialectWords,
  monthColumn,
  percent,
  type ViewColumn,
  viewColumn,
} from './view.ts';

const named = "upper(coalesce(frequency, ''))";

/** How many months a payment is for, by ClickBank's words; null for words that nobody knows. */
function monthsOfPayment({ numberIn }: DialectWords): string {
  const number = numberIn('frequency');
  const counted = (unit: string) =>
    ['EVERY ', '']
      .flatMap((every) => ['', 'S'].map((plural) => `'${every}' || ${number} || ' ${unit}${plural}'`))
      .join(', ');
  const fixed: readonly (readonly [words: readonly string[], months: string])[] = [
    [['EVERY MONTH', 'MONTHLY'], '1.0'],
    [['EVERY 2 WEEKS', 'BI_WEEKLY'], '24.0 / 52'],
    [['EVERY WEEK', 'WEEKLY'], '12.0 / 52'],
    [['EVERY QUARTER', 'QUARTERLY'], '3.0'],
    [['HALF_YEARLY'], '6.0'],
    [['EVERY YEAR', 'YEARLY'], '12.0'],
    [['EVERY DAY', 'DAILY'], '12.0 / 365'],
  ];
  const units = { DAY: '12.0 / 365', WEEK: '12.0 / 52', MONTH: '1.0', YEAR: '12.0' };
  return `CASE
      ${fixed
        .map(([words, months]) => {
          const list = words.map((word) => `'${word}'`).join(', ');
          return `WHEN ${named} IN (${list}) THEN ${months}`;
        })
        .join('\n      ')}
      ${Object.entries(units)
        .map(
          ([unit, months]) =>
            `WHEN ${number} > 0 AND ${named} IN (${counted(unit)}) THEN ${number} * ${months}`,
        )
        .join('\n      ')}
    END`;
}

/** A subscription with the days on which it is active: from the first one until before the last one. */
const subscriptionTerms = (sql: DialectWords) => `SELECT account, role,
    coalesce(currency, 'unknown') AS currency, coalesce(lower(email), subscription_id) AS customer,
    ${sql.daysAfter('purchase_day', sql.numberIn('trial_period'))} AS start_day,
    coalesce(cancel_day, CASE WHEN status IN ('COMPLETED', 'CANCELED') THEN end_day END) AS stop_day,
    round(CASE
      WHEN rebill_sale_count > 0 THEN 1.0 * rebill_sale_amount / rebill_sale_count
      WHEN ${sql.numberIn('trial_period')} = 0 THEN 1.0 * initial_sale_amount / nullif(initial_sale_count, 0)
    END / ${monthsOfPayment(sql)}, 2) AS mrr
  FROM subscriptions`;

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

const movedCustomers = (['new', 'churned', 'reactivation'] as const).map(
  (name) => `sum(CASE WHEN ${movements[name]} THEN 1 ELSE 0 END) AS ${name}_customers`,
);

const group = 'account, role, currency';
const running = `OVER (PARTITION BY ${group} ORDER BY month)`;

const amount = (name: string, comment: string): ViewColumn =>
  viewColumn(name, 'amount', `${comment}, in currency`);
const count = (name: string, comment: string): ViewColumn => viewColumn(name, 'count', comment);

const columns: readonly ViewColumn[] = [
  accountColumn,
  monthColumn,
  viewColumn('role', 'text', 'Role of the account: VENDOR or AFFILIATE'),
  viewColumn('currency', 'text', 'Currency that the customers pay with'),
  count('active_subscriptions', 'Subscriptions that are active at the end of the month'),
  count('new_subscriptions', 'Subscriptions that became active in the month'),
  count('ended_subscriptions', 'Subscriptions that were canceled or completed in the month'),
  count('without_mrr', 'Active subscriptions whose price or frequency is not known'),
  count('active_customers', 'Customers with recurring revenue at the end of the month'),
  count('new_customers', 'Customers whose first subscription became active'),
  count('churned_customers', 'Customers whose last active subscription ended'),
  count('reactivated_customers', 'Customers who had churned and came back'),
  amount('mrr_at_start', 'Monthly recurring revenue at the start of the month'),
  amount('new_mrr', 'Recurring revenue of new customers'),
  amount('expansion_mrr', 'Growth of the recurring revenue of active customers'),
  amount('contraction_mrr', 'Decline of the recurring revenue of customers who stay, positive'),
  amount('churned_mrr', 'Recurring revenue of customers who left, positive'),
  amount('reactivation_mrr', 'Recurring revenue of customers who came back'),
  amount('mrr', 'Monthly recurring revenue at the end of the month'),
  viewColumn(
    'gross_mrr_churn_percent',
    'percent',
    'Churned and contraction MRR in percent of the MRR at the start',
  ),
  viewColumn(
    'net_mrr_churn_percent',
    'percent',
    'Churned and contraction less expansion and reactivation MRR, in percent of the MRR at the start',
  ),
  viewColumn(
    'customer_churn_percent',
    'percent',
    'Churned customers in percent of the customers at the start',
  ),
];

const select = (sql: DialectWords) => `WITH RECURSIVE terms AS (
  ${subscriptionTerms(sql)}
),
lasting AS (
  SELECT * FROM terms WHERE stop_day IS NULL OR stop_day > start_day
),
today AS (
  SELECT account AS owner, max(${sql.dayFrom('pacific_day')}) AS day FROM sync_runs GROUP BY account
),
events AS (
  SELECT ${group}, customer, start_day AS day, 1 AS change, mrr FROM lasting
  UNION ALL
  SELECT ${group}, customer, stop_day, -1, 0 - mrr FROM lasting WHERE stop_day IS NOT NULL
),
past AS (
  SELECT events.* FROM events JOIN today ON today.owner = events.account
  WHERE events.day <= today.day
),
days AS (
  SELECT ${group}, customer, day, sum(change) AS change, sum(mrr) AS mrr
  FROM past WHERE mrr IS NOT NULL
  GROUP BY ${group}, customer, day
),
states AS (
  SELECT ${group}, day, mrr, change,
    sum(change) OVER customer_days - change AS before,
    sum(change) OVER customer_days AS after,
    row_number() OVER customer_days AS nth
  FROM days
  WINDOW customer_days AS (PARTITION BY ${group}, customer ORDER BY day)
),
moved AS (
  SELECT ${group}, ${sql.monthOf('day')} AS month,
    ${[...movedAmounts, ...movedCustomers].join(',\n    ')}
  FROM states
  GROUP BY ${group}, ${sql.monthOf('day')}
),
counted AS (
  SELECT ${group}, ${sql.monthOf('day')} AS month,
    sum(CASE WHEN change > 0 THEN 1 ELSE 0 END) AS started,
    sum(CASE WHEN change < 0 THEN 1 ELSE 0 END) AS stopped,
    sum(CASE WHEN mrr IS NULL THEN change ELSE 0 END) AS unknown
  FROM past
  GROUP BY ${group}, ${sql.monthOf('day')}
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
  SELECT ${['account', 'role', 'currency', 'month'].map((name) => `months.${name}`).join(', ')},
    ${['started', 'stopped', 'unknown', 'new_customers', 'churned_customers', 'reactivation_customers']
      .map((name) => `coalesce(${name}, 0) AS ${name}`)
      .join(', ')},
    ${Object.keys(movements)
      .map((name) => `coalesce(${name}_mrr, 0) AS ${name}_mrr`)
      .join(', ')}
  FROM months
  LEFT JOIN counted ON ${joined('counted')}
  LEFT JOIN moved ON ${joined('moved')}
),
totals AS (
  SELECT *,
    sum(started - stopped) ${running} AS subscriptions,
    sum(unknown) ${running} AS without_mrr,
    sum(new_customers + reactivation_customers - churned_customers) ${running} AS customers,
    new_customers + reactivation_customers - churned_customers AS more_customers,
    round(sum(new_mrr + expansion_mrr + reactivation_mrr - contraction_mrr - churned_mrr) ${running}, 2) AS mrr,
    new_mrr + expansion_mrr + reactivation_mrr - contraction_mrr - churned_mrr AS more_mrr
  FROM figures
)
SELECT account, month, role, currency,
  ${[
    ['subscriptions', 'active_subscriptions'],
    ['started', 'new_subscriptions'],
    ['stopped', 'ended_subscriptions'],
    ['without_mrr', 'without_mrr'],
    ['customers', 'active_customers'],
    ['new_customers', 'new_customers'],
    ['churned_customers', 'churned_customers'],
    ['reactivation_customers', 'reactivated_customers'],
  ]
    .map(([from, name]) => `CAST(${from} AS bigint) AS ${name}`)
    .join(',\n  ')},
  round(mrr - more_mrr, 2) AS mrr_at_start,
  ${Object.keys(movements)
    .map((name) => `round(${name}_mrr, 2) AS ${name}_mrr`)
    .join(', ')},
  mrr,
  ${percent('churned_mrr + contraction_mrr', 'round(mrr - more_mrr, 2)')} AS gross_mrr_churn_percent,
  ${percent('churned_mrr + contraction_mrr - expansion_mrr - reactivation_mrr', 'round(mrr - more_mrr, 2)')} AS net_mrr_churn_percent,
  ${percent('churned_customers', 'customers - more_customers')} AS customer_churn_percent
FROM totals`;

function joined(table: string): string {
  return ['account', 'role', 'currency', 'month']
    .map((name) => `${table}.${name} = months.${name}`)
    .join(' AND ');
}

const subscriptionsByMonth: CopyView = {
  name: 'subscriptions_by_month',
  summary: 'Active, new and ended subscriptions, recurring revenue and churn by month',
  columns,
  select,
  order: 'month, currency, role',
  charts: ['mrr'],
};

export const subscriptionViews: readonly CopyView[] = [subscriptionsByMonth];
