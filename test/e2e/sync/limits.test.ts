/** How `cb sync` keeps to a number of requests, continues later, keeps others out, and shows how far it is. */
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openSqlite } from '../../../src/features/sync/database/sqlite.ts';
import { cb, emptyHome } from '../../support/binary.ts';
import { home, now, sandboxHome, world } from '../../support/cb.ts';
import { changeCopy, copyOf, numberOf, rowsOf, syncedHome } from '../../support/copy.ts';
import { expectExit } from '../../support/refusal.ts';
import { jsonOf, sandboxJson, serveSandbox } from '../../support/sandbox.ts';
import { serve } from '../../support/server.ts';
import { fastClock, until } from '../../support/virtual-clock.ts';

const orders = '--tables orders --since 2025-10-01';

const dayAfter = (days: number) => () => new Date(now.getTime() + days * 86_400_000);

test('stops at --max-requests with exit code 0, and has all days after a few more nights', async () => {
  const { sandbox, env } = await serveSandbox({ orders: 600 });
  const at = home();
  const stopped =
    /Stopped at --max-requests 10\. About \d+ requests? (?:is|are) left: the next cb sync continues\./;
  const sent: number[] = [];
  const missing: number[] = [];
  while (missing.at(-1) !== 0 && missing.length < 20) {
    const before = sandbox.requests.length;
    const ran = await at.cb(`sync shop.db ${orders} --max-requests 10`, { env });
    expectExit(ran, 0, stopped);
    sent.push(sandbox.requests.slice(before).filter(({ method }) => method === 'GET').length);
    const [status] = await jsonOf(at, 'sync status --database shop.db', { env });
    missing.push(status.missingDays);
    if (missing.at(-1) !== 0) await sandbox.advance(86_400);
  }
  expect(Math.max(...sent)).toBeLessThanOrEqual(10);
  expect(missing.length).toBeGreaterThan(2);
  expect(missing).toEqual(missing.toSorted((one, other) => other - one));
  const whole = home();
  expect((await whole.cb(`sync shop.db ${orders}`, { env })).code).toBe(0);
  const days = 'SELECT transaction_day AS day, count(*) AS rows FROM orders GROUP BY 1 ORDER BY 1';
  const of = (folder: string) => rowsOf(join(folder, 'shop.db'), days);
  expect(await of(at.folder)).toEqual(await of(whole.folder));
});

test('continues in each run with few requests, also for a key with many nicknames', async () => {
  const at = await sandboxHome(300);
  const days = async () => {
    await sandboxJson(at, 'sync --tables analytics_days --max-requests 40');
    const query = "SELECT count(*) FROM sync_days WHERE source = 'analytics_days'";
    return numberOf(copyOf(at), query);
  };
  const first = await days();
  expect(await days()).toBeGreaterThan(first);
});

test('sends no more than 20,000 requests on a Pacific day, and continues after midnight', async () => {
  const at = await syncedHome(`--sandbox sync ${orders}`, 60);
  const running = 'requests = 19999, outcome = NULL, ended_at = NULL';
  await changeCopy(at, `UPDATE sync_runs SET ${running} WHERE pacific_day = '2026-03-18'`);
  const spent = await at.cb('--sandbox sync --tables orders');
  expectExit(spent, 8, 'Stopped, because 20000 requests were sent on this Pacific day.');
  const next = await at.cb('--sandbox sync --tables orders', { now: dayAfter(1) });
  expect(next).toMatchObject({ code: 0 });
});

test('counts the requests of an interrupted run, and continues', async () => {
  const { sandbox, env } = await serveSandbox({ orders: 600 });
  const at = home();
  const file = join(at.folder, 'shop.db');
  const stop = new AbortController();
  const watch = setInterval(() => {
    if (sandbox.requests.length > 8) stop.abort(130);
  }, 1);
  expect((await at.cb(`sync shop.db ${orders}`, { env, signal: stop.signal })).code).toBe(130);
  clearInterval(watch);
  const failed = "SELECT requests FROM sync_runs WHERE outcome = 'failed'";
  expect(await numberOf(file, failed)).toBeGreaterThan(4);
  // That no row is lost or doubled is proved in robust/kills.test.ts.
  expect((await at.cb(`sync shop.db ${orders}`, { env })).code).toBe(0);
});

test('leaves at once with exit code 8 while another sync writes, and waits for it with --wait', async () => {
  const at = await syncedHome(`--sandbox sync ${orders}`, 60);
  const { processes } = world(at.folder, {}).context;
  const other = await openSqlite(copyOf(at), processes);
  await other.lock(0);
  const busy = await at.cb('--sandbox sync --tables orders');
  expectExit(busy, 8, /cb: Another cb sync is writing to \S+sandbox\.db\./);
  const waiting = at.cb('--sandbox sync --tables orders --wait 60s');
  await other.close();
  expect((await waiting).code).toBe(0);
});

test('shows with --dry-run what a first sync would read, and creates nothing', async () => {
  const { sandbox, env } = await serveSandbox({ orders: 600 });
  const at = home();
  const file = join(at.folder, 'shop.db');
  const plan = await at.cb(`sync shop.db ${orders} --dry-run -o json`, { env });
  const rows: readonly { requests: number }[] = JSON.parse(plan.out);
  const planned = rows.reduce((sum, { requests }) => sum + requests, 0);
  const says = `A sync of GREENLEAF takes about ${planned} requests .* Nothing was written\\.`;
  expectExit(plan, 0, new RegExp(says));
  expect(sandbox.requests.filter(({ method }) => method === 'GET')).toHaveLength(2);
  expect(existsSync(file)).toBe(false);
  await at.cb(`sync shop.db ${orders}`, { env });
  const sent = await numberOf(file, 'SELECT requests FROM sync_runs');
  expect(Math.abs(sent - planned)).toBeLessThan(planned);
});

/** A service of one account, which lists three orders of yesterday, or fails. */
async function shop() {
  const state = { status: 200, asked: 0, delay: 0 };
  const server = await serve((reply, _, { url }) => {
    state.asked += 1;
    reply.sendDate = false;
    reply.setHeader('date', now.toUTCString());
    if (state.status !== 200) return void reply.writeHead(state.status).end('Sorry');
    if (url.includes('/accounts')) return void reply.end('{"accountData":{"nickName":"SHOP"}}');
    const length = url.includes('2026-03-17') ? 3 : 0;
    if (url.includes('/count')) return void reply.end(String(length));
    const rows = Array.from({ length }, (_, i) => ({
      ...{ receipt: `SOLD${i}`, transactionType: 'SALE', role: 'VENDOR', vendor: 'SHOP' },
      transactionTime: `2026-03-17T1${i}:00:00-07:00`,
    }));
    setTimeout(() => reply.end(JSON.stringify({ orderData: rows })), state.delay);
  });
  return { state, env: server.env };
}

const twoDays = '--tables orders --since 2026-03-17';

/** Waits of a minute take 6 ms. */
const clock = fastClock(10_000);

test('syncs again and again with --every, reports a failed run, and ends with 143 on SIGTERM', async () => {
  const { state, env } = await shop();
  const at = home();
  const stop = new AbortController();
  const line = `sync shop.db ${twoDays} --every 1m --max-wait 0`;
  const ran = at.cb(line, { env, clock, signal: stop.signal });
  await until(() => state.asked >= 12);
  state.status = 503;
  const failing = state.asked;
  await until(() => state.asked >= failing + 8);
  state.status = 200;
  const again = state.asked;
  await until(() => state.asked >= again + 12);
  stop.abort(143);
  const { code, err } = await ran;
  expect(code).toBe(143);
  const said = err.trim().split('\n');
  expect(said.filter((one) => one.startsWith('Copied 3 rows of SHOP')).length).toBeGreaterThan(3);
  expect(err).toMatch(/warning: .*503.* The next sync starts within 1m\./);
  const complete = "SELECT count(*) FROM sync_runs WHERE outcome = 'complete'";
  expect(await numberOf(join(at.folder, 'shop.db'), complete)).toBeGreaterThan(3);
});

test('ends with exit code 3 with --every if the key is revoked', async () => {
  const { state, env } = await shop();
  const at = home();
  const ran = at.cb(`sync shop.db ${twoDays} --every 1m`, { env, clock });
  await until(() => state.asked >= 6);
  state.status = 401;
  expect((await ran).code).toBe(3);
});

test('shows the table, the days, rows, windows and requests left, on a line that disappears', async () => {
  const { state, env } = await shop();
  state.delay = 400;
  const line = 'sync shop.db --tables orders --since -3d';
  const ran = await home().cb(line, { env, columns: 120 });
  const progress =
    /orders 2026-03-\d\d to 2026-03-\d\d: \d rows?, \d windows?, 19,99\d requests left today, about \d+ s left/;
  expectExit(ran, 0, progress, '');
  const clear = '\x1b[K';
  const last = ran.err.slice(ran.err.lastIndexOf(clear) + clear.length);
  expect(last).toMatch(/^Copied 3 rows of SHOP to \S+ with \d+ requests\.\n/);
  const { err: piped } = await home().cb(line, { env });
  expect(piped).toMatch(/^Copied 3 rows[^\n]*\n$/);
});

test('counts the requests of a sync that was killed, which status calls unfinished', async () => {
  const { env, sandbox } = await serveSandbox({ orders: 3000 });
  const folder = emptyHome();
  const file = join(folder, 'shop.db');
  const { child } = cb(['sync', 'shop.db'], { home: folder, env });
  const open = 'SELECT requests FROM sync_runs WHERE outcome IS NULL';
  const stored = async () =>
    existsSync(file) && sandbox.requests.length > 10 ? numberOf(file, open) : 0;
  while (!((await stored()) >= 10)) await new Promise((done) => setImmediate(done));
  child.kill('SIGKILL');
  await once(child, 'close');
  const sent = sandbox.requests.filter(({ method }) => method === 'GET').length;
  expect(await stored()).toBeGreaterThanOrEqual(10);
  expect(await stored()).toBeLessThanOrEqual(sent);
  const [status] = await jsonOf(home(), `sync status --database ${file}`, { env });
  expect(status).toMatchObject({ table: 'orders', outcome: 'unfinished' });
});
