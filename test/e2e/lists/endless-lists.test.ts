/** Lists whose pages never end: an error with exit code 8 instead of a command that runs forever. */
import { expect, test } from 'vitest';
import { realClock } from '../../../src/client/clock.ts';
import { type ListFetcher, readList } from '../../../src/client/paging/lists.ts';
import { orders } from '../../../src/operations/orders.ts';
import { home } from '../../support/cb.ts';
import { serve } from '../../support/server.ts';

const list = 'orders list --start-date 2026-03-17 --end-date 2026-03-17 -o ndjson --fields receipt';

async function endless(receiptOf: (page: number) => string, last = Number.POSITIVE_INFINITY) {
  const { asked, env } = await serve((reply, _, { headers }) => {
    const receipt = receiptOf(Number(headers.page));
    reply
      .writeHead(Number(headers.page) < last ? 206 : 200)
      .end(JSON.stringify({ orderData: { receipt } }));
  });
  const { cb } = home();
  return { asked, run: (line: string) => cb(line, { env }) };
}

const cycle = (page: number) => (page === 1 ? 'A' : (['B', 'C', 'D'][(page - 2) % 3] ?? ''));

test.each([list, 'api GET /rest/1.3/orders2/list --paginate'])(
  'ends a list whose pages repeat in a cycle with exit code 8: %s',
  async (line) => {
    const { run, asked } = await endless(cycle);
    const ran = await run(line);
    expect(ran).toMatchObject({
      code: 8,
      err: expect.stringMatching(/same page again \(page 5\)/),
    });
    expect(asked.length).toBeLessThan(50);
  },
);

test('ends an endless list of different rows at --max-pages', async () => {
  const { run } = await endless((page) => `R${page}`);
  const ran = await run(`${list} --max-pages 7`);
  expect(ran.code).toBe(8);
  expect(ran.err).toMatch(/did not end after 7 pages of one period.*--max-pages/s);
  expect(ran.out.trim().split('\n')).toHaveLength(6);
  const longer = await run(`${list} --max-pages 12`);
  expect(longer.out.trim().split('\n')).toHaveLength(11);
});

test('completes a list of exactly --max-pages pages', async () => {
  const { run } = await endless((page) => `R${page}`, 7);
  expect(await run(`${list} --max-pages 7`)).toMatchObject({ code: 0, err: '' });
});

test('ends a list after 10,000 pages of one period by default', async () => {
  const fetcher: ListFetcher<{ readonly text: string }> = {
    concurrency: 1,
    today: '2026-03-18',
    signal: new AbortController().signal,
    client: { call: () => Promise.reject(new Error('no count was wanted')) },
    clock: realClock,
    async fetch(_, number) {
      const text = String(number);
      return { number, more: true, rows: [{ text }], totals: [], body: text };
    },
  };
  let pages = 0;
  const reading = (async () => {
    for await (const _ of readList(orders.list, {}, { expectedRows: 1 }, fetcher)) pages += 1;
  })();
  await expect(reading).rejects.toMatchObject({ kind: 'incomplete' });
  expect(pages).toBe(9999);
});
