/** Analytics of figures: status, access, case and schemas, the period, dimension, fields and order; trends of subscriptions; quickstats. */
import { expect } from 'vitest';
import type { Sandbox } from '../../../src/sandbox/http/server.ts';
import {
  ask,
  DAY,
  dayOf,
  daysAfter,
  expectAnswers,
  getJson,
  isNil,
  type Json,
  keyed,
  listAll,
  listed,
  openSandbox,
  post,
  rowsAt,
  TODAY,
  test,
} from '../raw.ts';
import {
  ANALYTICS,
  BY_TRACKING,
  details,
  expectFigures,
  expectSum,
  FIELDS,
  statistics,
  wrapped,
  wrappedPages,
  YEAR,
} from './analytics-raw.ts';

const MARCH = 'account=GREENLEAF&startDate=2026-03-01&endDate=2026-03-18';

test('reports the status GREEN and the current time, as CSV too', async ({ sandbox }) => {
  const csv = await ask(sandbox, 'GET', `${ANALYTICS}/status`, { Accept: 'text/csv' });
  expect([csv.status, csv.headers['content-type']]).toEqual([200, 'text/csv;charset=UTF-8']);
  expect(csv.text).toBe('status,lastUpdateTime\nGREEN,2026-03-18T12:00:00-07:00\n');
  const path = 'analytics/VENDOR/TRACKING_ID?account=GREENLEAF';
  await expectAnswers(sandbox, { Accept: 'text/html' })`GET analytics/status 406`;
  await expectAnswers(sandbox, { Accept: 'text/csv' })`GET ${path} 406`;
});

/** In lower case, except for the names of parameters. */
const lowered = (path: string) =>
  path.replaceAll(/^[^?]+|(?<==)[^&]*/g, (text) => text.toLowerCase());

test.for([
  `VENDOR/subscription/trends?${MARCH}&groupBy=DATE`,
  'AFFILIATE/subscription/details?account=TOPAFF1&orderBy=PURCHASE_DATE&sortDirection=DESC',
  'VENDOR/Subscription/Details/Status?account=GREENLEAF&status=ACTIVE',
  'VENDOR/subscription/details/CompSixty?account=GREENLEAF',
  `VENDOR/TRACKING_ID?${MARCH}&select=SALE_COUNT&select=HOP_COUNT&orderBy=SALE_COUNT&sortAscending=TRUE`,
  `VENDOR/PRODUCT_SKU/summary?${MARCH}&summaryType=AFFILIATE_ONLY`,
  'STATUS',
])('ignores the case of %s', async (path, { seeded }) => {
  const found = await getJson(seeded, `${ANALYTICS}/${lowered(path)}`);
  const expected = await getJson(seeded, `${ANALYTICS}/${path}`);
  expect(expected.status).toBe(200);
  expect([found.status, found.text]).toEqual([200, expected.text]);
});

test('ignores case in paths of analytics schemas, and offers no others', async ({ sandbox }) => {
  await expectAnswers(sandbox, { Accept: '*/*' })`
    GET analytics/SCHEMA/analyticsstatus 200 name="AnalyticsStatus"
    GET analytics/schema 404
    GET analytics/schema/Other 400
    GET ORDERS2/list 404
    GET tickets/COUNT 403`;
});

const PATH = `${BY_TRACKING}&${YEAR}`;

test('uses yesterday and today as the default period', async ({ seeded }) => {
  const { body } = await statistics(seeded, BY_TRACKING);
  const [first, last] = ['startDate=2026-03-17', 'endDate=2026-03-18'];
  for (const query of [`${first}&${last}`, first, last]) {
    expect((await statistics(seeded, `${BY_TRACKING}&${query}`)).body).toEqual(body);
  }
  await expectAnswers(seeded)`GET analytics/${BY_TRACKING}&endDate=2026-03-16 400 endDate`;
});

test('uses inclusive Pacific days', async ({ seeded }) => {
  const all = await listAll(seeded, 'vendor=GREENLEAF&role=VENDOR');
  for (const day of ['2026-03-07', '2026-03-08', '2026-03-09']) {
    const { totals } = await statistics(seeded, `${BY_TRACKING}&startDate=${day}&endDate=${day}`);
    const own = all.filter(({ transactionTime }) => dayOf(transactionTime) === day);
    expectFigures(totals, own, day);
  }
});

test('filters by one case-sensitive value with dimensionFilter', async ({ seeded }) => {
  const all = (await statistics(seeded, PATH)).rows;
  for (const id of ['spring', 'TID99', 'Not Set', 'ünïcode']) {
    const filter = `dimensionFilter=${encodeURIComponent(id)}`;
    const { rows, totals } = await statistics(seeded, `${PATH}&${filter}`);
    expect(rows).toEqual(all.filter(({ value }) => value === id));
    expect(rows).toHaveLength(1);
    expect(totals).toEqual(rows[0]?.figures);
  }
  const none = await statistics(seeded, `${PATH}&dimensionFilter=Spring`);
  expect(none.body.rows).toEqual({ row: null });
  expect(none.totals.GROSS_SALE_COUNT).toBe(0);
});

test.for<[select: string, names: string]>([
  ['select=REFUND_COUNT&select=SALE_AMOUNT&select=REFUND_COUNT', 'REFUND_COUNT SALE_AMOUNT'],
  ['select=HOP_COUNT,SALE_COUNT', 'HOP_COUNT SALE_COUNT'],
  ['select=HOP_COUNT%2CSALE_COUNT', 'HOP_COUNT SALE_COUNT'],
  ['select=hop_count,sale_count,', 'HOP_COUNT SALE_COUNT'],
  ['select=HOP_COUNT,SALE_COUNT&select=REFUND_COUNT', 'HOP_COUNT SALE_COUNT REFUND_COUNT'],
  ['select=DIMENSION_VALUE', ''],
  ['select=sale_count&select=dimension_value', 'SALE_COUNT'],
  ['', FIELDS.join(' ')],
])('selects fields of rows and totals: %s', async ([select, names], { seeded }) => {
  const { body, rows, totals } = await statistics(seeded, `${PATH}&${select}`);
  for (const figures of [...rows.map((row) => row.figures), totals]) {
    expect(Object.keys(figures).join(' ')).toBe(names);
  }
  expect(rows.map(({ value }) => value)).toContain('0012');
  const values = listed(body.rows.row).map(({ data, dimensionValue: $ }) => [
    listed(data).find(({ attribute }) => attribute === 'DIMENSION_VALUE')?.value,
    { '@type': 'xs:string', $ },
  ]);
  const hasValue = select === '' || /dimension_value/i.test(select);
  for (const [found, expected] of values) expect(found).toEqual(hasValue ? expected : undefined);
  expect(JSON.stringify(body.totals)).not.toContain('DIMENSION_VALUE');
});

test('sorts by every field with orderBy, in descending order by default', async ({ seeded }) => {
  const sorted = async (query: string, name: string, sign: number) => {
    const { rows } = await statistics(seeded, `${PATH}${query}`);
    const numbers = rows.map(({ figures }) => Number(figures[name]));
    expect(numbers, name).toEqual(numbers.toSorted((a, b) => sign * (a - b)));
  };
  for (const name of FIELDS) {
    await sorted(`&orderBy=${name}`, name, -1);
    await sorted(`&orderBy=${name}&sortAscending=true`, name, 1);
  }
  for (const more of ['false', 'yes']) {
    await sorted(`&orderBy=HOP_COUNT&sortAscending=${more}`, 'HOP_COUNT', -1);
  }
  await sorted('', 'GROSS_SALE_AMOUNT', -1);
  const { rows } = await statistics(seeded, `${PATH}&orderBy=DIMENSION_VALUE&sortAscending=true`);
  const names = rows.map(({ value }) => value);
  expect(names).toEqual([...names].sort());
});

test('rejects an unknown or unsuitable dimension, field, or role', async ({ sandbox }) => {
  const tracking = `GET analytics/${BY_TRACKING}`;
  await expectAnswers(sandbox)`
    GET analytics/BUYER/TRACKING_ID?account=GREENLEAF 400 AFFILIATE, VENDOR
    GET analytics/VENDOR/WEATHER?account=GREENLEAF 400 dimension
    ${tracking}&select=SALE_COUNT,SALES 400 select
    GET analytics/AFFILIATE/PRODUCT_SKU?account=GREENLEAF 400 only for the role VENDOR
    GET analytics/VENDOR/VENDOR_PRODUCT_SKU?account=GREENLEAF 400 only for the role AFFILIATE
    GET analytics/AFFILIATE/PRODUCT_SKU/summary?account=GREENLEAF&summaryType=VENDOR_ONLY 400 only for the role VENDOR`;
});

test('summarizes sales made alone or with other accounts', async ({ seeded }) => {
  const orders = await listAll(seeded, 'vendor=GREENLEAF&role=VENDOR');
  const path = `${PATH.replace('?', '/summary?')}&summaryType=`;
  const alone = await statistics(seeded, `${path}VENDOR_ONLY`);
  const others = await statistics(seeded, `${path}AFFILIATE_ONLY`);
  const isAlone = ({ affiliate }: Json) => isNil(affiliate);
  expectFigures(alone.totals, orders.filter(isAlone), 'VENDOR_ONLY');
  const rest = orders.filter((order) => !isAlone(order));
  expectFigures(others.totals, rest, 'AFFILIATE_ONLY');
  expectSum([alone.totals, others.totals], (await statistics(seeded, PATH)).totals);
  const ofAffiliate = `AFFILIATE/VENDOR/summary?account=TOPAFF1&${YEAR}&summaryType=`;
  expect((await statistics(seeded, `${ofAffiliate}VENDOR_ONLY`)).rows).toEqual([]);
  const all = await statistics(seeded, `AFFILIATE/VENDOR?account=TOPAFF1&${YEAR}`);
  expect((await statistics(seeded, `${ofAffiliate}AFFILIATE_ONLY`)).body).toEqual(all.body);
});

test('pages more than 100 rows, with the totals of all rows on each page', async ({ large }) => {
  const path = `VENDOR/TRACKING_ID?account=FITLAB24&${YEAR}`;
  const pages = [];
  do pages.push(await statistics(large, path, { Page: `${pages.length + 1}` }));
  while (pages.at(-1)?.status === 206);
  expect(pages.length).toBeGreaterThan(2);
  for (const { rows } of pages.slice(0, -1)) expect(rows).toHaveLength(100);
  const rows = pages.flatMap((page) => page.rows);
  expect(new Set(rows.map(({ value }) => value)).size).toBe(rows.length);
  const figures = rows.map((row) => row.figures);
  for (const { totals } of pages) expectSum(figures, totals);
  const past = await statistics(large, path, { Page: '99' });
  expect([past.status, past.body.rows]).toEqual([200, { row: null }]);
});

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
  const queries = { '1&productId=4': ['1', '4'], '4': ['4'], '9999': [] };
  for (const [id, ids] of Object.entries(queries)) {
    const some = (await wrapped(seeded, `${path}&productId=${id}`)).rows;
    expect(some.map(({ productId }) => productId)).toEqual(ids);
    expect(rows).toEqual(expect.arrayContaining(some));
  }
  await expectAnswers(seeded)`GET analytics/${path}&productId=CLUB-M 400 productId`;
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
  await expectAnswers(seeded, { Page: '0' })`GET analytics/${path} 400`;
});

test('returns no future data', async ({ seeded }) => {
  const ahead = `startDate=${daysAfter(TODAY, 1)}&endDate=${daysAfter(TODAY, 30)}`;
  for (const more of ['', '&groupBy=DATE']) {
    expect((await wrapped(seeded, `${VENDOR}&${ahead}${more}`)).rows).toEqual([]);
  }
});

const QUICKSTATS = '/rest/1.3/quickstats';
const EVER = 'startDate=2025-01-01&endDate=2026-12-31';
const NOWHERE = 'startDate=2020-01-01&endDate=2020-01-31';

const accountsIn = (sandbox: Sandbox, path: string) => rowsAt(sandbox, `quickstats/${path}`);

test('covers the last 45 days including today without dates', async ({ seeded }) => {
  const same = await accountsIn(seeded, `list?startDate=2026-02-01&endDate=${TODAY}`);
  for (const query of ['', '?startDate=2026-02-01', `?endDate=${TODAY}`]) {
    expect(await accountsIn(seeded, `list${query}`)).toEqual(same);
  }
  const days = same
    .flatMap(({ quickStats }) => listed(quickStats))
    .map(({ quickStatDate }) => dayOf(quickStatDate));
  expect(days.toSorted()[0]).toBe('2026-02-01');
  expect(days).toContain(TODAY);
});

test('omits days and accounts without orders in list, but not in count', async ({ sandbox }) => {
  await expectAnswers(sandbox)`GET quickstats/list?${NOWHERE} 200 null`;
  const sums = await accountsIn(sandbox, `count?${NOWHERE}`);
  expect(sums).toHaveLength(6);
  expect(listed(sums[0]?.quickStats)).toEqual([
    { quickStatDate: { '@nil': 'true' }, sale: '0.00', refund: '0.00', chargeback: '0.00' },
  ]);
});

test('selects an account of the key in any case', async ({ seeded }) => {
  const all = await accountsIn(seeded, `list?${EVER}`);
  const picked = all.filter((one) => one.nickName === 'FITLAB24');
  expect(picked).toHaveLength(1);
  expect(await accountsIn(seeded, `list?${EVER}&account=fitlab24`)).toEqual(picked);
});

test('lists the nicknames of the key', async ({ sandbox }) => {
  const found = await accountsIn(sandbox, 'accounts');
  const names = found.map(({ nickName }) => nickName);
  expect([names.length, names.includes('TOPAFF1')]).toEqual([6, true]);
  const one = await getJson(sandbox, `${QUICKSTATS}/accounts`, keyed(sandbox, 'vendor'));
  expect(one.text).toBe('{"accountData":{"nickName":"GREENLEAF"}}');
});
