/** cb stays within the service's limits, also with several processes, and takes the days of words such as `today` from its clock. */
import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { binary, emptyHome, cb as program } from '../../support/binary.ts';
import { home } from '../../support/cb.ts';
import { secureService, startProxy, trusting } from '../../support/proxy.ts';
import { expectExit } from '../../support/refusal.ts';
import { serveSandbox } from '../../support/sandbox.ts';
import { servedHome } from '../../support/served-home.ts';
import { type Asked, serve } from '../../support/server.ts';

const list = 'orders list --period today -o ndjson';
const isFirstPage = ({ headers }: Asked) => headers.page === '1';
const order = (name: string) => JSON.stringify({ orderData: { receipt: name } });

/** A home with a profile of a bare server. */
async function loggedIn(answer: Parameters<typeof serve>[0]) {
  const made = home();
  const { url } = await serve(answer);
  await made.cb(`login --with-key --no-check --base-url ${url}`, { stdin: 'API-TEST' });
  return { ...made, url };
}

test('shares the pace of a service between processes and profiles', async () => {
  const arrivals: number[] = [];
  const { cb, folder, url } = await loggedIn((reply, number, { headers }) => {
    arrivals.push(performance.now());
    reply.writeHead(Number(headers.page) < 6 ? 206 : 200).end(order(`R${number}`));
  });
  const profiles = ['default', 'work', 'shop'];
  for (const profile of profiles) {
    const line = `login --profile ${profile} --with-key --no-check --base-url ${url}`;
    await cb(line, { stdin: `API-${profile}` });
    await cb(`config set pace 4 --profile ${profile}`);
  }
  const each = profiles.map((profile) =>
    program(`${list} --profile ${profile}`.split(' '), { home: folder }).ended(),
  );
  for (const { code, err } of await Promise.all(each))
    expect({ code, err }).toEqual({ code: 0, err: '' });
  expect(arrivals).toHaveLength(18);
  // With a shared pace, they take 17 steps of 250 ms; each alone would take 5. On a busy
  // machine, the first request may arrive late, so the steps may seem shorter.
  expect(Math.max(...arrivals) - Math.min(...arrivals)).toBeGreaterThan(11 * 250);
});

test('paces requests to this machine only if the pace is set, and says with --debug if it waits or cannot be shared', async () => {
  const { cb, folder } = await loggedIn((reply, number, { headers }) =>
    reply.writeHead(Number(headers.page) < 4 ? 206 : 200).end(order(`A${number}`)),
  );
  expect((await cb(list)).code).toBe(0);
  expect(readdirSync(folder)).not.toContain('.local');
  await cb('config set pace 2');
  const err = expect.stringMatching(/^Waited \d+ ms to keep the pace\.\n> GET /m);
  expect(await cb(`${list} --debug`)).toMatchObject({ code: 0, err });
  const state = join(folder, '.local/state');
  expect(readdirSync(join(state, 'clickbank-cli/pace'))).toHaveLength(1);
  rmSync(state, { recursive: true });
  writeFileSync(state, 'a file');
  const alone = await cb('orders get A1 --debug');
  expectExit(alone, 0, 'Requests are paced for this process alone');
});

test('ends with exit code 7 for a persistent 403, or 8 after rows were shown', async () => {
  const { cb, folder } = await servedHome((reply, _, asked) =>
    isFirstPage(asked) ? reply.writeHead(206).end(order('A1')) : reply.writeHead(403).end('Sorry'),
  );
  const toFile = await cb(`${list} --max-wait 0 --out orders.ndjson`);
  const says =
    /rate limited.*allowed this \d+ s ago.*403 Forbidden: Sorry.*Try again later.*--max-wait/;
  expectExit(toFile, 7, says);
  expect(toFile.err).toContain('check the permissions of the key');
  expect(readdirSync(folder)).toEqual([]);
  const shown = await cb(`${list} --max-wait 0`);
  expectExit(shown, 8, /incomplete.*rate limited/);
  expect(shown.out).toContain('A1');
});

test('does not mistake a rate limit for an inactive order', async () => {
  const { cb, asked } = await servedHome((reply, number) =>
    reply.writeHead(number === 1 ? 403 : 200).end('{"orderData":{"receipt":"SALE0001"}}'),
  );
  expect(await cb('orders active SALE0001')).toMatchObject({ code: 0, out: 'active\n' });
  expect(asked.map(({ method }) => method)).toEqual(['HEAD', 'GET', 'HEAD']);
});

const month = 30 * 86_400;

async function sandboxAhead() {
  const served = await serveSandbox({ orders: 300 });
  await served.sandbox.advance(month);
  return served;
}

test('counts days by the clock of an advanced sandbox, which sends its time in every response, whatever faults it has', async () => {
  const { env, sandbox } = await sandboxAhead();
  const { cb } = home();
  const ran = await cb('orders list --period today --debug', { env });
  expectExit(ran, 0, 'startDate=2026-04-17&endDate=2026-04-17');
  const pause = 'orders pause MONTHLY1 --dry-run --restart-date';
  expect((await cb(`${pause} 2026-05-20`, { env })).code).toBe(0);
  expect((await cb(`${pause} 2026-04-01`, { env })).code).toBe(2);
  for (const path of ['/', '/rest/1.3/orders2/list', '/rest/1.3/orders2/schema']) {
    const { headers } = await fetch(`${sandbox.url}${path}`);
    expect(headers.get('date')).toBe(sandbox.now().toUTCString());
  }
  sandbox.setFaults('503=#1');
  expect((await cb('orders count --period today --max-wait 0', { env })).code).toBe(5);
});

test('requests the time once, without the key, and only if days are needed', async () => {
  const { env, sandbox } = await sandboxAhead();
  const { cb } = home();
  const time = vi.fn(() => sandbox.now());
  const server = await serve((reply) => reply.end('{"orderData":[]}'), { time });
  const there = { ...env, CB_BASE_URL: server.url };
  await cb('orders list --period last-7-days', { env: there });
  expect(time).toHaveBeenCalledTimes(1);
  const urls = server.asked.map(({ url }) => url).join(' ');
  expect(urls).toContain('startDate=2026-04-11&endDate=2026-04-16');
  await cb('orders get MONTHLY1', { env: there });
  await cb('orders list --email a@example.com', { env: there });
  expect(time).toHaveBeenCalledTimes(1);
});

test('uses the clock of the sandbox under sandbox exec', async () => {
  const { cb, folder } = home();
  const now = () => new Date();
  await cb('sandbox seed --orders 60', { now });
  const { out } = await cb('sandbox clock advance 30d', { now });
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
  const { url: CB_BASE_URL } = await secureService((_, reply) => {
    reply.setHeader('date', new Date(Date.now() + ahead).toUTCString());
    reply.end('{"orderData":[]}');
  });
  const { url: HTTPS_PROXY } = await startProxy();
  const folder = emptyHome();
  const env = { ...trusting(folder), CB_BASE_URL, CB_API_KEY: 'API-TEST', HTTPS_PROXY };
  return (...args: string[]) => program(['orders', 'list', ...args], { home: folder, env }).ended();
}

const hour = 3_600_000;

test.each([
  [2 * hour, 'behind'],
  [-2 * hour, 'ahead of'],
])('warns once about a clock difference of %i ms to a remote service', async (ahead, where) => {
  const list = await liveService(ahead);
  const ran = await list('--period', 'last-90-days');
  const says = `^warning: The clock of this machine is 1(19|20) minutes ${where} the service's`;
  expectExit(ran, 0, new RegExp(says));
  expect(ran.err.trim().split('\n')).toHaveLength(1);
});

test('does not warn about a correct clock, or if no days are needed', async () => {
  expect(await (await liveService(0))('--period', 'today')).toMatchObject({ code: 0, err: '' });
  const withoutDays = await (await liveService(2 * hour))('--email', 'a@example.com');
  expect(withoutDays.err).not.toContain('clock');
});
