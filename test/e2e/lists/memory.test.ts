/** Memory of an export: the peak of the whole process. */
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { measure } from '../../bench/runner.ts';
import { periodOf, rowsOnAPage } from '../../bench/service.ts';
import { binary, emptyHome } from '../../support/binary.ts';
import { orderService } from '../../support/order-service.ts';
import { isLong } from '../../support/tier.ts';

type Env = Readonly<Record<string, string>>;

/** Peak memory of an export of this number of pages, in MiB. */
async function peak(service: Env, home: string, pages: number): Promise<number> {
  const { startDate, endDate } = periodOf(pages);
  const out = join(home, 'orders.csv');
  const period = ['--start-date', startDate, '--end-date', endDate];
  const { lines, peakMiB } = await measure(
    {
      file: process.execPath,
      args: [binary, 'orders', 'list', ...period, '--out', out],
      env: { ...service, HOME: home },
      out,
    },
    120_000,
  );
  expect(lines).toBeGreaterThan(pages * rowsOnAPage);
  return peakMiB as number;
}

/**
 * Node collects garbage later on a busy machine, which adds up to 20 percent. Keeping the bodies of 500
 * pages would add 75 MiB, about half of the peak of the short list.
 */
const mostGrowth = 1.3;

// `npm test` has a heap that is too small for the rows: ../spreadsheets/memory.test.ts.
test.runIf(isLong)(
  'uses at most 30 percent more memory for a list of 600 pages than for one of 100',
  async () => {
    const env = await orderService();
    const home = emptyHome();
    const short = await peak(env, home, 100);
    expect(await peak(env, home, 600)).toBeLessThanOrEqual(mostGrowth * short);
  },
);
