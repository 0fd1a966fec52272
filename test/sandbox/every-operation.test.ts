/**
 * Every operation as raw HTTP with a literal path: one request that is accepted, without the role and with an
 * unknown key refused, and the refusals that the tests of the services do not have.
 */
import { expect } from 'vitest';
import { ask, openSandbox, test } from './raw.ts';

interface Row {
  /** METHOD and the literal path. */
  readonly accepted: string;
  readonly status: number;
  /** A key that lacks a role of the operation; absent where none is needed. */
  readonly lacking?: string;
  /** The request, its status, and why it is refused. */
  readonly refused?: readonly (readonly [request: string, status: number, why: string])[];
}

const orders = '/rest/1.3/orders2';
const tickets = '/rest/1.3/tickets';
const products = '/rest/1.3/products';
const analytics = '/rest/1.3/analytics';
const details = `${analytics}/VENDOR/subscription/details`;

const save =
  'site=GREENLEAF&currency=USD&price=10.00&language=EN&title=New&pitchPage=http://a.example&thankYouPage=http://a.example';
const refund = 'type=rfnd&reason=ticket.type.refund.2';
const noReceipt = (path: string) => [path, 403, 'the receipt does not exist'] as const;

const unknownAccount = (path: string) => [path, 403, 'the account is not of the key'] as const;

function subscriptions(path: string, more = ''): Row {
  const row = `${details}${path}?account=GREENLEAF${more}`;
  return {
    accepted: `GET ${row}`,
    status: 200,
    lacking: 'read-only',
    refused: [
      [`GET ${details}${path}?${more.slice(1)}`, 400, 'account is missing'],
      unknownAccount(`GET ${details}${path}?account=NOTMINE${more}`),
      [`GET ${row}&orderBy=COLOUR`, 400, 'there is no such order'],
      [`GET ${row.replace('VENDOR', 'BUYER')}`, 400, 'there is no such role'],
    ],
  };
}

function between(path: string): Row {
  const good = subscriptions(path, '&startDate=2026-01-01&endDate=2026-03-31');
  return {
    ...good,
    refused: [
      ...(good.refused ?? []),
      [`GET ${details}${path}?account=GREENLEAF&startDate=2026-01-01`, 400, 'endDate is missing'],
      [
        `GET ${details}${path}?account=GREENLEAF&startDate=2026-02-30&endDate=2026-03-31`,
        400,
        'no such day',
      ],
    ],
  };
}

function shipping(service: string): Row[] {
  const path = `/rest/1.3/${service}`;
  return [
    { accepted: `GET ${path}/schema`, status: 200 },
    {
      accepted: `GET ${path}/count?status=notshipped&days=90`,
      status: 200,
      lacking: 'no-orders',
    },
    {
      accepted: `GET ${path}/list?status=all`,
      status: 200,
      lacking: 'no-orders',
    },
  ];
}

function notices(service: string, reader: string): Row[] {
  const path = `/rest/1.3/${service}/shipnotice`;
  const add = `POST ${path}/PARCEL01`;
  return [
    { accepted: `GET ${path}/schema`, status: 200 },
    {
      accepted: `GET ${path}/PARCEL01`,
      status: 200,
      lacking: reader,
    },
    {
      accepted: `${add}?date=2026-03-18&carrier=USPS&tracking=T1&comments=c`,
      status: 200,
      lacking: 'read-only',
    },
  ];
}

const table: readonly Row[] = [
  // 4.1 Analytics
  { accepted: `GET ${analytics}/status`, status: 200, lacking: 'read-only' },
  subscriptions('/compthirty'),
  subscriptions('/compsixty'),
  subscriptions('/cancelthirty'),
  subscriptions('/cancelsixty'),
  between('/startdate'),
  between('/canceldate'),
  between('/nextpmtdate'),
  {
    ...subscriptions('/status', '&status=ACTIVE'),
    refused: [
      [`GET ${details}/status?account=GREENLEAF`, 400, 'status is missing'],
      [`GET ${details}/status?account=GREENLEAF&status=HAPPY`, 400, 'there is no such status'],
    ],
  },
  subscriptions(''),
  {
    accepted: `GET ${analytics}/VENDOR/subscription/trends?account=GREENLEAF&startDate=2026-01-01&endDate=2026-03-18&groupBy=DATE`,
    status: 206,
    lacking: 'read-only',
  },
  {
    accepted: `GET ${analytics}/VENDOR/TRACKING_ID?account=GREENLEAF&select=SALE_COUNT&orderBy=SALE_COUNT&sortAscending=true`,
    status: 200,
    lacking: 'read-only',
  },
  {
    accepted: `GET ${analytics}/VENDOR/TRACKING_ID/summary?account=GREENLEAF&summaryType=VENDOR_ONLY`,
    status: 200,
    lacking: 'read-only',
  },
  { accepted: `GET ${analytics}/schema/AnalyticsStatus`, status: 200 },
  { accepted: `GET ${analytics}/schema/SubscriptionDetailResult`, status: 200 },
  { accepted: `GET ${analytics}/schema/SubscriptionDetailResultRow`, status: 200 },
  { accepted: `GET ${analytics}/schema/SubscriptionTrendsData`, status: 200 },
  { accepted: `GET ${analytics}/schema/AnalyticsResult`, status: 200 },

  // 4.2 Tickets
  { accepted: `GET ${tickets}/schema`, status: 200 },
  {
    accepted: `POST ${tickets}/DIGITAL1?${refund}&refundType=PARTIAL_PERCENT&refundAmount=80`,
    status: 200,
    lacking: 'read-only',
  },
  {
    accepted: `GET ${tickets}/refundAmounts/DIGITAL1?refundType=PARTIAL_PERCENT&refundAmount=50`,
    status: 200,
    lacking: 'no-orders',
  },
  {
    accepted: `GET ${tickets}/1001`,
    status: 200,
    lacking: 'no-orders',
  },
  {
    accepted: `PUT ${tickets}/1001?action=close`,
    status: 200,
    lacking: 'read-only',
  },
  {
    accepted: `POST ${tickets}/1004/returned`,
    status: 204,
    lacking: 'read-only',
  },
  {
    accepted: `GET ${tickets}/list?status=open&createDateFrom=2026-03-12&createDateTo=2026-03-18`,
    status: 200,
    lacking: 'no-orders',
  },
  { accepted: `GET ${tickets}/count?type=rfnd&status=open`, status: 200, lacking: 'no-orders' },
  { accepted: `GET ${tickets}/partialRefundDataSchema`, status: 200 },

  // 4.3 Orders
  { accepted: `GET ${orders}/schema`, status: 200 },
  {
    accepted: `POST ${orders}/CANCEL01/reinstate`,
    status: 204,
    lacking: 'read-only',
    refused: [noReceipt(`POST ${orders}/NOSUCH99/reinstate`)],
  },
  {
    accepted: `POST ${orders}/MONTHLY1/pause?restartDate=2026-05-01`,
    status: 204,
    lacking: 'read-only',
    refused: [
      [`POST ${orders}/MONTHLY1/pause`, 400, 'restartDate is missing'],
      noReceipt(`POST ${orders}/NOSUCH99/pause?restartDate=2026-05-01`),
    ],
  },
  {
    accepted: `POST ${orders}/LIMITED1/extend?numPeriods=2`,
    status: 204,
    lacking: 'read-only',
    refused: [
      [`POST ${orders}/LIMITED1/extend`, 400, 'numPeriods is missing'],
      [`POST ${orders}/LIMITED1/extend?numPeriods=two`, 400, 'numPeriods is no number'],
    ],
  },
  {
    accepted: `POST ${orders}/MONTHLY1/changeProduct?oldSku=CLUB-M&newSku=CLUB-PLUS-M`,
    status: 204,
    lacking: 'read-only',
    refused: [
      [`POST ${orders}/MONTHLY1/changeProduct?oldSku=CLUB-M`, 400, 'newSku is missing'],
      [
        `POST ${orders}/MONTHLY1/changeProduct?oldSku=NOPE&newSku=CLUB-PLUS-M`,
        400,
        'oldSku is not the current product',
      ],
    ],
  },
  {
    accepted: `POST ${orders}/SHIPBOX1/changeAddress?address1=1%20Main%20St&city=Boise&countryCode=US`,
    status: 204,
    lacking: 'read-only',
    refused: [
      [
        `POST ${orders}/SHIPBOX1/changeAddress?city=Boise&countryCode=US`,
        400,
        'address1 is missing',
      ],
      [`POST ${orders}/SHIPBOX1/changeAddress?address1=a&countryCode=US`, 400, 'city is missing'],
      [`POST ${orders}/SHIPBOX1/changeAddress?address1=a&city=b`, 400, 'countryCode is missing'],
    ],
  },
  {
    accepted: `POST ${orders}/MONTHLY1/changeDate?changeDate=2026-04-10`,
    status: 204,
    lacking: 'read-only',
    refused: [[`POST ${orders}/MONTHLY1/changeDate`, 400, 'changeDate is missing']],
  },
  { accepted: `GET ${orders}/count?type=NONSENSE`, status: 200, lacking: 'no-orders' },
  {
    accepted: `GET ${orders}/list?startDate=2025-03-19&endDate=2026-03-18`,
    status: 206,
    lacking: 'no-orders',
  },
  {
    accepted: `HEAD ${orders}/MONTHLY1`,
    status: 204,
    lacking: 'no-orders',
  },
  {
    accepted: `GET ${orders}/CART0003?sku=KIT-03`,
    status: 200,
    lacking: 'no-orders',
  },
  {
    accepted: `GET ${orders}/UPSELL01/upsells`,
    status: 200,
    lacking: 'no-orders',
  },

  // 4.4 Products
  { accepted: `GET ${products}/schema`, status: 200 },
  {
    accepted: `PUT ${products}/NEW-01?${save}&digital=true&categories=EBOOK&categories=AUDIO`,
    status: 201,
    lacking: 'read-only',
  },
  {
    accepted: `DELETE ${products}/GUIDE-01?site=GREENLEAF`,
    status: 204,
    lacking: 'read-only',
  },
  {
    accepted: `GET ${products}/CLUB-M?site=GREENLEAF`,
    status: 200,
    lacking: 'read-only',
  },
  {
    accepted: `GET ${products}/list?site=GREENLEAF&type=RECURRING`,
    status: 200,
    lacking: 'read-only',
  },

  // 4.5 Quickstats
  { accepted: 'GET /rest/1.3/quickstats/schema', status: 200 },
  { accepted: 'GET /rest/1.3/quickstats/count', status: 200, lacking: 'no-orders' },
  {
    accepted:
      'GET /rest/1.3/quickstats/list?startDate=2026-03-01&endDate=2026-03-18&account=GREENLEAF',
    status: 200,
    lacking: 'no-orders',
  },
  { accepted: 'GET /rest/1.3/quickstats/accounts', status: 200, lacking: 'no-orders' },

  // 4.6 Shipping and 4.7 ship notices
  ...shipping('shipping'),
  ...shipping('shipping2'),
  ...shipping('shipping3'),
  ...notices('shipping', 'no-orders'),
  ...notices('shipping2', 'no-orders'),
  // The third generation wants a developer key beside the role.
  ...notices('shipping3', 'read-only'),
];

/** What the live service has beside the specification. */
const outside: readonly Row[] = [
  { accepted: 'GET /rest/1.3/images/schema', status: 200 },
  {
    accepted: 'GET /rest/1.3/images/list?site=GREENLEAF&type=PRODUCT&approvedOnly=false',
    status: 200,
    lacking: 'read-only',
    refused: [
      ['GET /rest/1.3/images/list', 400, 'site is missing'],
      ['GET /rest/1.3/images/list?site=GREENLEAF&type=LOGO', 400, 'there is no such type'],
      ['GET /rest/1.3/images/list?site=GREENLEAF&approvedOnly=yes', 400, 'no boolean'],
      unknownAccount('GET /rest/1.3/images/list?site=NOTMINE'),
    ],
  },
];

const json = { Accept: 'application/json' };
const xml = { Accept: 'application/xml' };

function send(
  sandbox: Parameters<typeof ask>[0],
  request: string,
  headers: Record<string, string>,
) {
  const [method = '', path = ''] = request.split(' ');
  return ask(sandbox, method, path, headers);
}

test('The table has all 66 operations of the specification', () => {
  expect(table).toHaveLength(66);
});

test.each([...table, ...outside])(
  '$accepted is accepted',
  async ({ accepted, status, lacking }) => {
    const sandbox = await openSandbox({ seed: { orders: 400 } });
    const isSchema = /schema/i.test(accepted);
    const headers = isSchema ? { ...xml, Authorization: '' } : json;
    const answer = await send(sandbox, accepted, headers);
    expect(answer.status, answer.text).toBe(status);
    if (isSchema) expect(answer.text).toContain('<xs:schema');
    if (lacking === undefined) return;
    const other = sandbox.keys.find(({ name }) => name === lacking)?.key ?? '';
    expect((await send(sandbox, accepted, { ...json, Authorization: other })).status).toBe(403);
    const unknown = await send(sandbox, accepted, { ...json, Authorization: 'API-UNKNOWN' });
    expect(unknown.status).toBe(401);
    if (!accepted.startsWith('HEAD')) expect(unknown.text).toBe('Invalid API key');
  },
);

const refusals = [...table, ...outside].flatMap(({ refused = [] }) => refused);

test.each(refusals)('%s is refused with %i: %s', async (request, status) => {
  const sandbox = await openSandbox();
  const answer = await send(sandbox, request, json);
  expect(answer.status, answer.text).toBe(status);
  // A sentence in plain text, whatever Accept says.
  if (!request.startsWith('HEAD')) {
    expect(answer.headers['content-type']).toMatch(/^text\/plain/);
    expect(answer.text.length).toBeGreaterThan(3);
  }
});

test('A page past the end of a list is empty', async ({ sandbox }) => {
  for (const path of [
    `${orders}/list?startDate=2025-03-19&endDate=2026-03-18`,
    `${tickets}/list?status=open`,
    '/rest/1.3/shipping/list',
    '/rest/1.3/shipping2/list',
    '/rest/1.3/shipping3/list',
  ]) {
    const answer = await ask(sandbox, 'GET', path, { ...json, Page: '99' });
    expect({ path, status: answer.status, text: answer.text }).toEqual({
      path,
      status: 200,
      text: 'null',
    });
  }
});
