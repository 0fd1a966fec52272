/** `cb orders watch` prints each new order once and misses none. */
import { expect, test } from 'vitest';
import { home } from '../../support/cb.ts';
import { jsonLines } from '../../support/lines.ts';
import { serve } from '../../support/server.ts';
import { fastClock } from '../../support/virtual-clock.ts';

/** `--every 1` checks every 20 ms. */
const clock = fastClock(50);

/** A service that lists the latest orders first, 100 on a page. */
async function shop(before: number) {
  const receipts = Array.from({ length: before }, (_, i) => `OLD${i}`);
  const looks: string[] = [];
  const state = { refuse: 0 };
  const server = await serve((reply, _, { headers }) => {
    if (state.refuse) return void reply.writeHead(state.refuse).end('Sorry');
    looks.push(String(headers.page));
    const from = (Number(headers.page) - 1) * 100;
    const rows = receipts.slice(from, from + 100).map((receipt) => ({ receipt }));
    const more = from + 100 < receipts.length;
    reply.writeHead(more ? 206 : 200).end(JSON.stringify({ orderData: rows }));
  });
  return {
    looks,
    state,
    asked: server.asked,
    options: { env: server.env, clock },
    /** Adds orders, of which the last one is the latest. */
    sell: (...names: string[]) => void receipts.unshift(...names.toReversed()),
    /** Adds an order at the end of the list. */
    slipIn: (name: string) => void receipts.push(name),
  };
}

const watch = 'orders watch --every 1 -o ndjson --fields receipt';

const receiptsIn = (out: string) => jsonLines(out).map(({ receipt }) => receipt);

/** Resolves when `check` returns true. */
async function until(check: () => boolean): Promise<void> {
  while (!check()) await new Promise((done) => setTimeout(done, 10));
}

test('prints new orders once, oldest first, however many pages they take', async () => {
  const at = await shop(150);
  const ran = home().cb(`${watch} --limit 122`, at.options);
  await until(() => at.looks.length >= 2);
  const first = Array.from({ length: 120 }, (_, i) => `NEW${i}`);
  at.sell(...first);
  await until(() => at.looks.length >= 4);
  at.sell('LAST1', 'LAST2');
  const { code, out, err } = await ran;
  expect({ code, err }).toEqual({ code: 0, err: '' });
  expect(receiptsIn(out)).toEqual([...first, 'LAST1', 'LAST2']);
});

test('sends one request for the days of the last hour if there is nothing new', async () => {
  const at = await shop(250);
  const ran = home().cb(`${watch} --type SALE --limit 1`, at.options);
  await until(() => at.looks.length >= 5);
  expect(at.looks.slice(0, 5)).toEqual(['1', '2', '3', '1', '1']);
  at.sell('A');
  expect((await ran).code).toBe(0);
  const urls = at.asked.map(({ url }) => url);
  expect(new Set(urls)).toEqual(
    new Set(['/rest/1.3/orders2/list?startDate=2026-03-18&endDate=2026-03-18&type=SALE']),
  );
});

test('finds an order far down the list, because every tenth check reads all pages', async () => {
  const at = await shop(250);
  const ran = home().cb(`${watch} --limit 1`, at.options);
  await until(() => at.looks.length === 3);
  at.slipIn('LATE');
  expect(receiptsIn((await ran).out)).toEqual(['LATE']);
});

test('reports a temporary failure of the service once, and loses no order', async () => {
  const at = await shop(3);
  const ran = home().cb(`${watch} --limit 1 --max-wait 0`, at.options);
  await until(() => at.looks.length >= 1);
  at.state.refuse = 503;
  at.sell('MEANWHILE');
  const before = at.asked.length;
  await until(() => at.asked.length >= before + 2);
  at.state.refuse = 0;
  const { code, out, err } = await ran;
  expect({ code, receipts: receiptsIn(out) }).toEqual({ code: 0, receipts: ['MEANWHILE'] });
  expect(err.trim().split('\n')).toEqual([
    expect.stringMatching(/warning: Can't check for new orders; retrying\. .*503/),
    'ClickBank is responding again.',
  ]);
});

test('ends with exit code 3 if the key is revoked', async () => {
  const at = await shop(3);
  const ran = home().cb(`${watch} --max-wait 0`, at.options);
  await until(() => at.looks.length >= 1);
  at.state.refuse = 401;
  expect((await ran).code).toBe(3);
});

test('begins with the orders of the day with --today, and ends with exit code 130 after whole lines on Ctrl-C', async () => {
  const at = await shop(2);
  const stop = new AbortController();
  const ran = home().cb(`${watch} --today`, { ...at.options, signal: stop.signal });
  await until(() => at.looks.length >= 2);
  stop.abort();
  const { code, out } = await ran;
  expect({ code, receipts: receiptsIn(out) }).toEqual({ code: 130, receipts: ['OLD1', 'OLD0'] });
});

test('shows the columns of a list of orders, with what you earn', async () => {
  const row = {
    ...{ receipt: 'AAAA1111', transactionType: 'SALE', totalOrderAmount: '37.00', currency: 'EUR' },
    lineItemData: [{ productTitle: 'Garden Club', accountAmount: '16.61' }],
  };
  const { env } = await serve((reply) => reply.end(JSON.stringify({ orderData: [row] })));
  const line = 'orders watch --today --every 1 --limit 1';
  const { out } = await home().cb(line, { env: { ...env, NO_COLOR: '1' }, columns: 80, clock });
  expect(out).toMatch(/Receipt +Type +Product +Customer paid +You earn/);
  expect(out).toMatch(/AAAA1111 +SALE +Garden Club +37\.00 EUR +16\.61\n/);
});
