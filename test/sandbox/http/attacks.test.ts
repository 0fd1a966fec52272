/** Requests that the sandbox rejects, and limits of resources. */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { expect, onTestFinished } from 'vitest';
import { KEYS } from '../../../src/sandbox/http/keys.ts';
import type { Sandbox } from '../../../src/sandbox/http/server.ts';
import { cb as startBinary } from '../../support/binary.ts';
import { home } from '../../support/cb.ts';
import { ask, getJson, lineOf, openSandbox, post, sendBytes, socketTo, test } from '../raw.ts';

const EXTEND = '/rest/1.3/orders2/LIMITED1/extend?numPeriods=1';
const WRITE = `POST ${EXTEND} HTTP/1.1`;
const COUNT = '/rest/1.3/orders2/count';
const CHUNKED = 'Transfer-Encoding: chunked';
const UPGRADE = 'Connection: upgrade';
const [full] = KEYS;
const OWN = ['Host: localhost'];

/** A request as bytes; Host is among `lines`. */
function bytesOf(start: string, lines: readonly string[], body = ''): string {
  const head = [start, `Authorization: ${full?.key}`, 'Connection: close', ...lines];
  return `${head.join('\r\n')}\r\n\r\n${body}`;
}

/** A write that would succeed if it were accepted. */
function writeWith(lines: readonly string[], start = WRITE): string {
  return bytesOf(start, ['Content-Length: 0', ...lines]);
}

const filler = Array.from({ length: 2500 }, () => 'a:');

const fromOthers: readonly (readonly [what: string, lines: readonly string[]])[] = [
  ['a name from outside', ['Host: evil.example']],
  ['a name that begins like ours', ['Host: 127.0.0.1.evil.example']],
  ['a name that ends like ours', ['Host: evil.example#localhost']],
  ['a user before our name', ['Host: evil@localhost']],
  ['an address of the network', ['Host: 192.168.1.7']],
  ['every address of the machine', ['Host: 0.0.0.0']],
  ['an empty name', ['Host:']],
  ['no name', []],
  ['two names, ours first', ['Host: localhost', 'Host: evil.example']],
  ['two names, ours last', ['Host: evil.example', 'Host: localhost']],
  ['a page elsewhere', [...OWN, 'Origin: https://evil.example']],
  ['a page in a sealed frame', [...OWN, 'Origin: null']],
  ['a page of another local server', [...OWN, 'Origin: http://localhost:3000']],
  ['a page of our name over https', [...OWN, 'Origin: https://localhost']],
  ['two pages, one of them ours', [...OWN, 'Origin: http://localhost', 'Origin: http://x.example']],
  ['a page behind 2,500 headers', [...OWN, ...filler, 'Origin: https://evil.example']],
  ['an image in a page elsewhere', [...OWN, 'Sec-Fetch-Site: cross-site']],
  ['a form in a page of another port', [...OWN, 'Sec-Fetch-Site: same-site']],
  ['a web socket of a page', [...OWN, 'Origin: https://x.example', 'Upgrade: websocket', UPGRADE]],
];

/** Attempts to hide a second request. */
const smuggling: readonly (readonly [what: string, lines: readonly string[]])[] = [
  ['a length and chunks', ['Content-Length: 5', CHUNKED]],
  ['two lengths', ['Content-Length: 0', 'Content-Length: 5']],
  ['a length below zero', ['Content-Length: -1']],
  ['a length in words', ['Content-Length: 0x0']],
  ['chunks that something follows', ['Transfer-Encoding: chunked, identity']],
  ['chunks behind a strange space', ['Transfer-Encoding:\vchunked']],
  ['a space before the colon', ['Content-Length : 0']],
  ['a folded line', ['X: a', ' Content-Length: 5']],
  ['a lone line feed', ['X: a\nContent-Length: 5']],
];

test.for<readonly [what: string, status: string, ...bytes: string[]]>([
  ...fromOthers.map(
    ([what, lines]) =>
      [what, '40[03]', writeWith(lines), writeWith(lines, `POST ${EXTEND} HTTP/1.0`)] as const,
  ),
  ...smuggling.map(([what, lines]) => {
    const hidden = `0\r\n\r\n${writeWith(OWN)}`;
    return [what, '400', bytesOf(WRITE, [...OWN, ...lines], hidden)] as const;
  }),
  ['an address of 8 kB', '414', writeWith(OWN, `POST ${EXTEND}&x=${'a'.repeat(8000)} HTTP/1.1`)],
  ['an address of 64 kB', '431', writeWith(OWN, `POST ${EXTEND}&x=${'a'.repeat(65_536)} HTTP/1.1`)],
  ['a header of 100 kB', '431', writeWith([...OWN, `X: ${'a'.repeat(100_000)}`])],
  ['10,000 headers', '431', writeWith([...OWN, ...Array.from({ length: 10_000 }, () => 'a: b')])],
  ['a body of a gigabyte', '413', bytesOf(WRITE, [...OWN, 'Content-Length: 1000000000'])],
])('rejects a write with %s before its effect', async ([, status, ...attempts], { seeded }) => {
  const { futurePayments } = await lineOf(seeded, 'LIMITED1');
  const before = seeded.requests.length;
  for (const bytes of attempts) {
    expect(await firstLine(seeded, bytes)).toMatch(new RegExp(` ${status} `));
  }
  expect(seeded.requests.slice(before)).toEqual([]);
  expect((await lineOf(seeded, 'LIMITED1')).futurePayments).toBe(futurePayments);
});

test('accepts a local program under any name, and a page of the same server', async ({
  sandbox,
}) => {
  for (const name of ['localhost', 'LOCALHOST:81', '127.0.0.1', '127.1.2.3:9', '[::1]:8080']) {
    const lines = [`Host: ${name}`, `Origin: http://${name}`, 'Sec-Fetch-Site: same-origin'];
    expect(await firstLine(sandbox, writeWith(lines)), name).toContain(' 204 ');
  }
});

test('rejects preflight requests of browsers', async ({ sandbox }) => {
  for (const Origin of ['https://evil.example', 'null', sandbox.url]) {
    const wanted = { Origin, 'Access-Control-Request-Method': 'POST' };
    const asked = { ...wanted, 'Access-Control-Request-Headers': 'authorization' };
    for (const response of [
      await ask(sandbox, 'OPTIONS', EXTEND, asked),
      await getJson(sandbox, COUNT, { Origin }),
    ]) {
      const names = Object.keys(response.headers);
      expect(names.filter((name) => name.startsWith('access-control'))).toEqual([]);
    }
    expect((await ask(sandbox, 'OPTIONS', EXTEND, asked)).status).toBeGreaterThanOrEqual(400);
  }
});

test.runIf(process.platform === 'linux')('listens on 127.0.0.1 only', async ({ sandbox }) => {
  const port = Number(new URL(sandbox.url).port);
  for (const host of ['127.0.0.2', '::1', '::ffff:127.0.0.2']) {
    const [{ code }] = await once(connect(port, host), 'error');
    expect(code, host).toMatch(/REFUSED|NOTAVAIL|NETUNREACH/);
  }
});

test.for<[method: string, target: string, status: number | undefined]>([
  ['GET', `http://evil.example${COUNT}`, 400],
  ['GET', `//evil.example${COUNT}`, 404],
  ['GET', `/\\evil.example${COUNT}`, 404],
  ['GET', '\\rest\\1.3\\orders2\\count', 400],
  ['GET', '/rest/1.3/../../etc/passwd', 404],
  ['GET', '/rest/1.3/orders2/%2e%2e/%2e%2e/%2e%2e/etc/passwd', 404],
  ['GET', '/rest/1.3/orders2/..%2f..%2f..%2fetc%2fpasswd', 403],
  ['GET', '/rest/1.3/orders2%2fcount', 404],
  ['GET', '/rest%2f1.3/orders2/count', 404],
  ['GET', '/rest/1.3/orders2/%252e%252e', 403],
  ['GET', '/rest/1.3/orders2/MONTHLY1%00', 403],
  ['GET', '/rest/1.3/orders2/MONTHLY1\0', 400],
  ['GET', '/rest/1.3/orders2/%', 400],
  ['GET', '/rest/1.3/orders2/%zz', 400],
  ['GET', '/rest/1.3/orders2/%ff%fe', 400],
  ['GET', '/rest/1.3/orders2/__proto__', 403],
  ['GET', '/__proto__/constructor', 404],
  ['OPTIONS', '*', 400],
  ['CONNECT', 'evil.example:443', undefined],
  ['TRACE', COUNT, 405],
  ['PRI', '* HTTP/2.0\r\n\r\nSM', 400],
])('serves nothing outside the API for %s %j', async ([method, target, status], { seeded }) => {
  const line = await firstLine(seeded, bytesOf(`${method} ${target} HTTP/1.1`, OWN));
  expect(line).toMatch(status === undefined ? /^$/ : new RegExp(` ${status} `));
  expect((await getJson(seeded, COUNT)).status).toBe(200);
});

test('ignores Node options in the environment that weaken HTTP parsing', async () => {
  const options = '--insecure-http-parser --max-http-header-size=1000000';
  const NODE_OPTIONS = `${process.env.NODE_OPTIONS ?? ''} ${options}`;
  const { until } = startBinary(['sandbox', 'start'], { env: { NODE_OPTIONS } });
  const [url = ''] = /http:\S+/.exec(await until(/is running/)) ?? [];
  const hidden = bytesOf(WRITE, [...OWN, 'Content-Length: 5', CHUNKED], '0\r\n\r\n');
  expect(await firstLine({ url }, hidden)).toContain(' 400 ');
  const large = bytesOf(`GET ${COUNT} HTTP/1.1`, [...OWN, `X: ${'a'.repeat(100_000)}`]);
  expect(await firstLine({ url }, large)).toContain(' 431 ');
});

test('checks each pipelined request separately', async ({ sandbox }) => {
  const before = Number((await lineOf(sandbox, 'LIMITED1')).futurePayments);
  const open = (host: string) => writeWith([`Host: ${host}`]).replace('Connection: close\r\n', '');
  const hosts = ['localhost', 'evil.example', '127.0.0.1', 'evil.example', 'localhost'];
  const all = await sendBytes(sandbox, `${hosts.map(open).join('')}${writeWith(OWN)}`);
  const statuses = [...all.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status);
  expect(statuses).toEqual(['204', '403', '204', '403', '204', '204']);
  expect((await lineOf(sandbox, 'LIMITED1')).futurePayments).toBe(String(before + 4));
});

test('closes the connection of an endless body', async ({ sandbox }) => {
  const socket = socketTo(sandbox);
  socket.write(bytesOf(WRITE, [...OWN, CHUNKED]).replace('close', 'keep-alive'));
  const chunk = `10000\r\n${'a'.repeat(65_536)}\r\n`;
  const begin = performance.now();
  while (!socket.closed) {
    socket.write(chunk);
    await new Promise((done) => setImmediate(done));
  }
  // The time of a whole request is 20 seconds.
  expect(performance.now() - begin).toBeLessThan(15_000);
  expect((await getJson(sandbox, COUNT)).status).toBe(200);
});

test('closes connections without a complete request', async () => {
  const sandbox = await openSandbox({ requestTimeout: 400 });
  const half = `POST ${EXTEND} HTTP/1.1\r\nHost: local`;
  const noBody = bytesOf(WRITE, [...OWN, 'Content-Length: 9']);
  const sockets = ['', half, noBody.replace('close', 'keep-alive')].map((text) => {
    const socket = socketTo(sandbox);
    socket.write(text);
    return socket;
  });
  const dripping = socketTo(sandbox);
  dripping.write(half);
  const drip = setInterval(() => dripping.write('x'), 20);
  onTestFinished(() => clearInterval(drip));
  await Promise.all([...sockets, dripping].map((socket) => closed(socket)));
  expect((await getJson(sandbox, COUNT)).status).toBe(200);
});

test('serves other clients beside 500 idle or broken connections', async ({ sandbox }) => {
  const idle = Array.from({ length: 500 }, () => socketTo(sandbox));
  await Promise.all(idle.map((socket) => once(socket, 'connect')));
  await Promise.all(
    Array.from({ length: 500 }, async () => {
      const socket = socketTo(sandbox);
      socket.write(bytesOf(`GET ${COUNT} HTTP/1.1`, OWN), () => socket.resetAndDestroy());
      await closed(socket);
    }),
  );
  expect((await post(sandbox, EXTEND)).status).toBe(204);
});

test.each(KEYS)('never sends the sandbox key $name to another service', async ({ key }) => {
  const { cb } = home();
  for (const [line, CB_API_KEY, CB_BASE_URL] of [
    ['orders count', key, 'https://service.example.com'],
    ['tickets close 1 --yes', `DEV-OLDFORM:${key}`, 'https://service.example.com'],
    ['api GET /1.3/x', key, 'https://127.0.0.1.example.com'],
    ['whoami', `DEV-OLDFORM:${key}`, 'https://127.0.0.1.example.com'],
  ] as const) {
    const { code, out, err } = await cb(line, { env: { CB_API_KEY, CB_BASE_URL } });
    expect({ code, out }, line).toEqual({ code: 3, out: '' });
    expect(err).toMatch(/This is a sandbox key.*Nothing was sent/s);
  }
  const { code, err } = await cb('login --with-key', { stdin: key });
  expect([code, err]).toEqual([3, expect.stringContaining('a sandbox key')]);
});

/** Resolves when the connection is closed by either side. */
function closed(socket: Socket): Promise<void> {
  return new Promise((done) => {
    socket.on('close', () => done());
  });
}

async function firstLine(place: Pick<Sandbox, 'url'>, bytes: string): Promise<string> {
  return (await sendBytes(place, bytes)).split('\r\n', 1)[0] ?? '';
}
