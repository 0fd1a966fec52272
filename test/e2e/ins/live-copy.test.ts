/** `cb ins listen --sync`: a notification refreshes its receipt in the copy, whatever is lost, repeated, forged or killed. */
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import type { EventType } from '../../../src/features/ins/event-types.ts';
import { encryptNotification } from '../../../src/features/ins/notification.ts';
import { eventOf } from '../../../src/features/ins/sample-event.ts';
import { openSqlite } from '../../../src/features/sync/database/sqlite.ts';
import { cb, emptyHome } from '../../support/binary.ts';
import { home } from '../../support/cb.ts';
import { insEnv, insSecret, post, saleBody } from '../../support/ins-listener.ts';
import { tier } from '../../support/tier.ts';

type Row = Readonly<Record<string, unknown>>;

/** A home with a small sandbox and its copy, and a listener that keeps the copy current. */
async function liveHome() {
  const folder = emptyHome();
  const user = home(folder);
  const env = { ...insEnv, XDG_DATA_HOME: join(folder, '.local/share') };
  const run = async (line: string) => {
    const ran = await user.cb(line, { env, now: () => new Date() });
    expect({ line, ...ran }).toMatchObject({ line, code: 0 });
    return ran.out;
  };
  const rowsOf = async (line: string): Promise<readonly Row[]> =>
    JSON.parse(await run(`${line} -o json`));
  const listen = async (port: number) => {
    const args = ['--sandbox', 'ins', 'listen', '--sync', '--port', String(port)];
    const running = cb(args, { home: folder, env: insEnv });
    const [, found = ''] = /127\.0\.0\.1:(\d+)/.exec(await running.until(/Press Ctrl-C/)) ?? [];
    return { running, port: Number(found) };
  };
  const kill = async ({ running }: Awaited<ReturnType<typeof listen>>) => {
    running.child.kill('SIGKILL');
    await running.ended();
  };
  await run('sandbox seed --orders 400');
  await run('--sandbox sync --since -90d');
  const listener = await listen(0);
  await run(`sandbox ins add http://127.0.0.1:${listener.port}/ins --secret ${insSecret}`);
  const copy = join(env.XDG_DATA_HOME, 'clickbank-cli', 'copies', 'sandbox.db');
  return {
    copy,
    cb: (line: string) => user.cb(line, { env }),
    run,
    rowsOf,
    listen,
    kill,
    listener,
  };
}

type Live = Awaited<ReturnType<typeof liveHome>>;

async function untilDelivered({ rowsOf }: Live): Promise<void> {
  const open = async () =>
    (await rowsOf('ins list --fields state')).some(({ state }) => state !== 'delivered');
  while (await open()) await sleep(50);
}

/** What the lists show of a period, and what the copy has, in the same words. */
async function bothSides({ rowsOf }: Live, first: string) {
  const listed = await Promise.all(
    ['VENDOR', 'AFFILIATE'].map((role) =>
      rowsOf(`--sandbox orders list --start-date ${first} --end-date tomorrow --role ${role}`),
    ),
  );
  const copied = await rowsOf(
    `--sandbox sql 'select receipt, transaction_type, role, total_order_amount, account_amount from orders where transaction_day >= ?' ${first}`,
  );
  const text = (...cells: readonly unknown[]) => cells.map(String).join(' ');
  const earned = ({ lineItemData }: Row) =>
    (lineItemData as readonly Row[]).reduce((sum, one) => sum + Number(one.accountAmount), 0);
  return {
    listed: listed
      .flat()
      .filter(({ transactionType }) => transactionType !== 'FEE')
      .map((row) =>
        text(
          ...[row.receipt, row.transactionType, row.role, Number(row.totalOrderAmount)],
          earned(row).toFixed(2),
        ),
      )
      .sort(),
    copied: copied
      .filter((row) => row.transaction_type !== 'FEE')
      .map((row) =>
        text(
          ...[row.receipt, row.transaction_type, row.role, Number(row.total_order_amount)],
          Number(row.account_amount).toFixed(2),
        ),
      )
      .sort(),
  };
}

test('equals the lists after duplicates, reordering, an outage of the listener and kills', async () => {
  const live = await liveHome();
  const { run, rowsOf, listen, kill } = live;
  let { listener } = live;
  const [{ day = '' } = {}] = await rowsOf("--sandbox sql 'select max(day) as day from sync_days'");
  await run('sandbox ins faults duplicate=20%,reorder=20%');
  const rounds = tier(2, 20);
  for (let round = 0; round < rounds; round += 1) {
    await run('sandbox clock advance 8h');
    await kill(listener);
    // ClickBank sends again what nobody received, every four hours.
    await run('sandbox clock advance 2h');
    listener = await listen(listener.port);
    await run('sandbox clock advance 6h');
  }
  await untilDelivered(live);
  const { listed, copied } = await bothSides(live, String(day));
  expect(copied).toEqual(listed);
  expect(listed.length).toBeGreaterThan(tier(10, 50));

  const events = (await rowsOf('ins list --fields receipt')).length;
  const [{ requests = 0 } = {}] = await rowsOf(
    `--sandbox sql 'select sum(requests) as requests from sync_runs where run_id like ?' 'events %'`,
  );
  expect(Number(requests)).toBeGreaterThan(0);
  // Each start of the listener costs some requests, too.
  expect(Number(requests)).toBeLessThanOrEqual(1.5 * events + 4 * (rounds + 1));
  const status = await rowsOf('--sandbox sync status');
  expect(status.find(({ table }) => table === 'orders')).toMatchObject({ outcome: 'complete' });
  await kill(listener);
});

test('writes nothing of an event that the API does not know, and says so', async () => {
  const live = await liveHome();
  const { rowsOf, listener, kill } = live;
  const before = await rowsOf("--sandbox sql 'select count(*) as n from orders'");
  expect(await post(listener.port, saleBody('NOSUCH01'), '/ins')).toBe(200);
  await listener.running.until(/the API does not show it yet/);
  expect(await rowsOf("--sandbox sql 'select count(*) as n from orders'")).toEqual(before);
  expect(await rowsOf('ins list --fields receipt,state,result')).toEqual([
    { receipt: 'NOSUCH01', state: 'retrying', result: 'the API does not show it yet' },
  ]);
  const { err } = await live.cb('--sandbox sync status');
  expect(err).toContain('note: Events of cb ins listen --sync that are not copied yet: 1.');
  await kill(listener);
});

test('believes no empty answer, asks nothing about events without an order, and waits for a sync', async () => {
  const live = await liveHome();
  const { rowsOf, listener, kill } = live;
  const processes = { own: process.pid, isRunning: () => true };
  const send = (type: EventType, receipt: string) => {
    const event = eventOf(type, { now: new Date(), receipt });
    return post(listener.port, encryptNotification(event, insSecret), '/ins');
  };
  const stateOf = async (receipt: string) => {
    const [found] = await rowsOf(`ins list --receipt ${receipt} --fields state,result`);
    return found;
  };
  // The API answers that it knows no such receipt.
  await send('CANCEL-REBILL', 'NOSUCH02');
  await send('ABANDONED_ORDER', 'NOSUCH03');
  await listener.running.until(/CANCEL-REBILL NOSUCH02.* the API does not show it yet/);
  while ((await stateOf('NOSUCH03'))?.state === 'waiting') await sleep(20);
  expect(await stateOf('NOSUCH03')).toEqual({ state: 'delivered', result: 'about no order' });
  const [{ receipt: sale = '', day = '' } = {}] = await rowsOf(
    "--sandbox sql 'select receipt, transaction_day as day from orders where transaction_type = ? limit 1' SALE",
  );
  const receipt = String(sale);
  const country = async () => {
    const query = "--sandbox sql 'select country from orders where receipt = ?'";
    return (await rowsOf(`${query} ${receipt}`))[0]?.country;
  };
  const refresh = async (type: EventType) => {
    await send(type, receipt);
    while ((await stateOf(receipt))?.state !== 'delivered') await sleep(20);
  };
  const change = async (syncedAt: string) => {
    const sql = await openSqlite(live.copy, processes);
    await sql.lock(5000);
    await sql.transaction(async () => {
      await sql.query("UPDATE sync_orders SET country = 'XX' WHERE receipt = ?", [receipt]);
      await sql.query('UPDATE sync_days SET synced_at = ? WHERE day = ?', [syncedAt, String(day)]);
    });
    await sql.close();
  };
  // A sync that began after this read has newer rows.
  await change('2099-01-01T00:00:00Z');
  await refresh('CUSTOMER_EMAIL_UPDATE');
  expect(await country()).toBe('XX');
  await change('2020-01-01T00:00:00Z');
  await refresh('SUBSCRIPTION-CHG');
  expect(await country()).not.toBe('XX');
  // A sync that is writing now is waited for.
  const writing = await openSqlite(live.copy, processes);
  await writing.lock(5000);
  await send('CUSTOMER_UPDATE_CC_NOTIFICATION', receipt);
  await listener.running.until(/Another cb sync is writing .* Next attempt in 30s\./);
  await writing.close();
  await kill(listener);
});

test('needs a copy, and --sync for --database', async () => {
  const { cb: run } = home();
  const env = { ...insEnv };
  expect(await run('ins listen --sync --sandbox --port 0', { env })).toMatchObject({
    code: 3,
    err: expect.stringContaining('There is no copy'),
  });
  expect(await run('ins listen --database shop.db --port 0', { env })).toMatchObject({
    code: 2,
    err: expect.stringContaining('--database works only with --sync.'),
  });
});
