/**
 * Every operation as raw HTTP with a literal path: one request that is accepted, without the role and with an
 * unknown key refused, and the refusals that the tests of the services do not have.
 */
import { expect } from 'vitest';
import { NEW_PRODUCT } from './good-request.ts';
import { ask, keyed, test } from './raw.ts';

type Refusal = readonly [request: string, status: number, why: string];

/** METHOD and literal path, the status, a key that lacks a role of the operation, and refusals. */
type Row = readonly [
  accepted: string,
  status: number,
  lacking?: string | undefined,
  refused?: readonly Refusal[],
];

const orders = '/rest/1.3/orders2';
const tickets = '/rest/1.3/tickets';
const products = '/rest/1.3/products';
const analytics = '/rest/1.3/analytics';
const details = `${analytics}/VENDOR/subscription/details`;

const refund = 'type=rfnd&reason=ticket.type.refund.2';
const noReceipt = (path: string) => [path, 403, 'the receipt does not exist'] as const;

const unknownAccount = (path: string) => [path, 403, 'the account is not of the key'] as const;

function subscriptions(path: string, more = '', refused: readonly Refusal[] = []): Row {
  const row = `${details}${path}?account=GREENLEAF${more}`;
  return [
    `GET ${row}`,
    200,
    'read-only',
    [
      [`GET ${details}${path}?${more.slice(1)}`, 400, 'account is missing'],
      unknownAccount(`GET ${details}${path}?account=NOTMINE${more}`),
      [`GET ${row}&orderBy=COLOUR`, 400, 'there is no such order'],
      [`GET ${row.replace('VENDOR', 'BUYER')}`, 400, 'there is no such role'],
      ...refused,
    ],
  ];
}

function between(path: string): Row {
  const row = `GET ${details}${path}?account=GREENLEAF&startDate=`;
  return subscriptions(path, '&startDate=2026-01-01&endDate=2026-03-31', [
    [`${row}2026-01-01`, 400, 'endDate is missing'],
    [`${row}2026-02-30&endDate=2026-03-31`, 400, 'an impossible date'],
  ]);
}

function shipping(service: string): Row[] {
  const path = `/rest/1.3/${service}`;
  return [
    [`GET ${path}/schema`, 200],
    [`GET ${path}/count?status=notshipped&days=90`, 200, 'no-orders'],
    [`GET ${path}/list?status=all`, 200, 'no-orders'],
  ];
}

function notices(service: string, reader: string): Row[] {
  const path = `/rest/1.3/${service}/shipnotice`;
  const add = `POST ${path}/PARCEL01`;
  return [
    [`GET ${path}/schema`, 200],
    [`GET ${path}/PARCEL01`, 200, reader],
    [`${add}?date=2026-03-18&carrier=USPS&tracking=T1&comments=c`, 200, 'read-only'],
  ];
}

const table: readonly Row[] = [
  // 4.1 Analytics
  [`GET ${analytics}/status`, 200, 'read-only'],
  ...['', '/compthirty', '/compsixty', '/cancelthirty', '/cancelsixty'].map((path) =>
    subscriptions(path),
  ),
  ...['/startdate', '/canceldate', '/nextpmtdate'].map(between),
  [
    `GET ${details}/status?account=GREENLEAF&status=ACTIVE`,
    200,
    'read-only',
    [
      [`GET ${details}/status?account=GREENLEAF`, 400, 'status is missing'],
      [`GET ${details}/status?account=GREENLEAF&status=HAPPY`, 400, 'there is no such status'],
    ],
  ],
  [
    `GET ${analytics}/VENDOR/subscription/trends?account=GREENLEAF&startDate=2026-01-01&endDate=2026-03-18&groupBy=DATE`,
    206,
    'read-only',
  ],
  [
    `GET ${analytics}/VENDOR/TRACKING_ID?account=GREENLEAF&select=SALE_COUNT&orderBy=SALE_COUNT&sortAscending=true`,
    200,
    'read-only',
  ],
  [
    `GET ${analytics}/VENDOR/TRACKING_ID/summary?account=GREENLEAF&summaryType=VENDOR_ONLY`,
    200,
    'read-only',
  ],
  [`GET ${analytics}/schema/AnalyticsStatus`, 200],
  [`GET ${analytics}/schema/SubscriptionDetailResult`, 200],
  [`GET ${analytics}/schema/SubscriptionDetailResultRow`, 200],
  [`GET ${analytics}/schema/SubscriptionTrendsData`, 200],
  [`GET ${analytics}/schema/AnalyticsResult`, 200],

  // 4.2 Tickets
  [`GET ${tickets}/schema`, 200],
  [
    `POST ${tickets}/DIGITAL1?${refund}&refundType=PARTIAL_PERCENT&refundAmount=80`,
    200,
    'read-only',
  ],
  [
    `GET ${tickets}/refundAmounts/DIGITAL1?refundType=PARTIAL_PERCENT&refundAmount=50`,
    200,
    'no-orders',
  ],
  [`GET ${tickets}/1001`, 200, 'no-orders'],
  [`PUT ${tickets}/1001?action=close`, 200, 'read-only'],
  [`POST ${tickets}/1004/returned`, 204, 'read-only'],
  [
    `GET ${tickets}/list?status=open&createDateFrom=2026-03-12&createDateTo=2026-03-18`,
    200,
    'no-orders',
  ],
  [`GET ${tickets}/count?type=rfnd&status=open`, 200, 'no-orders'],
  [`GET ${tickets}/partialRefundDataSchema`, 200],

  // 4.3 Orders
  [`GET ${orders}/schema`, 200],
  [
    `POST ${orders}/CANCEL01/reinstate`,
    204,
    'read-only',
    [noReceipt(`POST ${orders}/NOSUCH99/reinstate`)],
  ],
  [
    `POST ${orders}/MONTHLY1/pause?restartDate=2026-05-01`,
    204,
    'read-only',
    [
      [`POST ${orders}/MONTHLY1/pause`, 400, 'restartDate is missing'],
      noReceipt(`POST ${orders}/NOSUCH99/pause?restartDate=2026-05-01`),
    ],
  ],
  [`POST ${orders}/LIMITED1/extend?numPeriods=2`, 204, 'read-only'],
  [
    `POST ${orders}/MONTHLY1/changeProduct?oldSku=CLUB-M&newSku=CLUB-PLUS-M`,
    204,
    'read-only',
    [[`POST ${orders}/MONTHLY1/changeProduct?oldSku=CLUB-M`, 400, 'newSku is missing']],
  ],
  [
    `POST ${orders}/SHIPBOX1/changeAddress?address1=1%20Main%20St&city=Boise&countryCode=US`,
    204,
    'read-only',
    [
      [
        `POST ${orders}/SHIPBOX1/changeAddress?city=Boise&countryCode=US`,
        400,
        'address1 is missing',
      ],
      [`POST ${orders}/SHIPBOX1/changeAddress?address1=a&countryCode=US`, 400, 'city is missing'],
      [`POST ${orders}/SHIPBOX1/changeAddress?address1=a&city=b`, 400, 'countryCode is missing'],
    ],
  ],
  [
    `POST ${orders}/MONTHLY1/changeDate?changeDate=2026-04-10`,
    204,
    'read-only',
    [[`POST ${orders}/MONTHLY1/changeDate`, 400, 'changeDate is missing']],
  ],
  [`GET ${orders}/count?type=NONSENSE`, 200, 'no-orders'],
  [`GET ${orders}/list?startDate=2025-03-19&endDate=2026-03-18`, 206, 'no-orders'],
  [`HEAD ${orders}/MONTHLY1`, 204, 'no-orders'],
  [`GET ${orders}/CART0003?sku=KIT-03`, 200, 'no-orders'],
  [`GET ${orders}/UPSELL01/upsells`, 200, 'no-orders'],

  // 4.4 Products
  [`GET ${products}/schema`, 200],
  [`PUT ${products}/NEW-01?${NEW_PRODUCT}&categories=AUDIO`, 201, 'read-only'],
  [`DELETE ${products}/GUIDE-01?site=GREENLEAF`, 204, 'read-only'],
  [`GET ${products}/CLUB-M?site=GREENLEAF`, 200, 'read-only'],
  [`GET ${products}/list?site=GREENLEAF&type=RECURRING`, 200, 'read-only'],

  // 4.5 Quickstats
  ['GET /rest/1.3/quickstats/schema', 200],
  ['GET /rest/1.3/quickstats/count', 200, 'no-orders'],
  [
    'GET /rest/1.3/quickstats/list?startDate=2026-03-01&endDate=2026-03-18&account=GREENLEAF',
    200,
    'no-orders',
  ],
  ['GET /rest/1.3/quickstats/accounts', 200, 'no-orders'],

  // 4.6 Shipping and 4.7 ship notices
  ...['shipping', 'shipping2', 'shipping3'].flatMap(shipping),
  ...notices('shipping', 'no-orders'),
  ...notices('shipping2', 'no-orders'),
  // The third generation wants a developer key beside the role.
  ...notices('shipping3', 'read-only'),
];

/** What the live service has beside the specification. */
const outside: readonly Row[] = [
  ['GET /rest/1.3/images/schema', 200],
  [
    'GET /rest/1.3/images/list?site=GREENLEAF&type=PRODUCT&approvedOnly=false',
    200,
    'read-only',
    [
      ['GET /rest/1.3/images/list', 400, 'site is missing'],
      ['GET /rest/1.3/images/list?site=GREENLEAF&type=LOGO', 400, 'there is no such type'],
      ['GET /rest/1.3/images/list?site=GREENLEAF&approvedOnly=yes', 400, 'no boolean'],
      unknownAccount('GET /rest/1.3/images/list?site=NOTMINE'),
    ],
  ],
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

test('covers all 66 operations of the specification', () => {
  expect(table).toHaveLength(66);
});

test.for([...table, ...outside])(
  '%s is accepted',
  async ([accepted, status, lacking], { sandbox: small, seeded }) => {
    const sandbox = accepted.startsWith('GET') ? seeded : small;
    const isSchema = /schema/i.test(accepted);
    const headers = isSchema ? { ...xml, Authorization: '' } : json;
    const answer = await send(sandbox, accepted, headers);
    expect(answer.status, answer.text).toBe(status);
    if (isSchema) expect(answer.text).toContain('<xs:schema');
    if (lacking === undefined) return;
    const refused = await send(sandbox, accepted, { ...json, ...keyed(sandbox, lacking) });
    expect(refused.status).toBe(403);
    const unknown = await send(sandbox, accepted, { ...json, Authorization: 'API-UNKNOWN' });
    expect(unknown.status).toBe(401);
    if (!accepted.startsWith('HEAD')) expect(unknown.text).toBe('Invalid API key');
  },
);

const refusals = [...table, ...outside].flatMap(([, , , refused = []]) => refused);

test.for(refusals)('refuses %s with %i: %s', async ([request, status], { sandbox }) => {
  const answer = await send(sandbox, request, json);
  expect(answer.status, answer.text).toBe(status);
  // A sentence in plain text, whatever Accept says.
  if (!request.startsWith('HEAD')) {
    expect(answer.headers['content-type']).toMatch(/^text\/plain/);
    expect(answer.text.length).toBeGreaterThan(3);
  }
});

test('returns an empty page past the end of a list', async ({ sandbox }) => {
  for (const path of [
    `${orders}/list?startDate=2025-03-19&endDate=2026-03-18`,
    `${tickets}/list?status=open`,
    '/rest/1.3/shipping/list',
    '/rest/1.3/shipping2/list',
    '/rest/1.3/shipping3/list',
  ]) {
    const answer = await ask(sandbox, 'GET', path, { ...json, Page: '99' });
    expect([path, answer.status, answer.text]).toEqual([path, 200, 'null']);
  }
});
