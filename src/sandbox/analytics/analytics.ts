/** The service analytics (section 4.1 of the specification): every figure is computed on request. */
import { instantOf, pacificTime } from '../../dates/pacific.ts';
import {
  analytics,
  analyticsResult,
  analyticsStatus,
  subscriptionDetailResult,
  subscriptionTrendsData,
} from '../../operations/analytics.ts';
import type { Handlers } from '../request/handlers.ts';
import { assertOr } from '../request/refusal.ts';
import { findTrends, type Trend } from '../store/analytics/trends.ts';
import { dimension, summary } from './dimension.ts';
import { frequencyText, pageOf, readAsker, readSpan } from './request.ts';
import * as listings from './subscriptions.ts';

type Trends = Handlers<Pick<typeof analytics, 'trends'>>['trends'];

const DAY = 86_400;

/** Amounts are the account's share in US dollars, ages are days; averages have two decimals. */
function trendRow(trend: Trend) {
  const { day, frequency, duration } = trend;
  return {
    ...trend,
    businessDate: day === null ? null : instantOf(day),
    frequency: frequency === null ? null : frequencyText(frequency),
    // A product that is not sold as a subscription anymore.
    duration: duration ?? 0,
    avgActiveSubCnt: Math.round(trend.active * 100),
    avgSubAge: Math.round((trend.age / DAY) * 100),
    avgSubValue: Math.round(trend.value),
  };
}

function assertIds(ids: readonly string[] = []): void {
  const whole = ids.every((id) => /^\d{1,15}$/.test(id));
  assertOr(whole, 400, 'The parameter productId must be a product ID, a whole number.');
}

/** `totalCount` is the number of rows on all pages. */
const trends: Trends = ({ db }, { args, page }, context) => {
  const { startDate: firstDay, endDate: lastDay, groupBy, productId } = args;
  const asker = readAsker(analytics.trends.params, args, context);
  assertIds(productId);
  const filter = {
    ...asker,
    ...readSpan(firstDay, lastDay),
    firstDay,
    lastDay,
    now: context.now,
    byDay: groupBy === 'DATE',
    productIds: productId,
  };
  const found = findTrends(db, filter);
  const { rows, more } = pageOf(found, page);
  return { content: { totalCount: found.length, data: { row: rows.map(trendRow) } }, more };
};

/** The schema of a row declares only a type, because a row is never the root of a document. */
const subscriptionType = {
  ...analytics.subscriptions.returns.resource,
  element: 'subscriptionDetailResultRow',
  typeOnly: true,
};

/** Age of the data in seconds for each status. */
const DELAYS = { GREEN: 0, YELLOW: 6 * 3600, RED: 30 * 3600 } as const;

export const analyticsHandlers: Handlers<typeof analytics> = {
  // Figures are computed on request, so they are outdated only if a fault says so.
  status({ analyticsStatus }, _call, { now }) {
    const status = analyticsStatus();
    return { status, lastUpdateTime: pacificTime(now - DELAYS[status]) };
  },

  dimension,
  summary,
  trends,
  ...listings,

  statusSchema: () => analyticsStatus,
  subscriptionsSchema: () => subscriptionDetailResult,
  subscriptionSchema: () => subscriptionType,
  trendsSchema: () => subscriptionTrendsData,
  resultSchema: () => analyticsResult,
};
