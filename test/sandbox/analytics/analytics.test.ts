import { XmlDocument, XsdValidator } from 'libxml2-wasm';
import { expect } from 'vitest';
import * as field from '../../../src/operations/resource.ts';
import { writeJson } from '../../../src/sandbox/http/json.ts';
import { writeXml, writeXsd } from '../../../src/sandbox/http/xml.ts';
import { validateDocument } from '../codec/shape.ts';
import { ask, getJson, test } from '../raw.ts';
import { ANALYTICS, expectRefusal } from './analytics-raw.ts';

const STATUS = `${ANALYTICS}/status`;
const MARCH = 'account=GREENLEAF&startDate=2026-03-01&endDate=2026-03-18';

test('reports the status GREEN and the current time', async ({ sandbox }) => {
  expect(JSON.parse((await getJson(sandbox, STATUS)).text)).toEqual({
    status: 'GREEN',
    lastUpdateTime: '2026-03-18T12:00:00-07:00',
  });
});

test('offers the status as CSV too', async ({ sandbox }) => {
  const csv = await ask(sandbox, 'GET', STATUS, { Accept: 'text/csv' });
  expect([csv.status, csv.headers['content-type']]).toEqual([200, 'text/csv;charset=UTF-8']);
  expect(csv.text).toBe('status,lastUpdateTime\nGREEN,2026-03-18T12:00:00-07:00\n');
  for (const Accept of ['text/html', 'image/png']) {
    expect((await ask(sandbox, 'GET', STATUS, { Accept })).status).toBe(406);
  }
  const rows = `${ANALYTICS}/VENDOR/TRACKING_ID?account=GREENLEAF`;
  expect((await ask(sandbox, 'GET', rows, { Accept: 'text/csv' })).status).toBe(406);
});

test('returns 403 for another account, 400 for a missing or unknown role', async ({ sandbox }) => {
  for (const path of ['TRACKING_ID', 'subscription/trends', 'subscription/details/startdate']) {
    const query = `${path}?${MARCH}`;
    await expectRefusal(sandbox, `VENDOR/${query}`, 403, 'GREENLEAF', 'affiliate');
    await expectRefusal(
      sandbox,
      `VENDOR/${query.replace('GREENLEAF', 'NOBODY')}`,
      403,
      'NOBODY',
      'vendor',
    );
    await expectRefusal(sandbox, `BUYER/${query}`, 400, 'AFFILIATE, VENDOR');
    await expectRefusal(sandbox, `VENDOR/${path}?startDate=2026-03-01`, 400, 'required');
  }
});

const IN_ANY_CASE = [
  [
    `vendor/subscription/trends?${MARCH}&groupBy=date`,
    `VENDOR/subscription/trends?${MARCH}&groupBy=DATE`,
  ],
  [
    `affiliate/subscription/details?account=TOPAFF1&orderBy=purchase_date&sortDirection=desc`,
    `AFFILIATE/subscription/details?account=TOPAFF1&orderBy=PURCHASE_DATE&sortDirection=DESC`,
  ],
  [
    `Vendor/Subscription/Details/Status?account=greenleaf&status=active`,
    `VENDOR/subscription/details/status?account=GREENLEAF&status=ACTIVE`,
  ],
  [
    `vendor/subscription/details/CompSixty?account=GREENLEAF`,
    `VENDOR/subscription/details/compsixty?account=GREENLEAF`,
  ],
  [
    `vendor/tracking_id?${MARCH}&select=sale_count&select=Hop_Count&orderBy=sale_count&sortAscending=TRUE`,
    `VENDOR/TRACKING_ID?${MARCH}&select=SALE_COUNT&select=HOP_COUNT&orderBy=SALE_COUNT&sortAscending=true`,
  ],
  [
    `vendor/product_sku/summary?${MARCH}&summaryType=affiliate_only`,
    `VENDOR/PRODUCT_SKU/summary?${MARCH}&summaryType=AFFILIATE_ONLY`,
  ],
  ['STATUS', 'status'],
] as const;

test.for(IN_ANY_CASE)('treats %s like %s', async ([written, specified], { seeded }) => {
  const [found, expected] = [
    await getJson(seeded, `${ANALYTICS}/${written}`),
    await getJson(seeded, `${ANALYTICS}/${specified}`),
  ];
  expect(expected.status).toBe(200);
  expect([found.status, found.text]).toEqual([200, expected.text]);
});

test('ignores case in the paths of analytics schemas', async ({ sandbox }) => {
  const { status, text } = await ask(sandbox, 'GET', '/rest/1.3/analytics/SCHEMA/analyticsstatus');
  expect([status, text]).toEqual([200, expect.stringContaining('name="AnalyticsStatus"')]);
});

test('respects case in the paths of other services', async ({ sandbox }) => {
  expect((await getJson(sandbox, '/rest/1.3/ORDERS2/list')).status).toBe(404);
  expect((await getJson(sandbox, '/rest/1.3/tickets/COUNT')).status).toBe(403);
});

test('declares the type of a row in its schema, without a root element', async ({ sandbox }) => {
  const path = `${ANALYTICS}/schema/SubscriptionDetailResultRow`;
  const { text } = await ask(sandbox, 'GET', path, { Authorization: '' });
  expect(text).toContain('<xs:complexType name="subscriptionDetailResultRow">');
  using xsd = XmlDocument.fromString(text);
  using validator = XsdValidator.fromDoc(xsd);
  using doc = XmlDocument.fromString('<subscriptionDetailResultRow/>');
  expect(() => validator.validate(doc)).toThrow();
  expect(text).not.toMatch(/<\/xs:complexType><xs:element|"1.0"><xs:element/);
});

test('offers no other schemas', async ({ sandbox }) => {
  expect((await ask(sandbox, 'GET', `${ANALYTICS}/schema`)).status).toBe(404);
  const other = await ask(sandbox, 'GET', `${ANALYTICS}/schema/Other`);
  expect(other.status).toBe(400);
});

test('types self-describing numbers as long if whole, otherwise decimal', () => {
  const figure = field.resource('figure', [], { value: field.typed(field.decimal) });
  expect(writeJson(figure, { value: 31 })).toBe('{"value":{"@type":"xs:long","$":"31"}}');
  expect(writeJson(figure, { value: '-0.50' })).toBe(
    '{"value":{"@type":"xs:decimal","$":"-0.50"}}',
  );
  const xml = writeXml(figure, { value: 31 });
  expect(xml).toContain('xsi:type="xs:long">31</value>');
  validateDocument(writeXsd(figure), xml);
  const wrong = xml.replace('>31<', '>3.1<');
  expect(() => validateDocument(writeXsd(figure), wrong)).toThrow();
});
