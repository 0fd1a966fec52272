/** Analytics of figures: status, access, case and schemas, and the period, dimension, fields and order. */
import { expect } from 'vitest';
import {
  ask,
  dayOf,
  expectAnswers,
  getJson,
  isNil,
  type Json,
  listAll,
  listed,
  test,
} from '../raw.ts';
import {
  ANALYTICS,
  BY_TRACKING,
  expectFigures,
  expectSum,
  FIELDS,
  statistics,
  YEAR,
} from './analytics-raw.ts';

const MARCH = 'account=GREENLEAF&startDate=2026-03-01&endDate=2026-03-18';

test('reports the status GREEN and the current time, as CSV too', async ({ sandbox }) => {
  const csv = await ask(sandbox, 'GET', `${ANALYTICS}/status`, { Accept: 'text/csv' });
  expect([csv.status, csv.headers['content-type']]).toEqual([200, 'text/csv;charset=UTF-8']);
  expect(csv.text).toBe('status,lastUpdateTime\nGREEN,2026-03-18T12:00:00-07:00\n');
  const path = 'analytics/VENDOR/TRACKING_ID?account=GREENLEAF';
  await expectAnswers(sandbox, 'GET analytics/status 406', { Accept: 'text/html' });
  await expectAnswers(sandbox, `GET ${path} 406`, { Accept: 'text/csv' });
});

test('returns 403 for another account, 400 for an unknown role', async ({ sandbox }) => {
  for (const path of ['TRACKING_ID', 'subscription/trends', 'subscription/details/startdate']) {
    await expectAnswers(
      sandbox,
      `affiliate: GET analytics/VENDOR/${path}?${MARCH} 403 GREENLEAF
      GET analytics/BUYER/${path}?${MARCH} 400 AFFILIATE, VENDOR`,
    );
  }
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
  const [found, expected] = [
    await getJson(seeded, `${ANALYTICS}/${lowered(path)}`),
    await getJson(seeded, `${ANALYTICS}/${path}`),
  ];
  expect(expected.status).toBe(200);
  expect([found.status, found.text]).toEqual([200, expected.text]);
});

test('ignores case in the paths of analytics schemas only, and offers no other schemas', async ({
  sandbox,
}) => {
  await expectAnswers(
    sandbox,
    `GET analytics/SCHEMA/analyticsstatus 200 name="AnalyticsStatus"
    GET analytics/schema 404
    GET analytics/schema/Other 400
    GET ORDERS2/list 404
    GET tickets/COUNT 403`,
    { Accept: '*/*' },
  );
});

const PATH = `${BY_TRACKING}&${YEAR}`;

test('uses yesterday and today as the default period', async ({ seeded }) => {
  const { body } = await statistics(seeded, BY_TRACKING);
  const [first, last] = ['startDate=2026-03-17', 'endDate=2026-03-18'];
  for (const query of [`${first}&${last}`, first, last]) {
    expect((await statistics(seeded, `${BY_TRACKING}&${query}`)).body).toEqual(body);
  }
  await expectAnswers(seeded, `GET analytics/${BY_TRACKING}&endDate=2026-03-16 400 endDate`);
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
])(
  'selects fields of rows and totals in order, and returns DIMENSION_VALUE as text in rows: %s',
  async ([select, names], { seeded }) => {
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
  },
);

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
  const summary = tracking.replace('?', '/summary?');
  await expectAnswers(
    sandbox,
    `GET analytics/VENDOR/WEATHER?account=GREENLEAF 400 dimension
    ${tracking}&select=SALE_COUNT&select=SALES 400 select
    ${tracking}&select=SALE_COUNT,SALES 400 select
    GET analytics/AFFILIATE/PRODUCT_SKU?account=GREENLEAF 400 only for the role VENDOR
    GET analytics/VENDOR/VENDOR_PRODUCT_SKU?account=GREENLEAF 400 only for the role AFFILIATE
    GET analytics/AFFILIATE/PRODUCT_SKU/summary?account=GREENLEAF&summaryType=VENDOR_ONLY 400 only for the role VENDOR
    ${summary}&summaryType=ALL 400 VENDOR_ONLY, AFFILIATE_ONLY`,
  );
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
});

test('has no sales made alone for an affiliate', async ({ seeded }) => {
  const path = `AFFILIATE/VENDOR/summary?account=TOPAFF1&${YEAR}&summaryType=`;
  expect((await statistics(seeded, `${path}VENDOR_ONLY`)).rows).toEqual([]);
  const all = await statistics(seeded, `AFFILIATE/VENDOR?account=TOPAFF1&${YEAR}`);
  expect((await statistics(seeded, `${path}AFFILIATE_ONLY`)).body).toEqual(all.body);
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
