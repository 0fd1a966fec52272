/** What the service and the network do wrong comes out as the right exit code and one line. */
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { expect, test } from 'vitest';
import { home, sandboxHome } from '../../support/cb.ts';
import { serve } from '../../support/server.ts';

const list = 'orders list --period today';

test('Without a key: 3, and what to do', async () => {
  const { cb } = home();
  const { code, err } = await cb(list);
  expect(code).toBe(3);
  expect(err).toMatch(/^cb: there is no API key yet .*cb login.*--sandbox/);
});

test('With a key that the service does not know: 3, and what to do', async () => {
  const { cb } = home();
  const server = await serve((reply) => reply.writeHead(401).end('Invalid API key'));
  const env = { CB_BASE_URL: server.url, CB_API_KEY: 'API-NOT-KNOWN-HERE' };
  const { code, err } = await cb(list, { env });
  expect(code).toBe(3);
  expect(err.trimEnd().split('\n')).toHaveLength(1);
  expect(err).toMatch(/401: Invalid API key.*cb login/);
  expect(err).not.toContain('NOT-KNOWN');
});

test('A 403 is 4, and names what it can mean', async () => {
  const { cb } = await sandboxHome();
  const { code, err } = await cb('orders get DIGITAL1 --profile sandbox:no-orders');
  expect(code).toBe(4);
  expect(err).toMatch(/403.*does not exist.*permission.*too many requests/);
});

test('Whether an order is active is not guessed where the service would not say', async () => {
  const { cb } = await sandboxHome();
  for (const line of ['MONTHLY1 --profile sandbox:no-orders', 'NOSUCH99 --sandbox']) {
    const { code, out, err } = await cb(`orders active ${line}`);
    expect({ code, out }).toEqual({ code: 4, out: '' });
    expect(err).toContain('403');
  }
});

test('A receipt that does not exist is 4', async () => {
  const { cb } = await sandboxHome();
  expect(await cb('--sandbox orders get NOSUCH99')).toMatchObject({ code: 4, out: '' });
});

test('A server that is not there is 6', async () => {
  const { cb } = home();
  const env = { CB_BASE_URL: `http://127.0.0.1:${await freePort()}`, CB_API_KEY: 'API-TEST' };
  const { code, err } = await cb(`${list} --max-wait 0`, { env });
  expect(code).toBe(6);
  expect(err).toMatch(/nothing answers at 127\.0\.0\.1/);
  expect(err).not.toMatch(/\bat .*\.[jt]s\b/);
});

test('A server that never answers is 6 after --timeout', async () => {
  const { cb } = home();
  const server = await serve(() => undefined);
  const env = { CB_BASE_URL: server.url, CB_API_KEY: 'API-TEST' };
  const { code, err } = await cb(`${list} --timeout 0.2 --max-wait 0`, { env });
  expect(code).toBe(6);
  expect(err).toContain('--timeout');
});

test('A server that fails is 5, and too many requests for too long is 7', async () => {
  const { cb } = home();
  for (const [status, code] of [
    [500, 5],
    [503, 5],
    [429, 7],
  ] as const) {
    const server = await serve((reply) => reply.writeHead(status).end('Sorry'));
    const env = { CB_BASE_URL: server.url, CB_API_KEY: 'API-TEST' };
    const ran = await cb(`${list} --max-wait 0`, { env });
    expect(ran.code).toBe(code);
    expect(ran.err).toContain(`${status}: Sorry`);
  }
});

test('A list that breaks off after rows were shown is 8, and says how far it came', async () => {
  const { cb } = home();
  const server = await serve((reply, number) =>
    number === 1
      ? reply.writeHead(206).end('{"orderData":{"receipt":"A1"}}')
      : reply.writeHead(500).end('Sorry'),
  );
  const env = { CB_BASE_URL: server.url, CB_API_KEY: 'API-TEST' };
  const { code, out, err } = await cb(`${list} -o ndjson --max-wait 0`, { env });
  expect(code).toBe(8);
  expect(out.trimEnd().split('\n')).toHaveLength(1);
  expect(err).toMatch(/not whole: it stopped after 1 rows \(1 pages\).*500/);
});

test('A list that breaks off leaves no file, and the file of before as it was', async () => {
  const { cb, folder } = home();
  const { readdirSync, readFileSync, writeFileSync } = await import('node:fs');
  writeFileSync(`${folder}/orders.csv`, 'of yesterday\n');
  const server = await serve((reply, number) =>
    number === 1
      ? reply.writeHead(206).end('{"orderData":{"receipt":"A1"}}')
      : reply.writeHead(500).end('Sorry'),
  );
  const env = { CB_BASE_URL: server.url, CB_API_KEY: 'API-TEST' };
  const { code } = await cb(`${list} --out orders.csv --max-wait 0`, { env });
  expect(code).toBe(5);
  expect(readFileSync(`${folder}/orders.csv`, 'utf8')).toBe('of yesterday\n');
  expect(readdirSync(folder)).toEqual(['orders.csv']);
});

test('A web page in place of an answer is 5, and asks about a proxy', async () => {
  const { cb } = home();
  const server = await serve((reply) => reply.end('<html><body>Log in</body></html>'));
  const env = { CB_BASE_URL: server.url, CB_API_KEY: 'API-TEST' };
  const { code, err } = await cb(`${list} --max-wait 0`, { env });
  expect(code).toBe(5);
  expect(err).toContain('proxy');
});

test('A redirect is not followed', async () => {
  const { cb } = home();
  const other = await serve((reply) => reply.end('null'));
  const server = await serve((reply) =>
    reply.writeHead(302, { location: `${other.url}/rest/1.3/orders2/list` }).end(),
  );
  const env = { CB_BASE_URL: server.url, CB_API_KEY: 'API-TEST' };
  const { code } = await cb(list, { env });
  expect(code).toBe(4);
  expect(other.asked).toEqual([]);
});

test('What a server says can not steer the terminal', async () => {
  const { cb } = home();
  const server = await serve((reply) =>
    reply.writeHead(400).end('bad\u001b]0;owned\u0007 value\u001b[2J'),
  );
  const env = { CB_BASE_URL: server.url, CB_API_KEY: 'API-TEST' };
  const { err } = await cb(list, { env });
  expect(err).toContain('bad');
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not come through
  expect(err).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/);
});

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as AddressInfo;
  await new Promise((done) => server.close(done));
  return port;
}
