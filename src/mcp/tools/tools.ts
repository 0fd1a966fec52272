/** The tools of the agent server, in the order in which they are listed. */
import type { Tool } from '../tool.ts';
import { findOrders } from './find-orders.ts';
import { products } from './products.ts';

export const readTools: readonly Tool[] = [findOrders, products];

export const writeTools: readonly Tool[] = [];

/** A session that does not allow writes does not even list the tools for them. */
export function listedTools(allowsWrites: boolean): readonly Tool[] {
  return allowsWrites ? [...readTools, ...writeTools] : readTools;
}
