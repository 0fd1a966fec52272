/** The service analytics (section 4.1 of the specification): every number is computed when asked for. */

import { pacificTime } from '../dates/pacific.ts';
import {
  analytics,
  analyticsResult,
  analyticsStatus,
  subscriptionDetailResult,
  subscriptionTrendsData,
} from '../operations/analytics.ts';
import { dimension, summary } from './analytics-dimension.ts';
import * as listings from './analytics-subscriptions.ts';
import { trends } from './analytics-trends.ts';
import type { Handlers } from './handlers.ts';

/** The schema of one subscription has its type only: it never stands by itself. */
const subscriptionType = {
  ...analytics.subscriptions.returns.resource,
  element: 'subscriptionDetailResultRow',
  typeOnly: true,
};

/** How old the data are, in seconds: a few hours behind, or more than a day. */
const DELAYS = { GREEN: 0, YELLOW: 6 * 3600, RED: 30 * 3600 } as const;

export const analyticsHandlers: Handlers<typeof analytics> = {
  // Nothing is computed ahead, so nothing is ever late unless a fault says so.
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
