/** Watches a list with a virtual clock: each new row once, oldest first. */
import { expect, test } from 'vitest';
import { watchRows } from '../../../src/features/lists/watch-rows.ts';
import { orders } from '../../../src/operations/orders.ts';
import { servedClient } from '../clients.ts';

/** Yields the receipts of each poll, which has its own list or HTTP status. */
async function watched(looks: readonly (string[] | number)[], { includeExisting = false } = {}) {
  const log: string[] = [];
  const stop = new AbortController();
  const answers = looks.values();
  const { client, clock, asked } = await servedClient(() => {
    const { value: look, done } = answers.next();
    if (done) stop.abort();
    if (typeof look === 'number') return { status: look };
    const orderData = (look ?? []).map((receipt) => ({ receipt }));
    return { status: 200, body: JSON.stringify({ orderData }) };
  });
  const yielded: string[] = [];
  const days = async () => ({ first: '2026-03-18', last: '2026-03-18' });
  const rows = watchRows({
    ...{ client: client, list: orders.list, args: {}, includeExisting, days },
    ...{ interval: 30_000, clock, signal: stop.signal },
    onStarted: (count) => void log.push(`started with ${count}`),
    onError: ({ status }) => void log.push(`failed with ${status}`),
    onRecovered: () => void log.push('recovered'),
  });
  const end = await (async () => {
    for await (const page of rows) {
      yielded.push((page as { receipt: string }[]).map(({ receipt }) => receipt).join(' '));
    }
  })().catch((error: unknown) => error);
  return { log, yielded: yielded.filter(Boolean), end, clock, asked };
}

test('yields each new row once, oldest first, and waits between polls', async () => {
  const { yielded, log, end, clock } = await watched([['A'], ['A'], ['C', 'B', 'A'], ['C', 'B']]);
  expect(yielded).toEqual(['B C']);
  expect(log).toEqual(['started with 1']);
  expect(end).toMatchObject({ kind: 'cancelled' });
  expect(clock.now()).toBeGreaterThanOrEqual(3 * 30_000);
});

test('starts with existing rows on request', async () => {
  const { yielded } = await watched(
    [
      ['B', 'A'],
      ['C', 'B', 'A'],
    ],
    { includeExisting: true },
  );
  expect(yielded).toEqual(['A B', 'C']);
});

test('reports a failure once, continues, and loses no row', async () => {
  const { yielded, log } = await watched([['A'], 503, 503, ['B', 'A']]);
  expect(log).toEqual(['started with 1', 'failed with 503', 'recovered']);
  expect(yielded).toEqual(['B']);
});

test('stops when the key is revoked', async () => {
  const { end } = await watched([['A'], 401, ['B']]);
  expect(end).toMatchObject({ kind: 'key' });
});
