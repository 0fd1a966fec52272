/** Connections through a proxy, and TLS with a private certificate. */
import { expect, test } from 'vitest';
import { cb as binary, emptyHome } from '../../support/binary.ts';
import { home } from '../../support/cb.ts';
import { secureService, startProxy, trusting } from '../../support/proxy.ts';
import { expectExit } from '../../support/refusal.ts';
import { serve } from '../../support/server.ts';

const key = 'API-Q7RX2MPL9CANARY4TZ8';
const list = ['orders', 'list', '--period', 'today', '-o', 'ndjson'];
const page = (receipt: string) => JSON.stringify({ orderData: { receipt } });

const there = { CB_BASE_URL: 'https://service.test', CB_API_KEY: key };
const signedIn = ({ port }: { port: number }) => `http://me:s3cr%40t-CANARY@127.0.0.1:${port}`;

/** A service of two pages, and what it was asked. */
async function twoPages() {
  const asked: string[] = [];
  const service = await secureService(({ url = '', headers }, reply) => {
    asked.push(`${headers.authorization} ${url}`);
    reply.writeHead(headers.page === '1' ? 206 : 200).end(page(`R${headers.page}`));
  });
  return { ...service, asked };
}

/** Runs the built program, since Node reads certificates at startup. */
async function run(args: readonly string[], env: Readonly<Record<string, string>>) {
  const folder = emptyHome();
  const own = { CB_API_KEY: key, ...trusting(folder), ...env };
  const ran = await binary(args, { home: folder, env: own }).ended();
  expect(ran.out + ran.err).not.toContain('CANARY');
  return ran;
}

// The test of an unreachable proxy below covers the other variables.
test.each(['HTTPS_PROXY', 'http_proxy'])(
  '%s: reads every page through a tunnel, in which the proxy sees no request',
  async (name) => {
    const [service, proxy] = [await twoPages(), await startProxy()];
    const ran = await run(list, { CB_BASE_URL: service.url, [name]: proxy.url });
    expect(ran).toMatchObject({ code: 0, err: '' });
    expect(ran.out.match(/R[12]/g)).toEqual(['R1', 'R2']);
    const tunnels = new Set(proxy.tunnels.map(({ to }) => to));
    expect(tunnels).toEqual(new Set([`service.test:${service.port}`]));
    expect(JSON.stringify(proxy.tunnels)).not.toContain(key);
    expect(proxy.plain).toEqual([]);
    expect(service.asked.every((line) => line.startsWith(`${key} `))).toBe(true);
  },
);

test('trusts a certificate in NODE_EXTRA_CA_CERTS for all requests', async () => {
  const service = await twoPages();
  const ran = await run(list, { CB_BASE_URL: `https://127.0.0.1:${service.port}` });
  expect(ran).toMatchObject({ code: 0, err: '' });
  // In addition to the two pages, cb requests the time of a local service without the key.
  expect(service.asked.filter((line) => line.startsWith(key))).toHaveLength(2);
});

test('uses the proxy with user and password, and an empty NO_PROXY', async () => {
  const [service, proxy] = [await twoPages(), await startProxy()];
  const env = { CB_BASE_URL: service.url, HTTPS_PROXY: signedIn(proxy), NO_PROXY: '' };
  expect((await run([...list, '--debug'], env)).code).toBe(0);
  const basic = `Basic ${Buffer.from('me:s3cr@t-CANARY').toString('base64')}`;
  expect(proxy.tunnels[0]?.headers['proxy-authorization']).toBe(basic);
});

test('changes no response in which the password of the proxy is a word', async () => {
  const [service, proxy] = [await twoPages(), await startProxy()];
  const through = proxy.url.replace('//', '//me:receipt@');
  const ran = await run(list, { CB_BASE_URL: service.url, HTTPS_PROXY: through });
  expect(ran.out.match(/"receipt":"R[12]"/g)).toEqual(['"receipt":"R1"', '"receipt":"R2"']);
});

const [bypassed, used] = [[], ['service.test:443']];

test.each([
  ...['*', 'service.test', '.test', '*.test'].map((all) => [all, bypassed] as const),
  ...['a.test, SERVICE.test', 'service.test:443'].map((all) => [all, bypassed] as const),
  ...['test.example', 'ervice.test', 'other.test'].map((other) => [other, used] as const),
  ...['service.test:444', 'a.service.test'].map((other) => [other, used] as const),
])('obeys NO_PROXY=%j: the proxy is asked for %j', async (except, tunnels) => {
  const { cb } = home();
  for (const name of ['NO_PROXY', 'no_proxy']) {
    const proxy = await startProxy(403);
    const env = { ...there, HTTPS_PROXY: proxy.url, [name]: except };
    // The name does not exist, and tests must not query a name server.
    expect((await cb('orders list --period today --max-wait 0', { env })).code).toBe(6);
    expect(proxy.tunnels.map(({ to }) => to)).toEqual(tunnels);
  }
});

test('never uses a proxy for a service on this machine', async () => {
  const proxy = await startProxy();
  const { url, asked } = await serve((reply) => reply.end(page('A')));
  const { cb } = home();
  const all = { HTTP_PROXY: proxy.url, HTTPS_PROXY: proxy.url, ALL_PROXY: proxy.url };
  for (const CB_BASE_URL of [url, url.replace('127.0.0.1', 'localhost')]) {
    const env = { ...all, CB_BASE_URL, CB_API_KEY: key };
    expect((await cb('orders list --period today', { env })).code).toBe(0);
  }
  expect([asked.length, proxy.tunnels, proxy.plain]).toEqual([2, [], []]);
});

test.each([
  [407, /refused to connect to the service \(407\).*correct user and password/s],
  [403, /refused to connect to the service \(403\)/],
  [502, /refused to connect to the service \(502\)/],
  [204, /refused to connect to the service \(204\)/],
  ['cut', /can't be used: /],
  ['silent', /can't be used: it did not respond in time/],
] as const)(
  'ends with exit code 6 and names a proxy that responds with %s',
  async (manner, says) => {
    const proxy = await startProxy(manner);
    const { cb } = home();
    const env = { ...there, HTTPS_PROXY: signedIn(proxy) };
    for (const line of ['orders list --period today', 'tickets close 1 --yes', 'whoami --debug']) {
      const ran = await cb(`${line} --timeout 2 --max-wait 0`, { env });
      expectExit(ran, 6, says, '');
      expect(ran.err).toMatch(/The proxy http:\/\/127\.0\.0\.1:\d+ .*HTTPS_PROXY/s);
      expect(ran.err).not.toMatch(/CANARY|s3cr|bWU6/);
    }
  },
);

test('ends with exit code 6 for an unreachable proxy and names its variable', async () => {
  const { cb } = home();
  const names = ['HTTPS_PROXY', 'ALL_PROXY', 'HTTP_PROXY'];
  for (const name of [...names, ...names.map((one) => one.toLowerCase())]) {
    const line = 'tickets close 1 --yes --max-wait 0';
    const ran = await cb(line, { env: { ...there, [name]: '127.0.0.1:1' } });
    expectExit(ran, 6, /The proxy http:\/\/127\.0\.0\.1:1 can't be used: .*ECONNREFUSED/);
    expect(ran.err).toContain(name);
    expect(ran.err).not.toContain('unknown');
  }
});

test.each(['socks5://127.0.0.1:1', 'http://', 'http://me:CANARY/x@127.0.0.1:1', 'a b'])(
  'rejects HTTPS_PROXY=%j with exit code 3 without quoting it',
  async (HTTPS_PROXY) => {
    const env = { ...there, HTTPS_PROXY };
    const ran = await home().cb('orders list --period today', { env });
    expectExit(ran, 3, 'HTTPS_PROXY does not name an HTTP proxy');
    expect(ran.err).not.toContain('CANARY');
  },
);

test('rejects an untrusted certificate behind a proxy with exit code 6 before sending the key', async () => {
  const [service, proxy] = [await twoPages(), await startProxy()];
  const env = { CB_BASE_URL: service.url, CB_API_KEY: key, HTTPS_PROXY: proxy.url };
  const ran = await home().cb('orders list --period today', { env });
  expectExit(ran, 6, /certificate of service\.test:\d+ can't be trusted.*NODE_EXTRA_CA_CERTS/);
  expect(service.asked).toEqual([]);
});

test('shows the proxy in cb doctor, and its problem with --online', async () => {
  const proxy = await startProxy(407);
  const { cb } = home();
  const env = { ...there, HTTPS_PROXY: signedIn(proxy) };
  const { code, out, err } = await cb('doctor --online -o json', { env });
  expect(code).toBe(6);
  const findings = JSON.parse(out) as { check: string; found: string }[];
  const found = (check: string) => findings.find((one) => one.check === check)?.found;
  expect(found('HTTPS_PROXY')).toBe(`http://127.0.0.1:${proxy.port}, used for requests`);
  expect(found('reach CB_API_KEY')).toContain('refused to connect to the service (407)');
  expect(out + err).not.toMatch(/CANARY|s3cr/);
});
