/** All tables of a copy: their columns, and which are filled. */
import { describe, expect, test } from 'vitest';
import { addDays } from '../../../../src/dates/day.ts';
import { dataTables } from '../../../../src/features/sync/database/schema.ts';
import { sources, usualSources } from '../../../../src/features/sync/tables/sources.ts';
import { home, now } from '../../../support/cb.ts';
import { rowsOf } from '../../../support/copy.ts';
import { startGateway } from '../../../support/gateway.ts';
import { serveSandbox } from '../../../support/sandbox.ts';
import { kinds } from '../database/databases.ts';

type Json = Readonly<Record<string, unknown>>;

const today = '2026-03-18';
const first = addDays(today, -90);

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
    const line = `sync ${place} --tables ${tables} --since ${first}`;
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

test('has the columns and comments of every table as one sentence without a period', () => {
  const names = dataTables.map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
  for (const { name, comment, columns, key, indexes = {} } of dataTables) {
    const own = columns.map((column) => column.name);
    expect([name, new Set(own).size]).toEqual([name, own.length]);
    expect(own).toEqual(expect.arrayContaining([...key]));
    for (const indexed of Object.values(indexes)) {
      expect(['account', ...own]).toEqual(expect.arrayContaining([...indexed]));
    }
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
