/** All sources, in the order in which a sync reads them: what is asked about most comes first. */

import { orderSource } from './order-tables.ts';
import { productSource } from './product-tables.ts';
import { noticeSource, shipmentSource } from './shipping-tables.ts';
import { analyticsSource, quickstatSource, trendSource } from './statistics/analytics-tables.ts';
import { subscriptionSource } from './statistics/subscription-tables.ts';
import type { Source } from './table.ts';
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
