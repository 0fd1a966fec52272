/** The wire forms of the sandbox, and its XML schemas. */
import { XmlDocument } from 'libxml2-wasm';
import { expect } from 'vitest';
import { catalogue } from '../../../src/operations/index.ts';
import type { Operation } from '../../../src/operations/operation.ts';
import { order } from '../../../src/operations/orders.ts';
import type { Sandbox } from '../../../src/sandbox/http/server.ts';
import { goodValues, sendTo } from '../good-request.ts';
import {
  ask,
  DAY,
  getJson,
  keyed,
  listAll,
  openSandbox,
  pagesOf,
  post,
  rowsIn,
  test,
} from '../raw.ts';
import { elementsOf, officialElements, transcribed } from './official-elements.ts';
import { faultsInJson, schemaOf } from './shape.ts';

const ORDERS = '/rest/1.3/orders2';

test('sends tracking parameters of the service and of the vendor', async ({ seeded }) => {
  const rows = await listAll(seeded, '');
  for (const field of ['commonTrackingParameters', 'affiliateTrackingParameters'] as const) {
    const names = order.fields[field].pairs ?? [];
    const sent = rows.flatMap((row) => (row[field] === undefined ? [] : [row[field] as object]));
    expect(sent.length).toBeGreaterThan(5);
    for (const parameters of sent) {
      expect(Object.keys(parameters)).toEqual(expect.arrayContaining([...names]));
      expect(Object.keys(parameters).length).toBeGreaterThan(names.length);
    }
  }
});

test('replaces characters that XML cannot contain', async ({ sandbox }) => {
  const name = 'a\u0001b\u001f<&>"\' \t\r\n\ufffe😀';
  const query = `address1=x&city=y&countryCode=US&firstName=${encodeURIComponent(name)}`;
  expect((await post(sandbox, `${ORDERS}/SHIPBOX1/changeAddress?${query}`)).status).toBe(204);
  const xml = await ask(sandbox, 'GET', `${ORDERS}/SHIPBOX1`);
  using doc = XmlDocument.fromString(xml.text);
  expect(doc.get('/*/*[1]/firstName')?.content).toBe('a\ufffdb\ufffd<&>"\' \t\r\n\ufffd😀');
  const json = rowsIn(await getJson(sandbox, `${ORDERS}/SHIPBOX1`));
  expect(json[0]?.firstName).toBe(name);
});

const XML = { Accept: 'application/xml' };
const NOWHERE = 'startDate=2020-01-01&endDate=2020-01-31';

async function xmlOf(sandbox: Sandbox, path: string, headers = {}): Promise<string> {
  const { status, text } = await ask(sandbox, 'GET', `/rest/1.3/${path}`, { ...XML, ...headers });
  expect([path, status < 300], text).toEqual([path, true]);
  return text;
}

const schemaAt = async (sandbox: Sandbox, path: string) =>
  schemaOf(await xmlOf(sandbox, path, { Authorization: '' }));

/** The document of a response, if its root is in its schema, and the path of that schema. */
function answerOf({ path, returns }: Operation) {
  if (!('resource' in returns)) return undefined;
  const { kind, resource } = returns;
  const document = kind === 'one' ? resource : returns.inside;
  const [, , service = ''] = path.split('/');
  const { element } = document ?? resource;
  const schemas: Readonly<Record<string, string>> = {
    shippingNoticeData: `${service}/shipnotice/schema`,
    partialRefundData: 'tickets/partialRefundDataSchema',
    analyticsResult: 'analytics/schema/AnalyticsResult',
    AnalyticsStatus: 'analytics/schema/AnalyticsStatus',
    subscriptionDetailResult: 'analytics/schema/SubscriptionDetailResult',
    SubscriptionTrendsData: 'analytics/schema/SubscriptionTrendsData',
  };
  return { schema: schemas[element] ?? `${service}/schema`, document };
}

async function checkXml(sandbox: Sandbox, operation: Operation): Promise<void> {
  const { command, method } = operation;
  const values = goodValues(operation);
  const { status, text } = await sendTo(sandbox, operation, values, XML);
  expect([command, status < 300], text).toEqual([command, true]);
  const answer = answerOf(operation);
  if (!answer) return;
  const { validate, validateRows } = await schemaAt(sandbox, answer.schema);
  // The root of a list is not in its schema, although each row is.
  if (answer.document) validate(text);
  else expect([command, validateRows(text) > 0]).toEqual([command, true]);
  if (method !== 'GET') return;
  const json = await sendTo(sandbox, operation, values, { Accept: 'application/json' });
  expect([command, faultsInJson(json.text)]).toEqual([command, []]);
}

test('sends valid XML, and JSON of the same form as the service, for every operation after every write and 20 days', async () => {
  const sandbox = await openSandbox({ seed: { orders: 600 } });
  const isRead = ({ method }: Operation) => method === 'GET';
  for (const operation of catalogue) if (!isRead(operation)) await checkXml(sandbox, operation);
  await sandbox.advance(20 * DAY);
  const reads = catalogue.filter((operation) => isRead(operation) && answerOf(operation));
  expect(reads.length).toBeGreaterThan(25);
  for (const operation of reads) await checkXml(sandbox, operation);
  const { validateRows } = await schemaAt(sandbox, 'orders2/schema');
  const path = 'orders2/list?startDate=2025-01-01&endDate=2027-12-31';
  const types = new Set<unknown>();
  for (const [list, headers] of [
    [path, {}],
    [path, keyed(sandbox, 'affiliate')],
    [`${path}&role=AFFILIATE`, {}],
  ] as const) {
    const pages = await pagesOf(sandbox, list, headers);
    for (const [at, page] of pages.entries()) {
      const rows = rowsIn(page);
      expect(faultsInJson(page.text)).toEqual([]);
      for (const { transactionType } of rows) types.add(transactionType);
      const xml = await xmlOf(sandbox, list, { ...headers, Page: `${at + 1}` });
      expect(validateRows(xml)).toBe(rows.length);
    }
    expect(pages.flatMap(rowsIn).length).toBeGreaterThan(20);
  }
  const rare = ['CGBK', 'FEE', 'RFND', 'TEST_BILL', 'TEST_FEE', 'TEST_SALE'];
  expect([...types]).toEqual(expect.arrayContaining(rare));
});

test.for([
  ['orders2/schema', 'orders2/list?tid=NOSUCH'],
  ['tickets/schema', 'tickets/list?receipt=NOSUCH99'],
  ['images/schema', 'images/list?site=TOPAFF1'],
  ['quickstats/schema', `quickstats/list?${NOWHERE}`],
  ['shipping/schema', 'shipping/list?receipt=NOSUCH99'],
  ['shipping/shipnotice/schema', 'shipping/shipnotice/PARCEL01'],
  // The roots of these are in their schemas.
  ['products/schema', 'products/list?site=TOPAFF1'],
  [
    'analytics/schema/SubscriptionDetailResult',
    `analytics/VENDOR/subscription/details/startdate?account=GREENLEAF&${NOWHERE}`,
  ],
  [
    'analytics/schema/SubscriptionTrendsData',
    `analytics/VENDOR/subscription/trends?account=GREENLEAF&${NOWHERE}`,
  ],
  ['analytics/schema/AnalyticsResult', `analytics/VENDOR/TRACKING_ID?account=GREENLEAF&${NOWHERE}`],
])('sends valid XML without rows: %s, %s', async ([path, request = ''], { seeded }) => {
  const { validate, validateRows } = await schemaAt(seeded, path ?? '');
  const xml = await xmlOf(seeded, request);
  if (/^(products|analytics)/.test(request)) validate(xml);
  else expect(validateRows(xml)).toBe(0);
});

test.for(Object.keys(officialElements))(
  'serves the elements of the official schema: %s',
  async (path, { seeded }) => {
    const text = await xmlOf(seeded, path, { Authorization: '' });
    expect(elementsOf(text, path)).toEqual(transcribed(path));
  },
);

test('has an official schema for every schema of the sandbox', () => {
  const served = catalogue.filter(({ returns }) => returns.kind === 'schema');
  expect(served.map(({ path }) => path.replace('/1.3/', '')).sort()).toEqual(
    Object.keys(officialElements).sort(),
  );
});
