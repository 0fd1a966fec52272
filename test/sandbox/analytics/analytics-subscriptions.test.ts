/** Subscription details: fields, statuses and order, listings by a period, and of those that end soon. */
import { expect } from 'vitest';
import { analytics, subscriptionDetailResult } from '../../../src/operations/analytics.ts';
import type { Sandbox } from '../../../src/sandbox/http/server.ts';
import {
  ask,
  DAY,
  dayOf,
  daysAfter,
  expectAnswers,
  getJson,
  type Json,
  linesIn,
  listAll,
  openSandbox,
  post,
  TODAY,
  test,
} from '../raw.ts';
import { ANALYTICS, details } from './analytics-raw.ts';

const VENDOR = 'VENDOR/subscription/details';
const AFFILIATE = 'AFFILIATE/subscription/details';
const GREENLEAF = 'account=GREENLEAF';

test('lists all subscriptions of a vendor with every field that is set', async ({ seeded }) => {
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
  const xml = (await ask(seeded, 'GET', `${ANALYTICS}/${VENDOR}?${GREENLEAF}`)).text;
  expect(xml).toContain('<row>');
  expect(xml.replaceAll('<nextPaymentDate xsi:nil="true"/>', '')).not.toMatch(/nil=/);
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
    for (const [more, sign] of Object.entries({ '': 1, '&sortDirection=DESC': -1 })) {
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
  await expectAnswers(seeded)`
    ${sorts.join('\n')}
    GET analytics/${VENDOR}?${GREENLEAF}&sortDirection=ASC 200
    GET analytics/${VENDOR}/startdate?${GREENLEAF}&startDate=2020-01-01&endDate=2020-01-31 200 {"totalCount":"0","data":{"row":null}}`;
});

/** A next payment that is not due is nil, any other field is left out. */
const isTime = (value: unknown): value is string => typeof value === 'string';

const receipts = async (sandbox: Sandbox, path: string) =>
  (await details(sandbox, `${VENDOR}/${path}`)).map(({ receipt }) => receipt);

test('moves the end date with the number of remaining payments', async ({ sandbox }) => {
  expect(await receipts(sandbox, `compsixty?${GREENLEAF}`)).not.toContain('LIMITED1');
  const end = async () => {
    const rows = await details(sandbox, `${VENDOR}?${GREENLEAF}`);
    return rows.find(({ receipt }) => receipt === 'LIMITED1')?.subEndDate;
  };
  await post(sandbox, '/rest/1.3/orders2/LIMITED1/extend?numPeriods=2');
  expect(await end()).toBe('2026-08-30T12:00:00-07:00');
  await post(sandbox, '/rest/1.3/orders2/LIMITED1/changeDate?changeDate=2026-03-31');
  expect(await end()).toBe('2026-08-31T12:00:00-07:00');
});

/** The rows with a time in a field between two inclusive days. */
const within = (rows: readonly Json[], field: string, first: string, last = '9') =>
  rows.filter(({ [field]: time }) => isTime(time) && dayOf(time) >= first && dayOf(time) <= last);

test('lists the subscriptions canceled in the last 30 or 60 days', async ({ seeded }) => {
  const all = await details(seeded, `${VENDOR}?${GREENLEAF}`);
  for (const [path, days] of Object.entries({ cancelthirty: 30, cancelsixty: 60 })) {
    const rows = await details(seeded, `${VENDOR}/${path}?${GREENLEAF}`);
    expect(rows).toEqual(within(all, 'subCancelDate', daysAfter(TODAY, -days)));
    expect(rows.map(({ receipt }) => receipt)).toContain('CANCEL01');
  }
});

test('no longer lists a reinstated subscription as canceled', async ({ sandbox }) => {
  expect((await post(sandbox, '/rest/1.3/orders2/CANCEL01/reinstate')).status).toBe(204);
  expect(await receipts(sandbox, `cancelthirty?${GREENLEAF}`)).not.toContain('CANCEL01');
  expect(await receipts(sandbox, `status?${GREENLEAF}&status=ACTIVE`)).toContain('CANCEL01');
});

test.for([
  ['startdate', 'purchaseDate', '2026-02-01', '2026-02-28'],
  ['canceldate', 'subCancelDate', '2026-01-15', '2026-02-14'],
  ['nextpmtdate', 'nextPaymentDate', '2026-03-20', '2026-04-05'],
] as const)('lists with %s those whose %s is in a period', async (row, { seeded }) => {
  const [path, field, first, last] = row;
  const all = await details(seeded, `${VENDOR}?${GREENLEAF}`);
  const one = dayOf(within(all, field, first, last)[0]?.[field]);
  for (const [from = '', to = ''] of [row.slice(2), [one, one]]) {
    const period = `startDate=${from}&endDate=${to}`;
    const rows = await details(seeded, `${VENDOR}/${path}?${GREENLEAF}&${period}`);
    expect(rows).toEqual(within(all, field, from, to));
    expect(rows.length).toBeGreaterThan(0);
  }
});

const VENDORS = ['GREENLEAF', 'FITLAB24', 'COOKWELL', 'CODEMENTOR', 'YOGAHOME'];

async function allOf(sandbox: Sandbox, path = ''): Promise<Json[]> {
  const lists = VENDORS.map((vendor) => details(sandbox, `${VENDOR}${path}?account=${vendor}`));
  return (await Promise.all(lists)).flat();
}

test('ends no subscription before its next payment, also after failed payments that are retried', async () => {
  const sandbox = await openSandbox({ seed: { orders: 2500 } });
  let [last, retried] = [0, 0];
  // A failed payment is retried after three days.
  for (let day = 0; day <= 20; day += 2) {
    if (day > 0) await sandbox.advance(2 * DAY);
    const all = await allOf(sandbox);
    const ending = all.filter((row) => isTime(row.nextPaymentDate) && isTime(row.subEndDate));
    const next = (row: Json) => Date.parse(String(row.nextPaymentDate));
    const end = (row: Json) => Date.parse(String(row.subEndDate));
    expect(ending.filter((row) => end(row) < next(row))).toEqual([]);
    const lasts = ending.filter(({ futurePaymentsCount }) => futurePaymentsCount === '1');
    expect(lasts.filter((row) => end(row) !== next(row))).toEqual([]);
    last += lasts.length;
    retried += lasts.filter(({ status }) => /^(RETRY|REQUEST)_/.test(String(status))).length;
    if (day % 20 !== 0) continue;
    for (const [path, days] of Object.entries({ '/compthirty': 30, '/compsixty': 60 })) {
      const until = daysAfter(daysAfter(TODAY, day), days);
      const expected = ending.filter(({ subEndDate }) => dayOf(subEndDate) <= until);
      expect(expected.length).toBeGreaterThan(0);
      expect(await allOf(sandbox, path)).toEqual(expected);
    }
  }
  expect([last > 0, retried > 0]).toEqual([true, true]);
});
