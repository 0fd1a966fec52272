/** All tables of a copy: their columns, which are filled, the statistics that the service lists for each day, and subscriptions with their monthly recurring revenue. */

import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Client } from '../../../../src/client/client.ts';
import { addDays, daysFrom } from '../../../../src/dates/day.ts';
import { dataTables } from '../../../../src/features/sync/database/schema.ts';
import {
  monthsPerPayment,
  recurringRevenue,
  sources,
  startDay,
  stopDay,
  subscriptionSource,
  usualSources,
} from '../../../../src/features/sync/tables/sources.ts';
import { analytics } from '../../../../src/operations/analytics.ts';
import { quickstats } from '../../../../src/operations/quickstats.ts';
import { all, type Json } from '../../../e2e/sync/nights/service.ts';
import { home, now } from '../../../support/cb.ts';
import { clientOf, servedClient } from '../../../support/client.ts';
import { rowsOf } from '../../../support/copy.ts';
import { startGateway } from '../../../support/gateway.ts';
import { serveSandbox } from '../../../support/sandbox.ts';
import { kinds } from '../database/databases.ts';

const today = '2026-03-18';

/** What the sandbox sends in no row. */
const neverSent = [
  'tickets.source',
  'tickets.note',
  'analytics_days.initial_order_impression',
  'analytics_days.upsell_order_impression',
  'analytics_days.total_order_impression',
  'analytics_days.earnings_per_click',
];

describe.each(kinds)('in $name', ({ missing, create }) => {
  test.skipIf(missing !== undefined)('fills all tables, each column somewhere', async () => {
    const { env } = await serveSandbox({ orders: 300, keyName: 'vendor' });
    const { place, openReader } = await create();
    const tables = sources.map(({ name }) => name);
    const line = `sync ${place} --tables ${tables} --since ${addDays(today, -90)}`;
    expect(await home().cb(line, { env })).toMatchObject({ code: 0 });
    const sql = await openReader();
    const empty: string[] = [];
    for (const { name, columns } of dataTables) {
      const values = columns.map((column, i) => `count(${column.name}) AS c${i}`);
      const [found] = await sql.query<Json>(`SELECT ${values.join(', ')} FROM ${name}`);
      const unset = columns.filter((_, i) => Number(found?.[`c${i}`]) === 0);
      empty.push(...unset.map((column) => `${name}.${column.name}`));
    }
    expect(empty).toEqual(neverSent);
  });
});

test('copies all tables without --tables, except ship notices', () => {
  const others = sources.filter((one) => !usualSources.includes(one));
  expect(others.map(({ name }) => name)).toEqual(['ship_notices']);
});

test('names columns by their type, and has comments of one sentence without a period', () => {
  for (const { comment, columns } of dataTables) {
    for (const text of [comment, ...columns.map((column) => column.comment)]) {
      expect(text).toMatch(/^\S.*[^.\s]$/);
    }
    for (const { name: column, type } of columns) {
      expect(column).toMatch(/^[a-z][a-z0-9_]*$/);
      // It is in the path of a Parquet file.
      expect(column).not.toBe('month');
      if (type === 'timestamp') expect(column).toMatch(/_time$/);
      if (type === 'day') expect(column).toMatch(/^day$|_(?:day|month)$/);
    }
  }
});

test.each(['absent', 'null'])('keeps products apart whose id is %s', async (kind) => {
  const { sandbox, env } = await serveSandbox({ orders: 20 });
  const gateway = await startGateway(sandbox.url, now, ({ path, body }) =>
    path.startsWith('/products')
      ? body.replaceAll(/"id":\s*"?\d+"?,/g, kind === 'null' ? '"id":null,' : '')
      : undefined,
  );
  const { cb, folder } = home();
  await cb('sync right.db --tables products', { env });
  const prices = 'SELECT site, sku, count(*) FROM product_prices GROUP BY 1, 2 ORDER BY 1, 2';
  const right = await rowsOf(`${folder}/right.db`, prices);
  expect(right.length).toBeGreaterThan(3);
  for (const days of [0, 2]) {
    const copied = await cb('sync copy.db --tables products', {
      env: { ...env, CB_BASE_URL: gateway.url },
      now: () => new Date(now.getTime() + days * 86_400_000),
    });
    expect(copied).toMatchObject({ code: 0 });
    expect(await rowsOf(`${folder}/copy.db`, prices)).toEqual(right);
    const ids = "SELECT product_id FROM products WHERE product_id <> site || '.' || sku";
    expect(await rowsOf(`${folder}/copy.db`, ids)).toEqual([]);
  }
});

const day = 86_400;

/** A copy of one table that `sync` brings up to date. */
async function copyOf(keyName: string, table: string, firstDays: number) {
  const { sandbox, key: apiKey, env } = await serveSandbox({ orders: 600, keyName });
  const { accounts: [account = ''] = [] } = sandbox.keys.find(({ name }) => name === keyName) ?? {};
  const { cb, folder } = home();
  const first = addDays(today, -firstDays);
  const line = `sync copy.db --tables ${table} --since ${first}`;
  return {
    ...{ sandbox, client: clientOf(sandbox.url, { apiKey }), account, first },
    sync: async () => expect(await cb(line, { env, now: sandbox.now })).toMatchObject({ code: 0 }),
    query: (text: string) => rowsOf<Json>(join(folder, 'copy.db'), text),
  };
}

type Query = Awaited<ReturnType<typeof copyOf>>['query'];

async function rawRows(query: Query, table: string, first: string, last: string) {
  const rows = await query(`SELECT raw FROM ${table} WHERE day BETWEEN '${first}' AND '${last}'`);
  return rows.map(({ raw }) => JSON.parse(String(raw)) as Json);
}

const sorted = (rows: readonly Json[]) => rows.map((row) => JSON.stringify(row)).sort();

test.each([
  ['vendor', ['TRACKING_ID', 'AFFILIATE'], 'AFFILIATE'],
  ['affiliate', ['TRACKING_ID', 'VENDOR'], 'VENDOR'],
] as const)(
  'has the figures of each day for the %s key, and asks once for its other role',
  async (keyName, dimensions, other) => {
    const { sandbox, client, account, query, sync } = await copyOf(keyName, 'analytics_days', 30);
    await sync();
    const isOfOtherRole = ({ path }: { path: string }) => path.includes(`/analytics/${other}/`);
    expect(sandbox.requests.filter(isOfOtherRole)).toHaveLength(1);
    const role = keyName === 'vendor' ? 'VENDOR' : 'AFFILIATE';
    const expected: Json[] = [];
    const [first, last] = [addDays(today, -30), addDays(today, -1)];
    for (const startDate of daysFrom(first, last)) {
      for (const dimension of dimensions) {
        const args = { account, role, dimension, startDate, endDate: startDate } as const;
        const facts = { nickname: account, role, dimension, day: startDate };
        const rows = await all(client.pages(analytics.dimension, args));
        expected.push(...rows.map((row) => ({ ...facts, ...row })));
      }
    }
    expect(expected.length).toBeGreaterThan(20);
    expect(sorted(await rawRows(query, 'analytics_days', first, last))).toEqual(sorted(expected));
    // Columns hold the attribute of their name.
    const columns = await query('SELECT * FROM analytics_days');
    for (const row of columns) {
      for (const { attribute, value } of JSON.parse(String(row.raw)).data) {
        if (attribute === 'DIMENSION_VALUE') expect(row.dimension_value).toBe(value);
        else expect([attribute, row[attribute.toLowerCase()]]).toEqual([attribute, Number(value)]);
      }
    }
    expect(columns.length).toBe(expected.length);
  },
);

test('reads 31 earlier days of analytics in each run until it has all of them', async () => {
  const { sandbox, query, sync } = await copyOf('vendor', 'analytics_days', 80);
  const days = "SELECT day FROM sync_days WHERE source = 'analytics_days'";
  // Today and yesterday, and 31 days; then the new day, and 31 days.
  for (const known of [33, 65, 83]) {
    await sync();
    expect(await query(days)).toHaveLength(known);
    await sandbox.advance(day);
  }
});

test('reads today when it is over, and three days again', async () => {
  const { sandbox, query, sync, client, account } = await copyOf('vendor', 'analytics_days', 5);
  await sync();
  expect(await rawRows(query, 'analytics_days', today, today)).toEqual([]);
  await sandbox.advance(day);
  const before = sandbox.requests.length;
  await sync();
  const asked = sandbox.requests.slice(before).filter(({ path }) => path.includes('TRACKING_ID'));
  const starts = asked.map(({ path }) => new URL(path, sandbox.url).searchParams.get('startDate'));
  expect([...new Set(starts)].sort()).toEqual([-2, -1, 0].map((days) => addDays(today, days)));
  const args = { account, role: 'VENDOR', dimension: 'TRACKING_ID' } as const;
  const onToday = { startDate: today, endDate: today };
  const rows = await all(client.pages(analytics.dimension, { ...args, ...onToday }));
  const copied = await rawRows(query, 'analytics_days', today, today);
  expect(copied.filter(({ dimension }) => dimension === 'TRACKING_ID')).toHaveLength(rows.length);
});

test('has the subscriptions of each day and product', async () => {
  const { client, query, account, sync, first } = await copyOf('vendor', 'subscription_days', 40);
  await sync();
  const args = { account, role: 'VENDOR', groupBy: 'DATE' } as const;
  const period = { startDate: first, endDate: today };
  const expected = await all(client.pages(analytics.trends, { ...args, ...period }));
  expect(expected.length).toBeGreaterThan(100);
  const facts = { askedNickname: account, role: 'VENDOR' };
  expect(sorted(await rawRows(query, 'subscription_days', first, today))).toEqual(
    sorted(expected.map((row) => ({ ...facts, ...row }))),
  );
  const [sums] = await query(
    'SELECT sum(total_sales_cnt) AS count, round(sum(gross_sales), 2) AS gross FROM subscription_days',
  );
  const sum = (name: string) => expected.reduce((total, row) => total + Number(row[name]), 0);
  const gross = Number(sum('grossSales').toFixed(2));
  expect(sums).toEqual({ count: sum('totalSalesCnt'), gross });
});

test('counts days without quickstats as read', async () => {
  const { client, query, sync } = await copyOf('affiliate', 'quickstats', 100);
  await sync();
  const [read] = await query('SELECT count(*) AS days, sum(row_count) AS rows FROM sync_days');
  const period = { startDate: addDays(today, -100), endDate: today };
  const [account] = await client.call(quickstats.list, period);
  expect(read).toEqual({ days: 101, rows: account?.quickStats?.length });
  expect(account?.quickStats?.length).toBeLessThan(101);
});

test.each([
  ['EVERY MONTH', 1],
  ['MONTHLY', 1],
  ['every month', 1],
  ['EVERY 3 MONTHS', 3],
  ['QUARTERLY', 3],
  ['EVERY 6 MONTHS', 6],
  ['HALF_YEARLY', 6],
  ['EVERY YEAR', 12],
  ['YEARLY', 12],
  ['EVERY WEEK', 12 / 52],
  ['WEEKLY', 12 / 52],
  ['EVERY 2 WEEKS', 24 / 52],
  ['BI_WEEKLY', 24 / 52],
  ['30 DAYS', (30 * 12) / 365],
  ['EVERY 4 WEEKS', 48 / 52],
  ['2 MONTHS', 2],
])('a payment of %s is for %d months', (frequency, months) => {
  expect(monthsPerPayment(frequency)).toBeCloseTo(months, 10);
});

test.each([
  ...[null, undefined, '', 'EVERY OTHER MONTH', 'EVERY 0 MONTHS', 'toString', 'EVERY MOON'],
])('guesses no MRR for a payment of %s', (frequency) => {
  const rebill = { rebillSaleAmount: '9', rebillSaleCount: 1 };
  expect(monthsPerPayment(frequency)).toBeUndefined();
  expect(recurringRevenue({ frequency, ...rebill })).toBeUndefined();
});

const frequency = 'EVERY MONTH';
const first = { initialSaleAmount: '1.00', initialSaleCount: 1 };

test('uses the average rebill as the MRR of a subscription, or the first payment before any rebill', () => {
  const rebills = { rebillSaleAmount: '77.00', rebillSaleCount: 2 };
  expect(recurringRevenue({ frequency, ...first, ...rebills })).toBe('38.50');
  expect(recurringRevenue({ frequency, ...first, rebillSaleCount: 0 })).toBe('1.00');
  expect(recurringRevenue({ ...first, frequency: 'EVERY YEAR' })).toBe('0.08');
});

test('reports no MRR before the first rebill of a trial, or without a payment', () => {
  expect(recurringRevenue({ frequency, ...first, trialPeriod: '14 DAYS' })).toBeUndefined();
  expect(recurringRevenue({ frequency, ...first, trialPeriod: '0' })).toBe('1.00');
  expect(recurringRevenue({ frequency })).toBeUndefined();
  const unreadable = { rebillSaleAmount: 'x', rebillSaleCount: 1 };
  expect(recurringRevenue({ frequency, ...unreadable })).toBeUndefined();
});

test('begins a subscription on the Pacific day after the trial, and ends it when it is canceled or completed', () => {
  const purchaseDate = '2026-03-01T07:30:00Z';
  expect(startDay({ purchaseDate })).toBe('2026-02-28');
  expect(startDay({ purchaseDate, trialPeriod: '14 DAYS' })).toBe('2026-03-14');
  expect(startDay({ purchaseDate: null })).toBeUndefined();
  const subEndDate = '2026-06-01T12:00:00-07:00';
  expect(stopDay({ status: 'ACTIVE', subEndDate })).toBeUndefined();
  expect(stopDay({ status: 'COMPLETED', subEndDate })).toBe('2026-06-01');
  const subCancelDate = '2026-04-01T12:00:00-07:00';
  expect(stopDay({ status: 'CANCELED', subEndDate, subCancelDate })).toBe('2026-04-01');
});

/** Reads subscriptions that started on these days with a client that accepts at most two of them at once. */
async function readAll(starts: readonly string[]) {
  const { client } = await servedClient((_, url) => {
    const query = new URL(url, 'http://x').searchParams;
    const first = query.get('startDate') ?? '1998-01-01';
    const last = query.get('endDate') ?? '2099-12-31';
    const days = starts.filter((day) => first <= day && day <= last);
    const row = days.map((purchaseDate) => ({ purchaseDate }));
    return { status: 200, body: JSON.stringify({ data: { row } }) };
  });
  const pages: Client['pages'] = (operation, args, options) => {
    expect(options).toMatchObject({ largestBody: 32 * 1024 * 1024 });
    return client.pages(operation, args, { ...options, largestBody: 90 });
  };
  const { signal } = new AbortController();
  const reader = { client: { ...client, pages }, nicknames: ['SHOP'], today: '2026-03-18', signal };
  const found: unknown[] = [];
  for await (const { rows } of subscriptionSource.read(reader, { nickname: 'SHOP' })) {
    found.push(...rows.map(({ role, purchaseDate }) => `${role} ${purchaseDate}`));
  }
  return found;
}

test('reads subscriptions that are too many for one response by the days on which they started', async () => {
  const starts = [
    ...['1999-02-28', '2025-12-31', '2026-01-01', '2026-01-31', '2026-02-01', '2027-03-01'],
  ];
  const found = await readAll(starts);
  expect(found.sort()).toEqual(starts.map((day) => `VENDOR ${day}`));
  const oneDay = ['2026-01-05', '2026-01-05', '2026-01-05'];
  await expect(readAll(oneDay)).rejects.toMatchObject({ code: 'too-large' });
});
