/** `cb sync`: what it copies, what it says, and how it ends. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openSqlite } from '../../../src/features/sync/database/sqlite.ts';
import { home, sandboxHome, world } from '../../support/cb.ts';
import { copyOf, rowsOf } from '../../support/copy.ts';
import { asOneLine, expectExit, refusalOf } from '../../support/refusal.ts';
import { serveSandbox } from '../../support/sandbox.ts';

const since = '--since 2026-01-01';

test.each([
  ['--tables invoices', /Invalid --tables 'invoices'\.\n +Use one or several of orders, tickets,/],
  ['--tables order_items', /It comes with orders: use --tables orders\./],
  ['--since 2026-13-01', /Invalid --since '2026-13-01'\.\n +Use YYYY-MM-DD/],
  ['--since 2027-01-01', /--since 2027-01-01 is after today\./],
  ['--look-back soon', /Invalid --look-back 'soon'\./],
  ['--max-requests 0', /Invalid --max-requests '0'\./],
  ['--every 5s', /Invalid --every '5s'\.\n +Use a time from 1m/],
  ['--every 15m -o ndjson', /--every can't be combined with an output format\./],
  ['--every 15m --dry-run', /--every can't be combined with --dry-run\./],
  ['shop.db --schema x', /--schema works only with PostgreSQL\./],
  ['status --tables orders', /'sync status' has no --tables\./],
])('rejects sync %s before sending anything', async (line, says) => {
  expect(await refusalOf(`sync ${line}`)).toMatch(says);
});

test('ends with exit code 6 without a network, and leaves no file', async () => {
  const at = home();
  const env = { CB_BASE_URL: 'http://127.0.0.1:9', CB_API_KEY: 'API-TEST' };
  const { code } = await at.cb('sync shop.db --max-wait 0', { env });
  expect(code).toBe(6);
  expect(existsSync(join(at.folder, 'shop.db'))).toBe(false);
});

test('leaves out tables that the key may not read, and ends with exit code 8 if they were named or copied before', async () => {
  const at = await sandboxHome(60);
  const limited = (line: string, now?: () => Date) =>
    at.cb(`--profile sandbox:read-only ${line}`, now && { now });
  const { code, err } = await limited(`sync ${since}`);
  expect(code).toBe(0);
  const refused = /note: Not copied, because the API key lacks the permission: (.*?)\./;
  expect(refused.exec(asOneLine(err))?.[1]?.split(', ').sort()).toEqual([
    ...['analytics_days', 'products', 'subscription_days', 'subscriptions'],
  ]);
  const [{ count } = {}] = await rowsOf(copyOf(at), 'SELECT count(*) AS count FROM orders');
  expect(Number(count)).toBeGreaterThan(20);
  const named = await limited('sync --tables orders,subscriptions');
  expect(named.code).toBe(8);
  expect(asOneLine(named.err)).toMatch(/warning: subscriptions: .*The copy keeps what it had\./);
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
  const copy = await openSqlite(file, world(at.folder, {}).context.processes);
  const one = '(SELECT min(transaction_id) FROM orders)';
  await copy.query(`UPDATE orders SET country = 'XX' WHERE transaction_id = ${one}`);
  await copy.query(`DELETE FROM order_items WHERE transaction_id = ${one}`);
  await copy.close();
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
  const [{ days } = {}] = await rowsOf(
    file,
    "SELECT count(*) AS days FROM sync_days WHERE synced_at = '2026-03-19T18:30:00Z'",
  );
  expect(days).toBeGreaterThan(60);
});

test('copies several accounts into one database, one after the other', async () => {
  const at = await sandboxHome(300);
  const line = `--profile sandbox:vendor,sandbox:affiliate sync ${since} --tables orders -o json`;
  const { code, out } = await at.cb(line);
  expect(code).toBe(0);
  expect(JSON.parse(out).map(({ account }: { account: string }) => account)).toEqual([
    'GREENLEAF',
    'TOPAFF1',
  ]);
  const copied = await rowsOf(
    copyOf(at),
    'SELECT account, count(*) AS count FROM orders GROUP BY account ORDER BY account',
  );
  for (const [i, profile] of ['vendor', 'affiliate'].entries()) {
    const { out: count } = await at.cb(
      `--profile sandbox:${profile} orders count --start-date 2026-01-01 --end-date today`,
    );
    expect(copied[i]?.count).toBe(Number(count));
  }
});

test('copies an account once if two profiles have a key of it', async () => {
  const at = await sandboxHome(60);
  const line = `--profile sandbox,sandbox:read-only sync ${since} --tables orders,tickets -o json`;
  const { code, out, err } = await at.cb(line);
  expect(code).toBe(0);
  expect(JSON.parse(out)).toEqual([
    expect.objectContaining({ account: 'GREENLEAF', table: 'orders', outcome: 'complete' }),
    expect.objectContaining({ account: 'GREENLEAF', table: 'tickets', outcome: 'complete' }),
  ]);
  expect(asOneLine(err)).toContain(
    'note: Profiles sandbox and sandbox:read-only belong to the account GREENLEAF. It was copied once.',
  );
});

test('continues with the next profile if one fails, with exit code 8', async () => {
  const at = await sandboxHome(60);
  await at.cb('login --profile revoked', { env: {}, stdin: '' });
  const { code, out, err } = await at.cb(
    `--profile sandbox:nothing,sandbox:vendor sync ${since} --tables orders -o json`,
  );
  expect(
    { code, accounts: JSON.parse(out).map(({ account }: { account: string }) => account) },
    err,
  ).toEqual({
    code: 8,
    accounts: ['GREENLEAF'],
  });
  expect(err).toContain('Profile sandbox:nothing:');
});

test('refuses a copy of another service, and leaves it as it is', async () => {
  const { env } = await serveSandbox();
  const at = await sandboxHome(60);
  expect((await at.cb(`--sandbox sync shop.db ${since} --tables orders`)).code).toBe(0);
  const before = await rowsOf(join(at.folder, 'shop.db'), 'SELECT * FROM orders');
  expectExit(
    await at.cb('sync shop.db', { env }),
    3,
    /shop\.db is a copy of the sandbox, not of http:\/\/127\.0\.0\.1:\d+\. Name another database\./,
  );
  expect(await rowsOf(join(at.folder, 'shop.db'), 'SELECT * FROM orders')).toEqual(before);
});

test('extends a copy to an earlier day with --since, and never shortens it', async () => {
  const at = await sandboxHome(300);
  const firstDay = async () =>
    (await rowsOf(copyOf(at), 'SELECT min(transaction_day) AS day FROM orders'))[0]?.day;
  await at.cb('--sandbox sync --since 2026-02-15 --tables orders');
  expect(String(await firstDay()) >= '2026-02-15').toBe(true);
  await at.cb('--sandbox sync --since 2025-12-01 --tables orders');
  expect(String(await firstDay()) < '2025-12-15').toBe(true);
  expectExit(
    await at.cb('--sandbox sync --since 2026-03-01 --tables orders'),
    0,
    'note: The copy already begins on 2025-12-01.',
  );
});
