/** What the service and the network do wrong comes out as the right exit code and one line. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { home, sandboxHome } from '../../support/cb.ts';
import { servedHome } from '../../support/served-home.ts';

const list = 'orders list --period today';

test('Without a key: 3, and what to do', async () => {
  const { cb } = home();
  const { code, err } = await cb(list);
  expect(code).toBe(3);
  expect(err).toMatch(/^cb: there is no API key yet .*cb login.*--sandbox/);
});

test('A 403 is 4, and names what it can mean', async () => {
  const { cb } = await sandboxHome();
  const { code, err } = await cb('orders get DIGITAL1 --profile sandbox:no-orders');
  expect(code).toBe(4);
  expect(err).toMatch(/403.*does not exist.*permission.*too many requests/);
});

test('a receipt that does not exist, or that the key may not see, is 4, also for orders active', async () => {
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
  [401, 'Invalid API key', 3, /401: Invalid API key.*cb login/],
  [429, 'Sorry', 7, /429: Sorry/],
  [500, 'Sorry', 5, /500: Sorry/],
  [503, 'Sorry', 5, /503: Sorry/],
  [200, '<html><body>Log in</body></html>', 5, /proxy/],
])(
  'a response %i with %j ends with exit code %i and one line',
  async (status, body, code, says) => {
    const { cb } = await servedHome((reply) => reply.writeHead(status).end(body));
    const ran = await cb(`${list} --max-wait 0`);
    expect(ran).toMatchObject({ code, err: expect.stringMatching(says) });
    expect(ran.err.trimEnd().split('\n')).toHaveLength(1);
  },
);

test('a server that does not exist, or never answers, is 6', async () => {
  const silent = await servedHome(() => undefined);
  const late = await silent.cb(`${list} --timeout 0.2 --max-wait 0`);
  expect(late).toMatchObject({ code: 6, err: expect.stringContaining('--timeout') });
  const env = { ...silent.env, CB_BASE_URL: 'http://127.0.0.1:1' };
  const { code, err } = await silent.cb(`${list} --max-wait 0`, { env });
  expect(code).toBe(6);
  expect(err).toMatch(/nothing answers at 127\.0\.0\.1/);
  expect(err).not.toMatch(/\bat .*\.[jt]s\b/);
});

test('a list that breaks off is 8 once rows were shown, and leaves the file of before as it was', async () => {
  const { cb, folder } = await servedHome((reply, _, { headers }) =>
    headers.page === '1'
      ? reply.writeHead(206).end('{"orderData":{"receipt":"A1"}}')
      : reply.writeHead(500).end('Sorry'),
  );
  const shown = await cb(`${list} -o ndjson --max-wait 0`);
  expect(shown.code).toBe(8);
  expect(shown.out.trimEnd().split('\n')).toHaveLength(1);
  expect(shown.err).toMatch(/incomplete: it stopped after 1 rows \(1 pages\).*500/);
  writeFileSync(`${folder}/orders.csv`, 'of yesterday\n');
  expect((await cb(`${list} --out orders.csv --max-wait 0`)).code).toBe(5);
  expect(readFileSync(`${folder}/orders.csv`, 'utf8')).toBe('of yesterday\n');
  expect(readdirSync(folder).filter((name) => name.includes('orders'))).toEqual(['orders.csv']);
});
