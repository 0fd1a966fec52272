import { expect } from 'vitest';
import type { Sandbox } from '../../../src/sandbox/http/server.ts';
import {
  countOf,
  getJson,
  keyOf,
  linesIn,
  listAll,
  openSandbox,
  ordersIn,
  TODAY,
  test,
} from '../raw.ts';

const LIST = '/rest/1.3/orders2/list';
const COUNT = '/rest/1.3/orders2/count';
const YEAR = 'startDate=2025-01-01&endDate=2026-12-31';

type Row = Readonly<Record<string, unknown>>;

/** list and count must find exactly the rows that match the filter. */
async function expectFilter(sandbox: Sandbox, query: string, picks: (row: Row) => boolean) {
  const expected = (await listAll(sandbox, '')).filter(picks);
  expect(expected.length).toBeGreaterThan(0);
  expect(await listAll(sandbox, query)).toEqual(expected);
  expect(await countOf(sandbox, query)).toBe(expected.length);
  return expected;
}

test.for<[title: string, query: string, picks: (row: Row) => boolean]>([
  ['type finds that kind of transaction', 'type=BILL', (row) => row.transactionType === 'BILL'],
  ['vendor knows wildcards', 'vendor=FIT%25', (row) => row.vendor === 'FITLAB24'],
  ['affiliate finds one nickname', 'affiliate=TOPAFF1', (row) => row.affiliate === 'TOPAFF1'],
  [
    'affiliate none finds what came without an affiliate',
    'affiliate=none',
    (row) => isNil(row.affiliate) && !isNil(row.transactionType),
  ],
  [
    'lastName knows wildcards at both ends',
    'lastName=%25amp%25',
    (row) => String(row.lastName).includes('amp'),
  ],
  [
    'postalCode knows wildcards',
    'postalCode=837%25',
    (row) => String(row.postalCode).startsWith('837'),
  ],
  ['tid finds tracking ids', 'tid=spring', (row) => row.trackingId === 'spring'],
])('%s', async ([, query, picks], { seeded }) => {
  await expectFilter(seeded, query, picks);
});

test('finds a row of nulls by its period only', async ({ sandbox }) => {
  const isBare = (row: Row) => isNil(row.transactionType);
  sandbox.setFaults('null-row=on');
  expect((await listAll(sandbox, '')).filter(isBare)).toHaveLength(1);
  for (const query of ['type=TEST_FEE', 'vendor=GREENLEAF', 'affiliate=none', 'amount=-15.00']) {
    const rows = await listAll(sandbox, query);
    expect([query, rows.length > 0, rows.filter(isBare)]).toEqual([query, true, []]);
  }
  expect(await countOf(sandbox, 'type=TEST_FEE')).toBe(1);
});

test('finds nothing for an invalid type, without an error', async ({ sandbox }) => {
  const response = await getJson(sandbox, `${LIST}?${YEAR}&type=GIFT`);
  expect([response.status, response.text]).toEqual([200, 'null']);
  expect(await countOf(sandbox, 'type=GIFT')).toBe(0);
});

function isNil(value: unknown): boolean {
  return JSON.stringify(value) === '{"@nil":"true"}';
}

test('supports wildcards in email, with a literal underscore', async ({ seeded }) => {
  await expectFilter(seeded, 'email=%25@example.com', (row) =>
    String(row.email).endsWith('@example.com'),
  );
  expect(await countOf(seeded, 'email=ada_sample@example.com')).toBe(0);
  expect(await countOf(seeded, 'email=ada.sample@example.com')).toBeGreaterThan(0);
});

test('finds orders by item, also in a cart', async ({ seeded }) => {
  const rows = await expectFilter(seeded, 'item=KIT-02', (row) =>
    linesIn(row).some((line) => line.itemNo === 'KIT-02'),
  );
  expect(rows.map((row) => row.receipt)).toContain('CART0003');
});

test('finds the total by amount in any notation, in list only', async ({ sandbox }) => {
  for (const amount of ['55.9', '55.90', '+55.900']) {
    const rows = await listAll(sandbox, `amount=${encodeURIComponent(amount)}`);
    expect(rows.map((row) => row.receipt)).toContain('CART0003');
  }
  expect(await listAll(sandbox, 'amount=55.901')).toEqual([]);
  expect(await countOf(sandbox, 'amount=55.90')).toBe(60);
});

test('filters transactions by the role of the account', async ({ sandbox }) => {
  const referred = await listAll(sandbox, 'role=AFFILIATE');
  expect(new Set(referred.map((row) => row.affiliate))).toEqual(new Set(['TOPAFF1']));
  expect(new Set(referred.map((row) => row.role))).toEqual(new Set(['AFFILIATE']));
  expect(await countOf(sandbox, 'role=VENDOR')).toBe(60);
  expect(await countOf(sandbox, 'role=BUYER')).toBe(0);
});

test('shows a key what its accounts sold or referred, in that role', async ({ seeded }) => {
  const vendor = { Authorization: keyOf(seeded, 'vendor') };
  const affiliate = { Authorization: keyOf(seeded, 'affiliate') };
  const sold = await listAll(seeded, '', vendor);
  const vendors = sold.map((row) => row.vendor).filter((nickname) => !isNil(nickname));
  expect(new Set(vendors)).toEqual(new Set(['GREENLEAF']));
  const referred = await listAll(seeded, '', affiliate);
  expect(new Set(referred.map((row) => row.affiliate))).toEqual(new Set(['TOPAFF1']));
  expect(new Set(referred.map((row) => row.role))).toEqual(new Set(['AFFILIATE']));
  expect(await countOf(seeded, '')).toBe(1500);
});

test('requires both dates or none in list', async ({ sandbox }) => {
  expect((await getJson(sandbox, `${LIST}?startDate=2026-03-01`)).status).toBe(400);
  expect((await getJson(sandbox, `${LIST}?endDate=2026-03-01`)).status).toBe(400);
  expect((await getJson(sandbox, `${COUNT}?startDate=2026-03-01`)).status).toBe(200);
  expect((await getJson(sandbox, `${COUNT}?endDate=2026-03-01`)).status).toBe(200);
  expect((await getJson(sandbox, `${LIST}?startDate=2026-03-02&endDate=2026-03-01`)).status).toBe(
    400,
  );
});

test('covers yesterday and today in list and count without dates', async ({ seeded }) => {
  const bare = await getJson(seeded, LIST);
  const dated = await getJson(seeded, `${LIST}?startDate=2026-03-17&endDate=${TODAY}`);
  expect(bare.text).toBe(dated.text);
  const days = new Set(ordersIn(bare).map((row) => String(row.transactionTime).slice(0, 10)));
  expect(days).toEqual(new Set([TODAY, '2026-03-17']));
  expect((await getJson(seeded, COUNT)).text).toBe(String(ordersIn(bare).length));
});

test('uses inclusive Pacific days', async ({ seeded }) => {
  const all = (await listAll(seeded, '')).filter((row) => !isNil(row.transactionTime));
  for (const day of ['2026-03-08', '2026-03-15', '2025-11-02']) {
    const response = await getJson(seeded, `${LIST}?startDate=${day}&endDate=${day}`);
    const expected = all.filter((row) => String(row.transactionTime).startsWith(day));
    expect(ordersIn(response), day).toEqual(expected);
  }
});

test('accepts the first and last days of the calendar', async ({ sandbox }) => {
  const path = `${COUNT}?startDate=0001-01-01&endDate=9999-12-31`;
  expect((await getJson(sandbox, path)).text).toBe('60');
});

test('returns rows newest first, 100 per page, with 206 until the last page', async () => {
  const sandbox = await openSandbox({ seed: { orders: 300 } });
  const pages = await Promise.all(
    ['1', '2', '3', '4'].map((Page) => getJson(sandbox, `${LIST}?${YEAR}`, { Page })),
  );
  expect(pages.map((page) => page.status)).toEqual([206, 206, 200, 200]);
  expect(pages.map((page) => ordersIn(page).length)).toEqual([100, 100, 100, 0]);
  expect(pages[3]?.text).toBe('null');
  const times = pages.flatMap(ordersIn).map((row) => Date.parse(String(row.transactionTime)));
  expect(times).toHaveLength(300);
  expect(times).toEqual(times.toSorted((a, b) => b - a));
});

test('rejects an invalid Page header', async ({ sandbox }) => {
  for (const Page of ['0', '-1', 'two', '1.5']) {
    expect((await getJson(sandbox, LIST, { Page })).status, Page).toBe(400);
  }
});
