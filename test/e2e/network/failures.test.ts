/** Failures of the service and the network: exit codes and errors of at most two lines. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { sandboxHome } from '../../support/cb.ts';
import { servedHome } from '../../support/served-home.ts';

const list = 'orders list --period today';

test('ends with exit code 4 for an unknown or inaccessible receipt, also for orders active', async () => {
  const { cb } = await sandboxHome();
  for (const line of [
    'active MONTHLY1 --profile sandbox:no-orders',
    'active NOSUCH99 --sandbox',
    'get NOSUCH99 --sandbox',
  ]) {
    const { code, out, err } = await cb(`orders ${line}`);
    expect({ code, out }).toEqual({ code: 4, out: '' });
    expect(err).toContain('403');
  }
});

test.each([
  [401, 'Invalid API key', 3, /401 Unauthorized: Invalid API key.*cb login/s],
  [429, 'Sorry', 7, /429 Too Many Requests: Sorry/],
  [500, 'Sorry', 5, /500 Internal Server Error: Sorry/],
  [503, 'Sorry', 5, /503 Service Unavailable: Sorry/],
  [200, '<html><body>Log in</body></html>', 5, /proxy/],
  [
    403,
    '<html><body>Blocked</body></html>',
    5,
    /A proxy or gateway returned 403 Forbidden: Blocked/,
  ],
])(
  'reports a response %i with %j in one line and ends with exit code %i',
  async (status, body, code, says) => {
    const { cb } = await servedHome((reply) => reply.writeHead(status).end(body));
    const ran = await cb(`${list} --max-wait 0`);
    expect(ran).toMatchObject({ code, err: expect.stringMatching(says) });
    expect(ran.err.trimEnd().split('\n').length).toBeLessThanOrEqual(2);
  },
);

test('says once what a 403 means', async () => {
  const { cb } = await sandboxHome(30);
  const { code, err } = await cb('--sandbox orders get NOSUCH99');
  expect(code).toBe(4);
  expect(err.match(/does not exist/g)).toHaveLength(1);
  expect(err).toContain('The key may also lack permission, or requests may be too frequent.');
  const { cb: other } = await servedHome((reply) => reply.writeHead(403).end('Sorry'));
  const plain = await other('orders get NOSUCH99');
  expect(plain.err).toContain('This usually means that the receipt does not exist');
});

test('ends with exit code 6 for an unreachable or silent server', async () => {
  const silent = await servedHome(() => undefined);
  const late = await silent.cb(`${list} --timeout 0.2 --max-wait 0`);
  expect(late).toMatchObject({ code: 6, err: expect.stringContaining('--timeout') });
  const env = { ...silent.env, CB_BASE_URL: 'http://127.0.0.1:1' };
  const { code, err } = await silent.cb(`${list} --max-wait 0`, { env });
  expect(code).toBe(6);
  expect(err).toMatch(/Connection refused by 127\.0\.0\.1/);
  expect(err).not.toMatch(/\bat .*\.[jt]s\b/);
});

test('keeps the old file if a list breaks off', async () => {
  const { cb, folder } = await servedHome((reply, _, { headers }) =>
    headers.page === '1'
      ? reply.writeHead(206).end('{"orderData":{"receipt":"A1"}}')
      : reply.writeHead(500).end('Sorry'),
  );
  writeFileSync(`${folder}/orders.csv`, 'of yesterday\n');
  expect((await cb(`${list} --out orders.csv --max-wait 0`)).code).toBe(5);
  expect(readFileSync(`${folder}/orders.csv`, 'utf8')).toBe('of yesterday\n');
  expect(readdirSync(folder).filter((name) => name.includes('orders'))).toEqual(['orders.csv']);
});
