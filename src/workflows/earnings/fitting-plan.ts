/** Plans to read no more transactions than expected, because every 100 take a request. */
import type { Client } from '../../client/client.ts';
import { orders } from '../../operations/orders.ts';
import type { Days } from '../period.ts';
import type { Plan } from './comparison.ts';

/** More transactions than this are read only if they are asked for: 100 requests of 100 rows. */
export const usualRows = 10_000;

export interface FittingPlan {
  /** Compares nothing if only the transactions of the period fit; undefined if not even they do. */
  readonly plan: Plan | undefined;
  /** Transactions of the period itself. */
  readonly rows: number;
}

/** Counts the transactions of all clients before they are read. */
export async function fittingPlan(
  clients: readonly Client[],
  plan: Plan,
  limit: number,
): Promise<FittingPlan> {
  const { before: earlier, ...alone } = plan;
  const [rows, before] = await Promise.all([
    countRows(clients, plan.period),
    earlier ? countRows(clients, earlier) : 0,
  ]);
  if (rows > limit) return { plan: undefined, rows };
  return { plan: rows + before <= limit ? plan : alone, rows };
}

async function countRows(clients: readonly Client[], { first, last }: Days): Promise<number> {
  const args = { startDate: first, endDate: last };
  const counts = await Promise.all(clients.map((client) => client.call(orders.count, args)));
  return counts.reduce<number>((sum, count) => sum + Number(count), 0);
}
