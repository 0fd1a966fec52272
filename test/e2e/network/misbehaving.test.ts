/** Broken servers: calls end in bounded time and memory, with a clear error; incomplete data is never complete, and no write is sent twice. */
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { brokenServers, canceledOrder, order, whole } from '../../support/broken-servers.ts';
import { home } from '../../support/cb.ts';
import { expectExit } from '../../support/refusal.ts';
import { serveRaw } from '../../support/server.ts';
import { tier } from '../../support/tier.ts';
import { virtualClock } from '../../support/virtual-clock.ts';

const reads = [
  'orders list --period today -o ndjson',
  'orders list --period today --out orders.csv',
  'orders get A1 -o json',
  'orders list --period today --wire xml -o json',
];

/** Each read meets every fourth server in `npm test`, and all of them in the long tier. */
const cases = brokenServers.map((one, at) => ({
  ...one,
  lines: tier(reads.slice(at % reads.length).slice(0, 1), reads),
}));

test.each(cases)(
  'a server that $does makes a read fail with at most two lines and no output',
  async ({ answer, lines, says: words, exit, within = 15 }) => {
    const { cb, folder } = home();
    const server = await serveRaw(answer);
    for (const line of lines) {
      const before = process.memoryUsage().rss;
      const options = `--timeout ${within} --max-wait 0`;
      const ran = await cb(`${line} ${options}`, { env: server.env });
      expect({ line, ...ran }).toMatchObject({ code: exit, out: '' });
      expect(ran.err).toMatch(words);
      expect(ran.err.trimEnd().split('\n').length).toBeLessThanOrEqual(2);
      expect(process.memoryUsage().rss - before).toBeLessThan(600e6);
    }
    expect(readdirSync(folder).filter((name) => name.includes('orders'))).toEqual([]);
  },
);

test.each(
  tier(
    brokenServers.filter((_, at) => at % reads.length === 0),
    brokenServers,
  ),
)(
  'ends a list after its first page with exit code 8 and the number of rows if a server then $does',
  async ({ answer, says: words, within = 15 }) => {
    const { cb } = home();
    const server = await serveRaw((socket, number) => {
      if (number === 1) socket.write(whole(order, ['Connection: close'], '206 Partial Content'));
      else answer(socket, number);
    });
    const line = `orders list --period today -o ndjson --timeout ${within} --max-wait 0`;
    const ran = await cb(line, { env: server.env });
    expect(ran.code).toBe(8);
    expect(ran.out.trimEnd().split('\n')).toHaveLength(1);
    expect(ran.err).toMatch(/incomplete: it stopped after 1 row/);
    expect(ran.err).toMatch(words);
  },
);

test('accepts a body that ends with its connection, but not an aborted one', async () => {
  const { cb, folder } = home();
  const body = `HTTP/1.1 200 OK\r\n\r\n${order}`;
  const { env } = await serveRaw((socket) => void socket.end(body));
  expect((await cb('orders get A1 -o json', { env })).code).toBe(0);
  const stop = new AbortController();
  const endless = await serveRaw((socket) => {
    socket.write(body, () => setTimeout(() => stop.abort(130), 50));
  });
  const line = 'orders list --period today --out orders.csv';
  const ran = await cb(line, { env: endless.env, signal: stop.signal });
  expect(ran.code).toBe(130);
  expect(existsSync(join(folder, 'orders.csv'))).toBe(false);
});

test.each([
  ['the same page again', order],
  ['page 1 is empty', 'null'],
])('ends an endless list with exit code 8, and says: %s', async (says, page) => {
  const { cb, folder } = home();
  for (const flags of ['-o ndjson', '-o json', '--out orders.csv']) {
    const server = await serveRaw(
      (socket) => void socket.write(whole(page, [], '206 Partial Content')),
    );
    expectExit(await cb(`orders list --period today ${flags}`, { env: server.env }), 8, says);
    expect(server.asked.length).toBeLessThan(50);
  }
  expect(existsSync(join(folder, 'orders.csv'))).toBe(false);
});

test('retries an empty 206 page, then reports it; 204 is an empty list, and an error without a list', async () => {
  const { cb } = home();
  const empty = await serveRaw((socket) => void socket.write(whole('', [], '206 Partial Content')));
  const line = 'orders list --period today -o json --max-wait 0';
  const ran = await cb(line, { env: empty.env });
  expect(ran).toMatchObject({ code: 5, out: '', err: expect.stringContaining('it is empty') });
  const none = await serveRaw((socket) => void socket.write('HTTP/1.1 204 No Content\r\n\r\n'));
  expect(await cb(line, { env: none.env })).toMatchObject({ code: 0, out: '[]\n' });
  for (const other of ['orders count', 'tickets get 1001', 'products get SKU-1 --site SHOP']) {
    const content = await cb(`${other} -o json --max-wait 0`, { env: none.env });
    expect({ other, ...content }).toMatchObject({ code: 5, out: '' });
  }
});

test('never mixes or repeats rows if a server sends two responses to one request', async () => {
  const { cb } = home();
  const server = await serveRaw((socket, number) => {
    const status = number < 4 ? '206 Partial Content' : '200 OK';
    const own = whole(order.replace('A1', `A${number}`), [], status);
    const other = whole(order.replace('A1', 'STRAY'), [], '206 Partial Content');
    socket.write(Buffer.concat([own, other]));
  });
  const line = 'orders list --period today -o ndjson --fields receipt --concurrency 1';
  const ran = await cb(line, { env: server.env });
  expect(ran.out).not.toContain('STRAY');
  const receipts = ran.out.match(/A\d+/g) ?? [];
  expect(new Set(receipts).size).toBe(receipts.length);
  expect(ran.code === 0 ? receipts.length >= 4 : ran.code === 8).toBe(true);
});

test('reads each charset despite a wrong content type or a byte order mark', async () => {
  const { cb } = home();
  const body = order.replace('Ann', 'Zoë');
  const kinds: readonly (readonly [Buffer, string])[] = [
    [Buffer.from(body), 'text/html'],
    [Buffer.from(body), 'application/octet-stream; charset="UTF-8"'],
    [Buffer.from(`\ufeff${body}`), 'application/json'],
    [Buffer.from(body, 'latin1'), 'application/json; charset=ISO-8859-1'],
    [Buffer.from(body, 'utf16le'), 'application/json; charset=utf-16'],
    [
      Buffer.from(
        '<?xml version="1.0" encoding="ISO-8859-1"?><x><orderData><receipt>A1</receipt><fullName>Zoë</fullName></orderData></x>',
        'latin1',
      ),
      'application/xml',
    ],
  ];
  const server = await serveRaw((socket, number) => {
    const [bytes, type] = kinds[number - 1] ?? [Buffer.alloc(0), ''];
    socket.write(whole(bytes, [`Content-Type: ${type}`]));
  });
  for (const _ of kinds) {
    const ran = await cb('orders get A1 -o ndjson', { env: server.env });
    expect(ran).toMatchObject({ code: 0, out: expect.stringContaining('Zoë') });
  }
});

test('treats names with a meaning in JavaScript as data', async () => {
  const strange =
    '{"orderData":{"receipt":"A1","constructor":"c","toString":"t","hasOwnProperty":"h","__proto__":{"polluted":"yes"}}}';
  const { cb } = home();
  const server = await serveRaw((socket) => void socket.write(whole(strange)));
  for (const format of ['json', 'ndjson', 'csv', 'tsv', 'table']) {
    const ran = await cb(`orders list --period today -o ${format}`, { env: server.env });
    expect({ format, code: ran.code }).toEqual({ format, code: 0 });
    expect(ran.out).not.toContain('polluted');
  }
  const { out } = await cb('orders list --period today -o json', { env: server.env });
  const kept = { constructor: 'c', toString: 't', hasOwnProperty: 'h' };
  expect(JSON.parse(out)[0]).toMatchObject(kept);
  expect(({} as { polluted?: string }).polluted).toBeUndefined();
});

test.each([
  ['never answers', /outcome is unknown/],
  ['sends a length that is too large and closes the connection', /outcome is unknown/],
  ['sends a body of 10 GB', /outcome is unknown/],
  ['sends headers of 100 kB', /outcome is unknown/],
  ['returns the status 999', /is unknown: .*999/],
  ['returns 304', /is unknown: .*304/],
])('sends a write once to a server that %s, and does not know its outcome', async (does, says) => {
  const broken = brokenServers.find((one) => one.does === does);
  if (!broken) throw new Error(`There is no broken server '${does}'.`);
  const { cb } = home();
  let brokenLeft = 0;
  const server = await serveRaw((socket, number, request) => {
    // The write, and the first read after it.
    if (request.startsWith('POST')) brokenLeft = 2;
    brokenLeft -= 1;
    if (brokenLeft >= 0) broken.answer(socket, number);
    else socket.write(whole(canceledOrder));
  });
  // The read before the write must have time to succeed on a busy machine.
  const timeout = broken.within === undefined ? 15 : 2;
  const line = `orders reinstate A1 --yes --timeout ${timeout} --max-wait 0`;
  const ran = await cb(line, { env: server.env, clock: virtualClock() });
  expectExit(ran, 8, says, '');
  expect(server.asked.filter((first) => first.startsWith('POST'))).toHaveLength(1);
});
