/**
 * `npm run bench:parquet -- [ORDERS...]`: measures `cb sync --to parquet` on copies of several sizes, and compares the sums
 * of the files, as DuckDB reads them, with those of the copy. The memory must not grow with the copy.
 */
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { openSqlite } from '../../src/features/sync/database/sqlite.ts';
import { queryParquet } from '../support/parquet.ts';
import {
  benchmark,
  cb,
  measure,
  printTable,
  printVerdicts,
  thousands,
  type World,
} from './runner.ts';
import { loadOrders, sampleOrders } from './sync-load.ts';

const timeout = 1_800_000;

async function measureFolder({ folder }: World, count: number) {
  const file = join(folder, `${count}.db`);
  const lake = join(folder, `lake-${count}`);
  const sql = await openSqlite(file, { own: process.pid, isRunning: () => true });
  const { orders } = await loadOrders(sql, await sampleOrders(), count);
  const [inCopy] = await sql.query(`SELECT CAST(count(*) AS TEXT) AS rows,
    CAST(sum(CAST(round(account_amount * 10000) AS INTEGER)) AS TEXT) AS sum FROM orders`);
  await sql.close();
  const sync = cb(['--sandbox', 'sync', '--to', 'parquet', lake, '--from', file]);
  const run = () => measure({ ...sync, env: { HOME: folder } }, timeout);
  const first = await run();
  const again = await run();
  const [inFiles] = await queryParquet(
    `${lake}/orders/*/*/part.parquet`,
    `SELECT CAST(count(*) AS VARCHAR) AS rows,
    CAST(CAST(sum(account_amount) * 10000 AS HUGEINT) AS VARCHAR) AS sum FROM ?`,
  );
  const [found, expected] = [inFiles, inCopy].map((sums) => JSON.stringify(sums));
  if (found !== expected) throw new Error(`${found} in the files, ${expected} in the copy`);
  return { orders, first, again };
}

await benchmark(async (world) => {
  const { positionals } = parseArgs({ allowPositionals: true });
  const counts = positionals.length > 0 ? positionals.map(Number) : [10_000, 1_000_000];
  const measured: Awaited<ReturnType<typeof measureFolder>>[] = [];
  for (const count of counts) measured.push(await measureFolder(world, count));
  printTable(
    'A copy in SQLite to Parquet',
    ['orders', 'seconds', 'orders/s', 'MiB', 'seconds again'],
    measured.map(({ orders, first, again }) => [
      ...[thousands(orders), first.seconds.toFixed(1), thousands(orders / first.seconds)],
      ...[thousands(first.peakMiB ?? 0), again.seconds.toFixed(1)],
    ]),
  );
  const [least, most] = [measured[0], measured.at(-1)];
  const [figure, base] = [most?.first.peakMiB, least?.first.peakMiB];
  printVerdicts([
    { says: 'peak memory of the most orders over the fewest', figure, base, atMost: 2 },
  ]);
});
