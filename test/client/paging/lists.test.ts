/** A long period is read in windows, concurrently and in order, without losing or repeating a row. */
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { realClock } from '../../../src/client/clock.ts';
import { countComparer } from '../../../src/client/paging/count.ts';
import { readList } from '../../../src/client/paging/lists.ts';
import { prefetchQueue } from '../../../src/client/paging/pages.ts';
import { windowsOf } from '../../../src/client/paging/windows.ts';
import { addDays, daysFrom } from '../../../src/dates/day.ts';
import { orders } from '../../../src/operations/orders.ts';
import { shipping3 } from '../../../src/operations/shipping.ts';
import { tickets } from '../../../src/operations/tickets.ts';
import { clientOf, listed } from '../../support/client.ts';
import { type Asked, serve } from '../../support/server.ts';

const first = '2026-01-17';
/** The period holds the day on which the clocks change. */
const last = addDays(first, 59);

test('splits 60 days into 9 adjacent windows of at most 7 days, the latest first', () => {
  const windows = windowsOf(tickets.list, { createDateFrom: first, createDateTo: last });
  expect(windows).toHaveLength(9);
  const spans = windows.map(({ args }) => Object.values(args));
  expect(spans[0]?.[1]).toBe(last);
  expect(spans.at(-1)?.[0]).toBe(first);
  for (const [i, [from = '', to = '']] of (spans as string[][]).entries()) {
    expect(Date.parse(to) - Date.parse(from)).toBeLessThanOrEqual(6 * 86_400_000);
    if (i > 0) expect(addDays(to, 1)).toBe(spans[i - 1]?.[0]);
  }
});

test('splits two long periods and keeps the other filters', () => {
  const windows = windowsOf(tickets.list, {
    createDateFrom: '2026-03-01',
    createDateTo: '2026-03-10',
    closeDateFrom: '2026-03-01',
    closeDateTo: '2026-03-15',
    status: 'closed',
  });
  expect(windows).toHaveLength(2 * 3);
  expect(windows.every(({ args }) => (args as { status?: string }).status === 'closed')).toBe(true);
});

test('does not split a short period or one without a limit', () => {
  const week = { createDateFrom: '2026-03-01', createDateTo: '2026-03-07' };
  expect(windowsOf(tickets.list, week)).toMatchObject([{ args: week, isOpen: true }]);
  const year = { startDate: '2025-01-01', endDate: '2025-12-31' };
  expect(windowsOf(orders.list, year)).toMatchObject([{ args: year, isOpen: true }]);
  const reversed = { startDate: '2026-03-02', endDate: '2026-03-01' };
  expect(windowsOf(orders.list, reversed)).toMatchObject([{ args: reversed }]);
});

const period = { startDate: '2026-03-01', endDate: '2026-03-18' };

test('makes today, when orders still arrive, a window of its own', () => {
  const windows = windowsOf(orders.list, period, { today: '2026-03-18', days: 10 });
  expect(windows).toMatchObject([
    { args: { startDate: '2026-03-18', endDate: '2026-03-18' }, isOpen: true },
    { args: { startDate: '2026-03-08', endDate: '2026-03-17' }, isOpen: false },
    { args: { startDate: '2026-03-01', endDate: '2026-03-07' }, isOpen: false },
  ]);
  const daily = windowsOf(orders.list, period, { today: '2026-03-18', dailyFrom: '2026-03-17' });
  expect(daily.map(({ args }) => Object.values(args))).toEqual([
    ['2026-03-18', '2026-03-18'],
    ['2026-03-17', '2026-03-17'],
    ['2026-03-01', '2026-03-16'],
  ]);
});

test('orders windows like the rows of a list that begins with the earliest day', () => {
  const windows = windowsOf(shipping3.list, period, { today: '2026-03-18', days: 10 });
  const starts = windows.map(({ args }) => Object.values(args)[0]);
  expect(starts).toEqual(['2026-03-01', '2026-03-08', '2026-03-18']);
});

test('does not split a period that the service ignores', () => {
  const args = { ...period, receipt: 'CART0003' };
  const windows = windowsOf(shipping3.list, args, { today: '2026-03-18' });
  expect(windows).toMatchObject([{ args, isOpen: true }]);
});

test('yields a ticket once when it moves to the next window while it is read', async () => {
  const server = await serve((reply) =>
    reply.end(JSON.stringify({ ticketData: { ticketid: '1', status: 'OPEN' } })),
  );
  const period = { updateDateFrom: '2026-03-01', updateDateTo: '2026-03-14' };
  const rows = await listed(clientOf(server.url).pages(tickets.list, period));
  expect(server.asked).toHaveLength(2);
  expect(rows).toHaveLength(1);
});

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
  const cut = { today: '2026-02-01', ...(days && { days }) };
  const rows = await listed(api.pages(orders.list, period, { cut }));
  return rows.map(({ receipt }) => `${receipt}`);
}

const expected = (pages: number) =>
  daysBetween(new URLSearchParams(month)).flatMap((day) =>
    Array.from({ length: pages }, (_, i) => `${day}-${i + 1}`),
  );

const inAnyOrder = ({ url, headers }: Asked) => (url.length * 7 + Number(headers.page) * 13) % 17;

test.each([
  ['thirty windows of three pages, with ninety requests', 1, 3, 90],
  ['one long window, with fewer unnecessary requests than concurrent ones', 30, 3, 97],
  ['ten windows in order when responses arrive in any order', 3, 6, 215, inAnyOrder],
] as const)('reads %s, several at the same time', async (_, days, pages, most, delay?) => {
  const server = await serveDays(() => pages, delay);
  expect(await receiptsOf(server.url, days)).toEqual(expected(pages));
  expect(server.asked.length).toBeGreaterThanOrEqual(30 * pages);
  expect(server.asked.length).toBeLessThanOrEqual(most);
  expect(server.load.most).toBeGreaterThan(4);
  expect(server.load.most).toBeLessThanOrEqual(8);
});

test('skips empty windows', async () => {
  const sparse = await serveDays((day) => (day === '2026-01-15' ? 2 : 0));
  expect(await receiptsOf(sparse.url, 1)).toEqual(['2026-01-15-1', '2026-01-15-2']);
});

/** A page without rows, after which more come. */
const pageAt = (number: number) => ({ number, more: true, rows: [], totals: [], body: '' });

test('fetches as many pages at the same time as the concurrency, and no more', async () => {
  const load = { now: 0, most: 0 };
  const queue = prefetchQueue(
    async (_, number) => {
      load.most = Math.max(load.most, ++load.now);
      await sleep(2);
      load.now -= 1;
      return { ...pageAt(number), more: number < 20 };
    },
    { windows: [{ isOpen: false }], first: 1, concurrency: 3, expected: 20 },
  );
  for (let number = 1; number <= 20; number++) await queue.take(0, number);
  expect(load.most).toBe(3);
});

test.each([
  ['one window, of which two pages arrived', 1, 2, ['0/1', '0/2', '0/3', '0/4']],
  ['the first of two windows', 2, 2, ['0/1', '0/2', '1/1', '0/3']],
  ['one window, as many as are held', 1, 20, [1, 2, 3, 4, 5, 6, 7].map((page) => `0/${page}`)],
])('prefetches pages of %s', async (_, windows, answered, expected) => {
  const asked: string[] = [];
  const answers: (() => void)[] = [];
  const queue = prefetchQueue(
    ({ name }, number) => {
      asked.push(`${name}/${number}`);
      return new Promise<ReturnType<typeof pageAt>>((done) =>
        answers.push(() => done(pageAt(number))),
      );
    },
    {
      windows: Array.from({ length: windows }, (_, name) => ({ name, isOpen: false })),
      ...{ first: 1, concurrency: 3, expected: 100 },
    },
  );
  const first = queue.take(0, 1);
  for (let i = 0; i < answered; i++) {
    // Those of the first window, in order.
    answers[asked.findIndex((one) => one === `0/${i + 1}`)]?.();
    await sleep(1);
  }
  await first;
  expect(asked).toEqual(expected);
});

const usual = {
  ...{ concurrency: 4, today: '2026-02-01', clock: realClock },
  signal: new AbortController().signal,
  client: { call: () => Promise.reject(new Error('nothing is counted')) },
};

test('ends a list that is left early when its other requests have ended, too', async () => {
  let underWay = 0;
  const cut = { today: '2026-02-01' };
  const list = readList(
    orders.list,
    month,
    { cut },
    {
      ...usual,
      async fetch(_, number, signal) {
        underWay += 1;
        // The network needs a moment to notice that the rest is not wanted.
        if (number > 1) await new Promise((end) => signal.addEventListener('abort', end));
        await sleep(5);
        underWay -= 1;
        return { ...pageAt(number), rows: [{ receipt: `${number}` }], body: `${number}` };
      },
    },
  );
  for await (const { number } of list) {
    expect([number, underWay > 0]).toEqual([1, true]);
    break;
  }
  expect(underWay).toBe(0);
});

test('ends a list after 10,000 pages of one period by default', async () => {
  const list = readList(
    orders.list,
    {},
    { expectedRows: 1 },
    {
      ...usual,
      async fetch(_, number) {
        return { ...pageAt(number), rows: [{ receipt: `${number}` }], body: `${number}` };
      },
    },
  );
  let pages = 0;
  const reading = (async () => {
    for await (const _ of list) pages += 1;
  })();
  await expect(reading).rejects.toMatchObject({ kind: 'incomplete' });
  expect(pages).toBe(9999);
});

const today = { startDate: '2026-02-01', endDate: '2026-02-01' };

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
  const receipts = await receiptsOf(server.url, undefined, today);
  expect(failed).toBe(3);
  expect(new Set(receipts).size).toBe(receipts.length);
  const old = receipts.filter((receipt) => receipt.startsWith('OLD'));
  expect(old).toEqual(Array.from({ length: 1000 }, (_, i) => `OLD${1000 - i}`));
});

/** A row of a past day, at the end of the first page and at the start of the second one. */
const repeated = {
  ...{ transactionTime: '2026-01-15T12:00:00-08:00', transactionType: 'SALE' },
  ...{ receipt: 'AGAIN001', totalOrderAmount: '9.00', role: 'VENDOR' },
};

/** Serves a list of two pages. */
function servePages(first: readonly object[], second: readonly object[]) {
  return serve((reply, _, { headers }) => {
    const [status, orderData] = headers.page === '1' ? [206, first] : [200, second];
    reply.writeHead(status).end(JSON.stringify({ orderData }));
  });
}

test.each([
  ['an equal row, in whose place another is missing', {}, 'shifted-rows'],
  ['a row that changed meanwhile', { customerRefundableState: 'ALREADY_REFUNDED' }, undefined],
])('reads past days with %s on two pages', async (_, change, code) => {
  const named = (receipt: string) => ({ ...repeated, receipt });
  const later = [{ ...repeated, ...change }, named('LAST0001')];
  const server = await servePages([named('FIRST001'), repeated], later);
  const read = receiptsOf(server.url).catch((error) => error.code);
  expect(await read).toEqual(code ?? ['FIRST001', 'AGAIN001', 'AGAIN001', 'LAST0001']);
});

test('reads today with refunds of two items of a receipt at one moment on two pages, each once', async () => {
  const item = (itemNo: string) => ({ ...repeated, lineItemData: { itemNo } });
  const server = await servePages([item('A')], [item('A'), item('B')]);
  expect(await receiptsOf(server.url, undefined, today)).toEqual(['AGAIN001', 'AGAIN001']);
});

test('says of each page whether the list and its window go on', async () => {
  const server = await serveDays(() => 2);
  const days = { startDate: '2026-01-01', endDate: '2026-01-02' };
  const cut = { today: '2026-02-01', days: 1 };
  const pages: string[] = [];
  for await (const page of clientOf(server.url).pages(orders.list, days, { cut })) {
    pages.push(`${page.window}/${page.number} ${page.more} ${page.endsWindow}`);
  }
  expect(pages).toEqual(['0/1 true false', '0/2 true true', '1/1 true false', '1/2 false true']);
});

test.each([
  [3, [3, 0, 5]],
  [2, [3, undefined, 5]],
])('counts %i of three windows, until the service can not count one: %j', async (count, counts) => {
  const asked: string[] = [];
  const left = [...counts];
  const comparer = countComparer<string>({
    async count(window) {
      asked.push(window);
      return left.shift();
    },
    fetch: () => expect.unreachable('nothing is listed'),
    onMismatch: () => expect.unreachable('nothing is compared'),
  });
  for (const window of ['a', 'b', 'c']) await comparer.begin(window);
  expect(asked).toEqual(['a', 'b', 'c'].slice(0, count));
});

test.each([
  ['today', '2026-02-01', ['counted', 'listed']],
  ['a past day', '2026-01-15', ['listed', 'counted']],
])('of %s, lists rows only after it counted them if more can arrive', async (_, day, expected) => {
  const seen: string[] = [];
  const options = { cut: { today: '2026-02-01', days: 1 }, onCountMismatch: () => undefined };
  const list = readList(orders.list, { startDate: day, endDate: day }, options, {
    ...{ ...usual, concurrency: 1 },
    client: {
      async call() {
        await sleep(20);
        seen.push('counted');
        return 1;
      },
    },
    async fetch(_, number) {
      seen.push('listed');
      return { ...pageAt(number), more: false, rows: [{ receipt: 'R1' }] };
    },
  });
  for await (const { rows } of list) expect(rows).toHaveLength(1);
  expect(seen).toEqual(expected);
});

test.each([
  ['ends', [{ more: true }, { more: false }], [1, 2]],
  ['has an empty page', [{ more: true }, { more: true, rows: [] }], [1, 2]],
])('reads a list that lacks rows once more until it %s', async (_, pages, expected) => {
  const read: number[] = [];
  const said: unknown[] = [];
  const comparer = countComparer<string>({
    count: async () => 10,
    async fetch(_, number) {
      read.push(number);
      const page = { ...pageAt(number), rows: Array.from({ length: 4 }) };
      return { ...page, ...(pages[number - 1] ?? { more: false }) };
    },
    onMismatch: (error) => said.push(error),
  });
  await comparer.begin('a window');
  const listed = expected.length * 4 - (pages.at(-1)?.rows ? 4 : 0);
  expect(await comparer.check('a window', listed)).toBeUndefined();
  expect(read).toEqual(expected);
  expect(said).toMatchObject([{ code: 'missing-rows' }]);
});

test('reports missing rows without reading the list again if the service counts another number now', async () => {
  const counts = [10, 9];
  const read: number[] = [];
  const comparer = countComparer<string>({
    count: async () => counts.shift(),
    async fetch(_, page) {
      read.push(page);
      return { ...pageAt(page), rows: Array.from({ length: 8 }), more: false };
    },
    onMismatch: (error) => expect.unreachable(String(error)),
  });
  await comparer.begin('a window');
  expect(await comparer.check('a window', 8)).toMatchObject({ code: 'missing-rows' });
  expect(read).toEqual([]);
});
