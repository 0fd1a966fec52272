/** What all analytics have in common: status, access, case and schemas. */
import { expect } from 'vitest';
import { ask, expectAnswers, getJson, test } from '../raw.ts';
import { ANALYTICS } from './analytics-raw.ts';

const MARCH = 'account=GREENLEAF&startDate=2026-03-01&endDate=2026-03-18';

test('reports the status GREEN and the current time, as CSV too', async ({ sandbox }) => {
  const csv = await ask(sandbox, 'GET', `${ANALYTICS}/status`, { Accept: 'text/csv' });
  expect([csv.status, csv.headers['content-type']]).toEqual([200, 'text/csv;charset=UTF-8']);
  expect(csv.text).toBe('status,lastUpdateTime\nGREEN,2026-03-18T12:00:00-07:00\n');
  const path = 'analytics/VENDOR/TRACKING_ID?account=GREENLEAF';
  await expectAnswers(sandbox, 'GET analytics/status 406', { Accept: 'text/html' });
  await expectAnswers(sandbox, `GET ${path} 406`, { Accept: 'text/csv' });
});

test('returns 403 for another account, 400 for a missing or unknown role', async ({ sandbox }) => {
  for (const path of ['TRACKING_ID', 'subscription/trends', 'subscription/details/startdate']) {
    await expectAnswers(
      sandbox,
      `affiliate: GET analytics/VENDOR/${path}?${MARCH} 403 GREENLEAF
      vendor: GET analytics/VENDOR/${path}?${MARCH.replace('GREENLEAF', 'NOBODY')} 403 NOBODY
      GET analytics/BUYER/${path}?${MARCH} 400 AFFILIATE, VENDOR
      GET analytics/VENDOR/${path}?startDate=2026-03-01 400 required`,
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

test('declares the type of a row in its schema, without a root element', async ({ sandbox }) => {
  const path = `${ANALYTICS}/schema/SubscriptionDetailResultRow`;
  const { text } = await ask(sandbox, 'GET', path, { Authorization: '' });
  expect(text).toContain('<xs:complexType name="subscriptionDetailResultRow">');
  expect(text).not.toMatch(/<\/xs:complexType><xs:element|"1.0"><xs:element/);
});
