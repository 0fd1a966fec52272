/** `cb ins listen --sync`: a notification refreshes its receipt in the copy, whatever is lost, repeated, forged or killed. */
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { addDays, pacificDay } from '../../../src/dates/day.ts';
import type { EventType } from '../../../src/features/ins/event-types.ts';
import { encryptNotification } from '../../../src/features/ins/notification.ts';
import { eventOf } from '../../../src/features/ins/sample-event.ts';
import { openSqlite, openSqliteReader } from '../../../src/features/sync/database/sqlite.ts';
import { KEYS } from '../../../src/sandbox/http/keys.ts';
import { readSetting, storedClock, writeSetting } from '../../../src/sandbox/store/store.ts';
import { openDatabase } from '../../../src/storage/sqlite.ts';
import { cb, emptyHome, type Running } from '../../support/binary.ts';
import { home } from '../../support/cb.ts';
import { clientOf } from '../../support/client.ts';
import { startGateway } from '../../support/gateway.ts';
import { insEnv, insSecret, post, saleBody, startedPort } from '../../support/ins-listener.ts';
import { copySeed, now as seedTime } from '../../support/seeds.ts';
import { tier } from '../../support/tier.ts';
import { type Difference, differencesOf } from '../sync/nights/compare.ts';
import { listedNow } from '../sync/nights/service.ts';

type Row = Readonly<Record<string, unknown>>;

/** Milliseconds. */
const second = 1000;
/** Seconds of the sandbox's clock. */
const [hour, day] = [3600, 86_400];

/** What the copy has. */
const tables = ['orders', 'tickets', 'subscriptions'];

interface LiveOptions {
  readonly orders?: number;
  /** Days that are copied. */
  readonly days?: number;
  /** Requests per second; undefined for no limit. */
  readonly pace?: number | undefined;
}

/** A sandbox at the time of the tests, its copy, and a listener that keeps the copy current. Each is a process. */
async function liveHome({ orders = 300, days = 30, pace }: LiveOptions = {}) {
  const folder = emptyHome();
  const user = home(folder);
  const data = join(folder, '.local/share');
  const file = join(data, 'clickbank-cli/sandbox.sqlite');
  await copySeed(file, { orders });
  const store = await openDatabase(file);
  onTestFinished(() => store.close());
  store.execute('PRAGMA busy_timeout = 5000');
  const pass = (seconds: number) =>
    store.immediately(() =>
      writeSetting(store, 'clockOffset', readSetting(store, 'clockOffset') + Math.round(seconds)),
    );
  pass((seedTime.getTime() - Date.now()) / second);
  const { now } = storedClock(store, () => new Date());
  const today = () => pacificDay(now().getTime() / second);

  const startSandbox = (port: number) =>
    serving(cb(['sandbox', 'start', '--port', String(port)], { home: folder }));
  const sandbox = await startSandbox(0);
  /** Without the answers to syncs. */
  const api = { isDown: false, answers: 0, opened: Promise.resolve() };
  const [apiKey = '', keyOfSyncs = ''] = ['full', 'no-subscriptions'].map(
    (name) => KEYS.find((one) => one.name === name)?.key,
  );
  const target = `http://127.0.0.1:${sandbox.port}`;
  const gateway = await startGateway(target, now, async ({ headers }) => {
    await api.opened;
    if (api.isDown) return { status: 503, body: '' };
    if (headers.authorization?.includes(apiKey)) api.answers += 1;
    return undefined;
  });
  const run = async (line: string, stdin = '') => {
    const env = { ...insEnv, XDG_DATA_HOME: data };
    const ran = await user.cb(line, { env, stdin, now: () => new Date() });
    expect({ line, ...ran }).toMatchObject({ line, code: 0 });
    return ran;
  };
  const rowsOf = async (line: string): Promise<readonly Row[]> =>
    JSON.parse((await run(`${line} -o json`)).out);
  const listen = (port: number, options = ['--sync']) => {
    const args = ['ins', 'listen', '--port', String(port), ...options];
    return serving(cb(args, { home: folder, env: insEnv }));
  };
  const sync = () =>
    cb(['sync'], { home: folder, env: { CB_BASE_URL: gateway.url, CB_API_KEY: keyOfSyncs } });

  await run(`login --with-key --no-check --base-url ${gateway.url}`, apiKey);
  if (pace !== undefined) await run(`config set pace ${pace}`);
  const first = addDays(today(), -days);
  await run(`sync --since ${first} --tables ${tables}`);
  const listener = await listen(0);
  await run(`sandbox ins add http://127.0.0.1:${listener.port}/ins --secret ${insSecret}`);
  return {
    ...{ apiKey, store, pass, now, today, startSandbox, sandbox, api, gateway, run, rowsOf },
    ...{ listen, sync, listener, first },
    copy: join(data, 'clickbank-cli/copies', `${new URL(gateway.url).host.replace(':', '-')}.db`),
  };
}

type Live = Awaited<ReturnType<typeof liveHome>>;

const serving = async (running: Running) => ({ running, port: await startedPort(running.until) });

async function kill({ child }: Running): Promise<void> {
  if (child.exitCode !== null) return;
  child.kill('SIGKILL');
  await once(child, 'exit');
}

/** Events that wait, as `cb sync status` says it. */
async function backlog({ run }: Live): Promise<number> {
  const [, waiting = '0'] = /not copied yet: (\d+)\./.exec((await run('sync status')).err) ?? [];
  return Number(waiting);
}

const eventBody = (type: EventType, receipt: unknown, now: Date) =>
  encryptNotification(eventOf(type, { now, receipt: String(receipt) }), insSecret);

/** Returns this number of sales of the copy. */
const salesOf = ({ rowsOf }: Live, limit: number) =>
  rowsOf(
    `sql 'select receipt from orders where transaction_type = ? and role = ? limit ${limit}' SALE VENDOR`,
  );

interface Traffic {
  readonly seconds: number;
  readonly perSecond: number;
  /** How often each part is killed in the first half. */
  readonly kills: number;
}

/** Events on a day of the sandbox with 5,000 orders. */
const eventsADay = 45;
/** Milliseconds between two looks of the sandbox at what is due. */
const look = 200;

/**
 * Customers buy and cancel while the API fails and each part is killed. Returns how many events waited when the listener
 * was killed, which may have been reading their receipts.
 */
async function traffic(live: Live, { seconds, perSecond, kills }: Traffic): Promise<number> {
  let interrupted = 0;
  let starting: Promise<unknown> = Promise.resolve();
  async function passing() {
    const steps = (seconds * second) / look;
    for (let step = 0; step < steps; step += 1) {
      // The sandbox gives up after 16 hours: on a busy machine, a listener takes as long to start.
      await starting;
      live.pass((day * seconds * perSecond) / eventsADay / steps);
      await sleep(look);
    }
  }
  const restart = async (name: 'listener' | 'sandbox', start: Live['listen']) => {
    await kill(live[name].running);
    await sleep(second / 2);
    const started = start(live[name].port);
    starting = started;
    live[name] = await started;
  };
  async function disturbing() {
    const pause = (seconds * second) / 2 / kills / 4;
    for (let round = 1; round <= kills; round += 1) {
      live.api.isDown = true;
      await sleep(pause);
      live.api.isDown = false;
      await sleep(pause);
      interrupted += await backlog(live);
      await restart('listener', live.listen);
      const sync = live.sync();
      await sleep(round * (second / 2));
      await kill(sync);
      await restart('sandbox', live.startSandbox);
      await sleep(pause);
    }
  }
  await Promise.all([passing(), disturbing()]);
  return interrupted;
}

/** What differs from the lists although an event told of it. */
async function differences({ apiKey, gateway, first, today, copy, rowsOf }: Live) {
  const client = clientOf(gateway.url, { apiKey });
  const days = { first, last: today() };
  const listed = await listedNow({ client, tables, ...days });
  const sql = await openSqliteReader(copy);
  const found = await differencesOf(sql, listed, days);
  await sql.close();
  const changed = await rowsOf('ins list --type CANCEL-REBILL,UNCANCEL-REBILL,SUBSCRIPTION-CHG');
  const isTold = ({ table, id, field }: Difference) => {
    // A ticket changes this state, and time does.
    if (field === 'customerRefundableState') return false;
    // The share of an own affiliate in an earlier payment.
    if (id.endsWith(' AFFILIATE') && field.startsWith('lineItemData.')) return false;
    if (table !== 'subscriptions') return !table.startsWith('ticket');
    return field === 'cancelled' && changed.some(({ receipt }) => id.startsWith(`${receipt}.`));
  };
  return found.filter(isTold);
}

const tiers = tier(
  { seconds: 6, perSecond: 20, kills: 1 },
  { seconds: 600, perSecond: 4, kills: 5 },
);

/** For the ten minutes of the long tier. */
const timeout = 1_200_000;

test('equals the lists row by row after traffic with outages, kills, duplicates, reordering and forged events', {
  timeout,
}, async () => {
  const live = await liveHome({ orders: 5000, days: tier(30, 90) });
  const { run, rowsOf, store } = live;
  const before = live.api.answers;
  await run('sandbox ins faults duplicate=20%,reorder=20%');
  const [{ receipt } = {}] = await salesOf(live, 1);
  const forged = [saleBody('NOSUCH01'), eventBody('RFND', receipt, live.now())];
  for (const body of forged) expect(await post(live.listener.port, body, '/ins')).toBe(200);
  expect(await post(live.listener.port, saleBody('NOSUCH02', 'ANOTHERSECRET'), '/ins')).toBe(400);
  const interrupted = await traffic(live, tiers);
  await run('sandbox ins faults off');
  // The sandbox sends again what nobody received.
  live.pass(4 * hour);
  const isSent = () => !store.first('SELECT 1 FROM delivery WHERE next_at IS NOT NULL');
  const untilEmpty = async () => {
    while (!isSent() || (await backlog(live)) > forged.length) await sleep(look);
  };
  await sleep(2 * look);
  await untilEmpty();
  const requests = live.api.answers - before;
  // Time passes while the lists are read.
  let found = await differences(live);
  if (found.length > 0) {
    await untilEmpty();
    found = await differences(live);
  }
  expect(found).toEqual([]);
  expect(await backlog(live)).toBe(forged.length);
  const events = (await rowsOf('ins list --fields receipt')).length;
  expect(events).toBeGreaterThan(0.8 * tiers.seconds * tiers.perSecond);
  expect(requests).toBeLessThanOrEqual(1.5 * events + interrupted);
});

/** Milliseconds after which ClickBank gives up an attempt. */
const patience = 3000;

test('answers a burst at once, and reads each sale of it once', { timeout }, async () => {
  const { count, pace } = tier({ count: 200, pace: undefined }, { count: 2000, pace: 10 });
  const live = await liveHome({ orders: 5000, days: tier(30, 365), pace });
  const sales = await salesOf(live, 0.8 * count);
  const bodies = sales.flatMap(({ receipt }, i) => {
    const bodyOf = (type: EventType) => eventBody(type, receipt, live.now());
    const sale = bodyOf('SALE');
    // Some come twice, and with another event about the same order.
    return [sale, ...(i % 8 === 0 ? [sale, bodyOf('CUSTOMER_EMAIL_UPDATE')] : [])];
  });
  expect(bodies).toHaveLength(count);
  const before = live.api.answers;
  let open = () => {};
  // The API answers nothing meanwhile.
  if (pace === undefined)
    live.api.opened = new Promise((resolve) => {
      open = resolve;
    });
  const start = performance.now();
  const answers: { readonly status: number; readonly after: number }[] = [];
  const left = bodies.values();
  const posting = async () => {
    for (const body of left) {
      const from = performance.now();
      const status = await post(live.listener.port, body, '/ins');
      answers.push({ status, after: performance.now() - from });
    }
  };
  await Promise.all([1, 2, 3, 4, 5, 6, 7, 8].map(posting));
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
  expect(await backlog(live)).toBeGreaterThan(0.8 * count);
  open();
  while ((await backlog(live)) > 0) await sleep(look);
  const seconds = (performance.now() - start) / second;
  expect(live.api.answers - before).toBeLessThanOrEqual(1.5 * sales.length);
  const reads = live.gateway.asked.filter(({ url }) => /\/orders2\/\w+$/.test(url));
  expect(reads.length).toBeLessThan(1.1 * sales.length);
  if (pace === undefined) return;
  expect(seconds).toBeGreaterThan((0.95 * sales.length) / pace);
  expect(Math.max(...answers.map(({ after }) => after))).toBeLessThan(patience);
});

/** A subscription of the copy, whose rows can be made wrong. */
async function wrongRows({ listener, rowsOf, copy }: Live) {
  const query =
    "sql 'select receipt, substr(purchase_time, 1, 10) as day from subscriptions where role = ? and processed_payments > 1 order by 2 desc limit 1' VENDOR";
  const [{ receipt: sale } = {}] = await rowsOf(query);
  const receipt = String(sale);
  const stateOf = async (one: string) =>
    (await rowsOf(`ins list --receipt ${one} --fields state,result`))[0];
  const send = (type: EventType, one = receipt) =>
    post(listener.port, eventBody(type, one, new Date()), '/ins');
  return {
    receipt,
    stateOf,
    send,
    async refresh(type: EventType) {
      await send(type);
      while ((await stateOf(receipt))?.state !== 'delivered') await sleep(20);
    },
    async spoil(syncedAt: string) {
      const database = await openDatabase(copy);
      database.run("UPDATE sync_orders SET country = 'XX' WHERE receipt = ?", [receipt]);
      database.run("UPDATE subscriptions SET status = 'XX' WHERE receipt = ?", [receipt]);
      for (const table of ['sync_days', 'sync_reads']) {
        database.run(`UPDATE ${table} SET synced_at = ?`, [syncedAt]);
      }
      database.close();
    },
    /** What is wrong now, in orders and in subscriptions. */
    async wrong() {
      const of = async (table: string, column: string) =>
        (await rowsOf(`sql 'select receipt from ${table} where ${column} = ?' XX`)).length > 0;
      return [await of('orders', 'country'), await of('subscriptions', 'status')];
    },
  };
}

test('believes no empty answer, asks nothing about events without an order, and waits for a sync', async () => {
  const live = await liveHome();
  const { rowsOf, listener } = live;
  const { receipt, send, stateOf, refresh, spoil, wrong } = await wrongRows(live);
  const countRows = () => rowsOf("sql 'select count(*) as n from orders'");
  const before = await countRows();
  // The API answers that it knows no such receipt.
  await send('CANCEL-REBILL', 'NOSUCH02');
  await send('ABANDONED_ORDER', 'NOSUCH03');
  await listener.running.until(/CANCEL-REBILL NOSUCH02.* the API does not show it yet/);
  while ((await stateOf('NOSUCH03'))?.state === 'waiting') await sleep(20);
  expect(await stateOf('NOSUCH03')).toEqual({ state: 'delivered', result: 'about no order' });
  expect(await stateOf('NOSUCH02')).toMatchObject({ state: 'retrying' });
  expect(await backlog(live)).toBe(1);
  expect(await countRows()).toEqual(before);
  // A sync that began after this read has newer rows.
  await spoil('2099-01-01T00:00:00Z');
  await refresh('SUBSCRIPTION-CHG');
  expect(await wrong()).toEqual([true, true]);
  // An earlier one has not, also if the clock has been set since the listener began.
  live.pass(8 * hour);
  await spoil(new Date(live.now().getTime() - hour * second).toISOString());
  await refresh('CUSTOMER_EMAIL_UPDATE');
  expect(await wrong()).toEqual([false, true]);
  await refresh('CANCEL-REBILL');
  expect(await wrong()).toEqual([false, false]);
  const writing = async () => {
    const sql = await openSqlite(live.copy, { own: process.pid, isRunning: () => true });
    await sql.lock(5000);
    return sql;
  };
  // What is gathered while a sync is writing, about a sale and its rebill, is read once.
  const sync = await writing();
  await send('CUSTOMER_UPDATE_CC_NOTIFICATION');
  await send('PURCHASE_DETAILS_EMAIL_RESPONSE');
  await send('BILL', `${receipt}-B002`);
  await sync.close();
  while ((await backlog(live)) > 1) await sleep(20);
  const rows = await rowsOf("sql 'select transaction_id as id from orders'");
  const isSecond = ({ id }: Row) => String(id).endsWith('.2');
  expect(rows.filter(isSecond)).toEqual([]);
  // An event is done when its order is in the copy.
  await spoil(new Date(live.now().getTime() - hour * second).toISOString());
  const database = await openDatabase(live.copy);
  database.run(
    "CREATE TRIGGER stop BEFORE INSERT ON sync_orders BEGIN SELECT RAISE(ABORT, 'no room'); END",
  );
  await send('CUSTOMER_AUTH_FAILURE');
  await listener.running.until(/CUSTOMER_AUTH_FAILURE .*no room/);
  database.run('DROP TRIGGER stop');
  database.close();
  const another = await writing();
  await send('UNCANCEL-REBILL');
  await listener.running.until(/Another cb sync is writing .* Next attempt in 30s\./);
  await another.close();
});

test('reads what a listener without --sync has received since the last sync', async () => {
  const live = await liveHome();
  await kill(live.listener.running);
  const { port, running } = await live.listen(live.listener.port, []);
  const { send, stateOf, receipt, spoil, wrong } = await wrongRows(live);
  await send('CANCEL-REBILL');
  expect(await stateOf(receipt)).toEqual({ state: 'kept', result: null });
  await kill(running);
  await spoil('2020-01-01T00:00:00Z');
  await live.listen(port);
  while ((await backlog(live)) > 0) await sleep(20);
  expect(await wrong()).toEqual([false, false]);
});
