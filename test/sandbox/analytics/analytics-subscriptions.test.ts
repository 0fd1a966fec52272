import { expect } from 'vitest';
import { analytics, subscriptionDetailResult } from '../../../src/operations/analytics.ts';
import { faultsInJson } from '../codec/shape.ts';
import { ask, daysAfter, getJson, linesIn, listAll, TODAY, test } from '../raw.ts';
import { ANALYTICS, details, expectRefusal, type Json as Row } from './analytics-raw.ts';

const VENDOR = 'VENDOR/subscription/details';
const AFFILIATE = 'AFFILIATE/subscription/details';
const GREENLEAF = 'account=GREENLEAF';

test('lists all subscriptions of a vendor with every field', async ({ seeded }) => {
  const path = `${VENDOR}?${GREENLEAF}`;
  const { text } = await getJson(seeded, `${ANALYTICS}/${path}`);
  expect(faultsInJson(subscriptionDetailResult, JSON.parse(text))).toEqual([]);
  const rows = await details(seeded, path);
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

test('omits fields of a subscription without a value, except the next payment, which is nil', async ({
  seeded,
}) => {
  const responses = await Promise.all([
    getJson(seeded, `${ANALYTICS}/${VENDOR}?${GREENLEAF}`),
    getJson(seeded, `${ANALYTICS}/${AFFILIATE}?account=TOPAFF1`),
    ask(seeded, 'GET', `${ANALYTICS}/${VENDOR}?${GREENLEAF}`),
  ]);
  for (const { text } of responses) {
    expect(text).toContain('row');
    const others = text.replaceAll(/"nextPaymentDate":\{"@nil":"true"\}/g, '');
    expect(others.replaceAll('<nextPaymentDate xsi:nil="true"/>', '')).not.toMatch(/nil=|@nil/);
  }
  const rows = await details(seeded, `${VENDOR}?${GREENLEAF}`);
  const limited = rows.find(({ receipt }) => receipt === 'LIMITED1');
  expect(limited).not.toHaveProperty('affNickName');
  expect(limited).not.toHaveProperty('subCancelDate');
  expect(rows.find(({ receipt }) => receipt === 'MONTHLY1')).not.toHaveProperty('subEndDate');
  const canceled = rows.find(({ receipt }) => receipt === 'CANCEL01');
  expect(canceled?.nextPaymentDate).toEqual({ '@nil': 'true' });
});

test('returns the terms, dates, and sums of a subscription', async ({ sandbox }) => {
  const rows = await details(sandbox, `${VENDOR}?${GREENLEAF}`);
  expect(rows.find(({ receipt }) => receipt === 'LIMITED1')).toMatchObject({
    status: 'ACTIVE',
    itemNo: 'PLAN-6',
    pubNickName: 'GREENLEAF',
    customerDisplayName: 'Ada Sample',
    customerFirstName: 'Ada',
    customerLastName: 'Sample',
    email: 'ada.sample@example.com',
    countryCode: 'US',
    province: 'ID',
    currencyCode: 'USD',
    paymentMethod: 'VISA',
    frequency: 'EVERY MONTH',
    duration: '6',
    trialPeriod: '0',
    purchaseDate: '2025-12-30T12:00:00-08:00',
    nextPaymentDate: '2026-03-30T12:00:00-07:00',
    subEndDate: '2026-06-30T12:00:00-07:00',
    cancelled: 'false',
    processedPaymentsCount: '3',
    futurePaymentsCount: '4',
    subValue: '147.00',
    initialSaleAmount: '49.00',
    initialSaleCount: '1',
    rebillSaleAmount: '98.00',
    rebillSaleCount: '2',
    refundAmount: '0.00',
    refundCount: '0',
    chargebackAmount: '0.00',
    chargebackCount: '0',
    txnType: 'BILL',
    timeStr: '12:00:00',
  });
  expect(rows.find(({ receipt }) => receipt === 'MONTHLY1')).toMatchObject({
    duration: '999',
    futurePaymentsCount: '999',
  });
  expect(rows.find(({ receipt }) => receipt === 'CANCEL01')).toMatchObject({
    status: 'CANCELED',
    cancelled: 'true',
    subCancelDate: `${daysAfter(TODAY, -20)}T12:00:00-08:00`,
    subEndDate: `${daysAfter(TODAY, -20)}T12:00:00-08:00`,
  });
});

test('returns sums that match the orders of the receipt', async ({ seeded }) => {
  const orders = await listAll(seeded, 'vendor=GREENLEAF');
  const cents = (value: unknown) => Math.round(Number(value) * 100);
  let returned = 0;
  for (const row of await details(seeded, `${VENDOR}?${GREENLEAF}`)) {
    const own = orders.filter(({ receipt }) => String(receipt).startsWith(String(row.receipt)));
    const paid = (type: string) =>
      own
        .filter(({ transactionType }) => transactionType === type)
        .flatMap((order) => linesIn(order))
        .filter((line) => line.recurring === 'true')
        .map((line) => cents(line.customerAmount));
    const sum = (type: string) => paid(type).reduce((all, one) => all + one, 0);
    const found = [row.initialSaleAmount, row.rebillSaleAmount, row.returnAmount];
    expect(found.map(cents)).toEqual([sum('SALE'), sum('BILL'), 0 - sum('RFND') - sum('CGBK')]);
    const counts = [row.initialSaleCount, row.rebillSaleCount, row.returnCount];
    expect(counts.map(Number)).toEqual([
      paid('SALE').length,
      paid('BILL').length,
      paid('RFND').length + paid('CGBK').length,
    ]);
    const types = ['SALE', 'BILL', 'RFND', 'CGBK'];
    expect(cents(row.subValue)).toBe(types.reduce((all, type) => all + sum(type), 0));
    returned += Number(row.returnCount);
  }
  expect(returned).toBeGreaterThan(0);
});

test('returns 0 for refund and chargeback figures of a subscription', async ({ seeded }) => {
  const rows = await details(seeded, `${VENDOR}?${GREENLEAF}`);
  expect(rows.some(({ returnCount }) => Number(returnCount) > 0)).toBe(true);
  for (const { refundCount, refundAmount, chargebackCount, chargebackAmount } of rows) {
    const figures = [refundCount, refundAmount, chargebackCount, chargebackAmount];
    expect(figures).toEqual(['0', '0.00', '0', '0.00']);
  }
});

test('shows -- for customer names and no email address to affiliates', async ({ seeded }) => {
  const rows = await details(seeded, `${AFFILIATE}?account=TOPAFF1`);
  expect(rows.length).toBeGreaterThan(10);
  expect(new Set(rows.map(({ pubNickName }) => pubNickName)).size).toBeGreaterThan(1);
  for (const row of rows) {
    expect(row).toMatchObject({
      affNickName: 'TOPAFF1',
      customerDisplayName: '--',
      customerFirstName: '--',
      customerLastName: '--',
    });
    expect(row).not.toHaveProperty('email');
  }
});

test('lists every subscription under exactly one status', async ({ large }) => {
  const all = await details(large, `${VENDOR}?${GREENLEAF}`);
  let listedByStatus = 0;
  for (const status of ['ACTIVE', 'COMPLETED', 'CANCELED', 'RETRY_PAYMENT', 'REQUEST_NEW_CARD']) {
    const rows = await details(large, `${VENDOR}/status?${GREENLEAF}&status=${status}`);
    expect(rows).toEqual(all.filter((row) => row.status === status));
    expect([status, rows.length > 0]).toEqual([status, true]);
    listedByStatus += rows.length;
  }
  expect(listedByStatus).toBe(all.length);
  await expectRefusal(large, `${VENDOR}/status?${GREENLEAF}`, 400, 'status');
  await expectRefusal(large, `${VENDOR}/status?${GREENLEAF}&status=HAPPY`, 400, 'RETRY_PAYMENT');
});

test('lists retries of failed payments and requests for new cards', async ({ large }) => {
  const expected = {
    RETRY_PAYMENT: 'VALIDATION_FAILURE',
    REQUEST_NEW_CARD: 'AUTHORIZATION_FAILURE',
  };
  for (const [status, inOrders] of Object.entries(expected)) {
    for (const { receipt } of await details(
      large,
      `${VENDOR}/status?${GREENLEAF}&status=${status}`,
    )) {
      const response = await getJson(large, `/rest/1.3/orders2/${receipt}`);
      expect(response.text).toContain(`"status":"${inOrders}"`);
    }
  }
});

/** The values of orderBy, and the fields that are not named after them as SUB_END_DATE is after subEndDate. */
const ORDERS = Object.keys(analytics.subscriptions.params.orderBy.values ?? {});
const isOfCustomer = (orderBy: string) => orderBy.startsWith('CUSTOMER_');
const FIELDS: Readonly<Record<string, string>> = {
  ITEM_NUMBER: 'itemNo',
  AFFILIATE_NICK_NAME: 'affNickName',
  CUSTOMER_EMAIL: 'email',
};

type Key = string | number;

/** Converts numbers and times for comparison, since offsets change twice a year. */
function keyIn(row: Row, field: string): Key | undefined {
  const value = row[field];
  if (typeof value !== 'string') return undefined;
  if (/^-?\d+(\.\d+)?$/.test(value)) return Number(value);
  return /^\d{4}-\d\d-\d\dT/.test(value) ? Date.parse(value) : value;
}

const inOrder = (a: Key, b: Key) => (a < b ? -1 : Number(a > b));

test('sorts in ascending order by default, with missing values last', async ({ seeded }) => {
  expect(ORDERS).toHaveLength(25);
  for (const orderBy of ORDERS) {
    const camel = orderBy
      .toLowerCase()
      .replaceAll(/_./g, ([, letter = '']) => letter.toUpperCase());
    const field = FIELDS[orderBy] ?? camel;
    for (const [more, sign] of [
      ['', 1],
      ['&sortDirection=ASC', 1],
      ['&sortDirection=DESC', -1],
    ] as const) {
      const rows = await details(seeded, `${VENDOR}?${GREENLEAF}&orderBy=${orderBy}${more}`);
      const keys = rows.map((row) => keyIn(row, field));
      const known = keys.filter((key) => key !== undefined);
      expect(keys.slice(0, known.length), orderBy).toEqual(
        known.toSorted((a, b) => sign * inOrder(a, b)),
      );
    }
  }
});

test('allows only vendors to sort by customer', async ({ seeded }) => {
  for (const orderBy of ORDERS) {
    const path = `${AFFILIATE}?account=TOPAFF1&orderBy=${orderBy}`;
    if (!isOfCustomer(orderBy)) await details(seeded, path);
    else await expectRefusal(seeded, path, 400, 'only for the role VENDOR');
  }
  await expectRefusal(seeded, `${VENDOR}?${GREENLEAF}&orderBy=COLOUR`, 400, 'orderBy');
  await expectRefusal(seeded, `${VENDOR}?${GREENLEAF}&sortDirection=UP`, 400, 'ASC, DESC');
});

test('returns an empty list without matches', async ({ sandbox }) => {
  const path = `${VENDOR}/startdate?${GREENLEAF}&startDate=2020-01-01&endDate=2020-01-31`;
  const response = await getJson(sandbox, `${ANALYTICS}/${path}`);
  expect([response.status, response.text]).toEqual([200, '{"totalCount":"0","data":{"row":null}}']);
});
