/** How `cb sync` keeps to a number of requests, continues later, keeps others out, and shows how far it is. */
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openSqlite } from '../../../src/features/sync/database/sqlite.ts';
import { cb, emptyHome } from '../../support/binary.ts';
import { home, now, sandboxHome, world } from '../../support/cb.ts';
import { changeCopy, copyOf, rowsOf, syncedHome } from '../../support/copy.ts';
import { asOneLine, expectExit } from '../../support/refusal.ts';
import { serveSandbox } from '../../support/sandbox.ts';
import { serve } from '../../support/server.ts';
import { fastClock, until } from '../../support/virtual-clock.ts';

const orders = '--tables orders --since 2025-10-01';

const dayAfter = (days: number) => () => new Date(now.getTime() + days * 86_400_000);

test('stops at --max-requests with exit code 0, and has all days after a few more nights', async () => {
  const { sandbox, env } = await serveSandbox({ orders: 600 });
  const at = home();
  const sent: number[] = [];
  const missing: number[] = [];
  while (missing.at(-1) !== 0 && missing.length < 20) {
    const before = sandbox.requests.length;
    const { code, err } = await at.cb(`sync shop.db ${orders} --max-requests 10`, { env });
    expect(code).toBe(0);
    sent.push(sandbox.requests.slice(before).filter(({ method }) => method === 'GET').length);
    expect(asOneLine(err)).toMatch(
      /Stopped at --max-requests 10\. About \d+ requests? (?:is|are) left: the next cb sync continues\./,
    );
    const { out } = await at.cb('sync status --database shop.db -o json', { env });
    missing.push(JSON.parse(out)[0].missingDays);
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
    expect(await at.cb('--sandbox sync --tables analytics_days --max-requests 40')).toMatchObject({
      code: 0,
    });
    const query = "SELECT count(*) AS days FROM sync_days WHERE source = 'analytics_days'";
    return Number((await rowsOf(copyOf(at), query))[0]?.days);
  };
  const first = await days();
  expect(await days()).toBeGreaterThan(first);
});

test('sends no more than 20,000 requests on a Pacific day, and continues after midnight', async () => {
  const at = await syncedHome(`--sandbox sync ${orders}`, 60);
  await changeCopy(
    at,
    "UPDATE sync_runs SET requests = 19999, outcome = NULL, ended_at = NULL WHERE pacific_day = '2026-03-18'",
  );
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
  const [run] = await rowsOf<{ requests: number; outcome: string }>(
    file,
    'SELECT requests, outcome FROM sync_runs',
  );
  expect(run?.outcome).toBe('failed');
  expect(run?.requests).toBeGreaterThan(4);
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
  const { code, out, err } = await at.cb(`sync shop.db ${orders} --dry-run -o json`, { env });
  expect(code).toBe(0);
  const rows = JSON.parse(out);
  const planned = rows.reduce((sum: number, row: { requests: number }) => sum + row.requests, 0);
  expect(asOneLine(err)).toMatch(
    new RegExp(`A sync of GREENLEAF takes about ${planned} requests .* Nothing was written\\.`),
  );
  const asked = sandbox.requests.filter(({ method }) => method === 'GET').length;
  expect(asked).toBe(2);
  expect(existsSync(join(at.folder, 'shop.db'))).toBe(false);
  await at.cb(`sync shop.db ${orders}`, { env });
  const [run] = await rowsOf<{ requests: number }>(
    join(at.folder, 'shop.db'),
    'SELECT requests FROM sync_runs',
  );
  expect(Math.abs((run?.requests ?? 0) - planned)).toBeLessThan(planned);
});

/** A service of one account, which lists these orders of yesterday, or fails. */
async function shop() {
  const state = { orders: 3, status: 200, asked: 0, delay: 0 };
  const server = await serve((reply, _, { url }) => {
    state.asked += 1;
    reply.sendDate = false;
    reply.setHeader('date', now.toUTCString());
    if (state.status !== 200) return void reply.writeHead(state.status).end('Sorry');
    if (url.includes('/accounts')) return void reply.end('{"accountData":{"nickName":"SHOP"}}');
    if (url.includes('/count'))
      return void reply.end(url.includes('03-17') ? String(state.orders) : '0');
    const isDay = url.includes('startDate=2026-03-17');
    const rows = Array.from({ length: isDay ? state.orders : 0 }, (_, i) => ({
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
  const runs = await rowsOf<{ outcome: string }>(
    join(at.folder, 'shop.db'),
    'SELECT outcome FROM sync_runs',
  );
  expect(runs.filter(({ outcome }) => outcome === 'complete').length).toBeGreaterThan(3);
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
  const { code, out, err } = await home().cb(line, { env, columns: 120 });
  expect({ code, out }).toEqual({ code: 0, out: '' });
  expect(err).toMatch(
    /orders 2026-03-\d\d to 2026-03-\d\d: \d rows?, \d windows?, 19,99\d requests left today, about \d+ s left/,
  );
  const clear = '\x1b[K';
  const last = err.slice(err.lastIndexOf(clear) + clear.length);
  expect(last).toMatch(/^Copied 3 rows of SHOP to \S+ with \d+ requests\.\n/);
  const { err: piped } = await home().cb(line, { env });
  expect(piped).toMatch(/^Copied 3 rows[^\n]*\n$/);
});

test('counts the requests of a sync that was killed, which status calls unfinished', async () => {
  const { env, sandbox } = await serveSandbox({ orders: 3000 });
  const folder = emptyHome();
  const file = join(folder, 'shop.db');
  const { child } = cb(['sync', 'shop.db'], { home: folder, env });
  const stored = async () => {
    const isThere = existsSync(file) && sandbox.requests.length > 10;
    const runs = isThere
      ? await rowsOf<{ requests: number; outcome: string | null }>(
          file,
          'SELECT requests, outcome FROM sync_runs',
        )
      : [];
    return runs[0];
  };
  while (((await stored())?.requests ?? 0) < 10) await new Promise((done) => setImmediate(done));
  child.kill('SIGKILL');
  await once(child, 'close');
  const sent = sandbox.requests.filter(({ method }) => method === 'GET').length;
  const run = await stored();
  expect(run?.outcome).toBeNull();
  expect(run?.requests).toBeGreaterThanOrEqual(10);
  expect(run?.requests).toBeLessThanOrEqual(sent);
  const status = await home().cb(`sync status --database ${file} -o json`, { env });
  expect(JSON.parse(status.out)[0]).toMatchObject({ table: 'orders', outcome: 'unfinished' });
});
