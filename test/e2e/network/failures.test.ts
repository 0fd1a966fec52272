import { expect, test } from 'vitest';
import { sandboxHome } from '../../support/cb.ts';
import { expectExit } from '../../support/refusal.ts';
import { servedHome } from '../../support/served-home.ts';
import { virtualClock } from '../../support/virtual-clock.ts';

const list = 'orders list --period today';

test.each([
  [401, 'Invalid API key', 3, /401 Unauthorized: Invalid API key.*cb doctor --online/s],
  [429, 'Sorry', 7, /429 Too Many Requests: Sorry/],
  [500, 'Sorry', 5, /500 Internal Server Error: Sorry/],
  [503, 'Sorry', 5, /503 Service Unavailable: Sorry/],
  [503, 'Service Unavailable', 5, /returned 503 Service Unavailable\.\s/],
  [200, '<html><body>Log in</body></html>', 5, /proxy/],
  [403, '<html>Blocked</html>', 5, /A proxy or gateway returned 403 Forbidden: Blocked/],
])(
  'reports a response %i with %j in one line and ends with exit code %i',
  async (status, body, code, says) => {
    const { cb } = await servedHome((reply) => reply.writeHead(status).end(body));
    const ran = await cb(`${list} --max-wait 0`);
    expectExit(ran, code, says);
    expect(ran.err.trimEnd().split('\n').length).toBeLessThanOrEqual(2);
  },
);

test('says once what a 403 means, with exit code 4, also for orders active', async () => {
  const { cb } = await sandboxHome(30);
  for (const line of ['MONTHLY1 --profile sandbox:no-orders', 'NOSUCH99 --sandbox']) {
    expectExit(await cb(`orders active ${line}`), 4, '403', '');
  }
  const unknown = await cb('--sandbox orders get NOSUCH99');
  expectExit(unknown, 4, '403', '');
  const { err } = unknown;
  expect(err.match(/does not exist/g)).toHaveLength(1);
  expect(err).toContain('The key may also lack permission, or requests may be too frequent.');
  const barred = await cb('--profile sandbox:no-orders orders get NOSUCH99');
  expectExit(barred, 4, /The API key has no permission: \w+\W*$/);
  const { cb: other } = await servedHome((reply) => reply.writeHead(403).end('Sorry'));
  const plain = await other('orders get NOSUCH99');
  expect(plain.err).toContain('This usually means that the receipt does not exist');
});

test('ends with exit code 6 for an unreachable or silent server', async () => {
  const silent = await servedHome(() => undefined);
  expectExit(await silent.cb(`${list} --timeout 0.2 --max-wait 0`), 6, '--timeout');
  const env = { ...silent.env, CB_BASE_URL: 'http://127.0.0.1:1' };
  const refused = await silent.cb(`${list} --max-wait 0`, { env });
  expectExit(refused, 6, 'Connection refused by 127.0.0.1');
  expect(refused.err).not.toMatch(/\bat .*\.[jt]s\b/);
});

const key = 'API-Q7RX2MPL9CANARY4TZ8';
const ndjson = 'orders list --period today -o ndjson';
const page = (receipt: string) => JSON.stringify({ orderData: { receipt } });

test('prints each request and response with number, headers, status, size, and time', async () => {
  const { cb, url } = await servedHome(
    (reply, number) =>
      reply.writeHead(number === 1 ? 206 : 200, { 'x-request-id': `id-${number}` }).end(page('A')),
    { key },
  );
  const { code, out, err } = await cb(`${ndjson} --debug`);
  const plain = await cb(ndjson);
  expect({ code, out }).toEqual({ code: 0, out: plain.out });
  expect(plain.err).toBe('');
  const path = `${url}/rest/1.3/orders2/list?startDate=2026-03-18&endDate=2026-03-18`;
  for (const number of [1, 2]) {
    expect(err).toContain(`> GET ${path} page ${number}\n  #${number} authorization: (the key); `);
    expect(err).toMatch(new RegExp(`^  #${number} .*x-request-id: id-${number}`, 'm'));
  }
  const size = page('A').length;
  expect(err).toMatch(new RegExp(`^< 206 GET .* page 1: ${size} bytes in \\d+ ms$`, 'm'));
  expect(err).toContain(`  #2 ${page('A')}\n`);
  expect(err).not.toContain('CANARY');
});

test('prints a write as sent', async () => {
  const { cb } = await sandboxHome(300);
  const { err } = await cb('--sandbox orders pause MONTHLY1 --restart-date +45d --yes --debug');
  expect(err).toMatch(
    /^> POST http:\S+\/rest\/1\.3\/orders2\/MONTHLY1\/pause\?restartDate=2026-05-02 page 1$/m,
  );
  expect(err).toMatch(/^ {2}#\d+ .*content-length: 0/m);
  expect(err).toMatch(/^< 204 POST .*: 0 bytes in \d+ ms$/m);
});

test('prints a request without a response, and the waits before the next one', async () => {
  const { cb } = await servedHome(
    (reply, number) => {
      if (number === 1) reply.destroy();
      else if (number === 2) reply.writeHead(503).end('Sorry');
      else reply.end(page('A'));
    },
    { key },
  );
  const { code, err } = await cb(`${ndjson} --debug`, { clock: virtualClock() });
  expect(code).toBe(0);
  expect(err).toMatch(/^< no response to GET .*: Connection closed by .*, after \d+ ms \(#1\)$/m);
  expect(err).toMatch(/^Waiting \d\.\ds: Connection closed by /m);
  expect(err).toMatch(
    /^< 503 GET .*\n {2}#2 .*\n {2}#2 Sorry\nWaiting \d\.\ds: .*503 Service Unavailable: Sorry/m,
  );
});

test('prints the start of a long response, and redacts a key at its end', async () => {
  const around = [2030, 2040, 2047].map((at) => `${'x'.repeat(at)}${key}${'y'.repeat(100_000)}`);
  const { cb } = await servedHome((reply, number) => reply.end(around[number - 1]), { key });
  for (const _ of around) {
    const { err } = await cb('api GET /1.3/x --debug');
    const told = err.split('\n').find((line) => line.includes('xxx')) ?? '';
    expect(told.length).toBeLessThan(2200);
    expect(told).toContain('use --raw to see all of it');
    expect(told).not.toMatch(/API-Q7/);
  }
});

test('removes escape sequences and line breaks from data of the server', async () => {
  const { cb } = await servedHome(
    (reply) =>
      reply.end('a\u001b]0;owned\u0007\u001b[2J\r\n> GET https://elsewhere/ page 1\u2028b\u202e'),
    { key },
  );
  const { err } = await cb('api GET /1.3/x --debug');
  expect(err).toContain('elsewhere');
  expect(err).not.toMatch(/^> GET https:\/\/elsewhere/m);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: matches characters that must not be printed
  expect(err).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u2028\u202e]/);
});
