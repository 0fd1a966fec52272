/** Fills a copy with a generated shop through the destination of a sync. */
import type { Day } from '../../../src/dates/day.ts';
import { sqlDestination, storeRun } from '../../../src/features/sync/database/copy.ts';
import type { Sql } from '../../../src/features/sync/destination.ts';
import { analyticsSource } from '../../../src/features/sync/tables/analytics-tables.ts';
import { orderSource } from '../../../src/features/sync/tables/order-tables.ts';
import { subscriptionSource } from '../../../src/features/sync/tables/sources.ts';
import { rowMaker, type Source } from '../../../src/features/sync/tables/table.ts';
import { type ShopSize, shopDays } from './shop-rows.ts';
import { shopClicks, shopSubscriptions } from './shop-statistics.ts';

const account = 'ACMESHOP';
const syncedAt = '2026-03-18T18:30:00Z';
const last: Day = '2026-03-18';

interface Filling {
  readonly source: Source;
  readonly day: Day | undefined;
  readonly rows: readonly Readonly<Record<string, unknown>>[];
}

export async function fillCopy(sql: Sql, size: ShopSize): Promise<void> {
  const destination = sqlDestination(sql);
  const fill = async ({ source, day, rows }: Filling) => {
    const make = rowMaker(source, { account, syncedAt, isAnonymous: () => false });
    const writer = await destination.begin(account, source);
    await writer.write(make(rows.map((row) => ({ row, day: day ?? last }))));
    const extent = day === undefined ? ('whole' as const) : { first: day, last: day };
    const rowsByDay = day === undefined ? new Map() : new Map([[day, rows.length]]);
    await writer.commit({ extent, syncedAt, rowsByDay, nicknames: [] });
  };
  for (const { day, rows } of shopDays(last, size)) await fill({ source: orderSource, day, rows });
  for (const { day, rows } of shopClicks(last)) await fill({ source: analyticsSource, day, rows });
  const rows = shopSubscriptions(last, size);
  await fill({ source: subscriptionSource, day: undefined, rows });
  const run = { runId: 'bench', account, startedAt: syncedAt, day: last };
  await storeRun(sql, { ...run, requests: 0, rows: 0 });
}
