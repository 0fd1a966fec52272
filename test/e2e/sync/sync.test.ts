/** `cb sync`: what it copies, what it says, and how it ends, also with a PostgreSQL database. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openPostgres } from '../../../src/features/sync/database/postgres.ts';
import { home, sandboxHome } from '../../support/cb.ts';
import { changeCopy, copyOf, numberOf, rowsOf } from '../../support/copy.ts';
import { noPostgres, postgresUrl } from '../../support/postgres.ts';
import { asOneLine, expectExit } from '../../support/refusal.ts';
import { jsonOf, serveSandbox } from '../../support/sandbox.ts';

const since = '--since 2026-01-01';

test('ends with exit code 6 without a network, and leaves no file', async () => {
  const at = home();
  const env = { CB_BASE_URL: 'http://127.0.0.1:9', CB_API_KEY: 'API-TEST' };
  expect(await at.cb('sync shop.db --max-wait 0', { env })).toMatchObject({ code: 6 });
  expect(existsSync(join(at.folder, 'shop.db'))).toBe(false);
});

test('leaves out tables that the key may not read, and ends with exit code 8 if they were named or copied before', async () => {
  const at = await sandboxHome(60);
  const limited = (line: string, now?: () => Date) =>
    at.cb(`--profile sandbox:read-only ${line}`, now && { now });
  const first = await limited(`sync ${since}`);
  const tables = 'analytics_days, products, subscription_days, subscriptions'.split(', ');
  const refused = /note: Not copied, because the API key lacks the permission: (.*?)\./;
  expectExit(first, 0, refused);
  expect(refused.exec(asOneLine(first.err))?.[1]?.split(', ').sort()).toEqual(tables);
  expect(await numberOf(copyOf(at), 'SELECT count(*) FROM orders')).toBeGreaterThan(20);
  const named = await limited('sync --tables orders,subscriptions');
  expectExit(named, 8, /warning: subscriptions: .*The copy keeps what it had\./);
  expect((await at.cb('--sandbox sync')).code).toBe(0);
  const lost = await limited('sync', () => new Date('2026-03-20T18:30:00Z'));
  expectExit(lost, 8, 'warning: subscriptions:');
});

test('writes only rows that have changed, and knows when each day was read', async () => {
  const at = await sandboxHome(120);
  const sync = (day: string) =>
    at.cb(`--sandbox sync ${since} --tables orders --look-back 90d`, {
      now: () => new Date(`2026-03-${day}T18:30:00Z`),
    });
  const file = copyOf(at);
  const read = async (table: string) => {
    const rows = await rowsOf(file, `SELECT * FROM ${table}`);
    return rows.map(({ synced_at: at, ...row }) => ({ at, content: JSON.stringify(row) }));
  };
  const tables = ['orders', 'order_items'];
  await sync('18');
  const one = '(SELECT min(transaction_id) FROM orders)';
  await changeCopy(at, `UPDATE sync_orders SET country = 'XX' WHERE transaction_id = ${one}`);
  await changeCopy(at, `DELETE FROM order_items WHERE transaction_id = ${one}`);
  const before = await Promise.all(tables.map(read));
  await sync('19');
  for (const [i, rows] of (await Promise.all(tables.map(read))).entries()) {
    const known = new Set(before[i]?.map(({ content }) => content));
    const expected = ({ content }: { content: string }) =>
      `2026-03-${known.has(content) ? '18' : '19'}T18:30:00Z`;
    expect(rows.map(({ at }) => at)).toEqual(rows.map(expected));
    expect(rows.filter(({ content }) => known.has(content)).length).toBeGreaterThan(80);
    expect(rows.filter(({ content }) => !known.has(content)).length).toBeGreaterThan(0);
    expect(JSON.stringify(rows)).not.toContain('XX');
  }
  const days = "SELECT count(*) FROM sync_days WHERE synced_at = '2026-03-19T18:30:00Z'";
  expect(await numberOf(file, days)).toBeGreaterThan(60);
});

test('copies several accounts into one database, one after the other, and continues with the next profile if one fails, with exit code 8', async () => {
  const at = await sandboxHome(300);
  const line = `--profile sandbox:vendor,sandbox:affiliate sync ${since} --tables orders`;
  expect(await jsonOf(at, line)).toMatchObject([{ account: 'GREENLEAF' }, { account: 'TOPAFF1' }]);
  for (const [profile, account] of [
    ['vendor', 'GREENLEAF'],
    ['affiliate', 'TOPAFF1'],
  ]) {
    const days = '--start-date 2026-01-01 --end-date today';
    const { out } = await at.cb(`--profile sandbox:${profile} orders count ${days}`);
    const copied = `SELECT count(*) FROM orders WHERE account = '${account}'`;
    expect(await numberOf(copyOf(at), copied)).toBe(Number(out));
  }
  for (const options of ['--dry-run', '']) {
    const other = `sync other.db ${since} --tables orders -o json ${options}`;
    const ran = await at.cb(`--profile sandbox:nothing,sandbox:vendor ${other}`);
    expectExit(ran, 8, 'Profile sandbox:nothing:');
    expect(JSON.parse(ran.out)[0]).toMatchObject({ account: 'GREENLEAF' });
  }
});

test('copies an account once if two profiles have a key of it, and shows as many rows of the result as --limit says', async () => {
  const at = await sandboxHome(60);
  const line = `--profile sandbox,sandbox:read-only sync ${since} --tables orders,tickets`;
  const { code, out, err } = await at.cb(`${line} -o json`);
  const complete = { account: 'GREENLEAF', outcome: 'complete' };
  expect(JSON.parse(out)).toMatchObject([
    { ...complete, table: 'orders' },
    { ...complete, table: 'tickets' },
  ]);
  const note =
    'note: Profiles sandbox and sandbox:read-only belong to the account GREENLEAF. It was copied once.';
  expectExit({ code, err }, 0, note);
  const limited = await at.cb(`${line} --limit 1`);
  expect(limited.out).toMatch(/^account.*\n.*\torders\t.*\n$/);
  // What the first key may not read, the second one reads.
  const other = await at.cb(`--profile sandbox:read-only,sandbox sync other.db ${since} -o json`);
  const products = { table: 'products', rows: expect.any(Number), outcome: 'complete' };
  expect(JSON.parse(other.out)).toContainEqual(expect.objectContaining(products));
});

test('copies the rest of an account with the second profile, whose key reads more, and again after a clock that was ahead', async () => {
  const at = await sandboxHome(60);
  let time = Date.parse('2026-03-18T18:30:00Z');
  const now = () => {
    time += 10;
    return new Date(time);
  };
  const line = `--profile sandbox:vendor,sandbox sync ${since} --tables orders`;
  const { code, err } = await at.cb(line, { now });
  expect({ code, err }).toEqual({ code: 0, err: expect.not.stringContaining('note:') });
  const vendors = 'SELECT count(DISTINCT vendor) FROM orders';
  expect(await numberOf(copyOf(at), vendors)).toBeGreaterThan(1);
  time -= 3_600_000;
  expectExit(await at.cb('--sandbox sync --tables orders', { now }), 0, /^Copied /);
});

test('refuses a copy of another service, and leaves it as it is', async () => {
  const { env } = await serveSandbox();
  const at = await sandboxHome(60);
  expect((await at.cb(`--sandbox sync shop.db ${since} --tables orders`)).code).toBe(0);
  const before = await rowsOf(join(at.folder, 'shop.db'), 'SELECT * FROM orders');
  const says =
    /shop\.db is a copy of the sandbox, not of http:\/\/127\.0\.0\.1:\d+\. Name another database\./;
  expectExit(await at.cb('sync shop.db', { env }), 3, says);
  expect(await rowsOf(join(at.folder, 'shop.db'), 'SELECT * FROM orders')).toEqual(before);
});

test('extends a copy to an earlier day with --since, and never shortens it', async () => {
  const at = await sandboxHome(300);
  const sync = (day: string) => at.cb(`--sandbox sync --since ${day} --tables orders`);
  const firstDay = async () =>
    (await rowsOf(copyOf(at), 'SELECT min(transaction_day) AS day FROM orders'))[0]?.day;
  await sync('2026-02-15');
  expect(String(await firstDay()) >= '2026-02-15').toBe(true);
  await sync('2025-12-01');
  expect(String(await firstDay()) < '2025-12-15').toBe(true);
  expectExit(await sync('2026-03-01'), 0, 'note: The copy already begins on 2025-12-01.');
});

const email = 'ada.sample@example.com';

test.skipIf(noPostgres)(
  'shares accounts with another machine: takes what is free, and nothing twice',
  async () => {
    const url = (await postgresUrl()) ?? '';
    const { sandbox, keyOf } = await serveSandbox({ orders: 300 });
    const { cb } = home();
    for (const name of ['vendor', 'affiliate'] as const) {
      const env = { CB_BASE_URL: sandbox.url };
      await cb(`login --profile ${name} --with-key`, { env, stdin: keyOf(name) });
    }
    const line = `sync ${url} --all-profiles --tables orders,quickstats --since 2026-02-01`;
    const sync = () => cb(line);
    // Only one machine prepares a copy.
    expect((await cb(`sync ${url} --profile affiliate --tables quickstats`)).code).toBe(0);
    const other = await openPostgres({ url });
    await other.lock(0);
    await other.lockAccount('GREENLEAF', 0);
    expectExit(await sync(), 0, 'note: Profile vendor: Another cb sync is copying this account.');
    const ran = () => other.query('SELECT account FROM sync_runs ORDER BY started_at');
    expect(await ran()).toEqual([{ account: 'TOPAFF1' }, { account: 'TOPAFF1' }]);
    // Alone, the account that is busy is an error.
    const alone = await cb(`sync ${url} --profile vendor --tables orders`);
    expectExit(alone, 8, 'Another cb sync is writing');
    await other.query(
      `INSERT INTO sync_runs (run_id, account, started_at, ended_at, outcome)
     VALUES ('elsewhere', 'GREENLEAF', '2026-03-18T18:00:00Z', '2026-03-18T19:30:00Z', 'complete')`,
    );
    await other.lockAccount('ANOTHER', 0);
    expectExit(await sync(), 0, 'note: Another cb sync has copied GREENLEAF meanwhile.');
    expect(await ran()).not.toContainEqual({ account: 'ANOTHER' });
    await other.close();
  },
);

test.skipIf(noPostgres)(
  'syncs, shows, checks, forgets and resets a copy in a schema of PostgreSQL',
  async () => {
    const url = (await postgresUrl()) ?? '';
    const { env } = await serveSandbox({ orders: 300 });
    const { cb } = home();
    const run = async (line: string) => {
      const ran = await cb(line, { env });
      return { ...ran, err: asOneLine(ran.err) };
    };
    const at = `--database ${url} --schema shop`;
    const query = async (text: string) => {
      const sql = await openPostgres({ url, schema: 'shop' });
      const rows = await sql.query(text);
      await sql.close();
      return rows;
    };
    expectExit(await run(`sync status ${at}`), 3, 'Try: cb sync URL --schema shop');
    const odd = `'${url}&schema=a+%zz'`;
    expectExit(await run(`sync status --database ${odd}`), 3, 'schema=a+%25zz. Try: cb sync URL');
    expectExit(await run(`sync status --database '${url}' --schema ''`), 2, "Invalid --schema ''.");
    const plan = await run(`sync ${url} --schema shop --since 2026-01-01 --dry-run -o json`);
    expectExit(plan, 0, 'Nothing was written.');
    const sync = `sync ${url} --schema shop --tables orders,tickets --since 2026-01-01`;
    expect(await run(sync)).toMatchObject({ code: 0, out: '' });
    const [orders] = await jsonOf({ cb }, `sync status ${at}`, { env });
    const other = `'${url}&schema=shop&password=s3cret'`;
    const hinted = await run(`metrics payments --since 2020-01-01 --database ${other}`);
    expectExit(hinted, 8, 'Run `cb sync URL --since 2020-01-01`, or add');
    const [{ count } = {}] = await query('SELECT count(*) AS count FROM orders');
    expect(orders).toMatchObject({
      ...{ account: 'GREENLEAF', table: 'orders', rows: Number(count), newestDay: '2026-03-18' },
      ...{ oldestRefresh: '2026-03-18T18:30:00Z', outcome: 'complete', missingDays: 0 },
    });
    expect(await run(`sync check ${at}`)).toMatchObject({ code: 0, out: '' });
    const more = 'account_amount = account_amount + 1';
    await query(`UPDATE order_items SET ${more} WHERE transaction_type = 'SALE'`);
    const sales = expect.stringContaining('"figure": "sales"');
    expect(await run(`sync check ${at} -o json`)).toMatchObject({ code: 8, out: sales });
    const personal = `SELECT count(*) AS count FROM orders WHERE email = '${email}' OR CAST(raw AS text) LIKE '%${email}%'`;
    expect(await query(personal)).not.toEqual([{ count: '0' }]);
    const forget = `sync forget --email ${email.toUpperCase()} ${at} --yes`;
    expect(await run(forget)).toMatchObject({ code: 0 });
    expect(Number((await query(personal))[0]?.count)).toBe(0);
    expect(await run(`${sync} --look-back 90d`)).toMatchObject({ code: 0 });
    expect(Number((await query(personal))[0]?.count)).toBe(0);
    // No row is written again that has not changed.
    const versions = 'SELECT transaction_id, xmin FROM sync_orders ORDER BY 1';
    const unchanged = await query(versions);
    const again = { env, now: () => new Date('2026-03-19T18:30:00Z') };
    expect(await cb(`${sync} --look-back 90d`, again)).toMatchObject({ code: 0 });
    expect(await query(versions)).toEqual(unchanged);
    await query('CREATE VIEW mine AS SELECT count(*) AS orders FROM orders');
    expect(await run(`sync reset ${at} --yes`)).toMatchObject({ code: 0 });
    expect(Number((await query('SELECT orders FROM mine'))[0]?.orders)).toBe(0);
    expect(await run(sync)).toMatchObject({ code: 0 });
    expect(Number((await query('SELECT orders FROM mine'))[0]?.orders)).toBe(Number(count));
    expect(Number((await query(personal))[0]?.count)).toBe(0);
  },
);
