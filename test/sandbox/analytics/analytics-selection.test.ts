import { expect } from 'vitest';
import { analyticsResult } from '../../../src/operations/analytics.ts';
import type { Sandbox } from '../../../src/sandbox/http/server.ts';
import { openDatabase } from '../../../src/storage/sqlite.ts';
import { faultsInJson } from '../codec/shape.ts';
import { listAll, openSandbox, test } from '../raw.ts';
import { storeFile } from '../store/store-file.ts';
import {
  ADDITIVE,
  BY_TRACKING,
  cents,
  expectFigures,
  expectRefusal,
  FIELDS,
  type Json,
  type Order,
  SEED,
  statistics,
  YEAR,
} from './analytics-raw.ts';

test('uses yesterday and today as the default period', async ({ seeded }) => {
  const { body } = await statistics(seeded, BY_TRACKING);
  const days = 'startDate=2026-03-17&endDate=2026-03-18';
  expect((await statistics(seeded, `${BY_TRACKING}&${days}`)).body).toEqual(body);
  expect((await statistics(seeded, `${BY_TRACKING}&startDate=2026-03-17`)).body).toEqual(body);
  expect((await statistics(seeded, `${BY_TRACKING}&endDate=2026-03-18`)).body).toEqual(body);
  await expectRefusal(seeded, `${BY_TRACKING}&endDate=2026-03-16`, 400, 'endDate');
});

test('uses inclusive Pacific days', async ({ seeded }) => {
  const days = ['2026-03-07', '2026-03-08', '2026-03-09'];
  const all = await listAll(seeded, 'vendor=GREENLEAF&role=VENDOR');
  for (const day of days) {
    const { totals } = await statistics(seeded, `${BY_TRACKING}&startDate=${day}&endDate=${day}`);
    const own = all.filter((order) => String(order.transactionTime).startsWith(day));
    expectFigures(totals, own, day);
  }
});

test('filters by one case-sensitive value with dimensionFilter', async ({ seeded }) => {
  const path = `${BY_TRACKING}&${YEAR}`;
  const all = (await statistics(seeded, path)).rows;
  for (const id of ['spring', 'TID99', 'Not Set', 'ünïcode']) {
    const filter = `dimensionFilter=${encodeURIComponent(id)}`;
    const { rows, totals } = await statistics(seeded, `${path}&${filter}`);
    expect(rows).toEqual(all.filter(({ value }) => value === id));
    expect(rows).toHaveLength(1);
    expect(totals).toEqual(rows[0]?.figures);
  }
  const none = await statistics(seeded, `${path}&dimensionFilter=Spring`);
  expect(none.body.rows).toEqual({ row: null });
  expect(none.totals.GROSS_SALE_COUNT).toBe(0);
});

test('selects fields of rows and totals in the requested order', async ({ seeded }) => {
  const path = `${BY_TRACKING}&${YEAR}&select=REFUND_COUNT&select=SALE_AMOUNT&select=REFUND_COUNT`;
  const { rows, totals } = await statistics(seeded, path);
  for (const { figures } of [...rows, { figures: totals }]) {
    expect(Object.keys(figures)).toEqual(['REFUND_COUNT', 'SALE_AMOUNT']);
  }
  const bare = await statistics(seeded, `${BY_TRACKING}&${YEAR}&select=DIMENSION_VALUE`);
  expect(bare.rows.map(({ value }) => value)).toEqual(rows.map(({ value }) => value));
  expect(bare.rows[0]?.figures).toEqual({});
});

test('selects the same fields from a list with commas as from repeated parameters', async ({
  seeded,
}) => {
  const path = `${BY_TRACKING}&${YEAR}`;
  const repeated = await statistics(seeded, `${path}&select=HOP_COUNT&select=SALE_COUNT`);
  expect(repeated.rows.map(({ figures }) => Object.keys(figures))).toContainEqual([
    'HOP_COUNT',
    'SALE_COUNT',
  ]);
  for (const select of [
    'HOP_COUNT,SALE_COUNT',
    'HOP_COUNT%2CSALE_COUNT',
    'hop_count,sale_count,',
  ]) {
    const { body } = await statistics(seeded, `${path}&select=${select}`);
    expect(body).toEqual(repeated.body);
  }
  const both = await statistics(seeded, `${path}&select=HOP_COUNT,SALE_COUNT&select=REFUND_COUNT`);
  expect(Object.keys(both.totals)).toEqual(['HOP_COUNT', 'SALE_COUNT', 'REFUND_COUNT']);
});

test('returns DIMENSION_VALUE as text, except in totals', async ({ seeded }) => {
  for (const select of [
    '',
    '&select=DIMENSION_VALUE',
    '&select=sale_count&select=dimension_value',
  ]) {
    const { body, rows } = await statistics(seeded, `${BY_TRACKING}&${YEAR}${select}`);
    expect(rows.map(({ value }) => value)).toContain('0012');
    const inData = (body.rows as { row: { data: Json | Json[] }[] }).row.map(({ data }) =>
      [data].flat().find(({ attribute }) => attribute === 'DIMENSION_VALUE'),
    );
    expect(inData).toEqual(
      rows.map(({ value }) => ({
        attribute: 'DIMENSION_VALUE',
        value: { '@type': 'xs:string', $: value },
      })),
    );
    expect(JSON.stringify(body.totals)).not.toContain('DIMENSION_VALUE');
  }
});

test('sorts by every field with orderBy, in descending order by default', async ({ seeded }) => {
  const path = `${BY_TRACKING}&${YEAR}`;
  for (const name of FIELDS) {
    for (const [more, sign] of [
      ['', -1],
      ['&sortAscending=false', -1],
      ['&sortAscending=yes', -1],
      ['&sortAscending=true', 1],
    ] as const) {
      const { rows } = await statistics(seeded, `${path}&orderBy=${name}${more}`);
      const numbers = rows.map(({ figures }) => Number(figures[name]));
      expect(numbers, name).toEqual(numbers.toSorted((a, b) => sign * (a - b)));
    }
  }
  const values = (await statistics(seeded, `${path}&orderBy=DIMENSION_VALUE&sortAscending=true`))
    .rows;
  const names = values.map(({ value }) => value);
  expect(names).toEqual([...names].sort());
  const byDefault = (await statistics(seeded, path)).rows.map(
    ({ figures }) => figures.GROSS_SALE_AMOUNT,
  );
  expect(byDefault).toEqual(byDefault.toSorted((a, b) => Number(b) - Number(a)));
});

test('rejects an unknown or unsuitable dimension, field, or role', async ({ sandbox }) => {
  const account = 'account=GREENLEAF';
  const refused: [string, string][] = [
    [`VENDOR/WEATHER?${account}`, 'dimension'],
    [`VENDOR/TRACKING_ID?${account}&select=SALES`, 'select'],
    [`VENDOR/TRACKING_ID?${account}&select=SALE_COUNT&select=SALES`, 'select'],
    [`VENDOR/TRACKING_ID?${account}&select=SALE_COUNT,SALES`, 'select'],
    [`VENDOR/TRACKING_ID?${account}&orderBy=SALES`, 'orderBy'],
    [`VENDOR/TRACKING_ID?${account}&startDate=2026-02-30`, 'startDate'],
    [`AFFILIATE/PRODUCT_SKU?${account}`, 'only for the role VENDOR'],
    [`VENDOR/VENDOR_PRODUCT_SKU?${account}`, 'only for the role AFFILIATE'],
    [
      `AFFILIATE/PRODUCT_SKU/summary?${account}&summaryType=VENDOR_ONLY`,
      'only for the role VENDOR',
    ],
    [`VENDOR/TRACKING_ID/summary?${account}`, 'summaryType'],
    [`VENDOR/TRACKING_ID/summary?${account}&summaryType=ALL`, 'VENDOR_ONLY, AFFILIATE_ONLY'],
  ];
  for (const [path, says] of refused) await expectRefusal(sandbox, path, 400, says);
});

test('summarizes sales made alone or with other accounts', async ({ seeded }) => {
  const orders = await listAll(seeded, 'vendor=GREENLEAF&role=VENDOR');
  const path = `VENDOR/TRACKING_ID/summary?account=GREENLEAF&${YEAR}&summaryType=`;
  const alone = await statistics(seeded, `${path}VENDOR_ONLY`);
  const others = await statistics(seeded, `${path}AFFILIATE_ONLY`);
  const isAlone = (order: Order) => typeof order.affiliate !== 'string';
  expectFigures(alone.totals, orders.filter(isAlone), 'VENDOR_ONLY');
  expectFigures(
    others.totals,
    orders.filter((order) => !isAlone(order)),
    'AFFILIATE_ONLY',
  );
  const all = await statistics(seeded, `${BY_TRACKING}&${YEAR}`);
  for (const name of ADDITIVE) {
    const sum = cents(alone.totals[name]) + cents(others.totals[name]);
    expect([name, sum]).toEqual([name, cents(all.totals[name])]);
  }
  expect(faultsInJson(analyticsResult, others.body)).toEqual([]);
});

test('has no sales made alone for an affiliate', async ({ seeded }) => {
  const path = `AFFILIATE/VENDOR/summary?account=TOPAFF1&${YEAR}&summaryType=`;
  expect((await statistics(seeded, `${path}VENDOR_ONLY`)).rows).toEqual([]);
  const all = await statistics(seeded, `AFFILIATE/VENDOR?account=TOPAFF1&${YEAR}`);
  expect((await statistics(seeded, `${path}AFFILIATE_ONLY`)).body).toEqual(all.body);
});

/** A seeded sandbox in which each sale of GREENLEAF has its own tracking ID. */
async function openTracked(): Promise<Sandbox> {
  const file = storeFile();
  const seeded = await openSandbox({ file, seed: SEED });
  const db = await openDatabase(file);
  db.run("UPDATE purchase SET tracking_id = 'T' || id");
  db.run('DELETE FROM traffic');
  db.close();
  return seeded;
}

test('pages more than 100 rows, with the totals of all rows on each page', async () => {
  const sandbox = await openTracked();
  const path = `${BY_TRACKING}&${YEAR}&select=NET_SALE_AMOUNT&orderBy=NET_SALE_AMOUNT`;
  const pages = [];
  for (let page = 1; ; page += 1) {
    const found = await statistics(sandbox, path, { Page: String(page) });
    pages.push(found);
    if (found.status !== 206) break;
  }
  expect(pages.length).toBeGreaterThan(2);
  for (const { rows } of pages.slice(0, -1)) expect(rows).toHaveLength(100);
  const rows = pages.flatMap((page) => page.rows);
  expect(new Set(rows.map(({ value }) => value)).size).toBe(rows.length);
  const sum = rows.reduce((all, { figures }) => all + cents(figures.NET_SALE_AMOUNT), 0);
  for (const { totals } of pages) expect(cents(totals.NET_SALE_AMOUNT)).toBe(sum);
  const past = await statistics(sandbox, path, { Page: '99' });
  expect([past.status, past.body.rows]).toEqual([200, { row: null }]);
});
