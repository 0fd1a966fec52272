/** A key is sent only to its own service, over a secure connection. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { home } from '../../support/cb.ts';
import { expectExit } from '../../support/refusal.ts';
import { servedHome } from '../../support/served-home.ts';
import { serve, serveSecurely } from '../../support/server.ts';

const list = 'orders list --period today';
const key = 'API-Q7RX2MPL9C';

test.each([301, 302, 303, 307, 308])('follows no redirect, but names it: %i', async (status) => {
  const other = await serve((reply) => reply.end('null'));
  const place = other.url.replace('//', '//me:secret@');
  const { cb, asked } = await servedHome((reply) =>
    reply.writeHead(status, { location: `${place}/rest/1.3/orders2/list?token=1` }).end(),
  );
  for (const line of [list, `${list} --debug`, 'orders pause A --restart-date +9d --yes']) {
    const says = `redirects to ${other.url}/rest/1.3/orders2/list (${status})`;
    expectExit(await cb(line), 4, says, '');
  }
  // The write is not sent, because the order can't be read, neither for its plan nor for an equal write.
  expect(asked.map(({ method }) => method)).toEqual(['GET', 'GET', 'GET', 'GET']);
  expect(other.asked).toEqual([]);
});

test.each([
  ['http://service.example.com', 3, /CB_BASE_URL.*does not use https/],
  ['http://localhost.example.com', 3, /does not use https/],
  ['http://0.0.0.0:1', 3, /does not use https/],
  ['ftp://127.0.0.1', 3, /does not use https/],
  ['https://me@service.example.com', 3, /CB_BASE_URL must not contain a user/],
  ['https://me:secret@service.example.com', 3, /CB_BASE_URL must not contain a user/],
  ['https://service.example.com/?to=x', 3, /CB_BASE_URL must not contain/],
  ['service.example.com:443', 3, /CB_BASE_URL is not a valid URL/],
  [key, 3, /CB_BASE_URL is not a valid URL/],
  ['https://service.example.com/\r\nHost: x', 2, /CB_BASE_URL contains a space, a line break/],
])('rejects CB_BASE_URL=%j without quoting a possible secret', async (url, exit, says) => {
  const { cb } = home();
  const ran = await cb(list, { env: { CB_BASE_URL: url, CB_API_KEY: key } });
  expectExit(ran, exit, says, '');
  expect(ran.err).not.toMatch(/secret|Q7RX/);
});

test('checks --base-url by the same rules and names it in the error', async () => {
  const { cb, folder } = home();
  for (const url of ['http://service.example.com', 'https://me:secret@service.example.com', key]) {
    const ran = await cb(`login --with-key --no-check --base-url ${url}`, { stdin: key });
    expectExit(ran, 3, '--base-url');
    expect(ran.err).not.toMatch(/secret|Q7RX/);
  }
  expect(existsSync(join(folder, '.config'))).toBe(false);
});

test('never sends a stored key to another port, scheme, or host', async () => {
  const own = await serve((reply) => reply.end('null'));
  const other = await serve((reply) => reply.end('null'));
  const { cb } = home();
  await cb(`login --with-key --no-check --base-url ${own.url}`, { stdin: key });
  const elsewhere = [other.url, own.url.replace('http:', 'https:'), `${own.url}/v2`];
  for (const CB_BASE_URL of [...elsewhere, own.url.replace('127.0.0.1', 'localhost')]) {
    for (const line of [list, 'whoami', 'tickets close 1 --yes', 'api GET /1.3/x']) {
      const refused = await cb(line, { env: { CB_BASE_URL } });
      expectExit(refused, 3, `belongs to ${own.url}`);
      expectExit(refused, 3, 'Unset CB_BASE_URL, or set CB_API_KEY');
    }
  }
  expect([...own.asked, ...other.asked]).toEqual([]);
  expect((await cb(list, { env: { CB_BASE_URL: `${own.url}/` } })).code).toBe(0);
  expect(own.asked).toHaveLength(1);
});

/** A service whose base URL has a path. */
async function behindPath() {
  const { cb, asked, url } = await servedHome((reply) => reply.end('null'));
  const env = { CB_BASE_URL: `${url}/gateway`, CB_API_KEY: key };
  return { asked, cb: (line: string) => cb(line, { env }) };
}

test.each([
  ...['//127.0.0.1:1/x', 'http://127.0.0.1:1/x', '/..//127.0.0.1:1', '/\\127.0.0.1:1', '@x'],
  ...['/%2e%2e/admin', '/%2E%2e/admin', '/.%2e/admin', '/1.3/%2e%2e/%2e%2e/admin'],
  ...['/1.3/..%2f..%2fadmin', '/1.3/%2e%2e%2Fadmin', '/1.3/..%5c..%5Cadmin', '/1.3\\..\\..\\admin'],
  ...['/1.3/%252e%252e/admin', '/1.3/%25%32%65%2e/admin', '/1.3/..;a=b/admin'],
  ...['/1.3/%2e%2e%3Ba/admin', '/1.3/%2e/orders2/list', '/rest/../admin', '/1.3/..'],
])('rejects cb api GET %s outside the base path with exit code 2', async (path) => {
  const { cb, asked } = await behindPath();
  for (const line of [`api GET ${path}`, `api GET ${path} --dry-run`]) {
    expect(await cb(line)).toMatchObject({ code: 2, out: '' });
  }
  expect(asked).toEqual([]);
});

test('sends everything after the first question mark in cb api', async () => {
  const { cb, url, asked } = await servedHome((reply) => reply.end('null'), { key });
  const path = '/1.3/tickets/A1?type=rfnd&comment=why?&refundType=PARTIAL_PERCENT&refundAmount=10';
  expect((await cb(`api POST '${path}' --yes`)).code).toBe(0);
  const [sent] = asked;
  const query = new URL(sent?.url ?? '', url).searchParams;
  expect(`${query}`).toBe('type=rfnd&comment=why%3F&refundType=PARTIAL_PERCENT&refundAmount=10');
});

test('accepts dots and slashes within names in cb api', async () => {
  const { cb, asked } = await behindPath();
  const paths = ['/1.3/products/a..b', '/1.3/products/...', '/1.3/products/A%2FB%5C.c'];
  for (const path of paths) expect((await cb(`api GET ${path}`)).code).toBe(0);
  expect(asked.map((one) => one.url)).toEqual(paths.map((path) => `/gateway/rest${path}`));
});

const controls = ['\r\nHost: x', '\n', '\r', '\0', '\x07', '\x1b[2J', '\x7f', '\x85', '\u2028'];

test.each(controls)('rejects a key with %j before sending or writing it', async (character) => {
  const bad = `API-Q7RX${character}2MPL9C`;
  const { cb, folder, url, asked } = await servedHome((reply) => reply.end('null'), { key: bad });
  const ran = [
    await cb(list),
    await cb('tickets close 1 --yes'),
    await cb('api GET /1.3/x'),
    await cb(`login --with-key --base-url ${url}`, { stdin: bad }),
    await cb(`login --with-key --no-check --base-url ${url}`, { stdin: bad }),
  ];
  for (const one of ran) {
    expectExit(one, 2, /key (?:holds|contains) a space, a line break,? or/);
    expect(one.err).not.toContain('Q7RX');
  }
  expect(asked).toEqual([]);
  expect(existsSync(join(folder, '.config/clickbank-cli/config.json'))).toBe(false);
});

test.each(['\r\n', '\u0000', '\u001b[2J', '\u0085'])(
  'rejects a profile name with %j with exit code 2 before writing it',
  async (character) => {
    const { cb, folder } = home();
    const name = `a${character}b`;
    const ran = [
      await cb(`login --with-key --no-check --profile 'a${character}b'`, { stdin: key }),
      await cb(`${list} --profile '${name}'`),
      await cb(list, { env: { CB_PROFILE: name } }),
    ];
    expect(ran.map(({ code }) => code)).toEqual([2, 2, 2]);
    expect(existsSync(join(folder, '.config/clickbank-cli/config.json'))).toBe(false);
  },
);

test('does not repeat a key that was typed as a profile', async () => {
  const { cb } = home();
  const named = await cb(list, { env: { CB_PROFILE: key } });
  for (const ran of [named, await cb(`${list} --profile ${key}`)]) {
    expectExit(ran, 3, 'looks like an API key');
    expect(ran.err).not.toContain(key);
  }
});

test('rejects an untrusted certificate with exit code 6 before sending the key', async () => {
  const asked: unknown[] = [];
  const { url } = await serveSecurely((request) => asked.push(request));
  const { cb } = home();
  const env = { CB_BASE_URL: url, CB_API_KEY: key };
  const before = process.env.NODE_TLS_REJECT_UNAUTHORIZED;
  onTestFinished(() => {
    if (before === undefined) delete process.env.NODE_TLS_REJECT_UNAUTHORIZED;
    else process.env.NODE_TLS_REJECT_UNAUTHORIZED = before;
  });
  const says = /certificate of 127\.0\.0\.1:\d+ can't be trusted.*NODE_EXTRA_CA_CERTS/;
  for (const checked of ['1', '0']) {
    process.env.NODE_TLS_REJECT_UNAUTHORIZED = checked;
    for (const line of [list, 'tickets close 1 --yes']) {
      expectExit(await cb(line, { env }), 6, says, '');
    }
  }
  expect(asked).toEqual([]);
});
