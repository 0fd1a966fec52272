/** Windows are read concurrently, in order, and with few unnecessary requests. */
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { daysFrom } from '../../../src/dates/day.ts';
import { orders } from '../../../src/operations/orders.ts';
import { clientOf } from '../../support/client.ts';
import { type Asked, serve } from '../../support/server.ts';

/** Serves a number of pages for each day, each with one row. */
async function serveDays(pagesOf: (day: string) => number, delay = (_: Asked) => 10) {
  const load = { now: 0, most: 0 };
  const server = await serve(async (reply, _, asked) => {
    load.most = Math.max(load.most, ++load.now);
    await sleep(delay(asked));
    load.now -= 1;
    const { searchParams } = new URL(asked.url, 'http://x');
    const pages = daysBetween(searchParams).flatMap((day) =>
      Array.from({ length: pagesOf(day) }, (_, i) => `${day}-${i + 1}`),
    );
    const page = Number(asked.headers.page);
    reply.statusCode = page < pages.length ? 206 : 200;
    const receipt = pages[page - 1];
    reply.end(receipt ? JSON.stringify({ orderData: { receipt } }) : 'null');
  });
  return { ...server, load };
}

/** The days of a query, the latest first. */
function daysBetween(query: URLSearchParams): string[] {
  return daysFrom(query.get('startDate') ?? '', query.get('endDate') ?? '').reverse();
}

const month = { startDate: '2026-01-01', endDate: '2026-01-30' };

async function receiptsOf(baseUrl: string, days?: number, period = month): Promise<string[]> {
  const api = clientOf(baseUrl, { concurrency: 8 });
  const receipts: string[] = [];
  const cut = { today: '2026-02-01', ...(days && { days }) };
  for await (const { receipt } of api.list(orders.list, period, { cut }))
    receipts.push(`${receipt}`);
  return receipts;
}

const expected = (pages: number) =>
  daysBetween(new URLSearchParams(month)).flatMap((day) =>
    Array.from({ length: pages }, (_, i) => `${day}-${i + 1}`),
  );

test('reads thirty windows of three pages with ninety requests, several at the same time', async () => {
  const server = await serveDays(() => 3);
  expect(await receiptsOf(server.url, 1)).toEqual(expected(3));
  expect(server.asked).toHaveLength(90);
  expect(server.load.most).toBeGreaterThan(4);
  expect(server.load.most).toBeLessThanOrEqual(8);
});

test('prefetches one long window, with fewer unnecessary requests than concurrent ones', async () => {
  const server = await serveDays(() => 3);
  expect(await receiptsOf(server.url, 30)).toEqual(expected(3));
  expect(server.asked.length).toBeGreaterThanOrEqual(90);
  expect(server.asked.length).toBeLessThan(90 + 8);
  expect(server.load.most).toBeGreaterThan(4);
});

test('yields windows in order when responses arrive in any order', async () => {
  const server = await serveDays(
    () => 6,
    ({ url, headers }) => (url.length * 7 + Number(headers.page) * 13) % 17,
  );
  expect(await receiptsOf(server.url, 3)).toEqual(expected(6));
  expect(server.asked.length).toBeLessThan(180 * 1.2);
});

test('skips empty windows', async () => {
  const server = await serveDays((day) => (day === '2026-01-15' ? 2 : 0));
  expect(await receiptsOf(server.url, 1)).toEqual(['2026-01-15-1', '2026-01-15-2']);
});

test('neither repeats nor loses a row when orders arrive while a day is read', async () => {
  const there = Array.from({ length: 1000 }, (_, i) => `OLD${1000 - i}`);
  let failed = 0;
  const server = await serve((reply, number, { headers }) => {
    // A new order with each request, and a page that has to be asked for twice.
    there.unshift(`NEW${number}`);
    const page = Number(headers.page);
    if (page % 3 === 0 && failed < page / 3) {
      failed += 1;
      return void reply.writeHead(503, { 'retry-after': '0' }).end();
    }
    const rows = there.slice((page - 1) * 100, page * 100).map((receipt) => ({ receipt }));
    reply.statusCode = page * 100 < there.length ? 206 : 200;
    reply.end(JSON.stringify({ orderData: rows }));
  });
  const today = { startDate: '2026-02-01', endDate: '2026-02-01' };
  const receipts = await receiptsOf(server.url, undefined, today);
  expect(failed).toBe(3);
  expect(new Set(receipts).size).toBe(receipts.length);
  const old = receipts.filter((receipt) => receipt.startsWith('OLD'));
  expect(old).toEqual(Array.from({ length: 1000 }, (_, i) => `OLD${1000 - i}`));
});
