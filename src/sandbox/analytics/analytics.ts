/** The service analytics (section 4.1 of the specification): every figure is computed on request. */
import { pacificTime } from '../../dates/pacific.ts';
import {
  analytics,
  analyticsResult,
  analyticsStatus,
  subscriptionDetailResult,
  subscriptionTrendsData,
} from '../../operations/analytics.ts';
import type { Handlers } from '../request/handlers.ts';
import { dimension, summary } from './dimension.ts';
import * as listings from './subscriptions.ts';
import { trends } from './trends.ts';

/** The schema of a row declares only a type, because a row is never the root of a document. */
const subscriptionType = {
  ...analytics.subscriptions.returns.resource,
  element: 'subscriptionDetailResultRow',
  typeOnly: true,
};

/** Age of the data in seconds for each status. */
const DELAYS = { GREEN: 0, YELLOW: 6 * 3600, RED: 30 * 3600 } as const;

export const analyticsHandlers: Handlers<typeof analytics> = {
  // Figures are never precomputed, so they are only late if a fault says so.
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
