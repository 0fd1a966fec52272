/** The client with working, failing, and broken servers, over real sockets, and calls that are canceled. */
import { setImmediate } from 'node:timers/promises';
import { expect, onTestFinished, test, vi } from 'vitest';
import type { Client } from '../../src/client/client.ts';
import { onAbort } from '../../src/client/clock.ts';
import { retryAfterSeconds } from '../../src/client/http/http-errors.ts';
import { baseUrlFrom } from '../../src/client/http/origin.ts';
import { orders } from '../../src/operations/orders.ts';
import { tickets } from '../../src/operations/tickets.ts';
import { clientOf, listed } from '../support/client.ts';
import { serve } from '../support/server.ts';
import { patientClock } from '../support/virtual-clock.ts';

async function receipts(client: Client): Promise<string[]> {
  const rows = await listed(client.pages(orders.list, {}));
  return rows.map(({ receipt }) => String(receipt));
}

const row = (receipt: string) => JSON.stringify({ orderData: { receipt } });

test('retries a lost connection five times within a list, but only three times before the first response', async () => {
  const page2 = { cut: 5 };
  const server = await serve((reply, _, { headers }) => {
    if (headers.page === '1') return void reply.writeHead(206).end(row('A'));
    if (page2.cut-- > 0) return void reply.destroy();
    reply.end(row('B'));
  });
  const read = (url: string) => receipts(clientOf(url, { clock: patientClock(), concurrency: 1 }));
  expect(await read(server.url)).toEqual(['A', 'B']);
  page2.cut = 6;
  await expect(read(server.url)).rejects.toMatchObject({ kind: 'network' });
  const deaf = await serve((reply) => reply.destroy());
  await expect(read(deaf.url)).rejects.toMatchObject({ kind: 'network' });
  expect(deaf.asked).toHaveLength(3);
});

test('rejects a response that does not show the write, also if unreadable ones are wanted as received', async () => {
  for (const asReceived of [false, true]) {
    for (const body of ['', 'null', '{"ticketData":{"ticketid":"9","receipt":"B2"}}', 'Hello']) {
      const server = await serve((reply) => reply.end(body));
      const client = clientOf(server.url, { asReceived });
      const closing = client.call(tickets.close, { id: '7' });
      await expect(closing).rejects.toMatchObject({ kind: 'failed', maybeDone: true });
    }
  }
});

test.each([
  [206, 'null'],
  [206, '{"orderData":[]}'],
  [200, 'null'],
  [200, '{"orderData":null,"error":"Too many requests"}'],
])('rejects an empty page that follows a promise of more rows: %i %s', async (status, body) => {
  const server = await serve((reply, _, { headers }) => {
    const page = Number(headers.page);
    if (page === 2) reply.writeHead(status).end(body);
    else reply.writeHead(page < 3 ? 206 : 200).end(row(`R${page}`));
  });
  await expect(receipts(clientOf(server.url))).rejects.toMatchObject({
    kind: 'incomplete',
    code: 'missing-rows',
    message: 'ClickBank promised more rows, but page 2 is empty.',
  });
  const first = clientOf(server.url).pages(orders.list, {}, { from: 2 });
  if (status === 200) expect((await first.next()).value).toMatchObject({ rows: [], more: false });
  else await expect(first.next()).rejects.toMatchObject({ kind: 'incomplete' });
});

test('retries a read after 5xx, 429, and a broken response, and respects Retry-After', async () => {
  const clock = patientClock();
  const server = await serve((reply, number) => {
    if (number === 1) reply.writeHead(500).end();
    else if (number === 2) reply.writeHead(429, { 'retry-after': '7' }).end();
    else if (number === 3) reply.end('{"orderData":[');
    else if (number === 4) reply.socket?.destroy();
    else if (number === 5) reply.writeHead(503, { 'retry-after': '20' }).end();
    else reply.end(row('A'));
  });
  expect(await receipts(clientOf(server.url, { clock }))).toEqual(['A']);
  expect(clock.waits).toEqual([500, 7000, 2000, 4000, 20_000]);
});

test.each([
  [429, '61', 60_000],
  [503, '61', 60_000],
  [429, '0', 0],
])('does not retry a %i with Retry-After %s within %i ms', async (status, after, maxWait) => {
  const clock = patientClock();
  const server = await serve((reply) => reply.writeHead(status, { 'retry-after': after }).end());
  const kind = status === 429 ? 'rate-limit' : 'failed';
  await expect(receipts(clientOf(server.url, { clock, maxWait }))).rejects.toMatchObject({
    kind,
    status,
  });
  expect(server.asked).toHaveLength(1);
  expect(clock.waits).toEqual([]);
});

const past = 'Tue, 17 Mar 2020 00:00:00 GMT';

test.each(
  [429, 503].flatMap((status) =>
    ['0', '1.5', '-1', '', 'soon', past].map((after) => ({ status, after })),
  ),
)('backs off from a constant $status with Retry-After "$after"', async ({ status, after }) => {
  const clock = patientClock();
  const server = await serve((reply) => reply.writeHead(status, { 'retry-after': after }).end());
  const shortest = { ...clock, random: () => 0 };
  const asked = clientOf(server.url, { clock: shortest, maxWait: 60_000 }).call(orders.list, {});
  await expect(asked).rejects.toMatchObject({ status, passing: true });
  expect(server.asked.length).toBeGreaterThan(3);
  expect(server.asked.length).toBeLessThan(20);
  expect([...clock.waits].sort((a, b) => a - b)).toEqual(clock.waits);
  expect(clock.waits[0]).toBeGreaterThanOrEqual(250);
});

test.each([
  ['a refusal', 403, 'refused', true],
  ['a 503 to a call without retries', 503, 'failed', false],
])('does not retry %s', async (_, status, kind, retries) => {
  const { url, asked } = await serve((reply) => reply.writeHead(status).end('no'));
  const client = clientOf(url, { clock: patientClock() });
  const call = client.call(orders.count, {}, { retries });
  await expect(call).rejects.toMatchObject({ kind, status });
  expect(asked).toHaveLength(1);
});

test('decodes HEAD as yes or no, and throws for any other refusal', async () => {
  let status = 204;
  const server = await serve((reply) => reply.writeHead(status).end());
  const client = clientOf(server.url);
  expect(await client.call(orders.active, { receipt: 'A' })).toBe(true);
  status = 403;
  expect(await client.call(orders.active, { receipt: 'A' })).toBe(false);
  status = 401;
  await expect(client.call(orders.active, { receipt: 'A' })).rejects.toMatchObject({ kind: 'key' });
});

test('rejects a URL of more than 2,000 characters before sending anything', async () => {
  const server = await serve((reply) => reply.end('null'));
  const fits = 2000 - `${server.url}/rest/1.3/orders2/list?item=`.length;
  const client = clientOf(server.url);
  await client.call(orders.list, { item: 'x'.repeat(fits) });
  const long = async () => client.call(orders.list, { item: 'x'.repeat(fits + 1) });
  await expect(long()).rejects.toMatchObject({ kind: 'request' });
  expect(server.asked).toHaveLength(1);
});

test.each(['.', '..', ''])('does not change the path with the receipt %j', async (receipt) => {
  const get = async () => clientOf('http://127.0.0.1:1').call(orders.get, { receipt });
  await expect(get()).rejects.toMatchObject({ kind: 'request' });
});

test.each(['API-1\r\nHost: x', 'API 1', 'Schlüssel', ''])('rejects the key %j', (key) => {
  expect(() => clientOf('http://127.0.0.1:1', { apiKey: key })).toThrow(/key/);
});

test('accepts https base URLs, or http to this machine', () => {
  expect(baseUrlFrom('https://api.example.com/')).toBe('https://api.example.com');
  expect(baseUrlFrom('http://127.0.0.1:80/')).toBe('http://127.0.0.1');
  expect(baseUrlFrom('http://[::1]:8080')).toBe('http://[::1]:8080');
});

test('reads Retry-After as RFC 9110 defines it, and ignores anything else', () => {
  const now = Date.parse('2026-03-18T00:00:00Z');
  const seconds = {
    ...{ 12: 12, 0: 0, ' 12 ': 12, 'Tue, 17 Mar 2026 00:00:00 GMT': 0 },
    'Wed, 18 Mar 2026 00:01:00 GMT': 60,
    'Wednesday, 18-Mar-26 00:01:00 GMT': 60,
    'Wed Mar 18 00:01:00 2026': 60,
  };
  for (const [text, expected] of Object.entries(seconds)) {
    expect({ [text]: retryAfterSeconds(text, now) }).toEqual({ [text]: expected });
  }
  const others = ['soon', '', '1.5', '-1', '+3', '1e3', '0x10', '12s', '2026-03-18', 'Mar 18'];
  expect(others.filter((other) => retryAfterSeconds(other, now) !== undefined)).toEqual([]);
});

test('ends a read that waits for a retry when the client is closed', async () => {
  const server = await serve((reply) => reply.writeHead(503, { 'retry-after': '3600' }).end());
  const onEvent = vi.fn();
  const client = clientOf(server.url, { maxWait: 10_000_000, onEvent });
  const asked = client.call(orders.get, { receipt: 'MONTHLY1' });
  await vi.waitUntil(() => onEvent.mock.calls.length > 0);
  await client.close();
  await expect(asked).rejects.toMatchObject({ kind: 'cancelled' });
});

test('runs the actions of an aborted signal, later ones at once and no forgotten ones, without a warning for many', async () => {
  const warnings: string[] = [];
  const note = ({ name }: Error) => warnings.push(name);
  process.on('warning', note);
  onTestFinished(() => void process.off('warning', note));
  const controller = new AbortController();
  const signal = AbortSignal.any([controller.signal]);
  const done: number[] = [];
  const forget = Array.from({ length: 30 }, (_, n) => onAbort(signal, () => done.push(n)));
  forget[3]?.();
  controller.abort();
  onAbort(signal, () => done.push(30));
  await setImmediate();
  expect(done).toEqual(Array.from({ length: 31 }, (_, n) => n).filter((n) => n !== 3));
  expect(warnings).toEqual([]);
});
