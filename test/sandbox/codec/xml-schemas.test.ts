/**
 * Every response with rows, after every kind of write and months: its XML is valid against the schema that the sandbox
 * serves, which has the elements of the one that ClickBank publishes, and its JSON has the fields of the resource. XML is
 * written from the same values as JSON (test/fuzz/resources.test.ts). libxml2 validates; paths are literal.
 */
import { expect } from 'vitest';
import { catalogue } from '../../../src/operations/index.ts';
import type { Sandbox } from '../../../src/sandbox/http/server.ts';
import { ask, DAY, getJson, keyed, openSandbox, test } from '../raw.ts';
import { elementsOf, officialElements, rootsOf, transcribed } from './official-elements.ts';
import { faultsInJson, schemaOf } from './shape.ts';

const YEAR = 'startDate=2025-03-19&endDate=2026-03-18';
const NOWHERE = 'startDate=2020-01-01&endDate=2020-01-31';

/** The relation of a service's responses to its schema. */
interface Family {
  /** The path of the schema. */
  readonly schema: string;
  /** Documents whose root is in the schema. */
  readonly documents?: readonly string[];
  /** Lists whose root is not in the schema, although each row is. */
  readonly lists?: readonly string[];
  /** Lists without rows. */
  readonly empty?: readonly string[];
}

const details = (path: string, more = '') =>
  `analytics/VENDOR/subscription/details${path}?account=GREENLEAF${more}`;
const trends = 'analytics/VENDOR/subscription/trends?account=GREENLEAF';
const tracking = 'analytics/VENDOR/TRACKING_ID?account=GREENLEAF';

const families: readonly Family[] = [
  {
    schema: 'orders2/schema',
    lists: [
      ...[`orders2/list?${YEAR}`, `orders2/list?${YEAR}&role=AFFILIATE`, 'orders2/MONTHLY1'],
      'orders2/UPSELL01/upsells',
    ],
    empty: [`orders2/list?${YEAR}&tid=NOSUCH`, 'orders2/CART0003?sku=OTHER'],
  },
  {
    schema: 'tickets/schema',
    documents: ['tickets/1001', 'tickets/1004'],
    lists: ['tickets/list'],
    empty: ['tickets/list?receipt=NOSUCH99'],
  },
  {
    schema: 'tickets/partialRefundDataSchema',
    documents: ['tickets/refundAmounts/MONTHLY1?refundType=PARTIAL_PERCENT&refundAmount=50'],
  },
  {
    schema: 'products/schema',
    documents: [
      ...['products/CLUB-M?site=GREENLEAF', 'products/NEW-02?site=GREENLEAF'],
      // An affiliate sells nothing: its list is empty.
      ...['products/list?site=GREENLEAF', 'products/list?site=TOPAFF1'],
    ],
  },
  {
    schema: 'images/schema',
    lists: ['images/list?site=GREENLEAF&approvedOnly=false'],
    empty: ['images/list?site=TOPAFF1'],
  },
  {
    schema: 'quickstats/schema',
    lists: ['quickstats/list', 'quickstats/count', 'quickstats/accounts'],
    empty: [`quickstats/list?${NOWHERE}`],
  },
  ...['shipping', 'shipping2', 'shipping3'].flatMap((service) => [
    {
      schema: `${service}/schema`,
      lists: [`${service}/list?${YEAR}`],
      empty: [`${service}/list?receipt=NOSUCH99`],
    },
    {
      schema: `${service}/shipnotice/schema`,
      lists: [`${service}/shipnotice/PARCEL02`],
      empty: [`${service}/shipnotice/SHIPBOX1`],
    },
  ]),
  { schema: 'analytics/schema/AnalyticsStatus', documents: ['analytics/status'] },
  {
    schema: 'analytics/schema/SubscriptionDetailResult',
    documents: [
      'analytics/AFFILIATE/subscription/details?account=TOPAFF1',
      ...['', '/compthirty', '/compsixty', '/cancelthirty', '/cancelsixty'].map((path) =>
        details(path),
      ),
      ...['/startdate', '/canceldate', '/nextpmtdate'].map((path) => details(path, `&${YEAR}`)),
      ...[details('/status', '&status=ACTIVE'), details('/startdate', `&${NOWHERE}`)],
    ],
  },
  {
    schema: 'analytics/schema/SubscriptionTrendsData',
    documents: [
      `${trends}&${YEAR}`,
      `${trends}&startDate=2026-03-01&endDate=2026-03-18&groupBy=DATE`,
      `${trends}&${NOWHERE}`,
    ],
  },
  {
    schema: 'analytics/schema/AnalyticsResult',
    documents: [
      ...[`${tracking}&${YEAR}`, `${tracking}&${NOWHERE}`],
      `analytics/AFFILIATE/VENDOR/summary?account=TOPAFF1&${YEAR}&summaryType=AFFILIATE_ONLY`,
    ],
  },
];

/** The XML of a successful response. */
async function xmlOf(sandbox: Sandbox, request: string, headers = {}): Promise<string> {
  const [method = '', path] = request.split(' ');
  const sent = { Accept: 'application/xml', ...headers };
  const { status, text } = await ask(sandbox, method, `/rest/1.3/${path}`, sent);
  expect([request, status < 300], text).toEqual([request, true]);
  return text;
}

const schemaAt = async (sandbox: Sandbox, path: string) =>
  schemaOf(await xmlOf(sandbox, `GET ${path}`, { Authorization: '' }));

/** The response of a path in the catalogue. */
function returnsOf(path: string) {
  const [operation] = catalogue
    .filter(({ method, path: known }) => method === 'GET' && asked(known).test(path))
    .sort((one, other) => one.path.split('{').length - other.path.split('{').length);
  if (!operation || !('resource' in operation.returns)) throw new Error(`no rows: ${path}`);
  return operation.returns;
}

async function checkJson(sandbox: Sandbox, path: string): Promise<void> {
  const { text } = await getJson(sandbox, `/rest/1.3/${path}`);
  // Without empty lists, which are null.
  const body = JSON.parse(text, (_, value) => value ?? undefined) ?? {};
  const returns = returnsOf(path);
  const { kind, resource } = returns;
  const inside = kind === 'one' ? resource : returns.inside;
  const rows = [body[resource.element] ?? []].flat();
  const faults = inside
    ? faultsInJson(inside, body)
    : rows.flatMap((row) => faultsInJson(resource, row));
  // Counts in trends are whole, although the schema allows decimals.
  const isWholeCount = (fault: string) => /Cnt: \d+ is not a decimal$/.test(fault);
  expect([path, faults.filter((fault) => !isWholeCount(fault))]).toEqual([path, []]);
}

const SAVE =
  'site=GREENLEAF&currency=EUR&price=10.00&language=DE&title=%3CN%C3%A9w%3E%20%26%20%22x%22&mobilePitchPage=http://a.example&thankYouPage=http://a.example';
const TICKET = 'tickets/schema';

/** Every write operation, and the schema of its response. */
const writes = `
POST tickets/DIGITAL1?type=rfnd&reason=ticket.type.refund.2&refundType=FULL&comment=%3Ca%3E%01 ${TICKET}
POST tickets/CART0003?sku=KIT-02&type=rfnd&reason=ticket.type.refund.8&refundType=PARTIAL_PERCENT&refundAmount=12.5 ${TICKET}
POST tickets/MONTHLY1?type=cncl&reason=ticket.type.cancel.5 ${TICKET}
PUT tickets/1001?comment=We%20%3Care%3E%20on%20it ${TICKET}
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
  .map((line) => {
    const [method, path, schema] = line.split(' ');
    return { request: `${method} ${path}`, schema };
  });

test('sends valid XML, and JSON with the fields of the resource, after every kind of write and after months', async () => {
  const sandbox = await openSandbox({ seed: { orders: 600 } });
  for (const { request, schema } of writes) {
    const xml = await xmlOf(sandbox, request, { 'Content-Length': '0' });
    if (schema) (await schemaAt(sandbox, schema)).validate(xml);
  }
  await sandbox.advance(100 * DAY);
  for (const { schema, documents = [], lists = [], empty = [] } of families) {
    const { validate, validateRows } = await schemaAt(sandbox, schema);
    for (const path of documents) validate(await xmlOf(sandbox, `GET ${path}`));
    for (const path of [...lists, ...empty]) {
      const rows = validateRows(await xmlOf(sandbox, `GET ${path}`));
      expect([path, rows > 0]).toEqual([path, lists.includes(path)]);
    }
    for (const path of [...documents, ...lists]) await checkJson(sandbox, path);
  }
  const { validateRows } = await schemaAt(sandbox, 'orders2/schema');
  const seen = await xmlOf(sandbox, `GET orders2/list?${YEAR}`, keyed(sandbox, 'affiliate'));
  expect(validateRows(seen)).toBeGreaterThan(20);
});

test.for(Object.keys(officialElements))(
  'serves the elements of the official schema: %s',
  async (path, { seeded }) => {
    const text = await xmlOf(seeded, `GET ${path}`, { Authorization: '' });
    expect(elementsOf(text, rootsOf(path))).toEqual(transcribed(path));
  },
);

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

test('covers every operation that returns rows', () => {
  const reads = families.flatMap(({ documents = [], lists = [] }) => [...documents, ...lists]);
  const requests = [...reads.map((path) => `GET ${path}`), ...writes.map(({ request }) => request)];
  const missing = catalogue.filter(
    ({ method, path, returns }) =>
      'resource' in returns &&
      !requests.some((request) => {
        const [verb, to = ''] = request.split(' ');
        return verb === method && asked(path).test(to);
      }),
  );
  expect(missing.map(({ method, path }) => `${method} ${path}`)).toEqual([]);
});
