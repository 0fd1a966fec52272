/**
 * Every response with rows, before and after writes: its XML is valid against the schema that the sandbox serves, both
 * have the elements of the schemas that ClickBank publishes, and its JSON has the structure of the resource and the
 * values of the XML. libxml2 validates; paths are literal.
 */
import { XmlDocument, type XmlElement } from 'libxml2-wasm';
import { expect } from 'vitest';
import { catalogue } from '../../../src/operations/index.ts';
import type { Sandbox } from '../../../src/sandbox/http/server.ts';
import { ask, getJson, keyOf, openSandbox, test } from '../raw.ts';
import {
  compareDocument,
  elementsOf,
  officialElements,
  rootsOf,
  transcribed,
} from './official-elements.ts';
import { faultsInJson, validateDocument, validateRows } from './shape.ts';

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

/** A schema of the sandbox, and its path, by which the official one is known. */
interface Schema {
  readonly path: string;
  readonly text: string;
}

async function schemaAt(sandbox: Sandbox, path: string): Promise<Schema> {
  return { path, text: (await xmlOf(sandbox, path, { Authorization: '' })).text };
}

/** Validates a response; returns the number of elements that were compared with the official schema. */
function validate({ path: schema, text }: Schema, path: string, xml: string, isList: boolean) {
  let rows = 0;
  try {
    if (isList) rows = validateRows(text, xml);
    else validateDocument(text, xml);
  } catch (cause) {
    throw new Error(`${path}: ${(cause as Error).message}`, { cause });
  }
  const { faults, elements } = compareDocument(schema, xml);
  expect([path, [...new Set(faults)], elements >= rows]).toEqual([path, [], true]);
  return { rows, elements };
}

type Leaves = Readonly<Record<string, number>>;

/** Characters that XML cannot contain. */
const UNWRITABLE = /[^\t\n\r\u{20}-\u{FFFD}\u{10000}-\u{10FFFF}]/gu;

/** Counts each scalar by its path, without list positions. */
function leavesOfJson(value: unknown, path = '', leaves: Record<string, number> = {}): Leaves {
  const count = (text: unknown) => {
    const leaf = `${path}=${text}`.replaceAll(UNWRITABLE, '\ufffd');
    leaves[leaf] = (leaves[leaf] ?? 0) + 1;
  };
  if (Array.isArray(value)) for (const one of value) leavesOfJson(one, path, leaves);
  else if (typeof value !== 'object' || value === null) count(value ?? '');
  else if ('$' in value) count(value.$);
  else if ('@nil' in value) count('nil');
  else {
    for (const [key, inner] of Object.entries(value))
      leavesOfJson(inner, `${path}/${key.replace('@', '')}`, leaves);
  }
  return leaves;
}

function leavesOfXml(element: XmlElement, path = '', leaves: Record<string, number> = {}): Leaves {
  const count = (leaf: string) => {
    leaves[leaf] = (leaves[leaf] ?? 0) + 1;
  };
  const children = element.find('*') as XmlElement[];
  for (const child of children) leavesOfXml(child, `${path}/${child.name}`, leaves);
  const isNil = element.attrs.some(({ name }) => name === 'nil');
  for (const { name, value } of element.attrs) {
    if (name !== 'nil' && name !== 'type') count(`${path}/${name}=${value}`);
  }
  if (isNil || children.length === 0) count(`${path}=${isNil ? 'nil' : element.content}`);
  return leaves;
}

/** An empty list is null in JSON and an element without content in XML. */
const withoutNothing = (leaves: Leaves) =>
  Object.fromEntries(Object.entries(leaves).filter(([leaf]) => !leaf.endsWith('=')));

/** The resource of a path in the tables. */
function returnsOf(path: string) {
  const [operation] = catalogue
    .filter(({ method, path: known }) => method === 'GET' && asked(known).test(path))
    .sort((one, other) => one.path.split('{').length - other.path.split('{').length);
  if (!operation || !('resource' in operation.returns)) throw new Error(`no rows: ${path}`);
  return operation.returns;
}

async function compareWithJson(sandbox: Sandbox, path: string, xml: string, headers: object) {
  const json = await getJson(sandbox, `/rest/1.3/${path}`, { ...headers });
  expect(json.headers['content-type']).toBe('application/json');
  using document = XmlDocument.fromString(xml);
  const inXml = withoutNothing(leavesOfXml(document.root));
  expect([path, withoutNothing(leavesOfJson(JSON.parse(json.text)))]).toEqual([path, inXml]);
  // Without empty lists, which are null.
  const body = JSON.parse(json.text, (_, value) => value ?? undefined) ?? {};
  const returns = returnsOf(path);
  const { kind, resource } = returns;
  const inside = kind === 'one' ? resource : returns.inside;
  const rows = [body[resource.element] ?? []].flat();
  const faults = inside
    ? faultsInJson(inside, body)
    : rows.flatMap((row) => faultsInJson(resource, row));
  // Counts in trends are whole, although the schema allows decimals.
  expect(faults.filter((fault) => !/Cnt: \d+ is not a decimal$/.test(fault))).toEqual([]);
}

/** Checks all pages of a response, and returns the number of rows if it is a list. */
async function checkPages(
  sandbox: Sandbox,
  schema: Schema,
  path: string,
  isList: boolean,
  headers = {},
) {
  let rows = 0;
  for (let page = 1; ; page += 1) {
    const sent = { Page: String(page), ...headers };
    const { status, text } = await xmlOf(sandbox, path, sent);
    rows += validate(schema, path, text, isList).rows;
    await compareWithJson(sandbox, path, text, sent);
    if (status !== 206) return rows;
  }
}

async function checkFamily(sandbox: Sandbox, family: Family, noted: string) {
  const schema = await schemaAt(sandbox, family.schema);
  for (const path of family.documents ?? []) await checkPages(sandbox, schema, path, false);
  for (const path of family.lists ?? []) {
    const rows = await checkPages(sandbox, schema, path.replace('NOTED', noted), true);
    expect([path, rows > 0]).toEqual([path, true]);
  }
  for (const path of family.empty ?? []) {
    expect([path, await checkPages(sandbox, schema, path, true)]).toEqual([path, 0]);
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

const TICKET = 'tickets/schema';

/** Every write operation, and the schema of its response. */
const writes = `
POST tickets/DIGITAL1?type=rfnd&reason=ticket.type.refund.2&refundType=FULL&comment=%3Ca%3E%01 ${TICKET}
POST tickets/CART0003?sku=KIT-02&type=rfnd&reason=ticket.type.refund.8&refundType=PARTIAL_PERCENT&refundAmount=12.5 ${TICKET}
POST tickets/MONTHLY1?type=cncl&reason=ticket.type.cancel.5 ${TICKET}
POST tickets/PARCEL01?type=rfnd&reason=ticket.type.refund.returned&refundType=FULL ${TICKET}
POST tickets/PARCEL02?type=tech&reason=ticket.type.tech_support.10 ${TICKET}
PUT tickets/1001?comment=We%20%3Care%3E%20on%20it ${TICKET}
PUT tickets/1001 ${TICKET}
PUT tickets/1001?action=close ${TICKET}
PUT tickets/1002?action=reopen&comment=again ${TICKET}
PUT tickets/1003?action=change&type=cncl ${TICKET}
POST tickets/1004/returned
POST orders2/CANCEL01/reinstate
POST orders2/LIMITED1/extend?numPeriods=2
POST orders2/LIMITED1/pause?restartDate=2026-05-10
POST orders2/SHIPBOX1/changeDate?changeDate=2026-04-10
POST orders2/SHIPBOX1/changeAddress?address1=%3C1%3E&city=B%26B&countryCode=US&firstName=%01%EF%BF%BF
POST orders2/CANCEL01/changeProduct?oldSku=CLUB-M&newSku=CLUB-PLUS-M&carryAffiliate=true
PUT products/NEW-01?${SAVE}&digital=true&categories=EBOOK&categories=AUDIO&image=9502
PUT products/NEW-02?${SAVE}&physicalRecurring=true&description=x&rebillPrice=9.00&trialPeriod=0&frequency=MONTHLY&duration=999&shippingProfile=Parcel&preRebillNotificationOverride=true&preRebillNotificationLeadTime=5
DELETE products/GUIDE-01?site=GREENLEAF
POST shipping/shipnotice/PARCEL01?date=2026-03-18&carrier=%3CUPS%3E&comments=%20two%20%20spaces%20 shipping/shipnotice/schema
POST shipping2/shipnotice/PARCEL02?date=2026-03-18&carrier=USPS&item=GLOVES&fillOrder=true shipping2/shipnotice/schema
POST shipping3/shipnotice/PARCEL02?date=2026-03-18&carrier=USPS&item=TROWEL&tracking=1&comments=%26 shipping3/shipnotice/schema`
  .trim()
  .split('\n')
  .map((line): readonly [request: string, schema: string | undefined] => {
    const [method, path, schema] = line.split(' ');
    return [`${method} ${path}`, schema];
  });

async function write(sandbox: Sandbox, request: string, schema: string | undefined) {
  const [method = '', path = ''] = request.split(' ');
  const headers = { Accept: 'application/xml', 'Content-Length': '0' };
  const response = await ask(sandbox, method, `/rest/1.3/${path}`, headers);
  expect([request, response.status < 300], response.text).toEqual([request, true]);
  if (schema === undefined) return;
  const { elements } = validate(await schemaAt(sandbox, schema), request, response.text, false);
  expect(elements).toBeGreaterThan(1);
}

test('sends valid XML, and the same values as JSON, from a seeded sandbox', async ({ seeded }) => {
  await checkEverything(seeded, await notedReceipt(seeded));
  const headers = { Authorization: keyOf(seeded, 'affiliate') };
  const schema = await schemaAt(seeded, 'orders2/schema');
  const path = `orders2/list?${YEAR}`;
  expect(await checkPages(seeded, schema, path, true, headers)).toBeGreaterThan(20);
});

test('sends valid XML, and the same values as JSON, after every kind of write and after months', async () => {
  const sandbox = await openSandbox({ seed: { orders: 600 } });
  const noted = await notedReceipt(sandbox);
  for (const [request, schema] of writes) await write(sandbox, request, schema);
  const products = await schemaAt(sandbox, 'products/schema');
  await checkPages(sandbox, products, 'products/NEW-02?site=GREENLEAF', false);
  await sandbox.advance(100 * DAY);
  await checkEverything(sandbox, noted);
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
