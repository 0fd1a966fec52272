/** The service analytics (section 4.1 of the specification): every number is computed when asked for. */
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
import { pacificTime } from './pacific.ts';

/** The schema of one subscription has its type only: it never stands by itself. */
const subscriptionType = {
  ...analytics.subscriptions.returns.resource,
  element: 'subscriptionDetailResultRow',
  typeOnly: true,
};

export const analyticsHandlers: Handlers<typeof analytics> = {
  // Nothing is computed ahead, so nothing is ever late.
  status: (_state, _call, { now }) => ({ status: 'GREEN', lastUpdateTime: pacificTime(now) }),

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
