/**
 * Every XML response of the sandbox is valid against the schema that the sandbox serves, before and after
 * writes, and both have the elements of the schemas that ClickBank publishes. libxml2 validates; paths are literal.
 */
import { XmlDocument } from 'libxml2-wasm';
import { expect } from 'vitest';
import { catalogue } from '../../../src/operations/index.ts';
import type { Sandbox } from '../../../src/sandbox/http/server.ts';
import { ask, keyOf, openSandbox, test } from '../raw.ts';
import {
  compareDocument,
  elementsOf,
  officialElements,
  rootsOf,
  transcribed,
} from './official-elements.ts';
import { validateDocument, validateRows } from './shape.ts';

const YEAR = 'startDate=2025-03-19&endDate=2026-03-18';
const DAY = 86_400;

/** The relation of a service's responses to its schema. */
interface Family {
  /** The path of the schema. */
  readonly schema: string;
  /** Documents whose root is in the schema. */
  readonly documents?: readonly string[];
  /** Lists whose root is not in the schema, although each row is. */
  readonly lists?: readonly string[];
  /** Lists that are empty before and after all writes. */
  readonly empty?: readonly string[];
}

const details = (path: string, more = '') =>
  ['VENDOR', 'AFFILIATE'].map((role) => {
    const account = role === 'VENDOR' ? 'GREENLEAF' : 'TOPAFF1';
    return `analytics/${role}/subscription/details${path}?account=${account}${more}`;
  });

const dimensions = (tail: string, more = '') =>
  [
    ...['AFFILIATE', 'CUSTOMER_CURRENCY', 'CUSTOMER_COUNTRY', 'CUSTOMER_PROVINCE'],
    ...['CUSTOMER_LANGUAGE', 'TRACKING_ID', 'VENDOR', 'VENDOR_CATEGORY'],
  ]
    .flatMap((name) => [
      `VENDOR/${name}${tail}?account=GREENLEAF`,
      `AFFILIATE/${name}${tail}?account=TOPAFF1`,
    ])
    .concat(
      `VENDOR/PRODUCT_SKU${tail}?account=GREENLEAF`,
      `AFFILIATE/VENDOR_PRODUCT_SKU${tail}?account=TOPAFF1`,
    )
    .map((path) => `analytics/${path}&${YEAR}${more}`);

const nowhere = 'startDate=2020-01-01&endDate=2020-01-31';
const trends = 'analytics/VENDOR/subscription/trends?account=GREENLEAF';

const families: readonly Family[] = [
  {
    schema: 'orders2/schema',
    lists: [
      `orders2/list?${YEAR}`,
      `orders2/list?${YEAR}&role=AFFILIATE`,
      ...['MONTHLY1', 'CART0003?sku=KIT-03', 'CHARGE01', 'REFUND01', 'TESTSL01', 'TESTFEE1'].map(
        (receipt) => `orders2/${receipt}`,
      ),
      'orders2/UPSELL01/upsells',
    ],
    empty: [`orders2/list?${YEAR}&tid=NOSUCH`, 'orders2/CART0003?sku=OTHER'],
  },
  {
    schema: 'tickets/schema',
    documents: ['1001', '1002', '1003', '1004'].map((id) => `tickets/${id}`),
    lists: ['tickets/list', 'tickets/list?status=open', 'tickets/list?type=rfnd&status=closed'],
    empty: ['tickets/list?receipt=NOSUCH99'],
  },
  {
    schema: 'tickets/partialRefundDataSchema',
    documents: [
      'tickets/refundAmounts/MONTHLY1?refundType=PARTIAL_PERCENT&refundAmount=50',
      'tickets/refundAmounts/PARCEL01?refundType=FULL&refundAmount=1',
    ],
  },
  {
    schema: 'products/schema',
    documents: [
      ...['CLUB-M', 'KIT-01', 'TROWEL', 'CLUB-BOX-M'].map(
        (sku) => `products/${sku}?site=GREENLEAF`,
      ),
      ...['GREENLEAF', 'FITLAB24', 'COOKWELL', 'CODEMENTOR', 'YOGAHOME'].map(
        (site) => `products/list?site=${site}`,
      ),
      'products/list?site=GREENLEAF&type=RECURRING',
      'products/list?site=GREENLEAF&type=STANDARD',
      // An affiliate sells nothing: its list is empty.
      'products/list?site=TOPAFF1',
    ],
  },
  {
    schema: 'images/schema',
    lists: [
      'images/list?site=GREENLEAF&approvedOnly=false',
      'images/list?site=FITLAB24&type=PRODUCT',
    ],
    empty: ['images/list?site=TOPAFF1'],
  },
  {
    schema: 'quickstats/schema',
    lists: [
      'quickstats/list',
      'quickstats/count',
      'quickstats/accounts',
      `quickstats/list?${YEAR}`,
    ],
    empty: [`quickstats/list?${nowhere}`],
  },
  ...['shipping', 'shipping2', 'shipping3'].flatMap((service) => [
    {
      schema: `${service}/schema`,
      lists: [`${service}/list?${YEAR}`, `${service}/list?receipt=PARCEL02`],
      empty: [`${service}/list?receipt=NOSUCH99`, `${service}/list?${nowhere}`],
    },
    {
      schema: `${service}/shipnotice/schema`,
      lists: [`${service}/shipnotice/NOTED`],
      empty: [`${service}/shipnotice/SHIPBOX1`],
    },
  ]),
  { schema: 'analytics/schema/AnalyticsStatus', documents: ['analytics/status'] },
  {
    schema: 'analytics/schema/SubscriptionDetailResult',
    documents: [
      ...details(''),
      ...['/compthirty', '/compsixty', '/cancelthirty', '/cancelsixty'].flatMap((path) =>
        details(path),
      ),
      ...['/startdate', '/canceldate', '/nextpmtdate'].flatMap((path) => details(path, `&${YEAR}`)),
      ...['ACTIVE', 'COMPLETED', 'CANCELED', 'RETRY_PAYMENT', 'REQUEST_NEW_CARD'].flatMap(
        (status) => details('/status', `&status=${status}`),
      ),
      ...details('/startdate', `&${nowhere}`),
    ],
  },
  {
    schema: 'analytics/schema/SubscriptionTrendsData',
    documents: [
      `${trends}&${YEAR}`,
      `${trends}&startDate=2026-01-01&endDate=2026-03-18&groupBy=DATE`,
      `analytics/AFFILIATE/subscription/trends?account=TOPAFF1&${YEAR}`,
      `${trends}&${nowhere}`,
    ],
  },
  {
    schema: 'analytics/schema/AnalyticsResult',
    documents: [
      ...dimensions(''),
      ...dimensions('/summary', '&summaryType=AFFILIATE_ONLY'),
      ...dimensions('/summary', '&summaryType=VENDOR_ONLY'),
      `analytics/VENDOR/TRACKING_ID?account=GREENLEAF&${nowhere}`,
      `analytics/VENDOR/TRACKING_ID?account=GREENLEAF&${YEAR}&select=DIMENSION_VALUE&select=HOP_COUNT`,
    ],
  },
];

const counts = [
  `orders2/count?${YEAR}`,
  'tickets/count',
  ...['shipping', 'shipping2', 'shipping3'].map((service) => `${service}/count?days=300`),
];

async function xmlOf(sandbox: Sandbox, path: string, headers: Record<string, string> = {}) {
  const response = await ask(sandbox, 'GET', `/rest/1.3/${path}`, {
    Accept: 'application/xml',
    ...headers,
  });
  expect([path, response.status < 300, response.headers['content-type']]).toEqual([
    path,
    true,
    'application/xml',
  ]);
  return response;
}

/** Runs a validation and adds the path to its error. */
function validated<T>(path: string, validate: () => T): T {
  try {
    return validate();
  } catch (cause) {
    throw new Error(`${path}: ${(cause as Error).message}`, { cause });
  }
}

/** A schema of the sandbox, and its path, by which the official one is known. */
interface Schema {
  readonly path: string;
  readonly text: string;
}

async function schemaAt(sandbox: Sandbox, path: string): Promise<Schema> {
  return { path, text: (await xmlOf(sandbox, path, { Authorization: '' })).text };
}

/** Returns the number of elements that were compared. */
function expectOfficial({ path: schema }: Schema, path: string, xml: string): number {
  const { faults, elements } = compareDocument(schema, xml);
  expect([path, [...new Set(faults)]]).toEqual([path, []]);
  return elements;
}

/** The rows of all pages of a list, after validation. */
async function countRows(sandbox: Sandbox, schema: Schema, path: string, headers = {}) {
  let rows = 0;
  for (let page = 1; ; page += 1) {
    const { status, text } = await xmlOf(sandbox, path, { Page: String(page), ...headers });
    const found = validated(path, () => validateRows(schema.text, text));
    const compared = expectOfficial(schema, path, text);
    expect([path, compared >= found]).toEqual([path, true]);
    rows += found;
    if (status !== 206) return rows;
  }
}

async function checkDocuments(sandbox: Sandbox, schema: Schema, path: string) {
  for (let page = 1; ; page += 1) {
    const { status, text } = await xmlOf(sandbox, path, { Page: String(page) });
    validated(path, () => validateDocument(schema.text, text));
    expectOfficial(schema, path, text);
    if (status !== 206) return;
  }
}

async function checkFamily(sandbox: Sandbox, family: Family, noted: string) {
  const schema = await schemaAt(sandbox, family.schema);
  for (const path of family.documents ?? []) await checkDocuments(sandbox, schema, path);
  for (const path of family.lists ?? []) {
    const rows = await countRows(sandbox, schema, path.replace('NOTED', noted));
    expect([path, rows > 0]).toEqual([path, true]);
  }
  for (const path of family.empty ?? []) {
    expect([path, await countRows(sandbox, schema, path)]).toEqual([path, 0]);
  }
}

/** A count is not a resource: its document contains a number and has no schema. */
async function checkCount(sandbox: Sandbox, path: string) {
  const { text } = await xmlOf(sandbox, path);
  using document = XmlDocument.fromString(text);
  expect([path, document.root.name, document.root.content]).toEqual([
    path,
    'count',
    expect.stringMatching(/^[1-9]\d*$/),
  ]);
}

async function checkEverything(sandbox: Sandbox, noted: string) {
  for (const family of families) await checkFamily(sandbox, family, noted);
  for (const path of counts) await checkCount(sandbox, path);
}

/** A receipt of the seed that has a ship notice. */
async function notedReceipt(sandbox: Sandbox): Promise<string> {
  const { text } = await xmlOf(sandbox, `shipping2/list?${YEAR}&status=shipped`);
  const [, receipt] = /<receipt>(\w+)<\/receipt>/.exec(text) ?? [];
  if (receipt === undefined) throw new Error('no shipped order in the seed');
  return receipt;
}

const SAVE =
  'site=GREENLEAF&currency=EUR&price=10.00&language=DE&title=%3CN%C3%A9w%3E%20%26%20%22x%22&mobilePitchPage=http://a.example&thankYouPage=http://a.example';

/** Every write operation, and the schema of its response. */
const writes: readonly (readonly [request: string, schema?: string])[] = [
  [
    'POST tickets/DIGITAL1?type=rfnd&reason=ticket.type.refund.2&refundType=FULL&comment=%3Ca%3E%01',
    'tickets/schema',
  ],
  [
    'POST tickets/CART0003?sku=KIT-02&type=rfnd&reason=ticket.type.refund.8&refundType=PARTIAL_PERCENT&refundAmount=12.5',
    'tickets/schema',
  ],
  ['POST tickets/MONTHLY1?type=cncl&reason=ticket.type.cancel.5', 'tickets/schema'],
  [
    'POST tickets/PARCEL01?type=rfnd&reason=ticket.type.refund.returned&refundType=FULL',
    'tickets/schema',
  ],
  ['POST tickets/PARCEL02?type=tech&reason=ticket.type.tech_support.10', 'tickets/schema'],
  ['PUT tickets/1001?comment=We%20%3Care%3E%20on%20it', 'tickets/schema'],
  ['PUT tickets/1001', 'tickets/schema'],
  ['PUT tickets/1001?action=close', 'tickets/schema'],
  ['PUT tickets/1002?action=reopen&comment=again', 'tickets/schema'],
  ['PUT tickets/1003?action=change&type=cncl', 'tickets/schema'],
  ['POST tickets/1004/returned'],
  ['POST orders2/CANCEL01/reinstate'],
  ['POST orders2/LIMITED1/extend?numPeriods=2'],
  ['POST orders2/LIMITED1/pause?restartDate=2026-05-10'],
  ['POST orders2/SHIPBOX1/changeDate?changeDate=2026-04-10'],
  [
    'POST orders2/SHIPBOX1/changeAddress?address1=%3C1%3E&city=B%26B&countryCode=US&firstName=%01%EF%BF%BF',
  ],
  ['POST orders2/CANCEL01/changeProduct?oldSku=CLUB-M&newSku=CLUB-PLUS-M'],
  [`PUT products/NEW-01?${SAVE}&digital=true&categories=EBOOK&categories=AUDIO&image=9502`],
  [
    `PUT products/NEW-02?${SAVE}&physicalRecurring=true&description=x&rebillPrice=9.00&trialPeriod=0&frequency=MONTHLY&duration=999&shippingProfile=Parcel&preRebillNotificationOverride=true&preRebillNotificationLeadTime=5`,
  ],
  ['DELETE products/GUIDE-01?site=GREENLEAF'],
  [
    'POST shipping/shipnotice/PARCEL01?date=2026-03-18&carrier=%3CUPS%3E',
    'shipping/shipnotice/schema',
  ],
  [
    'POST shipping2/shipnotice/PARCEL02?date=2026-03-18&carrier=USPS&item=GLOVES&fillOrder=true',
    'shipping2/shipnotice/schema',
  ],
  [
    'POST shipping3/shipnotice/PARCEL02?date=2026-03-18&carrier=USPS&item=TROWEL&tracking=1&comments=%26',
    'shipping3/shipnotice/schema',
  ],
];

async function write(sandbox: Sandbox, request: string, schema: string | undefined) {
  const [method = '', path = ''] = request.split(' ');
  const headers = { Accept: 'application/xml', 'Content-Length': '0' };
  const response = await ask(sandbox, method, `/rest/1.3/${path}`, headers);
  expect([request, response.status < 300], response.text).toEqual([request, true]);
  if (schema === undefined) return;
  const official = await schemaAt(sandbox, schema);
  validated(request, () => validateDocument(official.text, response.text));
  expect(expectOfficial(official, request, response.text)).toBeGreaterThan(1);
}

test('validates every XML response against the schema of a seeded sandbox', async ({ seeded }) => {
  await checkEverything(seeded, await notedReceipt(seeded));
});

test('validates every XML response after every kind of write and after time has passed', async () => {
  const sandbox = await openSandbox({ seed: { orders: 600 } });
  const noted = await notedReceipt(sandbox);
  for (const [request, schema] of writes) await write(sandbox, request, schema);
  await checkEverything(sandbox, noted);
  await checkDocuments(
    sandbox,
    await schemaAt(sandbox, 'products/schema'),
    'products/NEW-02?site=GREENLEAF',
  );
  await sandbox.advance(45 * DAY);
  await checkEverything(sandbox, noted);
});

test('validates the responses to an affiliate', async ({ seeded }) => {
  const headers = { Authorization: keyOf(seeded, 'affiliate') };
  const schema = await schemaAt(seeded, 'orders2/schema');
  expect(await countRows(seeded, schema, `orders2/list?${YEAR}`, headers)).toBeGreaterThan(20);
});

test.for(Object.keys(officialElements))(
  'serves the elements of the official schema: %s',
  async (path, { seeded }) => {
    const { text } = await schemaAt(seeded, path);
    expect(elementsOf(text, rootsOf(path))).toEqual(transcribed(path));
  },
);

test('finds every difference of a document from the official schema', () => {
  const order = (content: string) =>
    compareDocument('orders2/schema', `<x><orderData>${content}</orderData></x>`).faults;
  const nil = 'xsi:nil="true" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"';
  expect(order('<receipt>A</receipt><vendor>B</vendor>')).toEqual([]);
  expect(order('<vendor>B</vendor><receipt>A</receipt>')).toEqual([
    'orderData/receipt: out of order',
  ]);
  expect(order('<receipt/><receipt/>')).toEqual(['orderData/receipt: out of order']);
  expect(order(`<lineItemData/><lineItemData ${nil}/>`)).toEqual(['orderData/lineItemData: nil']);
  expect(order('<Receipt>A</Receipt>')).toEqual(['orderData/Receipt: unknown']);
  expect(order('<receipt><a/></receipt>')).toEqual(['orderData/receipt: has elements']);
  const product = compareDocument('products/schema', '<product sku="A" nr="1"/>').faults;
  expect(product).toContain('Product/no_commission: missing');
  expect(product).toContain('Product/@nr: unknown');
});

test('has an official schema for every schema of the sandbox', () => {
  const served = catalogue.filter(({ returns }) => returns.kind === 'schema');
  expect(served.map(({ path }) => path.replace('/1.3/', '')).sort()).toEqual(
    Object.keys(officialElements).sort(),
  );
});

/** `orders2/list` for `/1.3/orders2/list`, as in the tables above. */
function asked(path: string): RegExp {
  const pattern = path.replace('/1.3/', '').replaceAll(/\{\w+\}/g, '[^/?]+');
  return new RegExp(`^${pattern}(\\?|$)`);
}

test('covers every operation that returns XML', () => {
  const reads = families.flatMap(({ schema, documents = [], lists = [], empty = [] }) => [
    schema,
    ...documents,
    ...lists,
    ...empty,
  ]);
  const requests = [
    ...[...reads, ...counts].map((path) => `GET ${path}`),
    ...writes.map(([request]) => request),
  ].map((request) => request.split(' '));
  const answered = catalogue.filter(({ returns }) => returns.kind !== 'answer');
  const missing = answered.filter(
    ({ method, path }) =>
      !requests.some(([verb, to = '']) => verb === method && asked(path).test(to)),
  );
  expect(missing.map(({ method, path }) => `${method} ${path}`)).toEqual([
    // It describes the rows of the subscription listings and is not the root of a document.
    'GET /1.3/analytics/schema/SubscriptionDetailResultRow',
  ]);
});
