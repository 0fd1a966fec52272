/** Subscription details: fields, statuses and order. */
import { expect } from 'vitest';
import { analytics, subscriptionDetailResult } from '../../../src/operations/analytics.ts';
import {
  ask,
  daysAfter,
  expectAnswers,
  getJson,
  type Json,
  linesIn,
  listAll,
  TODAY,
  test,
} from '../raw.ts';
import { ANALYTICS, details } from './analytics-raw.ts';

const VENDOR = 'VENDOR/subscription/details';
const AFFILIATE = 'AFFILIATE/subscription/details';
const GREENLEAF = 'account=GREENLEAF';

test('lists all subscriptions of a vendor with every field', async ({ seeded }) => {
  const rows = await details(seeded, `${VENDOR}?${GREENLEAF}`);
  const fields = Object.keys(
    subscriptionDetailResult.fields.data.resource?.fields.row?.resource?.fields ?? {},
  ).sort();
  expect(fields).toHaveLength(37);
  for (const row of rows) {
    expect(Object.keys(row)).toEqual(fields.filter((name) => Object.hasOwn(row, name)));
  }
  expect(new Set(rows.flatMap((row) => Object.keys(row)))).toEqual(new Set(fields));
  const sales = (await listAll(seeded, 'vendor=GREENLEAF&type=SALE')).filter((sale) =>
    linesIn(sale).some((line) => line.recurring === 'true'),
  );
  expect(rows.map(({ receipt }) => receipt).sort()).toEqual(
    sales.map(({ receipt }) => receipt).sort(),
  );
});

test('omits fields without a value, except the next payment, which is nil, and has no refunds apart from returns', async ({
  seeded,
}) => {
  const xml = (await ask(seeded, 'GET', `${ANALYTICS}/${VENDOR}?${GREENLEAF}`)).text;
  expect(xml).toContain('<row>');
  expect(xml.replaceAll('<nextPaymentDate xsi:nil="true"/>', '')).not.toMatch(/nil=/);
  const rows = await details(seeded, `${VENDOR}?${GREENLEAF}`);
  const of = (receipt: string) => rows.find((row) => row.receipt === receipt);
  for (const name of ['affNickName', 'subCancelDate']) {
    expect(of('LIMITED1')).not.toHaveProperty(name);
  }
  expect(of('MONTHLY1')).not.toHaveProperty('subEndDate');
  expect(of('CANCEL01')?.nextPaymentDate).toEqual({ '@nil': 'true' });
  const zero = { refundCount: '0', refundAmount: '0.00' };
  const none = { chargebackCount: '0', chargebackAmount: '0.00' };
  for (const row of rows) expect(row).toMatchObject({ ...zero, ...none });
});

test('returns the terms, dates, and sums of a subscription', async ({ sandbox }) => {
  const rows = await details(sandbox, `${VENDOR}?${GREENLEAF}`);
  expect(rows.find(({ receipt }) => receipt === 'LIMITED1')).toMatchObject({
    ...{ status: 'ACTIVE', itemNo: 'PLAN-6', pubNickName: 'GREENLEAF', cancelled: 'false' },
    ...{ customerFirstName: 'Ada', customerLastName: 'Sample', customerDisplayName: 'Ada Sample' },
    ...{ email: 'ada.sample@example.com', countryCode: 'US', province: 'ID' },
    ...{ currencyCode: 'USD', paymentMethod: 'VISA', txnType: 'BILL', timeStr: '12:00:00' },
    ...{ frequency: 'EVERY MONTH', duration: '6', trialPeriod: '0' },
    purchaseDate: '2025-12-30T12:00:00-08:00',
    nextPaymentDate: '2026-03-30T12:00:00-07:00',
    subEndDate: '2026-06-30T12:00:00-07:00',
    ...{ processedPaymentsCount: '3', futurePaymentsCount: '4', subValue: '147.00' },
    ...{ initialSaleAmount: '49.00', initialSaleCount: '1' },
    ...{ rebillSaleAmount: '98.00', rebillSaleCount: '2' },
  });
  expect(rows.find(({ receipt }) => receipt === 'MONTHLY1')).toMatchObject({
    duration: '999',
    futurePaymentsCount: '999',
  });
  const ended = `${daysAfter(TODAY, -20)}T12:00:00-08:00`;
  expect(rows.find(({ receipt }) => receipt === 'CANCEL01')).toMatchObject({
    ...{ status: 'CANCELED', cancelled: 'true', subCancelDate: ended, subEndDate: ended },
  });
});

test('shows -- for customer names and no email address to affiliates', async ({ seeded }) => {
  const rows = await details(seeded, `${AFFILIATE}?account=TOPAFF1`);
  expect(rows.length).toBeGreaterThan(10);
  expect(new Set(rows.map(({ pubNickName }) => pubNickName)).size).toBeGreaterThan(1);
  const hidden = { customerDisplayName: '--', customerFirstName: '--', customerLastName: '--' };
  for (const row of rows) {
    expect(row).toMatchObject({ affNickName: 'TOPAFF1', ...hidden });
    expect(row).not.toHaveProperty('email');
  }
});

/** Statuses, and that of the line item in orders where it has another name. */
const STATUSES = {
  ...{ ACTIVE: '', COMPLETED: '', CANCELED: '' },
  RETRY_PAYMENT: 'VALIDATION_FAILURE',
  REQUEST_NEW_CARD: 'AUTHORIZATION_FAILURE',
};

test('lists every subscription under exactly one status', async ({ large }) => {
  const all = await details(large, `${VENDOR}?${GREENLEAF}`);
  let listedByStatus = 0;
  for (const [status, inOrders] of Object.entries(STATUSES)) {
    const rows = await details(large, `${VENDOR}/status?${GREENLEAF}&status=${status}`);
    expect(rows).toEqual(all.filter((row) => row.status === status));
    expect([status, rows.length > 0]).toEqual([status, true]);
    listedByStatus += rows.length;
    for (const { receipt } of inOrders ? rows : []) {
      const { text } = await getJson(large, `/rest/1.3/orders2/${receipt}`);
      expect(text).toContain(`"status":"${inOrders}"`);
    }
  }
  expect(listedByStatus).toBe(all.length);
  await expectAnswers(
    large,
    `GET analytics/${VENDOR}/status?${GREENLEAF} 400 status
    GET analytics/${VENDOR}/status?${GREENLEAF}&status=HAPPY 400 RETRY_PAYMENT`,
  );
});

/** The values of orderBy, and the fields that are not named after them as SUB_END_DATE is after subEndDate. */
const ORDERS = Object.keys(analytics.subscriptions.params.orderBy.values ?? {});
const FIELDS: Readonly<Record<string, string>> = {
  ITEM_NUMBER: 'itemNo',
  AFFILIATE_NICK_NAME: 'affNickName',
  CUSTOMER_EMAIL: 'email',
};

/** Converts numbers and times for comparison, since offsets change twice a year. */
function keyIn(row: Json, field: string): string | number | undefined {
  const value = row[field];
  if (typeof value !== 'string') return undefined;
  if (/^-?\d+(\.\d+)?$/.test(value)) return Number(value);
  return /^\d{4}-\d\d-\d\dT/.test(value) ? Date.parse(value) : value;
}

test('sorts in ascending order by default, with missing values last', async ({ seeded }) => {
  expect(ORDERS).toHaveLength(25);
  for (const orderBy of ORDERS) {
    const words = orderBy.toLowerCase();
    const camel = words.replaceAll(/_./g, ([, letter = '']) => letter.toUpperCase());
    for (const [more, sign] of [
      ['', 1],
      ['&sortDirection=ASC', 1],
      ['&sortDirection=DESC', -1],
    ] as const) {
      const rows = await details(seeded, `${VENDOR}?${GREENLEAF}&orderBy=${orderBy}${more}`);
      const keys = rows.map((row) => keyIn(row, FIELDS[orderBy] ?? camel));
      const known = keys.filter((key) => key !== undefined);
      expect(keys.slice(0, known.length), orderBy).toEqual(
        known.toSorted((a, b) => sign * (a < b ? -1 : Number(a > b))),
      );
    }
  }
});

test('allows only vendors to sort by customer', async ({ seeded }) => {
  const sorts = ORDERS.map((orderBy) => {
    const answer = orderBy.startsWith('CUSTOMER_') ? '400 only for the role VENDOR' : '200';
    return `GET analytics/${AFFILIATE}?account=TOPAFF1&orderBy=${orderBy} ${answer}`;
  });
  await expectAnswers(
    seeded,
    `${sorts.join('\n')}
    GET analytics/${VENDOR}?${GREENLEAF}&orderBy=COLOUR 400 orderBy
    GET analytics/${VENDOR}?${GREENLEAF}&sortDirection=UP 400 ASC, DESC
    GET analytics/${VENDOR}/startdate?${GREENLEAF}&startDate=2020-01-01&endDate=2020-01-31 200 {"totalCount":"0","data":{"row":null}}`,
  );
});
