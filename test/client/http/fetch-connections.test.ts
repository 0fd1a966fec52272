/** What is special about requests over `fetch`. */
import { STATUS_CODES } from 'node:http';
import { afterEach, expect, test, vi } from 'vitest';
import { createClient } from '../../../src/client/client.ts';
import { fetchFailure } from '../../../src/client/http/fetch-failure.ts';
import { statusNames } from '../../../src/client/http/status-names.ts';
import { services } from '../../../src/operations/index.ts';
import { clientOf } from '../../support/client.ts';
import { serve } from '../../support/server.ts';

afterEach(() => vi.unstubAllGlobals());

test.each([
  { userAgent: 'Deno/2.9.6', methods: [] },
  { userAgent: 'Cloudflare-Workers', methods: ['POST'] },
  { userAgent: 'Bun/1.4.5', methods: ['POST', 'PUT', 'DELETE'] },
  { userAgent: 'Node.js/22', methods: ['POST', 'PUT', 'DELETE'] },
  { userAgent: 'Other/1', methods: [] },
])(
  'sends only $methods over the fetch of $userAgent, which sends other writes twice',
  async ({ userAgent, methods }) => {
    vi.stubGlobal('navigator', { userAgent });
    const { url, asked } = await serve((reply) => reply.end());
    const client = clientOf(url, { fetch });
    for (const method of ['POST', 'PUT', 'DELETE'] as const) {
      const sent = client.send({ method, path: '/rest', query: [] }, 1);
      if (methods.includes(method)) await sent;
      else {
        const hint = expect.stringMatching(/^Nothing was sent/);
        await expect(sent).rejects.toMatchObject({ kind: 'request', maybeDone: false, hint });
      }
    }
    await client.send({ method: 'GET', path: '/rest', query: [] }, 1);
    expect(asked.map(({ method }) => method)).toEqual([...methods, 'GET']);
  },
);

test('refuses a proxy together with fetch', () => {
  const proxy = { source: 'HTTPS_PROXY', origin: 'http://127.0.0.1:1', secrets: [] };
  expect(() => createClient({ apiKey: 'API-TEST', proxy, fetch })).toThrow(
    "A proxy can't be used together with fetch.",
  );
});

test('reads a list of pages over fetch', async () => {
  const { url } = await serve((reply, _, { headers }) => {
    const row = { receipt: `A${headers.page}`, totalOrderAmount: '1.50' };
    reply.writeHead(headers.page === '40' ? 200 : 206).end(JSON.stringify({ orderData: [row] }));
  });
  const rows: unknown[] = [];
  const client = clientOf(url, { fetch, concurrency: 20 });
  for await (const row of client.list(services.orders.list, {})) rows.push(row);
  expect(rows).toHaveLength(40);
});

/** As the runtimes word their errors: the first has a code within its cause, Deno and workerd have none. */
const connect =
  'error sending request for url (https://x.test/rest?email=a%40b): client error (Connect)';
test.each([
  ['ECONNREFUSED', `${connect}: tcp connect error: Connection refused (os error 111)`],
  ['ENOTFOUND', `${connect}: dns error: failed to lookup address information`],
  ['CERT_UNTRUSTED', `${connect}: invalid peer certificate: UnknownIssuer`],
  ['ECONNRESET', 'client error (SendRequest): connection closed before message completed'],
  ['ECONNRESET', 'error reading a body from connection'],
  ['ECONNRESET', 'Network connection lost.'],
  [undefined, `${connect}: something else`],
])('gives %s to a failure of fetch', (code, message) => {
  const cause = new Error(message);
  const failure = fetchFailure(new TypeError('fetch failed', { cause }));
  expect(failure).toMatchObject(code ? { code } : { message: expect.any(String) });
  expect(failure.message).not.toContain('email');
  expect((failure as { code?: string }).code).toBe(code);
});

test.each(['Gzip decompression failed.', 'unexpected end of file', 'corrupt deflate stream'])(
  'reports %s as invalid gzip',
  (message) => {
    expect(fetchFailure(new TypeError(message))).toMatchObject({
      kind: 'failed',
      message: 'The response is not valid gzip.',
    });
  },
);

test('has the names of all statuses other than 2xx', () => {
  const others = Object.entries(STATUS_CODES).filter(([status]) => Number(status) >= 300);
  expect(statusNames).toEqual(Object.fromEntries(others));
});
