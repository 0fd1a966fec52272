/** The tools of the agent server, in the order in which they are listed. */
import type { Tool } from '../tool.ts';
import { writeTools } from '../writes/writes.ts';
import { analytics } from './analytics.ts';
import { findOrders } from './find-orders.ts';
import { metrics } from './metrics.ts';
import { orderTimeline } from './order-timeline.ts';
import { products } from './products.ts';
import { queryCopy } from './query-copy.ts';
import { readApi } from './read-api.ts';
import { shipments } from './shipments.ts';
import { subscriptionState } from './subscription-state.ts';
import { summary } from './summary.ts';
import { getTicket, listTickets } from './tickets.ts';

export const readTools: readonly Tool[] = [
  ...[findOrders, orderTimeline, listTickets, getTicket, summary, metrics, analytics],
  ...[products, shipments, subscriptionState, queryCopy, readApi],
];

/** A session that does not allow writes does not even list the tools for them. */
export function listedTools(allowsWrites: boolean): readonly Tool[] {
  return allowsWrites ? [...readTools, ...writeTools] : readTools;
}
