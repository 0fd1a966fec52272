/** The clock that determines the days of words such as `today`. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { binary, emptyHome, cb as program } from '../../support/binary.ts';
import { home } from '../../support/cb.ts';
import { cert } from '../../support/certificate.ts';
import { startProxy } from '../../support/proxy.ts';
import { serveSandbox } from '../../support/sandbox.ts';
import { serve, serveSecurely } from '../../support/server.ts';

const month = 30 * 86_400;

async function sandboxAhead() {
  const served = await serveSandbox({ orders: 300 });
  await served.sandbox.advance(month);
  return served;
}

test('counts days by the clock of an advanced sandbox, whose faults leave the time alone', async () => {
  const { env, sandbox } = await sandboxAhead();
  const { cb } = home();
  const ran = await cb('orders list --period today --debug', { env });
  expect(ran.code).toBe(0);
  expect(ran.err).toContain('startDate=2026-04-17&endDate=2026-04-17');
  const pause = 'orders pause MONTHLY1 --dry-run --restart-date';
  expect((await cb(`${pause} 2026-05-20`, { env })).code).toBe(0);
  expect((await cb(`${pause} 2026-04-01`, { env })).code).toBe(2);
  sandbox.setFaults('503=#1');
  expect((await cb('orders count --period today --max-wait 0', { env })).code).toBe(5);
});

test('requests the time once, without the key, and only if days are needed', async () => {
  const { env, sandbox } = await sandboxAhead();
  const { cb } = home();
  const asked: (string | undefined)[] = [];
  const server = await serve((reply) => reply.end('{"orderData":[]}'), {
    time: () => {
      asked.push('time');
      return sandbox.now();
    },
  });
  const there = { ...env, CB_BASE_URL: server.url };
  await cb('orders list --period last-7-days', { env: there });
  expect(asked).toHaveLength(1);
  const urls = server.asked.map(({ url }) => url).join(' ');
  expect(urls).toContain('startDate=2026-04-11&endDate=2026-04-16');
  await cb('orders get MONTHLY1', { env: there });
  await cb('orders list --email a@example.com', { env: there });
  expect(asked).toHaveLength(1);
});

test("sends the sandbox's time in every response, including refusals", async () => {
  const { sandbox } = await sandboxAhead();
  for (const path of ['/', '/rest/1.3/orders2/list', '/rest/1.3/orders2/schema']) {
    const { headers } = await fetch(`${sandbox.url}${path}`);
    expect(headers.get('date')).toBe(sandbox.now().toUTCString());
  }
});

test('uses the clock of the sandbox under sandbox exec', async () => {
  const folder = emptyHome();
  await program(['sandbox', 'seed', '--orders', '300'], { home: folder }).ended();
  const { out } = await program(['sandbox', 'clock', 'advance', '30d'], { home: folder }).ended();
  const list = ['orders', 'list', '--start-date', 'today', '--end-date', 'today', '--debug'];
  const exec = ['sandbox', 'exec', '--', process.execPath, binary, ...list];
  const { err } = await program(exec, { home: folder }).ended();
  const day = new Date(Date.parse(out.trim())).toLocaleDateString('en-CA', {
    timeZone: 'America/Los_Angeles',
  });
  expect(err).toContain(`startDate=${day}&endDate=${day}`);
});

/** A service that cb treats as remote, whose clock is `ahead` milliseconds ahead. */
async function liveService(ahead: number) {
  const server = await serveSecurely((_, reply) => {
    reply.setHeader('date', new Date(Date.now() + ahead).toUTCString());
    reply.end('{"orderData":[]}');
  });
  const proxy = await startProxy();
  const folder = emptyHome();
  const file = join(folder, 'company.pem');
  writeFileSync(file, cert);
  const url = `https://service.test:${new URL(server.url).port}`;
  const env = {
    CB_BASE_URL: url,
    CB_API_KEY: 'API-TEST',
    NODE_EXTRA_CA_CERTS: file,
    HTTPS_PROXY: proxy.url,
  };
  return (...args: string[]) => program(['orders', 'list', ...args], { home: folder, env }).ended();
}

const hour = 3_600_000;

test.each([
  [2 * hour, 'behind'],
  [-2 * hour, 'ahead of'],
])('warns once about a clock difference of %i ms to a remote service', async (ahead, where) => {
  const list = await liveService(ahead);
  const { code, err } = await list('--period', 'last-90-days');
  expect(code).toBe(0);
  expect(err).toMatch(
    new RegExp(`^warning: The clock of this machine is 1(19|20) minutes ${where} the service's`),
  );
  expect(err.trim().split('\n')).toHaveLength(1);
});

test('does not warn about a correct clock, or if no days are needed', async () => {
  expect(await (await liveService(0))('--period', 'today')).toMatchObject({ code: 0, err: '' });
  expect((await (await liveService(2 * hour))('--email', 'a@example.com')).err).not.toContain(
    'clock',
  );
});
