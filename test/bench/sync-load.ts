/** How fast a database takes orders, without the service and the client. */
import { createClient } from '../../src/client/client.ts';
import { addDays, type Day, daysFrom } from '../../src/dates/day.ts';
import { prepareCopy, sqlDestination } from '../../src/features/sync/database/copy.ts';
import type { Sql } from '../../src/features/sync/destination.ts';
import { orderSource } from '../../src/features/sync/tables/order-tables.ts';
import { rowMaker, type ServiceRow } from '../../src/features/sync/tables/table.ts';
import { orders } from '../../src/operations/orders.ts';
import { startSandbox } from '../../src/sandbox/http/server.ts';
import { pagesADay, rowsOnAPage } from './service.ts';

/** Pages of a window; see `cb sync`. */
const windowPages = 100;
const about = { account: 'GREENLEAF', syncedAt: '2026-01-01T00:00:00Z' };

/** Orders of a seeded sandbox, which are written again and again with other receipts. */
export async function sampleOrders(): Promise<readonly ServiceRow[]> {
  const sandbox = await startSandbox({ file: ':memory:', seed: { orders: 1500 } });
  try {
    const client = createClient({ baseUrl: sandbox.url, apiKey: sandbox.keys[0]?.key ?? '' });
    const rows: ServiceRow[] = [];
    const period = { startDate: '2000-01-01', endDate: '2099-12-31' };
    for await (const page of client.pages(orders.list, period)) rows.push(...page.rows);
    return rows.filter(({ receipt, transactionTime }) => receipt && transactionTime);
  } finally {
    await sandbox.close();
  }
}

/** Writes about `count` orders in windows of 10,000, and measures writing and committing in seconds. */
export async function loadOrders(sql: Sql, sample: readonly ServiceRow[], count: number) {
  await prepareCopy(sql, { service: 'benchmark', withoutPersonalData: false, patience: 0 });
  const destination = sqlDestination(sql);
  const make = rowMaker(orderSource, { ...about, isAnonymous: () => false });
  let [seconds, written, rows] = [0, 0, 0];
  for (let first = '2023-01-01'; written < count; ) {
    const last = addDays(first, windowPages / pagesADay - 1);
    const days = daysFrom(first, last);
    // As `cb sync` has them before it writes them.
    const pages = Array.from({ length: windowPages }, (_, page) => {
      const day = days[Math.floor(page / pagesADay)] ?? first;
      const orderAt = (i: number) => {
        const number = written + page * rowsOnAPage + i;
        return { row: { ...sample[number % sample.length], receipt: receiptAt(number) }, day };
      };
      return make(Array.from({ length: rowsOnAPage }, (_, i) => orderAt(i)));
    });
    rows += pages.reduce((sum, page) => sum + [...page.values()].flat().length, 0);
    const start = performance.now();
    const writer = await destination.begin(about.account, orderSource);
    for (const page of pages) await writer.write(page);
    await writer.commit({
      extent: { first, last },
      syncedAt: about.syncedAt,
      rowsByDay: new Map(days.map((day) => [day, pagesADay * rowsOnAPage])),
      nicknames: [],
    });
    seconds += (performance.now() - start) / 1000;
    written += windowPages * rowsOnAPage;
    first = addDays(last, 1);
  }
  return { orders: written, rows, seconds };
}

/** A copy of so many accounts with 1,000 orders each; returns the median seconds of runs that replace 83 rows of one of them. */
export async function refreshOneOf(sql: Sql, sample: readonly ServiceRow[], accounts: number) {
  await prepareCopy(sql, { service: 'benchmark', withoutPersonalData: false, patience: 0 });
  const days = daysFrom('2026-01-01', '2026-01-12');
  const write = async (account: string, from: number, replaced: readonly Day[], rows: number) => {
    const make = rowMaker(orderSource, { ...about, account, isAnonymous: () => false });
    const writer = await sqlDestination(sql).begin(account, orderSource);
    const orders = Array.from({ length: rows }, (_, i) => ({
      row: { ...sample[(from + i) % sample.length], receipt: receiptAt(from + i) },
      day: replaced[i % replaced.length] ?? '',
    }));
    await writer.write(make(orders));
    const extent = { first: replaced[0] ?? '', last: replaced.at(-1) ?? '' };
    await writer.commit({ extent, syncedAt: about.syncedAt, nicknames: [] });
  };
  for (let i = 0; i < accounts; i++) await write(`ACCOUNT${i}`, i * 1000, days, 1000);
  const times: number[] = [];
  for (let run = 1; run <= 9; run++) {
    const start = performance.now();
    await write('ACCOUNT7', run * 1_000_000, days.slice(-1), 83);
    times.push((performance.now() - start) / 1000);
  }
  return times.sort((one, other) => one - other)[4];
}

/** Receipts are random: neighbors in time are far apart in an index. */
function receiptAt(number: number): string {
  const spread = Math.imul(number + 1, 2654435761) >>> 0;
  return spread.toString(36).toUpperCase().padStart(8, 'Z');
}
