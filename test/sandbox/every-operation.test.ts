/**
 * Every operation as raw HTTP with a literal path: one request that is accepted, and one for each
 * documented refusal.
 */
import { expect, test } from 'vitest';
import { ask, openSandbox } from './raw.ts';

interface Row {
  /** METHOD and the literal path. */
  readonly accepted: string;
  readonly status: number;
  /** A key that lacks a role of the operation; absent where none is needed. */
  readonly lacking?: string;
  /** Documented refusals: the request, its status, and why. */
  readonly refused?: readonly (readonly [request: string, status: number, why: string])[];
}

const orders = '/rest/1.3/orders2';
const tickets = '/rest/1.3/tickets';
const products = '/rest/1.3/products';
const analytics = '/rest/1.3/analytics';
const details = `${analytics}/VENDOR/subscription/details`;

const save =
  'site=GREENLEAF&currency=USD&price=10.00&language=EN&title=New&pitchPage=http://a.example&thankYouPage=http://a.example';
const recurring = `${save}&categories=EBOOK&digitalRecurring=true&rebillPrice=10.00&frequency=MONTHLY&duration=12`;
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
      refused: [[`GET ${path}/count?days=many`, 400, 'days is no number']],
    },
    {
      accepted: `GET ${path}/list?status=all`,
      status: 200,
      lacking: 'no-orders',
      refused: [[`GET ${path}/list?startDate=2026-02-30`, 400, 'no such day']],
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
      refused: [noReceipt(`GET ${path}/NOSUCH99`)],
    },
    {
      accepted: `${add}?date=2026-03-18&carrier=USPS&tracking=T1&comments=c`,
      status: 200,
      lacking: 'read-only',
      refused: [
        [`${add}?carrier=USPS`, 400, 'date is missing'],
        [`${add}?date=2026-03-18`, 400, 'carrier is missing'],
        [`${add}?date=18.03.2026&carrier=USPS`, 400, 'the date is malformed'],
        [`${add}?date=2026-03-19&carrier=USPS`, 400, 'the date lies in the future'],
        [`${add}?date=2020-01-01&carrier=USPS`, 400, 'the date lies before the purchase'],
        noReceipt(`POST ${path}/NOSUCH99?date=2026-03-18&carrier=USPS`),
      ],
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
    refused: [
      [
        `GET ${analytics}/VENDOR/subscription/trends?account=GREENLEAF&endDate=2026-03-18`,
        400,
        'startDate is missing',
      ],
      [
        `GET ${analytics}/VENDOR/subscription/trends?startDate=2026-01-01&endDate=2026-03-18`,
        400,
        'account is missing',
      ],
    ],
  },
  {
    accepted: `GET ${analytics}/VENDOR/TRACKING_ID?account=GREENLEAF&select=SALE_COUNT&orderBy=SALE_COUNT&sortAscending=true`,
    status: 200,
    lacking: 'read-only',
    refused: [
      [`GET ${analytics}/VENDOR/TRACKING_ID`, 400, 'account is missing'],
      [`GET ${analytics}/VENDOR/WEATHER?account=GREENLEAF`, 400, 'there is no such dimension'],
      [
        `GET ${analytics}/AFFILIATE/PRODUCT_SKU?account=GREENLEAF`,
        400,
        'PRODUCT_SKU is for vendors',
      ],
      [
        `GET ${analytics}/VENDOR/VENDOR_PRODUCT_SKU?account=GREENLEAF`,
        400,
        'VENDOR_PRODUCT_SKU is for affiliates',
      ],
      [
        `GET ${analytics}/VENDOR/TRACKING_ID?account=GREENLEAF&select=SALES`,
        400,
        'there is no such field',
      ],
      unknownAccount(`GET ${analytics}/VENDOR/TRACKING_ID?account=NOTMINE`),
    ],
  },
  {
    accepted: `GET ${analytics}/VENDOR/TRACKING_ID/summary?account=GREENLEAF&summaryType=VENDOR_ONLY`,
    status: 200,
    lacking: 'read-only',
    refused: [
      [
        `GET ${analytics}/VENDOR/TRACKING_ID/summary?account=GREENLEAF`,
        400,
        'summaryType is missing',
      ],
      [
        `GET ${analytics}/VENDOR/TRACKING_ID/summary?account=GREENLEAF&summaryType=ALL`,
        400,
        'there is no such summaryType',
      ],
    ],
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
    refused: [
      [`POST ${tickets}/DIGITAL1?reason=ticket.type.refund.2`, 400, 'type is missing'],
      [`POST ${tickets}/DIGITAL1?type=rfnd&refundType=FULL`, 400, 'reason is missing'],
      [`POST ${tickets}/DIGITAL1?${refund}`, 400, 'refundType is missing'],
      [`POST ${tickets}/DIGITAL1?${refund}&refundType=full`, 400, 'refundType is case sensitive'],
      [
        `POST ${tickets}/DIGITAL1?type=rfnd&reason=ticket.type.cancel.1&refundType=FULL`,
        400,
        'the reason does not match',
      ],
      [
        `POST ${tickets}/DIGITAL1?${refund}&refundType=PARTIAL_AMOUNT`,
        400,
        'refundAmount is missing',
      ],
      [
        `POST ${tickets}/DIGITAL1?${refund}&refundType=PARTIAL_PERCENT&refundAmount=0.5`,
        400,
        'below 1 percent',
      ],
      [
        `POST ${tickets}/DIGITAL1?${refund}&refundType=PARTIAL_PERCENT&refundAmount=80.01`,
        400,
        'above 80 percent',
      ],
      [
        `POST ${tickets}/DIGITAL1?${refund}&refundType=PARTIAL_PERCENT&refundAmount=10.125`,
        400,
        'three decimal digits',
      ],
      [
        `POST ${tickets}/TICKET01?${refund}&refundType=FULL`,
        400,
        'a refund ticket is open already',
      ],
      noReceipt(`POST ${tickets}/NOSUCH99?${refund}&refundType=FULL`),
    ],
  },
  {
    accepted: `GET ${tickets}/refundAmounts/DIGITAL1?refundType=PARTIAL_PERCENT&refundAmount=50`,
    status: 200,
    lacking: 'no-orders',
    refused: [
      [`GET ${tickets}/refundAmounts/DIGITAL1?refundAmount=50`, 400, 'refundType is missing'],
      [
        `GET ${tickets}/refundAmounts/DIGITAL1?refundType=PARTIAL_PERCENT&refundAmount=81`,
        400,
        'above 80 percent',
      ],
      noReceipt(`GET ${tickets}/refundAmounts/NOSUCH99?refundType=FULL&refundAmount=1`),
    ],
  },
  {
    accepted: `GET ${tickets}/1001`,
    status: 200,
    lacking: 'no-orders',
    refused: [[`GET ${tickets}/999999999`, 403, 'the ticket does not exist']],
  },
  {
    accepted: `PUT ${tickets}/1001?action=close`,
    status: 200,
    lacking: 'read-only',
    refused: [
      [`PUT ${tickets}/1001?action=reopen&comment=c`, 400, 'the ticket is not closed'],
      [`PUT ${tickets}/1002?action=reopen`, 400, 'the comment is missing'],
      [`PUT ${tickets}/1001?action=eat`, 400, 'there is no such action'],
      [`PUT ${tickets}/1001?action=change&type=party`, 400, 'there is no such type'],
      [`PUT ${tickets}/999999999?action=close`, 403, 'the ticket does not exist'],
    ],
  },
  {
    accepted: `POST ${tickets}/1004/returned`,
    status: 204,
    lacking: 'read-only',
    refused: [
      [`POST ${tickets}/999999999/returned`, 400, 'the ticket does not exist'],
      [`POST ${tickets}/1001/returned`, 400, 'the purchase is not physical'],
    ],
  },
  {
    accepted: `GET ${tickets}/list?status=open&createDateFrom=2026-03-12&createDateTo=2026-03-18`,
    status: 200,
    lacking: 'no-orders',
    refused: [
      [`GET ${tickets}/list?createDateFrom=2026-03-11&createDateTo=2026-03-18`, 400, 'over 7 days'],
      [`GET ${tickets}/list?updateDateFrom=2026-03-11`, 400, 'one end only'],
      [`GET ${tickets}/list?closeDateTo=2026-03-11`, 400, 'one end only'],
      [`GET ${tickets}/list?receipt=AB%25C`, 400, 'under 4 characters'],
      [`GET ${tickets}/list?receipt=%25ABCD`, 400, 'begins with %'],
    ],
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
    refused: [
      [`GET ${orders}/list?startDate=2026-03-01`, 400, 'endDate is missing'],
      [`GET ${orders}/list?endDate=2026-03-01`, 400, 'startDate is missing'],
    ],
  },
  {
    accepted: `HEAD ${orders}/MONTHLY1`,
    status: 204,
    lacking: 'no-orders',
    refused: [
      [`HEAD ${orders}/REFUND01`, 403, 'it is refunded'],
      [`HEAD ${orders}/CHARGE01`, 403, 'it is charged back'],
      [`HEAD ${orders}/CANCEL01`, 403, 'it is cancelled'],
      noReceipt(`HEAD ${orders}/NOSUCH99`),
    ],
  },
  {
    accepted: `GET ${orders}/CART0003?sku=KIT-03`,
    status: 200,
    lacking: 'no-orders',
    refused: [noReceipt(`GET ${orders}/NOSUCH99`)],
  },
  {
    accepted: `GET ${orders}/UPSELL01/upsells`,
    status: 200,
    lacking: 'no-orders',
    refused: [
      [`GET ${orders}/DIGITAL1/upsells`, 403, 'it has no upsells'],
      noReceipt(`GET ${orders}/NOSUCH99/upsells`),
    ],
  },

  // 4.4 Products
  { accepted: `GET ${products}/schema`, status: 200 },
  {
    accepted: `PUT ${products}/NEW-01?${save}&digital=true&categories=EBOOK&categories=AUDIO`,
    status: 201,
    lacking: 'read-only',
    refused: [
      [`PUT ${products}/NEW-01?${save.replace('site=GREENLEAF&', '')}`, 400, 'site is missing'],
      [`PUT ${products}/NEW-01?${save.replace('currency=USD&', '')}`, 400, 'currency is missing'],
      [`PUT ${products}/NEW-01?${save.replace('price=10.00&', '')}`, 400, 'price is missing'],
      [`PUT ${products}/NEW-01?${save.replace('language=EN&', '')}`, 400, 'language is missing'],
      [
        `PUT ${products}/NEW-01?${save.replace('language=EN', 'language=FI')}`,
        400,
        'there is no such language',
      ],
      [`PUT ${products}/NEW-01?${save.replace('title=New&', '')}`, 400, 'title is missing'],
      [`PUT ${products}/NEW-01?${save}&digital=true`, 400, 'a digital product needs a category'],
      [
        `PUT ${products}/NEW-01?${save}&categories=EBOOK`,
        400,
        'a category without a digital component',
      ],
      [
        `PUT ${products}/NEW-01?${save}&digital=true&categories=CAKE`,
        400,
        'there is no such category',
      ],
      [
        `PUT ${products}/NEW-01?${save.replace('&pitchPage=http://a.example', '')}`,
        400,
        'a pitch page is missing',
      ],
      [
        `PUT ${products}/NEW-01?${save.replace('&thankYouPage=http://a.example', '')}`,
        400,
        'a thank-you page is missing',
      ],
      [`PUT ${products}/NEW-01?${recurring}`, 400, 'trialPeriod is missing'],
      [`PUT ${products}/NEW-01?${recurring}&trialPeriod=2`, 400, 'a trial of 2 days'],
      [`PUT ${products}/NEW-01?${recurring}&trialPeriod=32`, 400, 'a trial of 32 days'],
      [
        `PUT ${products}/NEW-01?${recurring.replace('MONTHLY', 'DAILY')}&trialPeriod=0`,
        400,
        'there is no such frequency',
      ],
      [
        `PUT ${products}/NEW-01?${recurring.replace('&rebillPrice=10.00', '')}&trialPeriod=0`,
        400,
        'rebillPrice is missing',
      ],
      [
        `PUT ${products}/NEW-01?${recurring.replace('&duration=12', '')}&trialPeriod=0`,
        400,
        'duration is missing',
      ],
      [
        `PUT ${products}/NEW-01?${save}&physical=true`,
        400,
        'a physical product needs a description',
      ],
    ],
  },
  {
    accepted: `DELETE ${products}/GUIDE-01?site=GREENLEAF`,
    status: 204,
    lacking: 'read-only',
    refused: [[`DELETE ${products}/GUIDE-01`, 400, 'site is missing']],
  },
  {
    accepted: `GET ${products}/CLUB-M?site=GREENLEAF`,
    status: 200,
    lacking: 'read-only',
    refused: [[`GET ${products}/CLUB-M`, 400, 'site is missing']],
  },
  {
    accepted: `GET ${products}/list?site=GREENLEAF&type=RECURRING`,
    status: 200,
    lacking: 'read-only',
    refused: [[`GET ${products}/list`, 400, 'site is missing']],
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

test('A partial refund is refused with 403 where the vendor is not enabled for it', async () => {
  const sandbox = await openSandbox({ seed: { orders: 400 } });
  const found = await send(
    sandbox,
    `GET ${orders}/list?startDate=2026-02-01&endDate=2026-03-18&type=SALE&vendor=YOGAHOME`,
    json,
  );
  const [sale] = [JSON.parse(found.text).orderData].flat();
  const partial = `${refund}&refundType=PARTIAL_PERCENT&refundAmount=10`;
  expect((await send(sandbox, `POST ${tickets}/${sale.receipt}?${partial}`, json)).status).toBe(
    403,
  );
  const amounts = `GET ${tickets}/refundAmounts/${sale.receipt}?refundType=PARTIAL_AMOUNT&refundAmount=1`;
  expect((await send(sandbox, amounts, json)).status).toBe(403);
});

test('A page past the end of a list is empty', async () => {
  const sandbox = await openSandbox();
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
