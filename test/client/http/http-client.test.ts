/** The behavior of requests over every kind of connection. */
import { gzipSync } from 'node:zlib';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { createClient } from '../../../src/client/client.ts';
import {
  type Connections,
  type HttpOptions,
  openConnections,
} from '../../../src/client/http/connections.ts';
import { openHttpClient } from '../../../src/client/http/http-client.ts';
import type { HttpProxy } from '../../../src/client/http/origin.ts';
import { openUndici } from '../../../src/client/http/undici-connections.ts';
import { services } from '../../../src/operations/index.ts';
import { clientOf } from '../../support/client.ts';
import { startProxy } from '../../support/proxy.ts';
import { serve, serveRaw, serveSecurely } from '../../support/server.ts';

interface Setup {
  readonly over: string;
  readonly openAll: (options: HttpOptions) => Connections;
  readonly isProxied?: true;
}

const setups: readonly Setup[] = [
  // The first request goes over Node's client, the others over undici.
  { over: 'both', openAll: openConnections },
  { over: 'undici', openAll: ({ proxy, ...options }) => openUndici({ proxy, ...options }) },
  {
    over: 'fetch',
    openAll: (options) =>
      openConnections({ ...options, fetch: (url, settings) => fetch(url, settings) }),
  },
  { over: 'a proxy', openAll: openConnections, isProxied: true },
];

const writing = ['POST', 'PUT', 'DELETE'] as const;

describe.each(setups)('HTTP over $over', ({ over, openAll, isProxied }) => {
  let proxy: HttpProxy | undefined;

  beforeEach(async () => {
    if (!isProxied) return;
    const { url } = await startProxy();
    proxy = { source: 'HTTPS_PROXY', origin: url, secrets: [] };
  });

  async function open(options: Partial<HttpOptions> = {}) {
    const all = { timeout: 60_000, connections: 2, proxy, ...options };
    const client = openHttpClient(all, openAll(all));
    onTestFinished(() => client.close());
    return client;
  }

  async function failure(client: Awaited<ReturnType<typeof open>>, url: string, expected: object) {
    await expect(client.send(get(url))).rejects.toMatchObject(expected);
  }

  const get = (url: string) => ({ method: 'GET', url, headers: {} }) as const;

  test('sends path, query, and headers unchanged, accepts gzip, and returns the status, lower-case headers, and the body', async () => {
    const { url, asked } = await serve((reply) => {
      reply.writeHead(206, { 'X-Some-Header': 'a', 'Set-Cookie': ['b=1', 'c=2'] }).end('{"ü":1}');
    });
    const headers = { authorization: 'API-KEY', accept: 'application/json', page: '3' };
    const answer = await (await open()).send({ ...get(`${url}/rest/a%2Fb?c=%20d&c=e`), headers });
    expect(answer).toMatchObject({ status: 206, body: '{"ü":1}' });
    expect(answer.headers).toMatchObject({ 'x-some-header': 'a', 'set-cookie': 'b=1, c=2' });
    expect(asked[0]).toMatchObject({ method: 'GET', url: '/rest/a%2Fb?c=%20d&c=e' });
    expect(asked[0]?.headers).toMatchObject({ ...headers, 'accept-encoding': 'gzip' });
  });

  test.each(writing)('sends %s once if the connection that it reuses is lost', async (method) => {
    const { url, asked } = await serve((reply, number) => {
      if (number < 3) reply.end();
      else setTimeout(() => reply.destroy(), 5);
    });
    const client = await open();
    for (const _ of ['first', 'second']) await client.send(get(url));
    const lost = { kind: 'network', maybeDone: true };
    await expect(client.send({ method, url, headers: {} })).rejects.toMatchObject(lost);
    expect(asked.map((one) => one.method)).toEqual(['GET', 'GET', method]);
  });

  test.each(['POST', 'PUT'] as const)('sends a length of 0 with %s', async (method) => {
    const { url, asked } = await serve((reply) => reply.end('done'));
    const answer = await (await open()).send({ method, url, headers: { 'content-length': '0' } });
    expect(answer.body).toBe('done');
    expect(asked[0]?.headers['content-length']).toBe('0');
    expect(asked[0]?.headers['transfer-encoding']).toBeUndefined();
  });

  test('handles HEAD and 204 without a body', async () => {
    const { url } = await serve((reply, _, { method }) => {
      if (method === 'HEAD') reply.writeHead(200, { 'content-length': 9 }).end();
      else reply.writeHead(204).end();
    });
    const client = await open();
    expect(await client.send({ ...get(url), method: 'HEAD' })).toMatchObject({ body: '' });
    expect(await client.send(get(url))).toMatchObject({ status: 204, body: '' });
  });

  test('follows no redirect, so that a key reaches no other service', async () => {
    const elsewhere = await serve((reply) => reply.end());
    const { url } = await serve((reply) => reply.writeHead(302, { location: elsewhere.url }).end());
    const headers = { authorization: 'API-KEY' };
    const answer = await (await open()).send({ ...get(url), headers });
    expect(answer.status).toBe(302);
    expect(elsewhere.asked).toEqual([]);
  });

  test('decompresses gzip and drops a byte order mark', async () => {
    const { url } = await serve((reply) => {
      reply.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync('\ufeff{"a":"ж"}'));
    });
    expect(await (await open()).send(get(url))).toMatchObject({ body: '{"a":"ж"}' });
  });

  test.skipIf(over === 'fetch')('rejects truncated and invalid gzip', async () => {
    const packed = gzipSync('x'.repeat(10_000));
    const truncated = packed.subarray(0, packed.length - 12);
    const bodies = [Buffer.from('no gzip'), truncated];
    const { url } = await serve((reply, number) => {
      reply.writeHead(200, { 'content-encoding': 'gzip' }).end(bodies[number - 1]);
    });
    const client = await open();
    const message = 'The response is not valid gzip.';
    const notWhole = { kind: 'failed', maybeDone: true, message };
    for (const _ of bodies) await failure(client, url, notWhole);
  });

  test('reads at most the maximum body size, compressed or not', async () => {
    const { url } = await serve((reply, number) => {
      const body = 'x'.repeat(3_000_000);
      if (number === 1) reply.end(body);
      else reply.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(body));
    });
    const tooLarge = { kind: 'failed', message: 'The response is larger than 1 MiB.' };
    const client = await open();
    for (const _ of ['plain', 'packed']) {
      const sent = client.send({ ...get(url), largestBody: 1024 * 1024 });
      await expect(sent).rejects.toMatchObject(tooLarge);
    }
  });

  test('reports a connection closed before or during the response', async () => {
    const { url } = await serve((reply, number) => {
      if (number === 1) reply.destroy();
      else {
        reply.writeHead(200, { 'content-length': 100 }).write('half of it');
        setTimeout(() => reply.destroy(), 20);
      }
    });
    const client = await open();
    const message = expect.stringMatching(/^Connection closed by 127\.0\.0\.1:\d+ /);
    const closed = { kind: 'network', passing: true, maybeDone: true, message };
    for (const _ of ['before', 'within']) await failure(client, url, closed);
  });

  test('reports a response that is not HTTP', async () => {
    const { url } = await serveRaw((socket) => void socket.end('hello\r\n'));
    const says = /^No (response from 127\.0\.0\.1:\d+: |complete response)/;
    const expected = { kind: 'network', message: expect.stringMatching(says) };
    // In a tunnel, undici connects again and again.
    await failure(await open(isProxied && { timeout: 1000 }), url, expected);
  });

  test('reports a refused connection as not sent', async () => {
    // Not port 1, to which fetch does not even try to connect.
    const says = isProxied
      ? /^The proxy http:\/\/127\.0\.0\.1:\d+ refused to connect to the service \(502\)\.$/
      : /^Connection refused by 127\.0\.0\.1:\d+ \(ECONNREFUSED\)\.$/;
    const refused = { kind: 'network', maybeDone: false, message: expect.stringMatching(says) };
    await failure(await open(), 'http://127.0.0.1:2', refused);
  });

  test('rejects self-signed certificates', async () => {
    const asked: unknown[] = [];
    const { url } = await serveSecurely((request) => asked.push(request));
    await failure(await open(), url, {
      ...{ kind: 'network', passing: false, hint: expect.stringContaining('NODE_EXTRA_CA_CERTS') },
      message: expect.stringMatching(/^The certificate of 127\.0\.0\.1:\d+ can't be trusted/),
    });
    expect(asked).toEqual([]);
  });

  test.each(['never begins', 'never ends'])('times out for a response that %s', async (how) => {
    const { url } = await serve((reply) => {
      if (how === 'never ends') reply.writeHead(200).write('a');
    });
    const message = 'No complete response within 1 s.';
    const expected = { kind: 'network', passing: true, maybeDone: true, message };
    await failure(await open({ timeout: 1000 }), url, expected);
  });

  test.each(['never begins', 'never ends'])('can be aborted while a response %s', async (how) => {
    const stop = new AbortController();
    const { url } = await serve((reply) => {
      if (how === 'never ends') reply.writeHead(200).write('a');
      setTimeout(() => stop.abort(), 50);
    });
    for (const _ of ['under way', 'too late']) {
      const sent = (await open()).send(get(url), stop.signal);
      await expect(sent).rejects.toMatchObject({ kind: 'cancelled' });
    }
  });

  test('ends all requests when the client is closed', async () => {
    const client = await open();
    const { url } = await serve(() => void client.close());
    const closed = { kind: 'cancelled', message: 'The client is closed.', passing: false };
    for (const _ of ['under way', 'too late']) await failure(client, url, closed);
  });
});

test('sends nothing but reads over the global fetch, which may send a write twice', async () => {
  const { url, asked } = await serve((reply) => reply.end());
  const client = clientOf(url, { fetch });
  for (const method of writing) {
    await expect(client.send({ method, path: '/rest', query: [] }, 1)).rejects.toMatchObject({
      kind: 'request',
      maybeDone: false,
      hint: expect.stringMatching(/^Nothing was sent/),
    });
  }
  await client.send({ method: 'GET', path: '/rest', query: [] }, 1);
  expect(asked.map(({ method }) => method)).toEqual(['GET']);
});

test("answers a client from a program's own fetch, without a server", async () => {
  const asked: unknown[] = [];
  const own = (url: string, { method }: { readonly method: string }) => {
    asked.push([method, url]);
    return new Response('{"orderData":{"receipt":"A1"}}');
  };
  const client = createClient({ apiKey: 'API-TEST', fetch: own as never });
  const rows = await client.call(services.orders.get, { receipt: 'A1' });
  expect(rows).toMatchObject([{ receipt: 'A1' }]);
  expect(asked).toEqual([['GET', 'https://api.clickbank.com/rest/1.3/orders2/A1']]);
});

test.each([
  ['never ends', () => new Response(new ReadableStream()), 'No complete response within 0.05 s.'],
  ['has no body, as in a mock', () => ({ status: 200, headers: new Headers() }), 'has no body.'],
  ['is a failure without an error', () => Promise.reject(), 'No response from api.clickbank.com'],
])('reports a response of a fetch that ignores signals and %s', async (_, own, says) => {
  const options = { apiKey: 'API-TEST', fetch: own as never, timeout: 50, maxWait: 0 };
  const read = createClient(options).call(services.orders.get, { receipt: 'A1' });
  await expect(read).rejects.toMatchObject({
    name: 'ApiError',
    message: expect.stringMatching(says),
  });
});

test('refuses a proxy together with fetch', () => {
  const proxy = { source: 'HTTPS_PROXY', origin: 'http://127.0.0.1:1', secrets: [] };
  expect(() => createClient({ apiKey: 'API-TEST', proxy, fetch })).toThrow(
    "A proxy can't be used together with fetch.",
  );
});
