/** Trends of subscriptions; test/sandbox/analytics/figures.test.ts compares their sums with orders. */
import { expect } from 'vitest';
import type { Sandbox } from '../../../src/sandbox/http/server.ts';
import {
  DAY,
  daysAfter,
  expectAnswers,
  type Json,
  openSandbox,
  post,
  TODAY,
  test,
} from '../raw.ts';
import { details, wrapped, wrappedPages } from './analytics-raw.ts';

const VENDOR = 'VENDOR/subscription/trends?account=GREENLEAF';
const QUARTER = 'startDate=2026-01-01&endDate=2026-03-18';

test('returns a trend row with every field for each product', async ({ seeded }) => {
  const { status, rows } = await wrapped(seeded, `${VENDOR}&${QUARTER}`);
  const items = ['CLUB-M', 'CLUB-PLUS-M', 'CLUB-BOX-M', 'PLAN-6', 'COURSE-Y'];
  expect([status, rows.map(({ itemNo }) => itemNo)]).toEqual([200, items]);
  expect(rows[0]).toMatchObject({
    ...{ nickname: 'GREENLEAF', productId: '1', title: 'Garden Club, monthly' },
    ...{ frequency: 'EVERY MONTH', duration: '999', trialPeriod: '0' },
  });
  // Only rows by day have a day.
  for (const row of rows) expect(row).not.toHaveProperty('businessDate');
});

test('counts the listed cancel dates in cancelSubCnt', async ({ seeded }) => {
  const path = `VENDOR/subscription/details/canceldate?account=GREENLEAF&${QUARTER}`;
  const canceled = await details(seeded, path);
  for (const { itemNo, cancelSubCnt } of (await wrapped(seeded, `${VENDOR}&${QUARTER}`)).rows) {
    const own = canceled.filter((row) => row.itemNo === itemNo);
    expect([itemNo, cancelSubCnt]).toEqual([itemNo, String(own.length)]);
  }
  expect(canceled.length).toBeGreaterThan(0);
});

test('averages over the subscriptions that ran on a day', async ({ seeded }) => {
  const all = await details(seeded, 'VENDOR/subscription/details?account=GREENLEAF');
  const day = '2026-02-10';
  const starts = Date.parse(`${day}T00:00:00-08:00`);
  const ends = starts + DAY * 1000;
  const { rows } = await wrapped(seeded, `${VENDOR}&startDate=${day}&endDate=${day}`);
  for (const row of rows) {
    const spans = all
      .filter(({ itemNo }) => itemNo === row.itemNo)
      .map(({ purchaseDate, subCancelDate, subEndDate, status }) => {
        const runs = status !== 'CANCELED' && status !== 'COMPLETED';
        const over = Date.parse(String(subCancelDate ?? subEndDate));
        return {
          begun: Date.parse(String(purchaseDate)),
          over: runs ? Number.POSITIVE_INFINITY : over,
        };
      })
      .filter(({ begun, over }) => begun < ends && over >= starts);
    const sum = (from: (begun: number) => number) =>
      spans.reduce((all, { begun, over }) => all + Math.min(over, ends) - from(begun), 0);
    const active = sum((begun) => Math.max(begun, starts));
    const age = sum((begun) => begun);
    expect(Number(row.avgActiveSubCnt)).toBeCloseTo(active / (ends - starts), 1);
    expect(Number(row.avgSubAge)).toBeCloseTo(age / (ends - starts) / spans.length, 1);
    expect(Number(row.avgSubValue)).toBeGreaterThan(0);
  }
  expect(rows.length).toBeGreaterThan(3);
});

test('filters by one or several products with productId', async ({ seeded }) => {
  const path = `${VENDOR}&${QUARTER}`;
  const { rows } = await wrapped(seeded, path);
  for (const [query, ids] of [
    ['productId=1&productId=4', ['1', '4']],
    ['productId=4', ['4']],
    ['productId=9999', []],
  ] as const) {
    const some = (await wrapped(seeded, `${path}&${query}`)).rows;
    expect(some.map(({ productId }) => productId)).toEqual(ids);
    expect(rows).toEqual(expect.arrayContaining(some));
  }
});

test.each([
  ['VENDOR', 'GREENLEAF'],
  ['AFFILIATE', 'TOPAFF1'],
])('counts a product change for %s from its day on', async (role, account) => {
  const [changed, unchanged] = [await openSandbox(), await openSandbox()];
  const tomorrow = daysAfter(TODAY, 1);
  const days = async (sandbox: Sandbox, from: string, to: string) => {
    const path = `${role}/subscription/trends?account=${account}&groupBy=DATE`;
    const some = `&productId=1&productId=2&startDate=${from}&endDate=${to}`;
    return (await wrapped(sandbox, path + some)).rows;
  };
  // The value of a subscription is today's value.
  const past = async () =>
    (await days(changed, daysAfter(TODAY, -20), daysAfter(TODAY, -1))).map(
      (row): Json => ({ ...row, avgSubValue: '' }),
    );
  const before = await past();
  const path = '/rest/1.3/orders2/MONTHLY1/changeProduct?oldSku=CLUB-M&newSku=CLUB-PLUS-M';
  expect((await post(changed, path)).status).toBe(204);
  expect(await past()).toEqual(before);
  for (const sandbox of [changed, unchanged]) await sandbox.advance(DAY);
  expect(await past()).toEqual(before);
  const active = async (sandbox: Sandbox, id: string) =>
    Number(
      (await days(sandbox, tomorrow, tomorrow)).find(({ productId }) => productId === id)
        ?.avgActiveSubCnt ?? 0,
    );
  expect(await active(changed, '1')).toBeCloseTo((await active(unchanged, '1')) - 1, 1);
  // The affiliate is not carried over, so only the vendor has the new subscription.
  const gained = role === 'VENDOR' ? 1 : 0;
  expect(await active(changed, '2')).toBeCloseTo((await active(unchanged, '2')) + gained, 1);
});

test('pages more than 100 rows', async ({ seeded }) => {
  const path = `${VENDOR}&${QUARTER}&groupBy=DATE`;
  const pages = await wrappedPages(seeded, path);
  expect(pages.length).toBeGreaterThan(2);
  for (const { rows } of pages.slice(0, -1)) expect(rows).toHaveLength(100);
  const keys = pages.flatMap(({ rows }) =>
    rows.map(({ businessDate, productId }) => `${businessDate} ${productId}`),
  );
  expect(new Set(keys).size).toBe(keys.length);
  expect(keys).toContain('2026-03-08T00:00:00-08:00 1');
  expect(keys).toContain('2026-03-09T00:00:00-07:00 1');
  expect(new Set(pages.map(({ total }) => total))).toEqual(new Set([keys.length]));
  expect(await wrapped(seeded, path, '99')).toEqual({ status: 200, total: keys.length, rows: [] });
  await expectAnswers(seeded, `GET analytics/${path} 400`, { Page: '0' });
});

test('returns no future data', async ({ seeded }) => {
  const ahead = `startDate=${daysAfter(TODAY, 1)}&endDate=${daysAfter(TODAY, 30)}`;
  for (const more of ['', '&groupBy=DATE']) {
    expect((await wrapped(seeded, `${VENDOR}&${ahead}${more}`)).rows).toEqual([]);
  }
});

test('rejects reversed dates and unknown products', async ({ sandbox }) => {
  const path = `GET analytics/${VENDOR}`;
  await expectAnswers(
    sandbox,
    `${path}&startDate=2026-03-02&endDate=2026-03-01 400 endDate
    ${path}&${QUARTER}&productId=CLUB-M 400 productId`,
  );
});
