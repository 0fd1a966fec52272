/**
 * Every operation as raw HTTP with a literal path: an accepted request, refusals without the role and with an
 * unknown key, and refusals that the tests of the services do not cover.
 */
import { expect } from 'vitest';
import { NEW_PRODUCT } from './good-request.ts';
import { ask, expectAnswers, keyed, test } from './raw.ts';

const DETAILS = 'analytics/VENDOR/subscription/details';
const REFUND = 'type=rfnd&reason=ticket.type.refund.2';
const SPRING = 'startDate=2026-01-01&endDate=2026-03-31';

const service = (name: string) => `
  GET ${name}/schema 200
  GET ${name}/count?status=notshipped&days=90 200 no-orders
  GET ${name}/list?status=all 200 no-orders`;

const notices = (name: string, reader: string) => `
  GET ${name}/shipnotice/schema 200
  GET ${name}/shipnotice/PARCEL01 200 ${reader}
  POST ${name}/shipnotice/PARCEL01?date=2026-03-18&carrier=USPS&tracking=T1&comments=c 200 read-only`;

/** Method and path below `/rest/1.3/`, the status, and a key that lacks a role of the operation. */
const OPERATIONS = `
  GET analytics/status 200 read-only
  GET ${DETAILS}?account=GREENLEAF 200 read-only
  GET ${DETAILS}/compthirty?account=GREENLEAF 200 read-only
  GET ${DETAILS}/compsixty?account=GREENLEAF 200 read-only
  GET ${DETAILS}/cancelthirty?account=GREENLEAF 200 read-only
  GET ${DETAILS}/cancelsixty?account=GREENLEAF 200 read-only
  GET ${DETAILS}/startdate?account=GREENLEAF&${SPRING} 200 read-only
  GET ${DETAILS}/canceldate?account=GREENLEAF&${SPRING} 200 read-only
  GET ${DETAILS}/nextpmtdate?account=GREENLEAF&${SPRING} 200 read-only
  GET ${DETAILS}/status?account=GREENLEAF&status=ACTIVE 200 read-only
  GET analytics/VENDOR/subscription/trends?account=GREENLEAF&${SPRING}&groupBy=DATE 206 read-only
  GET analytics/VENDOR/TRACKING_ID?account=GREENLEAF&select=SALE_COUNT&orderBy=SALE_COUNT&sortAscending=true 200 read-only
  GET analytics/VENDOR/TRACKING_ID/summary?account=GREENLEAF&summaryType=VENDOR_ONLY 200 read-only
  GET analytics/schema/AnalyticsStatus 200
  GET analytics/schema/SubscriptionDetailResult 200
  GET analytics/schema/SubscriptionDetailResultRow 200
  GET analytics/schema/SubscriptionTrendsData 200
  GET analytics/schema/AnalyticsResult 200
  GET tickets/schema 200
  POST tickets/DIGITAL1?${REFUND}&refundType=PARTIAL_PERCENT&refundAmount=80 200 read-only
  GET tickets/refundAmounts/DIGITAL1?refundType=PARTIAL_PERCENT&refundAmount=50 200 no-orders
  GET tickets/1001 200 no-orders
  PUT tickets/1001?action=close 200 read-only
  POST tickets/1004/returned 204 read-only
  GET tickets/list?status=open&createDateFrom=2026-03-12&createDateTo=2026-03-18 200 no-orders
  GET tickets/count?type=rfnd&status=open 200 no-orders
  GET tickets/partialRefundDataSchema 200
  GET orders2/schema 200
  POST orders2/CANCEL01/reinstate 204 read-only
  POST orders2/MONTHLY1/pause?restartDate=2026-05-01 204 read-only
  POST orders2/LIMITED1/extend?numPeriods=2 204 read-only
  POST orders2/MONTHLY1/changeProduct?oldSku=CLUB-M&newSku=CLUB-PLUS-M 204 read-only
  POST orders2/SHIPBOX1/changeAddress?address1=1%20Main%20St&city=Boise&countryCode=US 204 read-only
  POST orders2/MONTHLY1/changeDate?changeDate=2026-04-10 204 read-only
  GET orders2/count?type=NONSENSE 200 no-orders
  GET orders2/list?startDate=2025-03-19&endDate=2026-03-18 206 no-orders
  HEAD orders2/MONTHLY1 204 no-orders
  GET orders2/CART0003?sku=KIT-03 200 no-orders
  GET orders2/UPSELL01/upsells 200 no-orders
  GET products/schema 200
  PUT products/NEW-01?${NEW_PRODUCT}&categories=AUDIO 201 read-only
  DELETE products/GUIDE-01?site=GREENLEAF 204 read-only
  GET products/CLUB-M?site=GREENLEAF 200 read-only
  GET products/list?site=GREENLEAF&type=RECURRING 200 read-only
  GET quickstats/schema 200
  GET quickstats/count 200 no-orders
  GET quickstats/list?startDate=2026-03-01&endDate=2026-03-18&account=GREENLEAF 200 no-orders
  GET quickstats/accounts 200 no-orders
  ${['shipping', 'shipping2', 'shipping3'].map(service).join('')}
  ${notices('shipping', 'no-orders')}
  ${notices('shipping2', 'no-orders')}
  ${notices('shipping3', 'read-only')}`;

/** Operations of the live service beyond the specification. */
const BEYOND = `
  GET images/schema 200
  GET images/list?site=GREENLEAF&type=PRODUCT&approvedOnly=false 200 read-only`;

const linesOf = (table: string) =>
  table.split('\n').flatMap((line) => (line.trim() ? [line.trim()] : []));

test('covers all 66 operations of the specification', () => {
  expect(linesOf(OPERATIONS)).toHaveLength(66);
});

test.for(linesOf(OPERATIONS + BEYOND))('accepts %s', async (line, { sandbox: small, seeded }) => {
  const [method = '', path = '', status, lacking] = line.split(' ');
  const sandbox = method === 'GET' ? seeded : small;
  if (/schema/i.test(path)) {
    const headers = { Accept: 'application/xml', Authorization: '' };
    return expectAnswers(sandbox, `${method} ${path} ${status} <xs:schema`, headers);
  }
  await expectAnswers(sandbox, `${method} ${path} ${status}`);
  await expectAnswers(sandbox, `${method} ${path} 403`, keyed(sandbox, lacking ?? ''));
  const unknown = method === 'HEAD' ? '401' : '401 Invalid API key';
  await expectAnswers(sandbox, `${method} ${path} ${unknown}`, { Authorization: 'API-UNKNOWN' });
});

const LISTINGS = ['', '/compthirty', '/compsixty', '/cancelthirty', '/cancelsixty'];
const PERIODS = ['/startdate', '/canceldate', '/nextpmtdate'];

test('refuses missing, unknown and foreign values', async ({ sandbox }) => {
  for (const path of [...LISTINGS, ...PERIODS]) {
    const days = PERIODS.includes(path) ? `&${SPRING}` : '';
    await expectAnswers(
      sandbox,
      `GET ${DETAILS}${path}?${days.slice(1)} 400 account
      GET ${DETAILS}${path}?account=NOTMINE${days} 403 NOTMINE
      GET ${DETAILS}${path}?account=GREENLEAF${days}&orderBy=COLOUR 400 orderBy
      GET ${DETAILS.replace('VENDOR', 'BUYER')}${path}?account=GREENLEAF${days} 400 role`,
    );
  }
  await expectAnswers(
    sandbox,
    `POST orders2/NOSUCH99/reinstate 403
    POST orders2/MONTHLY1/pause 400 restartDate
    POST orders2/NOSUCH99/pause?restartDate=2026-05-01 403
    POST orders2/MONTHLY1/changeProduct?oldSku=CLUB-M 400 newSku
    POST orders2/SHIPBOX1/changeAddress?city=Boise&countryCode=US 400 address1
    POST orders2/SHIPBOX1/changeAddress?address1=a&countryCode=US 400 city
    POST orders2/SHIPBOX1/changeAddress?address1=a&city=b 400 countryCode
    POST orders2/MONTHLY1/changeDate 400 changeDate
    GET images/list 400 site
    GET images/list?site=GREENLEAF&type=LOGO 400 type
    GET images/list?site=GREENLEAF&approvedOnly=yes 400 approvedOnly
    GET images/list?site=NOTMINE 403`,
  );
});

test('returns an empty page past the end of a list', async ({ sandbox }) => {
  for (const path of [
    'orders2/list?startDate=2025-03-19&endDate=2026-03-18',
    'tickets/list?status=open',
    'shipping/list',
    'shipping2/list',
    'shipping3/list',
  ]) {
    const headers = { Accept: 'application/json', Page: '99' };
    const response = await ask(sandbox, 'GET', `/rest/1.3/${path}`, headers);
    expect([path, response.status, response.text]).toEqual([path, 200, 'null']);
  }
});
