/** All tables of a copy: which are filled, what a key without permissions gets, and what personal data they hold. */
import { expect, test } from 'vitest';
import { addDays } from '../../../../src/dates/day.ts';
import { dataTables } from '../../../../src/features/sync/database/schema.ts';
import { openSqliteReader } from '../../../../src/features/sync/database/sqlite.ts';
import type { Sql } from '../../../../src/features/sync/destination.ts';
import { sources } from '../../../../src/features/sync/tables/sources.ts';
import type { Source } from '../../../../src/features/sync/tables/table.ts';
import { products } from '../../../../src/operations/products.ts';
import { home, now } from '../../../support/cb.ts';
import { clientOf } from '../../../support/client.ts';
import { copyTo, emptyDatabases, sqliteDatabase } from '../../../support/copies.ts';
import { rowsOf } from '../../../support/copy.ts';
import { startGateway } from '../../../support/gateway.ts';
import { serveSandbox } from '../../../support/sandbox.ts';

type Json = Readonly<Record<string, unknown>>;

const today = '2026-03-18';
const first = addDays(today, -90);

interface CopyFacts {
  readonly keyName?: string;
  readonly withoutPersonalData?: boolean;
  readonly some?: readonly Source[];
  readonly orders?: number;
}

async function filled(
  sql: Sql,
  { keyName, withoutPersonalData = false, some = sources }: CopyFacts,
) {
  const { sandbox, key } = await serveSandbox({ orders: 600, ...(keyName && { keyName }) });
  const client = clientOf(sandbox.url, { apiKey: key });
  const copy = { sql, client, now: sandbox.now, sources: some, first, withoutPersonalData };
  const { sync } = await copyTo(copy);
  return { sandbox, client, sync, result: await sync() };
}

async function counts(sql: Pick<Sql, 'query'>): Promise<Readonly<Record<string, number>>> {
  const found: [string, number][] = [];
  for (const { name } of dataTables) {
    const [row] = await sql.query<{ rows: unknown }>(`SELECT count(*) AS rows FROM ${name}`);
    found.push([name, Number(row?.rows)]);
  }
  return Object.fromEntries(found);
}

/** What the sandbox sends in no row. */
const neverSent = [
  'tickets.source',
  'tickets.note',
  'analytics_days.initial_order_impression',
  'analytics_days.upsell_order_impression',
  'analytics_days.total_order_impression',
  'analytics_days.earnings_per_click',
];

test('fills all tables, each column somewhere, in both databases', async () => {
  for (const sql of await emptyDatabases()) {
    const { result } = await filled(sql, {});
    expect(result).toMatchObject({ outcome: 'complete', problems: [] });
    const rows = await counts(sql);
    for (const { name } of dataTables) expect([name, rows[name]]).not.toEqual([name, 0]);
    const empty: string[] = [];
    for (const { name, columns } of dataTables) {
      const values = columns.map((column, i) => `count(${column.name}) AS c${i}`);
      const [found] = await sql.query<Json>(`SELECT ${values.join(', ')} FROM ${name}`);
      const unset = columns.filter((_, i) => Number(found?.[`c${i}`]) === 0);
      empty.push(...unset.map((column) => `${name}.${column.name}`));
    }
    expect(empty).toEqual(neverSent);
  }
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
      if (type === 'timestamp') expect(column).toMatch(/_time$/);
      if (type === 'day') expect(column).toMatch(/^day$|_(?:day|month)$/);
    }
  }
});

test('copies what a key may read, and names the tables that it may not', async () => {
  const sql = await sqliteDatabase();
  const { result } = await filled(sql, { keyName: 'read-only' });
  expect(result.problems).toEqual([]);
  const refused = [
    'products',
    'subscriptions',
    'subscription_days',
    'analytics_days',
    'ship_notices',
  ];
  expect(new Set(result.refusals.map(({ source }) => source))).toEqual(new Set(refused));
  const rows = await counts(sql);
  for (const name of ['orders', 'tickets', 'quickstats', 'shipments'])
    expect(rows[name]).not.toBe(0);
});

test('cb sync fills all usual tables, and a second run adds nothing', async () => {
  const { sandbox, env } = await serveSandbox({ orders: 200, keyName: 'vendor' });
  const { cb, folder } = home();
  expect(await cb('sync copy.db', { env })).toMatchObject({ code: 0 });
  const reader = await openSqliteReader(`${folder}/copy.db`);
  const before = await counts(reader);
  const empty = Object.keys(before).filter((name) => before[name] === 0);
  expect(empty).toEqual(['ship_notices']);
  const sent = sandbox.requests.length;
  expect(await cb('sync copy.db', { env })).toMatchObject({ code: 0 });
  const again = sandbox.requests.slice(sent).map(({ path }) => path.split('?')[0]);
  expect(
    again.filter((path) => /products|analytics\/VENDOR\/subscription|shipping3/.test(path ?? '')),
  ).toEqual([]);
  const { analytics_days: _, ...after } = await counts(reader);
  expect(before).toMatchObject(after);
  await reader.close();
});

/** All texts in the personal columns of a copy. */
async function personalTexts(sql: Sql): Promise<ReadonlySet<string>> {
  const texts = new Set<string>();
  for (const { name, columns } of dataTables) {
    const personal = columns.filter((column) => column.personal).map((column) => column.name);
    if (personal.length === 0) continue;
    for (const row of await sql.query<Json>(`SELECT ${personal.join(', ')} FROM ${name}`)) {
      for (const value of Object.values(row)) if (typeof value === 'string') texts.add(value);
    }
  }
  return texts;
}

async function allCells(sql: Sql): Promise<string> {
  const cells: string[] = [];
  for (const { name } of dataTables) {
    for (const row of await sql.query<Json>(`SELECT * FROM ${name}`)) {
      cells.push(JSON.stringify(Object.values(row)));
    }
  }
  return cells.join('\n');
}

/** In `raw`, whose quotes are escaped. */
const personalFields =
  /\\"(?:firstName|lastName|fullName|customer\w*Name|email\w*|postalCode|phoneNumber|address\d|city|shippedTo|customerContactInfo)\\"/g;

test('leaves personal data out of every cell of every table', async () => {
  const sql = await sqliteDatabase();
  // Sums of days are long, and have no customers.
  const some = sources.filter(({ name }) => !name.endsWith('_days'));
  await filled(sql, { orders: 250, some });
  // A word or a number, such as a city or a postal code, can also be a part of something else.
  const texts = [...(await personalTexts(sql))].filter((text) => /[@ ]/.test(text));
  expect(texts.filter((text) => text.includes('@')).length).toBeGreaterThan(50);
  expect(texts.some((text) => /^\d+ .* (?:St|Dr|Ave)$/.test(text))).toBe(true);
  const stripped = await sqliteDatabase();
  const { result } = await filled(stripped, { withoutPersonalData: true, orders: 250, some });
  expect(result.outcome).toBe('complete');
  const everything = await allCells(stripped);
  expect(everything.match(personalFields)).toBeNull();
  expect((await allCells(sql)).match(personalFields)?.length).toBeGreaterThan(1000);
  const found = texts.filter((text) => everything.includes(JSON.stringify(text).slice(1, -1)));
  expect(found).toEqual([]);
  expect(await counts(stripped)).toEqual(await counts(sql));
  const [orders] = await stripped.query<Json>(
    'SELECT count(*) AS rows, count(country) AS countries, count(email) AS emails FROM orders',
  );
  expect(orders).toMatchObject({ emails: 0 });
  expect(Number(orders?.countries)).toBeGreaterThan(100);
});

test('replaces products as a whole: a deleted one disappears, and its orders stay', async () => {
  const sql = await sqliteDatabase();
  const some = sources.filter(({ name }) => name === 'products' || name === 'orders');
  const { sandbox, client, sync } = await filled(sql, { some });
  const skus = async () =>
    (await sql.query<{ sku: string }>('SELECT sku FROM products')).map(({ sku }) => sku);
  const sold = async () =>
    sql.query('SELECT transaction_id FROM order_items WHERE item_no = ?', ['GUIDE-01']);
  expect(await skus()).toContain('GUIDE-01');
  const before = await sold();
  expect(before.length).toBeGreaterThan(0);
  await client.call(products.delete, { site: 'GREENLEAF', sku: 'GUIDE-01' });
  await sandbox.advance(86_400);
  await sync();
  expect(await skus()).not.toContain('GUIDE-01');
  expect(await sql.query("SELECT sku FROM product_prices WHERE sku = 'GUIDE-01'")).toEqual([]);
  expect((await sold()).length).toBeGreaterThanOrEqual(before.length);
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
  const prices =
    'SELECT site, sku, count(*) AS prices FROM product_prices GROUP BY 1, 2 ORDER BY 1, 2';
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
