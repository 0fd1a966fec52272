import { gunzipSync } from 'node:zlib';
import { expect } from 'vitest';
import { ask, expectAnswers, getJson, keyOf, sendBytes, test } from '../raw.ts';

const LIST = '/rest/1.3/orders2/list';
const COUNT = '/rest/1.3/orders2/count';

test('returns 401 in plain text for a missing or wrong key', async ({ sandbox }) => {
  const own = keyOf(sandbox, 'full');
  const near = [`Bearer ${own}`, own.slice(0, -1), `${own}0`, own.toLowerCase()];
  for (const Authorization of ['', 'API-NOBODY', ...near]) {
    const response = await getJson(sandbox, LIST, { Authorization });
    expect([response.status, response.text]).toEqual([401, 'Invalid API key']);
    expect(response.headers['content-type']).toMatch(/^text\/plain/);
  }
});

test('uses keys of the real format that identify the sandbox', async ({ sandbox }) => {
  for (const { key } of sandbox.keys) {
    expect(key).toMatch(/^API-(?=.*SANDBOX)[A-Z0-9]{36}$/);
    const headers = { Authorization: `DEV-ANYTHING:${key}` };
    expect((await getJson(sandbox, LIST, headers)).status).not.toBe(401);
  }
});

test('returns the roles and the key from debug', async ({ sandbox }) => {
  const Authorization = keyOf(sandbox, 'read-only');
  const response = await ask(sandbox, 'GET', '/rest/1.3/debug', { Authorization });
  expect(response.text).toBe(`api_order_read\n${Authorization}\n`);
  expect((await ask(sandbox, 'GET', '/rest/1.3/debug', { Authorization: '' })).status).toBe(401);
});

test('returns 404 for an unknown path and 405 for an unsupported method', async ({ sandbox }) => {
  for (const path of ['/', '/rest/1.3/nothing', '/1.3/orders2/list', '/rest/1.3/orders2/a/b/c']) {
    const { status, text } = await getJson(sandbox, path);
    expect([path, status, text]).toEqual([path, 404, 'Not Found']);
  }
  const response = await ask(sandbox, 'DELETE', LIST);
  expect([response.status, response.headers.allow]).toEqual([405, 'GET']);
  await expectAnswers(sandbox)`
    GET orders2/MONTHLY1/extend 405
    GET orders/list?type=SALE 404 Use /rest/1.3/orders2 instead.
    GET orders/count 404 Use /rest/1.3/orders2 instead.
    GET orders/MONTHLY1 404 Use /rest/1.3/orders2 instead.
    GET orders/ 404 Use /rest/1.3/orders2 instead.`;
});

test('sends XML by default and JSON when Accept prefers it', async ({ sandbox }) => {
  expect((await ask(sandbox, 'GET', LIST)).headers['content-type']).toBe('application/xml');
  for (const [Accept, expected] of [
    ['*/*', 'application/xml'],
    ['application/json', 'application/json'],
    ['application/xml;q=0.1, application/json;q=0.9', 'application/json'],
    ['application/json;q=0, */*', 'application/xml'],
    // A named type takes precedence over a wildcard.
    ['application/json, text/plain, */*', 'application/json'],
    ['*/*, application/json', 'application/json'],
    ['application/*, application/json', 'application/json'],
    ['*/*, application/xml', 'application/xml'],
    ['application/json;q=0.5, */*', 'application/xml'],
    ['application/*', 'application/xml'],
  ] as const) {
    const { headers } = await ask(sandbox, 'GET', LIST, { Accept });
    expect([Accept, headers['content-type']]).toEqual([Accept, expected]);
  }
});

test('returns 406 for an unsupported Accept header', async ({ sandbox }) => {
  for (const Accept of ['text/html', 'text/csv', 'text/xml', 'application/json;q=0']) {
    await expectAnswers(sandbox, { Accept })`
      GET orders2/list 406
      GET orders2/MONTHLY1 406
      GET orders2/UPSELL01/upsells 406
      GET orders2/count 406
      GET shipping/count?days=365 406`;
  }
  await expectAnswers(sandbox)`GET orders2/schema 406\nGET shipping/count 200`;
  await expectAnswers(sandbox, { Accept: 'text/plain' })`GET shipping/count 406`;
});

const TEXT = 'text/plain;charset=UTF-8';
const XML = 'application/xml';

test.for([
  ...['shipping', 'shipping2', 'shipping3'].map((name) => [`${name}/count?days=365`, XML] as const),
  ...['orders2', 'tickets'].map((name) => [`${name}/count`, TEXT] as const),
])('returns the count %s as %s, or as JSON or XML', async ([path, usual], { seeded }) => {
  const count = (headers: Record<string, string>) =>
    ask(seeded, 'GET', `/rest/1.3/${path}`, headers);
  const json = await count({ Accept: 'application/json' });
  expect(json.headers['content-type']).toBe('application/json');
  expect(json.text).toMatch(/^[1-9]\d*$/);
  const xml = `<?xml version="1.0" encoding="UTF-8" standalone="yes"?><count>${json.text}</count>`;
  for (const [headers, type] of [
    [{ Accept: XML }, XML],
    [{ Accept: '*/*' }, usual],
    [usual === TEXT ? { Accept: 'text/plain' } : {}, usual],
  ] as const) {
    const { headers: got, text } = await count(headers);
    expect([got['content-type'], text]).toEqual([type, type === XML ? xml : json.text]);
  }
});

test('ignores unknown parameters and uses the first of repeated ones', async ({ sandbox }) => {
  const sales = await getJson(sandbox, `${COUNT}?startDate=2025-01-01&type=SALE`);
  const path = `${COUNT}?startDate=2025-01-01&type=SALE&type=RFND&color=red`;
  expect((await getJson(sandbox, path)).text).toBe(sales.text);
  expect(Number(sales.text)).toBeGreaterThan(0);
});

test('refuses a POST without a body length, and reads only the query', async ({ sandbox }) => {
  const post = (path: string, rest: string) => {
    const head = `POST /rest/1.3/orders2/${path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: ${keyOf(sandbox, 'full')}\r\nConnection: close\r\n`;
    return sendBytes(sandbox, `${head}${rest}`);
  };
  expect(await post('CANCEL01/reinstate', '\r\n')).toContain(' 400 ');
  expect((await ask(sandbox, 'HEAD', '/rest/1.3/orders2/CANCEL01')).status).toBe(403);
  expect(await post('CANCEL01/reinstate', 'Content-Length: 0\r\n\r\n')).toContain(' 204 ');
  const form = 'Content-Type: application/x-www-form-urlencoded\r\nContent-Length: 12\r\n\r\n';
  expect(await post('LIMITED1/extend', `${form}numPeriods=1`)).toContain(' 400 ');
});

test('returns 414 for a URL of more than 2,000 characters', async ({ sandbox }) => {
  const room = 2000 - `${sandbox.url}${LIST}?x=`.length;
  expect((await getJson(sandbox, `${LIST}?x=${'a'.repeat(room)}`)).status).toBe(200);
  expect((await getJson(sandbox, `${LIST}?x=${'a'.repeat(room + 1)}`)).status).toBe(414);
});

test('compresses with gzip only if it is accepted', async ({ sandbox }) => {
  const path = '/rest/1.3/orders2/MONTHLY1';
  const codedAs = (coding: string) => getJson(sandbox, path, { 'Accept-Encoding': coding });
  const plain = await getJson(sandbox, path);
  const packed = await codedAs('deflate, gzip');
  expect(packed.headers['content-encoding']).toBe('gzip');
  expect(gunzipSync(packed.bytes).toString()).toBe(plain.text);
  for (const coding of ['gzip;q=0', 'identity', 'br']) {
    expect((await codedAs(coding)).text, coding).toBe(plain.text);
  }
});

test('responds to HEAD like GET without the body', async ({ sandbox }) => {
  const get = await getJson(sandbox, LIST);
  const head = await ask(sandbox, 'HEAD', LIST, { Accept: 'application/json' });
  expect([head.status, head.text]).toEqual([200, '']);
  expect(head.headers['content-length']).toBe(String(get.bytes.length));
});
