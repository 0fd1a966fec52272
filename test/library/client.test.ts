/** The library as a program uses it, on the sandbox. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { expect, test } from 'vitest';
import { ApiError, createClient } from '../../src/library/index.ts';
import { namespaces } from '../../src/library/namespaces.ts';
import { catalogue } from '../../src/operations/index.ts';
import { canary } from '../support/canary.ts';
import { home } from '../support/cb.ts';
import { serve } from '../support/server.ts';
import { openShop, refund, year } from './shop.ts';

interface Tree {
  readonly [name: string]: unknown;
}

/** What has a path, at any depth. */
function leavesOf(tree: object, isLeaf: (node: unknown) => boolean): unknown[] {
  return Object.values(tree as Tree).flatMap((node) =>
    isLeaf(node) ? [node] : leavesOf(node as object, isLeaf),
  );
}

const isOperation = (node: unknown) => typeof (node as Tree).path === 'string';
const isMethod = (node: unknown) => typeof node === 'function';

test('has a method for every operation of the catalogue, and a safe one for every write', async () => {
  const operations = leavesOf(namespaces, isOperation);
  expect(new Set(operations)).toEqual(new Set(catalogue));
  expect(operations).toHaveLength(catalogue.length);
  const { client } = await openShop();
  const { safe, get, close, [Symbol.asyncDispose]: _, ...methods } = client;
  expect(leavesOf(methods, isMethod)).toHaveLength(catalogue.length);
  const writes = catalogue.filter(({ method }) => !['GET', 'HEAD'].includes(method));
  expect(leavesOf(safe, isMethod)).toHaveLength(writes.length);
});

test('reads the rows of a list one by one, by page, up to a limit, or only the first', async () => {
  const { client, sandbox } = await openShop({ orders: 350 });
  const list = client.orders.list(year);
  expect(sandbox.requests).toHaveLength(0);
  const receipts: unknown[] = [];
  for await (const { receipt, totalOrderAmount } of list) {
    receipts.push(receipt);
    expect(totalOrderAmount ?? '0.00').toMatch(/^-?\d+\.\d\d$/);
  }
  const pages: number[] = [];
  const more: boolean[] = [];
  for await (const page of list.pages()) {
    pages.push(page.rows.length);
    more.push(page.more);
  }
  expect(pages.length).toBeGreaterThan(3);
  expect(more).toEqual(pages.map((_, index) => index < pages.length - 1));
  expect(pages.reduce((sum, rows) => sum + rows)).toBe(receipts.length);
  const all = await list.toArray();
  expect(all.map(({ receipt }) => receipt)).toEqual(receipts);
  const before = sandbox.requests.length;
  expect(await list.toArray({ limit: 30 })).toEqual(all.slice(0, 30));
  expect(await list.toArray({ limit: 0 })).toEqual([]);
  expect(await list.first()).toEqual(all[0]);
  expect(sandbox.requests.length - before).toBe(2);
  const none = client.orders.list({ ...year, email: 'nobody@example.com' });
  expect(await none.first()).toBeUndefined();
});

test('reads a list for several values of a parameter that the service takes once', async () => {
  const { client } = await openShop();
  const types = ['SALE', 'RFND'] as const;
  const rows = await client.orders.list({ ...year, type: types }).toArray();
  const counts = await Promise.all(types.map((type) => client.orders.count({ ...year, type })));
  expect(rows).toHaveLength(counts.reduce((sum, count) => sum + count));
  expect(new Set(rows.map(({ transactionType }) => transactionType))).toEqual(new Set(types));
  // @ts-expect-error A count has one value.
  await client.orders.count({ ...year, type: types }).catch(() => undefined);
});

test('returns counts, answers, single rows, texts, and nothing', async () => {
  const { client } = await openShop();
  expect(await client.orders.count(year)).toBe((await client.orders.list(year).toArray()).length);
  expect(await client.orders.active({ receipt: 'MONTHLY1' })).toBe(true);
  expect(await client.orders.active({ receipt: 'CANCEL01' })).toBe(false);
  expect(await client.tickets.get({ id: '1001' })).toMatchObject({ ticketid: 1001 });
  expect(await client.orders.schema()).toContain('<xs:schema');
  expect(await client.analytics.status()).toMatchObject({ status: 'GREEN' });
  expect(await client.orders.extend({ receipt: 'LIMITED1', numPeriods: 2 })).toBeUndefined();
});

test('has nested groups, and totals beside the pages of metrics', async () => {
  const { client } = await openShop();
  const shop = { role: 'VENDOR', account: 'GREENLEAF' } as const;
  const { dimension, subscriptions } = client.analytics;
  const active = subscriptions.byStatus({ ...shop, status: 'ACTIVE' });
  expect((await active.first())?.status).toBe('ACTIVE');
  const metrics = dimension({ ...shop, dimension: 'AFFILIATE', ...year });
  for await (const { totals } of metrics.pages()) {
    expect(totals.map(({ attribute }) => attribute)).toContain('SALE_COUNT');
  }
  const notice = { receipt: 'PARCEL01', date: '2026-03-18', carrier: 'USPS' };
  expect(await client.ship.notices.add(notice)).toMatchObject({ carrier: 'USPS' });
  const older = client.ship.generation1.notices.list({ receipt: 'PARCEL01' });
  expect(await older.toArray()).toHaveLength(1);
});

test('sends a write once, with the constant parameters of its operation', async () => {
  const { client, writes } = await openShop();
  await client.tickets.close({ id: '1001', comment: 'Solved' });
  const path = '/rest/1.3/tickets/1001?action=close&comment=Solved';
  expect(writes()).toMatchObject([{ method: 'PUT', path }]);
});

/** The error of a promise, or of a list that is read. */
async function errorOf(work: Promise<unknown>): Promise<ApiError> {
  const error = await work.catch((thrown: unknown) => thrown);
  if (error instanceof ApiError) return error;
  throw new Error(`Expected an ApiError, not ${error}`);
}

test('refuses invalid arguments before it sends anything', async () => {
  const { client, sandbox } = await openShop();
  const late = client.orders.pause({ receipt: 'MONTHLY1', restartDate: '2026-03-01' });
  const error = await errorOf(late);
  expect(JSON.parse(JSON.stringify(error))).toMatchObject({
    ...{ name: 'ApiError', kind: 'request', code: 'invalid-arguments', message: error.message },
  });
  // @ts-expect-error The type is missing.
  const untyped = client.tickets.create({ receipt: 'DIGITAL1', reason: 'x' });
  // The parameters, not the options of cb.
  expect((await errorOf(untyped)).message).toMatch(/^type is missing\. reason must be one of /);
  const wrong = client.orders.list({ startDate: '03/01/2026', endDate: '2026-03-02' });
  const { findings, hint, retryable } = await errorOf(wrong.first());
  expect(findings).toMatchObject([{ param: 'startDate', code: 'wrong-kind' }]);
  expect({ hint, retryable }).toEqual({ hint: 'Nothing was sent.', retryable: false });
  const safe = client.safe.tickets.create({ ...refund, refundType: 'PARTIAL_AMOUNT' });
  expect(await safe).toMatchObject({ state: 'not-done', error: { code: 'invalid-arguments' } });
  expect(sandbox.requests).toHaveLength(0);
});

const sure = { retryable: true, maybeDone: false };
const check = /^Check whether it was done before you send it again\.(?!.*Try again)/;
const unsure = { retryable: false, maybeDone: true, hint: expect.stringMatching(check) };

test.each([
  ['read', 'a refusal', '', { kind: 'refused', status: 403, retryable: false }],
  ['read', 'a failure of the service', '503=#1', { kind: 'failed', status: 503, retryable: true }],
  ['read', 'a lost response', 'cut-after=#1', { kind: 'network', ...sure }],
  ['read', 'a rate limit', '429=#1:7', { kind: 'rate-limit', retryable: true, retryAfter: 7 }],
  ['read', 'an unreadable response', 'garbage=#1', { kind: 'failed', retryable: true }],
  ['write', 'a refusal', '', { kind: 'refused', retryable: false, maybeDone: false }],
  ['write', 'a lost response', 'cut-after=#1', { kind: 'network', ...unsure }],
  ['write', 'a failure of the service', '503=#1', { kind: 'failed', ...unsure }],
  ['write', 'an unreadable response', 'garbage=#1', { kind: 'failed', ...unsure }],
  ['write', 'a rate limit', '429=#1', { kind: 'rate-limit', ...sure }],
])('says of a %s whether to try again after %s', async (kind, _, faults, expected) => {
  const { client, sandbox, writes } = await openShop({ client: { maxWait: 0 } });
  sandbox.setFaults(faults || undefined);
  const receipt = faults ? 'DIGITAL1' : 'NOTTHERE';
  const call =
    kind === 'read'
      ? client.orders.get({ receipt }).toArray()
      : client.tickets.create({ ...refund, receipt });
  expect(await errorOf(call)).toMatchObject(expected);
  expect(writes()).toHaveLength(kind === 'read' ? 0 : 1);
});

test('keeps the reason of an abort as the cause, wherever the request is', async () => {
  const { client, sandbox } = await openShop();
  const reason = new Error('The user left.');
  const ways = [
    (signal: AbortSignal) => client.orders.count(year, { signal }),
    (signal: AbortSignal) => client.orders.list(year, { signal }).toArray(),
    (signal: AbortSignal) => client.tickets.create(refund, { signal }),
  ];
  const ended = async (way: (signal: AbortSignal) => Promise<unknown>) => {
    const controller = new AbortController();
    const error = errorOf(way(controller.signal));
    controller.abort(reason);
    return error;
  };
  for (const faults of ['latency=10m', '503=100%']) {
    sandbox.setFaults(faults);
    for (const way of ways.slice(0, faults === '503=100%' ? 2 : 3)) {
      expect(await errorOf(way(AbortSignal.abort(reason)))).toMatchObject({ cause: reason });
      expect(await ended(way)).toMatchObject({ kind: 'cancelled', cause: reason });
    }
  }
  sandbox.setFaults('latency=10m');
  const timedOut = await errorOf(client.orders.count(year, { signal: AbortSignal.timeout(20) }));
  expect(timedOut).toMatchObject({ kind: 'cancelled', cause: { name: 'TimeoutError' } });
  const slow = errorOf(client.orders.count(year));
  await client[Symbol.asyncDispose]();
  expect(await slow).toMatchObject({ kind: 'cancelled', retryable: false });
});

const never = Number.NaN;

test.each([
  ['timeout', [Number.POSITIVE_INFINITY, 2 ** 31, 0, -1, never, '5s', null], [1, 2 ** 31 - 1]],
  ['concurrency', [-1, 0, 1.5, never, Number.POSITIVE_INFINITY, '4'], [1, 10]],
  ['maxWait', [-1, never, '60s'], [0, Number.POSITIVE_INFINITY]],
  ['pace', [0, -1, never, '8'], [0.5, Number.POSITIVE_INFINITY]],
  ['proxy', ['foo', '', 'ftp://proxy.example', 'proxy.example:3128'], ['http://proxy.example']],
  ['userAgent', ['', 'a\r\nb', 5], ['shop/1.0 (tests)']],
  ['paceFolder', ['', 5], ['/tmp/pace']],
  ['signal', ['stop', null, new AbortController()], [AbortSignal.timeout(1000)]],
  ['onEvent', [{}], [() => undefined]],
  ['now', [new Date()], [() => new Date()]],
  ['fetch', ['fetch'], [globalThis.fetch]],
  ['timeuot', [5], [undefined]],
])('refuses to make a client with an unusable %s, and names it', async (name, unusable, usable) => {
  const make = async (value: unknown) => createClient({ apiKey: 'API-1', [name]: value });
  for (const value of unusable) {
    const error = await errorOf(make(value));
    const says = new RegExp(`^${name} (?:must be .+|is not an option)\\.$`);
    expect(error).toMatchObject({ kind: 'request', code: 'invalid-arguments' });
    expect(error.message, String(value)).toMatch(says);
    expect(error.findings).toMatchObject([{ param: name }]);
  }
  for (const value of usable) await make(value);
});

test('refuses to make a client without a key or https, names every unusable option, and quotes none', async () => {
  const make = async (options: object | undefined) => createClient(options as never);
  for (const options of [undefined, {}, { apiKey: '' }]) {
    expect(await errorOf(make(options))).toMatchObject({
      ...{ kind: 'key', message: 'There is no API key.' },
    });
  }
  const plain = { apiKey: 'API-1', baseUrl: 'http://api.example.com' };
  expect((await errorOf(make(plain))).message).toContain('does not use https');
  const all = { apiKey: 5, proxy: 'secret', pace: 0, unknown: 'secret' };
  const { message, findings } = await errorOf(make(all));
  expect(findings.map(({ param }) => param)).toEqual(['apiKey', 'proxy', 'pace', 'unknown']);
  expect(`${message} ${JSON.stringify(findings)}`).not.toContain('secret');
});

test('refuses unusable options of a method before it sends anything', async () => {
  const { client, sandbox } = await openShop();
  const wrong = { retries: 5 } as object;
  const expected = { code: 'invalid-arguments', findings: [{ param: 'retries' }] };
  expect(await errorOf(client.orders.count(year, wrong))).toMatchObject(expected);
  expect(await errorOf(client.orders.list(year, wrong).first())).toMatchObject(expected);
  expect(await client.safe.tickets.create(refund, wrong)).toMatchObject({
    state: 'not-done',
    error: expected,
  });
  expect(await client.safe.tickets.create(refund, { wait: never })).toMatchObject({
    error: { message: 'wait must be milliseconds, 0 or more.' },
  });
  expect(await errorOf(client.orders.list(year).toArray({ limit: never }))).toMatchObject({
    message: 'limit must be a number, 0 or more.',
  });
  for (const given of [() => false, 5, 'limit=5', new URLSearchParams({ limit: '5' })] as never[]) {
    const refusal = { code: 'invalid-arguments', message: 'The options must be an object.' };
    expect(await errorOf(client.orders.list(year).toArray(given))).toMatchObject(refusal);
    expect(await errorOf(client.orders.count(year, given))).toMatchObject(refusal);
    expect(await client.safe.tickets.create(refund, given)).toMatchObject({ error: refusal });
    const { message } = await errorOf(client.get('/1.3/orders2/count', given));
    expect(message).toBe('The query must be an object.');
    expect((await errorOf(client.orders.get(given).first())).message).toMatch('The arguments must');
  }
  expect(sandbox.requests).toHaveLength(0);
});

test.each(['200', '403', '500', 'cut'])('shows no key in an error after %s', async (status) => {
  const { url } = await serve((reply, _, { headers }) => {
    if (status === 'cut') return reply.destroy();
    return reply
      .writeHead(Number(status), { 'x-key': headers.authorization })
      .end(`<b>${headers.authorization}</b>`);
  });
  const client = createClient({ apiKey: canary, baseUrl: url, maxWait: 0 });
  const errors = [
    await errorOf(client.orders.get({ receipt: 'MONTHLY1' }).toArray()),
    await errorOf(client.tickets.create(refund)),
  ];
  await client.close();
  for (const error of errors) {
    expect(error.message).not.toBe('');
    expect(inspect(error, { depth: 20, showHidden: true })).not.toContain(canary);
    expect(JSON.stringify(error)).not.toContain(canary);
  }
});

test('tells each request with its attempt, and gives the status and headers of a call', async () => {
  const events: object[] = [];
  const { client, sandbox } = await openShop({
    orders: 300,
    client: { onEvent: (event) => events.push(event) },
  });
  sandbox.setFaults('503=#1');
  const headers: string[] = [];
  await client.orders.count(year, {
    onResponse: (got) => headers.push(`${got.status} ${got.headers['content-type']}`),
  });
  const requests = events.filter((event) => 'type' in event && event.type === 'request');
  const path = expect.stringMatching(/^\/rest\/1\.3\/orders2\/count\?/);
  const milliseconds = expect.any(Number);
  const one = { type: 'request', method: 'GET', path, page: 1, milliseconds };
  expect(requests).toEqual([
    { ...one, attempt: 1, status: 503 },
    { ...one, attempt: 2, status: 200 },
  ]);
  expect(headers).toEqual([expect.stringMatching(/^200 text\/plain/)]);

  events.length = 0;
  const pages: number[] = [];
  await client.orders.list(year, { onResponse: ({ status }) => pages.push(status) }).toArray();
  expect(pages.length).toBeGreaterThan(1);
  expect(pages.at(-1)).toBe(200);
});

test('resolves to what a write has done although its listener throws, and rejects a read', async () => {
  const { client, writes } = await openShop();
  const onResponse = () => {
    throw new Error('of the listener');
  };
  const { receipt } = await client.tickets.create(refund, { onResponse });
  expect([receipt, writes().length]).toEqual(['DIGITAL1', 1]);
  await expect(client.orders.count(year, { onResponse })).rejects.toThrow('of the listener');
});

test('limits the time of one call, and the waits between its attempts', async () => {
  const { client, sandbox } = await openShop();
  sandbox.setFaults('latency=10m');
  const options = { timeout: 20, maxWait: 0 };
  const message = 'No complete response within 0.02 s.';
  const timedOut = { kind: 'network', code: 'timeout', message };
  expect(await errorOf(client.orders.count(year, options))).toMatchObject(timedOut);
  expect(await errorOf(client.orders.list(year, options).toArray())).toMatchObject(timedOut);
  expect(await errorOf(client.get('/1.3/orders2/count', year, options))).toMatchObject(timedOut);
});

test('shares its pace by the time of the machine, also if the service has another one', async () => {
  const paceFolder = home().folder;
  const { client } = await openShop({ client: { pace: 1000, paceFolder, now: () => new Date(0) } });
  const before = Date.now();
  await client.orders.count();
  const [slots = ''] = readdirSync(paceFolder).filter((name) => name.startsWith('http'));
  const slot = Number(readdirSync(join(paceFolder, slots))[0]);
  expect(slot).toBeGreaterThanOrEqual(before - 1);
});

test('reads a path outside the catalogue with get', async () => {
  const { client, sandbox } = await openShop({ orders: 300 });
  const { data, status, headers } = await client.get('/1.3/orders2/list', year, { page: 2 });
  expect({ status, type: headers['content-type'] }).toMatchObject({ status: 206 });
  expect(data).toMatchObject({ orderData: expect.any(Array) });
  const path = '/rest/1.3/orders2/list?startDate=2025-03-19&endDate=2026-03-18';
  expect(sandbox.requests.at(-1)).toMatchObject({ method: 'GET', path, page: '2' });
  const count = await client.get('/1.3/orders2/count', year);
  expect(count.data).toBe(await client.orders.count(year));
  expect((await client.get('/1.3/orders2/schema')).data).toMatch(/^<\?xml /);
  expect(await client.get('/1.3/orders2/NOSUCH01').catch((error) => error)).toMatchObject({
    ...{ kind: 'refused', status: 403 },
  });
  const before = sandbox.requests.length;
  for (const bad of ['1.3/orders2', '/1.3/../orders2', '/1.3/orders2?type=SALE']) {
    expect(await errorOf(client.get(bad))).toMatchObject({ code: 'invalid-arguments' });
  }
  expect(sandbox.requests).toHaveLength(before);
});

test('gets null from an empty body of JSON, and an ApiError from a broken one', async () => {
  const { url: baseUrl } = await serve((reply, _, { url }) =>
    reply.setHeader('content-type', 'application/json').end(url.endsWith('/empty') ? '' : '{'),
  );
  const { client } = await openShop({ client: { baseUrl } });
  expect(await client.get('/1.3/empty')).toMatchObject({ status: 200, data: null });
  expect(await errorOf(client.get('/1.3/broken'))).toMatchObject({
    ...{ code: 'unreadable', retryable: true, maybeDone: false },
  });
});
