/** The tools of the agent server, in the order in which they are listed. */
import type { Tool } from '../tool.ts';
import { writeTools } from '../writes/writes.ts';
import { analytics, products, readApi, shipments, subscriptionState } from './account.ts';
import { metrics, queryCopy } from './copy.ts';
import { findOrders, getTicket, listTickets, orderTimeline } from './orders-and-tickets.ts';
import { summary } from './summary.ts';

export const readTools: readonly Tool[] = [
  ...[findOrders, orderTimeline, listTickets, getTicket, summary, metrics, analytics],
  ...[products, shipments, subscriptionState, queryCopy, readApi],
];

/** A session that does not allow writes does not even list the tools for them. */
export function listedTools(allowsWrites: boolean): readonly Tool[] {
  return allowsWrites ? [...readTools, ...writeTools] : readTools;
}
