/** Earnings per click by tracking ID, from analytics: clicks are known nowhere else. */
import {
  accountColumn,
  type CopyView,
  monthColumn,
  percent,
  type ViewColumn,
  viewColumn,
} from './view.ts';

const sums: readonly (readonly [column: ViewColumn, of: string])[] = [
  [viewColumn('clicks', 'count', 'Clicks (hops)'), 'hop_count'],
  [viewColumn('sales', 'count', 'Sales without upsells'), 'sale_count'],
  [viewColumn('rebills', 'count', 'Rebills'), 'rebill_count'],
  [viewColumn('refunds', 'count', 'Refunds'), 'refund_count'],
  [viewColumn('chargebacks', 'count', 'Chargebacks'), 'chargeback_count'],
];

const earningsByTrackingId: CopyView = {
  name: 'earnings_by_tracking_id',
  summary: 'Clicks, sales and earnings per click of each tracking ID by month',
  columns: [
    accountColumn,
    viewColumn('nickname', 'text', 'Nickname whose figures these are'),
    monthColumn,
    viewColumn('role', 'text', 'Its role: VENDOR or AFFILIATE'),
    viewColumn('tracking_id', 'text', 'The tracking ID; Not Set without one; Other for the rest'),
    ...sums.map(([column]) => column),
    viewColumn('net', 'amount', 'Net earnings by analytics, in US dollars'),
    viewColumn('earnings_per_click', 'amount', 'Net earnings for each click, in US dollars'),
    viewColumn('sales_percent', 'percent', 'Sales in percent of clicks'),
  ],
  select: (sql) => `SELECT account, nickname, month, role, tracking_id, ${sums
    .map(([{ name }]) => name)
    .join(', ')}, net,
  round(1.0 * net / nullif(clicks, 0), 2) AS earnings_per_click,
  ${percent('sales', 'clicks')} AS sales_percent
FROM (
  SELECT account, nickname, ${sql.monthOf('day')} AS month, role, dimension_value AS tracking_id,
    ${sums.map(([{ name }, of]) => `CAST(coalesce(sum(${of}), 0) AS bigint) AS ${name}`).join(',\n    ')},
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

export const clickViews: readonly CopyView[] = [earningsByTrackingId];
