import { expect } from 'vitest';
import { subscriptionTrendsData } from '../../../src/operations/analytics.ts';
import type { Sandbox } from '../../../src/sandbox/http/server.ts';
import { faultsInJson } from '../codec/shape.ts';
import {
  daysAfter,
  getJson,
  linesIn,
  listAll,
  openSandbox,
  post,
  type RawResponse,
  TODAY,
  test,
} from '../raw.ts';
import { ANALYTICS, expectRefusal, listed } from './analytics-raw.ts';

const SEED = { orders: 1500 };
const VENDOR = 'VENDOR/subscription/trends?account=GREENLEAF';
const QUARTER = 'startDate=2026-01-01&endDate=2026-03-18';

type Row = Readonly<Record<string, unknown>>;

/** Trends use the wrapper of subscription details, which has the total number of rows. */
function rowsIn(response: RawResponse): { readonly total: number; readonly rows: Row[] } {
  const { totalCount, data, ...others } = JSON.parse(response.text);
  expect([typeof totalCount, others]).toEqual(['string', {}]);
  return { total: Number(totalCount), rows: listed<Row>(data.row) };
}

async function trends(sandbox: Sandbox, path: string, Page = '1') {
  const response = await getJson(sandbox, `${ANALYTICS}/${path}`, { Page });
  expect([200, 206], response.text).toContain(response.status);
  return { status: response.status, ...rowsIn(response) };
}

const cents = (value: unknown) => Math.round(Number(value) * 100);

/** The payments for recurring items, by item and type. */
function paidFor(orders: readonly Row[], itemNo: unknown, ...types: string[]) {
  const amounts = orders
    .filter(({ transactionType }) => types.includes(String(transactionType)))
    .flatMap((order) => linesIn(order))
    .filter((line) => line.itemNo === itemNo)
    .map((line) => cents(line.accountAmount));
  return { count: amounts.length, cents: amounts.reduce((sum, one) => sum + one, 0) };
}

function expectSums(row: Row, orders: readonly Row[]): void {
  const [sold, billed, back] = [['SALE'], ['BILL'], ['RFND', 'CGBK']].map((types) =>
    paidFor(orders, row.itemNo, ...types),
  );
  if (!sold || !billed || !back) throw new Error('three sums');
  const { initialSaleCnt, recurringSaleCnt, totalSalesCnt } = row;
  expect([initialSaleCnt, recurringSaleCnt, totalSalesCnt].map(Number)).toEqual([
    sold.count,
    billed.count,
    sold.count + billed.count,
  ]);
  const { initialSaleAmt, recurringSaleAmt, grossSales, netSales } = row;
  expect([initialSaleAmt, recurringSaleAmt, grossSales, netSales].map(cents)).toEqual([
    sold.cents,
    billed.cents,
    sold.cents + billed.cents,
    sold.cents + billed.cents + back.cents,
  ]);
}

/** Counts are whole, although the schema allows decimals. */
const isWholeCount = (fault: string) => /Cnt: \d+ is not a decimal$/.test(fault);

test('returns a trend row with every field for each product', async ({ seeded }) => {
  for (const path of [
    `${VENDOR}&${QUARTER}`,
    `AFFILIATE/subscription/trends?account=TOPAFF1&${QUARTER}&groupBy=DATE`,
  ]) {
    const { text } = await getJson(seeded, `${ANALYTICS}/${path}`);
    const faults = faultsInJson(subscriptionTrendsData, JSON.parse(text));
    expect(faults.filter((fault) => !isWholeCount(fault))).toEqual([]);
  }
  const { status, rows } = await trends(seeded, `${VENDOR}&${QUARTER}`);
  expect(status).toBe(200);
  expect(rows.map(({ itemNo }) => itemNo)).toEqual([
    'CLUB-M',
    'CLUB-PLUS-M',
    'CLUB-BOX-M',
    'PLAN-6',
    'COURSE-Y',
  ]);
  expect(rows[0]).toMatchObject({
    nickname: 'GREENLEAF',
    productId: '1',
    title: 'Garden Club, monthly',
    frequency: 'EVERY MONTH',
    duration: '999',
    trialPeriod: '0',
  });
  // Only rows by day have a day.
  for (const row of rows) expect(row).not.toHaveProperty('businessDate');
});

test.for([
  ['VENDOR', 'vendor', 'GREENLEAF'],
  ['AFFILIATE', 'affiliate', 'TOPAFF1'],
])(
  'returns trend sums of %s that match its orders',
  async ([role, column, account], { seeded }) => {
    const orders = await listAll(seeded, `${column}=${account}&role=${role}`);
    const own = orders.filter(({ transactionTime }) => String(transactionTime) >= '2026-01-01');
    const path = `${role}/subscription/trends?account=${account}&${QUARTER}`;
    const { rows } = await trends(seeded, path);
    expect(rows.length).toBeGreaterThan(4);
    for (const row of rows) expectSums(row, own);
  },
);

test('groups sums by day that add up to the period', async ({ seeded }) => {
  const orders = await listAll(seeded, 'vendor=GREENLEAF&role=VENDOR');
  const path = `${VENDOR}&startDate=2026-03-01&endDate=2026-03-18`;
  const { status, rows } = await trends(seeded, `${path}&groupBy=DATE`);
  expect(status).toBe(200);
  const days = rows.map(({ businessDate }) => String(businessDate));
  expect(days).toEqual([...days].sort());
  expect(new Set(days).size).toBe(18);
  expect(days).toContain('2026-03-08T00:00:00-08:00');
  expect(days).toContain('2026-03-09T00:00:00-07:00');
  for (const row of rows) {
    const date = String(row.businessDate).slice(0, 10);
    expectSums(
      row,
      orders.filter((order) => String(order.transactionTime).startsWith(date)),
    );
  }
  for (const whole of (await trends(seeded, path)).rows) {
    const own = rows.filter(({ itemNo }) => itemNo === whole.itemNo);
    for (const field of ['grossSales', 'netSales', 'totalSalesCnt', 'cancelSubCnt']) {
      const sum = own.reduce((all, row) => all + cents(row[field]), 0);
      expect([whole.itemNo, field, sum]).toEqual([whole.itemNo, field, cents(whole[field])]);
    }
  }
});

test('counts the listed cancel dates in cancelSubCnt', async ({ seeded }) => {
  const path = `VENDOR/subscription/details/canceldate?account=GREENLEAF&${QUARTER}`;
  const canceled = listed<Row>(
    JSON.parse((await getJson(seeded, `${ANALYTICS}/${path}`)).text).data.row,
  );
  const { rows } = await trends(seeded, `${VENDOR}&${QUARTER}`);
  for (const { itemNo, cancelSubCnt } of rows) {
    const own = canceled.filter((row) => row.itemNo === itemNo);
    expect([itemNo, cancelSubCnt]).toEqual([itemNo, String(own.length)]);
  }
  expect(canceled.length).toBeGreaterThan(0);
});

test('averages over the subscriptions that ran on a day', async ({ seeded }) => {
  const all = listed<Row>(
    JSON.parse(
      (await getJson(seeded, `${ANALYTICS}/VENDOR/subscription/details?account=GREENLEAF`)).text,
    ).data.row,
  );
  const day = '2026-02-10';
  const starts = Date.parse(`${day}T00:00:00-08:00`);
  const ends = starts + 86_400_000;
  const { rows } = await trends(seeded, `${VENDOR}&startDate=${day}&endDate=${day}`);
  for (const row of rows) {
    const spans = all
      .filter(({ itemNo }) => itemNo === row.itemNo)
      .map(({ purchaseDate, subCancelDate, subEndDate, status }) => {
        const runs = status !== 'CANCELED' && status !== 'COMPLETED';
        const over = typeof subCancelDate === 'string' ? subCancelDate : subEndDate;
        return {
          begun: Date.parse(String(purchaseDate)),
          over: runs ? Number.POSITIVE_INFINITY : Date.parse(String(over)),
        };
      })
      .filter(({ begun, over }) => begun < ends && over >= starts);
    const sum = (of: (span: { begun: number; over: number }) => number) =>
      spans.reduce((total, span) => total + of(span), 0);
    const active = sum(({ begun, over }) => Math.min(over, ends) - Math.max(begun, starts));
    const age = sum(({ begun, over }) => Math.min(over, ends) - begun);
    expect(Number(row.avgActiveSubCnt)).toBeCloseTo(active / (ends - starts), 1);
    expect(Number(row.avgSubAge)).toBeCloseTo(age / 86_400_000 / spans.length, 1);
    expect(Number(row.avgSubValue)).toBeGreaterThan(0);
  }
  expect(rows.length).toBeGreaterThan(3);
});

test('filters by one or several products with productId', async ({ seeded }) => {
  const path = `${VENDOR}&${QUARTER}`;
  const { rows } = await trends(seeded, path);
  const some = await trends(seeded, `${path}&productId=1&productId=4`);
  expect(some.rows).toEqual(rows.filter(({ productId }) => ['1', '4'].includes(String(productId))));
  expect(some.rows).toHaveLength(2);
  expect((await trends(seeded, `${path}&productId=4`)).rows).toHaveLength(1);
  expect((await trends(seeded, `${path}&productId=9999`)).rows).toEqual([]);
  await expectRefusal(seeded, `${path}&productId=CLUB-M`, 400, 'productId');
});

test.each([
  ['VENDOR', 'GREENLEAF'],
  ['AFFILIATE', 'TOPAFF1'],
])('counts a product change for %s from its day on', async (role, account) => {
  const [changed, unchanged] = [
    await openSandbox({ seed: SEED }),
    await openSandbox({ seed: SEED }),
  ];
  const tomorrow = daysAfter(TODAY, 1);
  const days = async (sandbox: Sandbox, from: string, to: string) => {
    const path = `${role}/subscription/trends?account=${account}&groupBy=DATE`;
    const some = `&productId=1&productId=2&startDate=${from}&endDate=${to}`;
    return (await trends(sandbox, path + some)).rows;
  };
  const past = (sandbox: Sandbox) => days(sandbox, daysAfter(TODAY, -20), daysAfter(TODAY, -1));
  // The value of a subscription is today's value.
  const withoutValue = (rows: readonly Row[]) => rows.map((row) => ({ ...row, avgSubValue: '' }));
  const before = withoutValue(await past(changed));
  const path = '/rest/1.3/orders2/MONTHLY1/changeProduct?oldSku=CLUB-M&newSku=CLUB-PLUS-M';
  expect((await post(changed, path)).status).toBe(204);
  expect(withoutValue(await past(changed))).toEqual(before);
  for (const sandbox of [changed, unchanged]) await sandbox.advance(86_400);
  expect(withoutValue(await past(changed))).toEqual(before);
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
  const rows: Row[] = [];
  const totals = new Set<number>();
  let page = 1;
  for (; ; page += 1) {
    const found = await trends(seeded, path, String(page));
    rows.push(...found.rows);
    totals.add(found.total);
    if (found.status !== 206) break;
    expect(found.rows).toHaveLength(100);
  }
  expect([...totals]).toEqual([rows.length]);
  expect(page).toBeGreaterThan(2);
  const keys = rows.map(({ businessDate, productId }) => `${businessDate} ${productId}`);
  expect(new Set(keys).size).toBe(keys.length);
  const past = await getJson(seeded, `${ANALYTICS}/${path}`, { Page: '99' });
  expect([past.status, past.text]).toEqual([
    200,
    `{"totalCount":"${rows.length}","data":{"row":null}}`,
  ]);
  expect((await getJson(seeded, `${ANALYTICS}/${path}`, { Page: '0' })).status).toBe(400);
});

test('returns no future data', async ({ seeded }) => {
  const ahead = `startDate=${daysAfter(TODAY, 1)}&endDate=${daysAfter(TODAY, 30)}`;
  expect((await trends(seeded, `${VENDOR}&${ahead}`)).rows).toEqual([]);
  expect((await trends(seeded, `${VENDOR}&${ahead}&groupBy=DATE`)).rows).toEqual([]);
});

test('rejects missing or reversed dates and unknown groupings', async ({ sandbox }) => {
  await expectRefusal(sandbox, `${VENDOR}&startDate=2026-03-01`, 400, 'endDate');
  await expectRefusal(sandbox, `${VENDOR}&endDate=2026-03-01`, 400, 'startDate');
  await expectRefusal(sandbox, `${VENDOR}&startDate=2026-03-02&endDate=2026-03-01`, 400, 'endDate');
  await expectRefusal(sandbox, `${VENDOR}&startDate=2026-02-30&endDate=2026-03-01`, 400, 'date');
  await expectRefusal(sandbox, `${VENDOR}&${QUARTER}&groupBy=WEEK`, 400, 'DATE');
});
