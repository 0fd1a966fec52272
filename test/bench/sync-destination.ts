/** How fast a database takes orders, without the service and the client. */

import { createClient } from '../../src/client/client.ts';
import { addDays } from '../../src/dates/day.ts';
import { prepareCopy, sqlDestination } from '../../src/features/sync/database/copy.ts';
import type { Sql } from '../../src/features/sync/destination.ts';
import { orderSource } from '../../src/features/sync/tables/order-tables.ts';
import { rowMaker, type ServiceRow, type TableRows } from '../../src/features/sync/tables/table.ts';
import { orders } from '../../src/operations/orders.ts';
import { startSandbox } from '../../src/sandbox/http/server.ts';

export interface Load {
  readonly orders: number;
  /** Rows of all tables. */
  readonly rows: number;
  /** Time in the destination. */
  readonly seconds: number;
}

/** The rows of a page, and of a window; see `cb sync`. */
const pageRows = 100;
const windowPages = 100;
const pagesADay = 10;
const firstDay = '2023-01-01';
const syncedAt = '2026-01-01T00:00:00Z';

/** Orders of a seeded sandbox, which are written again and again with other receipts. */
export async function sampleOrders(): Promise<readonly ServiceRow[]> {
  const sandbox = await startSandbox({ file: ':memory:', seed: { orders: 1500 } });
  try {
    const key = sandbox.keys[0]?.key ?? '';
    const client = createClient({ baseUrl: sandbox.url, apiKey: key });
    const rows: ServiceRow[] = [];
    const period = { startDate: '2000-01-01', endDate: '2099-12-31' };
    for await (const page of client.pages(orders.list, period)) rows.push(...page.rows);
    return rows.filter(({ receipt, transactionTime }) => receipt && transactionTime);
  } finally {
    await sandbox.close();
  }
}

/** Writes about `count` orders in windows of 10,000, and measures writing and committing. */
export async function loadOrders(
  sql: Sql,
  sample: readonly ServiceRow[],
  count: number,
): Promise<Load> {
  await prepareCopy(sql, { service: 'benchmark', withoutPersonalData: false, patience: 0 });
  const destination = sqlDestination(sql);
  let seconds = 0;
  let written = 0;
  let rows = 0;
  for (let window = 0; written < count; window++) {
    const first = addDays(firstDay, (window * windowPages) / pagesADay);
    const pages = pagesOf(sample, window, first);
    rows += pages.reduce((sum, page) => sum + [...page.values()].flat().length, 0);
    const days = Array.from({ length: windowPages / pagesADay }, (_, i) => addDays(first, i));
    const start = performance.now();
    const writer = await destination.begin('GREENLEAF', orderSource);
    for (const page of pages) await writer.write(page);
    await writer.commit({
      extent: { first, last: days.at(-1) ?? first },
      syncedAt,
      rowsByDay: new Map(days.map((day) => [day, pagesADay * pageRows])),
      nicknames: [],
    });
    seconds += (performance.now() - start) / 1000;
    written += windowPages * pageRows;
  }
  return { orders: written, rows, seconds };
}

/** The pages of a window: as `cb sync` has them before it writes them. */
function pagesOf(sample: readonly ServiceRow[], window: number, first: string): TableRows[] {
  const make = rowMaker(orderSource, {
    ...{ account: 'GREENLEAF', syncedAt },
    isAnonymous: () => false,
  });
  return Array.from({ length: windowPages }, (_, page) => {
    const day = addDays(first, Math.floor(page / pagesADay));
    const at = (i: number) => (window * windowPages + page) * pageRows + i;
    const rows = Array.from({ length: pageRows }, (_, i) => ({
      row: { ...sample[at(i) % sample.length], receipt: receiptOf(at(i)) },
      day,
    }));
    return make(rows);
  });
}

/** Receipts are random: neighbors in time are far apart in an index. */
function receiptOf(number: number): string {
  const spread = Math.imul(number + 1, 2654435761) >>> 0;
  return spread.toString(36).toUpperCase().padStart(8, 'Z');
}
