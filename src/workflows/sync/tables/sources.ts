/** All sources, in the order in which a sync reads them: what is asked about most comes first. */

import { noticeSource } from './notice-tables.ts';
import { orderSource } from './order-tables.ts';
import { productSource } from './product-tables.ts';
import { shipmentSource } from './shipping-tables.ts';
import type { Source } from './source.ts';
import { analyticsSource } from './statistics/analytics-tables.ts';
import { quickstatSource } from './statistics/quickstat-tables.ts';
import { subscriptionSource } from './statistics/subscription-tables.ts';
import { trendSource } from './statistics/trend-tables.ts';
import { ticketSource } from './ticket-tables.ts';

export const sources: readonly Source[] = [
  orderSource,
  ticketSource,
  productSource,
  quickstatSource,
  subscriptionSource,
  shipmentSource,
  trendSource,
  analyticsSource,
  noticeSource,
];

/** The sources that a sync reads unless the user names others: ship notices cost many requests. */
export const usualSources: readonly Source[] = sources.filter((one) => one !== noticeSource);
