/** Memory of workbooks and Parquet files: a small heap is enough for many rows, as it is for csv. */
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { measure } from '../../bench/runner.ts';
import { openService, periodOf } from '../../bench/service.ts';
import { binary, emptyHome } from '../../support/binary.ts';
import { serve } from '../../support/server.ts';
import { tier } from '../../support/tier.ts';

/**
 * A heap of 40 MB, in which Node collects garbage at once. It holds a fraction of the rows; without room for the few pages
 * that are on their way, Node ends with an error.
 */
const smallHeap = ['--max-semi-space-size=2', '--max-old-space-size=40'];

/** Peak memory of an export of this number of pages with a small heap, in MiB. Throws if the heap is too small. */
async function peak(env: Readonly<Record<string, string>>, name: string, pages: number) {
  const home = emptyHome();
  const { startDate, endDate } = periodOf(pages);
  const out = join(home, name);
  const period = ['--start-date', startDate, '--end-date', endDate];
  const { peakMiB } = await measure(
    {
      file: process.execPath,
      args: [...smallHeap, binary, 'orders', 'list', ...period, '--out', out],
      env: { ...env, HOME: home },
      out,
    },
    240_000,
  );
  return peakMiB as number;
}

/** Buffers outside the heap: those of 250 pages would more than double the peak. A busy machine adds up to 30 percent. */
const mostGrowth = 1.6;

const pages = tier(150, 300);

test('writes many orders in the heap in which csv is written, and without more buffers', async () => {
  const service = await openService();
  const { env } = await serve((reply, _, { url, headers }) => {
    const { status, type, body } = service(url, headers);
    reply.writeHead(status, { 'content-type': type }).end(body);
  });
  const csv = await peak(env, 'orders.csv', pages);
  for (const name of ['orders.xlsx', 'orders.parquet']) {
    expect(await peak(env, name, pages), name).toBeLessThanOrEqual(mostGrowth * csv);
  }
});
