/**
 * Each event of the sandbox is one notification, whether a request, the clock or a new sale causes it; and the encrypted
 * request and the JSON in it, read as a program of a vendor reads them.
 */
import { createDecipheriv } from 'node:crypto';
import { expect, test } from 'vitest';
import { decryptNotification } from '../../../src/features/ins/notification.ts';
import { DAY, type Json, linesIn, listAll, NOON, ordersOf } from '../raw.ts';
import { rowsIn, storeFile } from '../store/store-file.ts';
import { CANCEL, FULL } from '../tickets/ticket-raw.ts';
import {
  brief,
  CHANGE,
  change,
  eventsOf,
  logOf,
  type Notification,
  receive,
  SECRET,
  told,
} from './receiver.ts';

const PRORATED = 'orders2/MONTHLY1/changeProduct?oldSku=CLUB-M&newSku=CLUB-PLUS-M';

test.each<[what: string, path: string, ...events: string[]]>([
  ['a cancellation', `tickets/MONTHLY1?${CANCEL}`, 'CANCEL-REBILL MONTHLY1'],
  ['a reinstatement', 'orders2/CANCEL01/reinstate', 'UNCANCEL-REBILL CANCEL01'],
  ['a change of product', CHANGE, 'SUBSCRIPTION-CHG MONTHLY1'],
  ['a change of product with a refund', PRORATED, 'RFND', 'SUBSCRIPTION-CHG MONTHLY1'],
  ['a refund of a returned parcel', 'tickets/1004/returned', 'RFND'],
  ['nothing for a refund that is only requested', `tickets/DIGITAL1?${FULL}`],
  ['a refund that ends a subscription', `tickets/MONTHLY1-B004?${FULL}`, 'CANCEL-REBILL MONTHLY1'],
  ['nothing for a pause', 'orders2/MONTHLY1/pause?restartDate=2026-05-10'],
  ['nothing for another date', 'orders2/MONTHLY1/changeDate?changeDate=2026-05-10'],
])('tells of %s by request', async (_, path, ...expected) => {
  const world = await told();
  await change(world.sandbox, path);
  const events = await eventsOf(world);
  expect(events.map(brief)).toEqual(expected.map((text) => expect.stringContaining(text)));
});

test('sends no notification for a refused request', async () => {
  const world = await told();
  await expect(change(world.sandbox, 'orders2/MONTHLY1/reinstate')).rejects.toThrow();
  expect(await eventsOf(world)).toEqual([]);
});

test('uses separate notification types for test orders', async () => {
  const world = await told({ seed: { orders: 1500 } });
  const { sandbox } = world;
  const tests = await listAll(sandbox, 'type=TEST_SALE');
  const isRunning = (order: object) => /"status":"ACTIVE"/.test(JSON.stringify(order));
  const { receipt } = tests.find(isRunning) ?? {};
  await change(sandbox, `tickets/${receipt}?${CANCEL}`);
  await change(sandbox, `orders2/${receipt}/reinstate`);
  await change(sandbox, `tickets/TESTSL01?${FULL}`);
  await sandbox.advance(2 * DAY);
  const events = (await eventsOf(world)).map(brief);
  expect(events.filter((event) => event.includes('TEST-REBILL'))).toEqual([
    `CANCEL-TEST-REBILL ${receipt}`,
    `UNCANCEL-TEST-REBILL ${receipt}`,
  ]);
  expect(events).toContain('TEST_RFND TESTSL01');
});

/** `2026-02-18T15:11:38-08:00` as `20260218T151138-0800`. */
const compact = (time: unknown) =>
  String(time).replace(/^(\d+)-(\d+)-(\d+)T(\d+):(\d+):(\d+)(.\d+):/, '$1$2$3T$4$5$6$7');

const isMoney = ({ transactionType }: Notification) =>
  /^(TEST_)?(SALE|BILL|RFND|CGBK|INSF)$/.test(transactionType);

test('sends exactly the rows that appear in the orders list over a month of clock, in time order', async () => {
  const file = storeFile();
  const world = await told({ file, seed: { orders: 700 } });
  const { sandbox } = world;
  const key = (row: object) => JSON.stringify(row);
  // Chargebacks are rare, and returned checks are rarer.
  await rowsIn(
    file,
    "UPDATE purchase SET payment_method = 'CHECK' WHERE receipt = 'UPSELL02' RETURNING id",
  );
  const back = `SELECT ${NOON.getTime() / 1000 + DAY}, 'CHARGEBACK', id FROM purchase WHERE receipt LIKE 'UPSELL0%'`;
  await rowsIn(file, `INSERT INTO customer_event (at, kind, purchase_id) ${back} RETURNING id`);
  const before = new Set((await listAll(sandbox, '')).map((row) => key(factsOf(row))));
  await change(sandbox, `tickets/DIGITAL1?${FULL}`);
  await change(sandbox, PRORATED);
  await change(sandbox, `tickets/TESTSL01?${FULL}`);
  await sandbox.advance(30 * DAY);
  const rows = (await listAll(sandbox, ''))
    .filter(({ transactionType }) => !String(transactionType).endsWith('FEE'))
    .map(factsOf)
    .filter((row) => !before.has(key(row)));
  const events = await eventsOf(world);
  expect([...new Set(events.map(({ transactionType }) => transactionType))].sort()).toEqual([
    ...['BILL', 'CANCEL-REBILL', 'CGBK', 'CUSTOMER_AUTH_FAILURE', 'INSF', 'RFND', 'SALE'],
    ...['SUBSCRIPTION-CHG', 'TEST_BILL', 'TEST_RFND', 'TEST_SALE'],
  ]);
  const found = events.filter(isMoney).map(({ receipt, transactionType, ...event }) => ({
    receipt,
    type: transactionType === 'INSF' ? 'CGBK' : transactionType,
    time: event.transactionTime,
    total: Number(event.totalOrderAmount).toFixed(2),
    items: (event.lineItems as { itemNo: string }[]).map(({ itemNo }) => itemNo).join(),
  }));
  expect(rows.length).toBeGreaterThan(100);
  expect(found.map(key).sort()).toEqual(rows.map(key).sort());
  for (const { transactionType: type, paymentMethod, totalOrderAmount, ...event } of events) {
    if (type === 'INSF')
      expect([paymentMethod, Number(totalOrderAmount) < 0]).toEqual(['CHECK', true]);
    if (type === 'CGBK') expect(paymentMethod).not.toBe('CHECK');
    // No money moves when a payment is declined.
    const money = [totalOrderAmount, event.totalAccountAmount];
    if (type === 'CUSTOMER_AUTH_FAILURE') expect(money).toEqual([0, 0]);
  }
  // Several requests are on their way at a time, and each purchase keeps its order.
  const times = (of: readonly Notification[]) => of.map((event) => event.transactionTime);
  for (const receipt of new Set(events.map((event) => event.receipt.slice(0, 8)))) {
    const own = times(events.filter((event) => event.receipt.startsWith(receipt)));
    expect(own).toEqual([...own].sort());
  }
  const logged = logOf(sandbox).map(({ time }) => Date.parse(time));
  expect(logged).toEqual([...logged].sort((a, b) => b - a));
});

function factsOf(row: Json) {
  return {
    receipt: row.receipt,
    type: row.transactionType,
    time: compact(row.transactionTime),
    total: row.totalOrderAmount,
    items: linesIn(row)
      .map(({ itemNo }) => itemNo)
      .join(),
  };
}

test('records nothing without a URL, and nothing of the time before a URL is added', async () => {
  const world = await told({ seed: { orders: 300 } });
  const { sandbox, to } = world;
  sandbox.notifications.remove(to.url);
  await sandbox.advance(10 * DAY);
  expect((await ordersOf(sandbox, 'MONTHLY1')).length).toBeGreaterThan(4);
  sandbox.notifications.add({ url: to.url, version: 6 });
  expect(logOf(sandbox)).toEqual([]);
  expect(to.bodies).toEqual([]);
});

/** `printf TESTSECRET123456 | sha1sum | cut -c1-32` */
const KEY = 'f72b826db2687ac471a62961ffccf8f9';

test('posts JSON, encrypted with the first 32 hexadecimal digits of the SHA-1 of the secret key and another IV each time', async () => {
  const heads: unknown[] = [];
  const to = await receive(({ method, url, headers }, response) => {
    heads.push([method, url, headers['content-type']]);
    response.end();
  });
  const { sandbox } = await told({ to });
  for (let count = 0; count < 3; count += 1) await sandbox.notifications.test();
  expect(heads).toEqual(Array(3).fill(['POST', '/ins', 'application/json']));
  const ivs = to.bodies.map((body) => JSON.parse(body).iv);
  expect(new Set(ivs).size).toBe(3);
  const { notification, iv, ...others } = JSON.parse(to.bodies[0] ?? '');
  expect(others).toEqual({});
  expect(Buffer.from(iv, 'base64').toString('ascii')).toMatch(/^[0-9A-F]{16}$/);
  const decipher = createDecipheriv('aes-256-cbc', KEY, Buffer.from(iv, 'base64'));
  const text = decipher.update(notification, 'base64', 'utf8') + decipher.final('utf8');
  expect(JSON.parse(text)).toMatchObject({ transactionType: 'TEST', receipt: '********' });
  const [entry] = logOf(sandbox).reverse();
  expect(entry).toMatchObject({ state: 'delivered', status: 200, sent: to.bodies[0], body: text });
});

const PERSON = `firstName lastName fullName email phoneNumber address address1 address2 city county
  state postalCode country`;
const ADDED =
  'productPrice productDiscount taxAmount shippingAmount shippingLiable affiliatePayout';

/** The names of all fields, in order. */
const NAMES = `transactionTime receipt transactionType vendor affiliate role totalAccountAmount
  paymentMethod totalOrderAmount totalTaxAmount totalShippingAmount currency orderLanguage
  trackingCodes lineItems itemNo productTitle shippable recurring accountAmount quantity
  lineItemType downloadUrl ${ADDED} paymentPlan rebillStatus rebillFrequency rebillAmount
  paymentsProcessed paymentsRemaining nextPaymentDate
  customer shipping ${PERSON} billing ${PERSON} upsell upsellOriginalReceipt upsellFlowId
  upsellSession upsellPath hopfeedClickId vendorVariables v1 v2`;
const TRACKING = 'commonTrackingParameters affiliateTrackingParameters';

test.each([
  [6, NAMES.replace(ADDED, ''), '2026-03-18T12:00:00-07:00'],
  [7, NAMES, '20260318T120000-0700'],
  [8, `${NAMES} ${TRACKING}`, '20260318T120000-0700'],
])('sends every field of version %i in the test notification', async (version, names, time) => {
  const { sandbox, to } = await told({ version });
  await sandbox.notifications.test();
  const [text = ''] = to.texts();
  const { commonTrackingParameters, affiliateTrackingParameters, ...event } = JSON.parse(text);
  const [common, affiliate] = [commonTrackingParameters, affiliateTrackingParameters];
  const inside = Object.keys({ ...common, ...affiliate });
  const found = [...text.matchAll(/"(\w+)":/g)].map(([, name = '']) => name);
  expect(found.filter((name) => !inside.includes(name))).toEqual([
    ...names.split(/\s+/).filter(Boolean),
    ...['version', 'attemptCount'],
  ]);
  expect(event).toMatchObject({ version, vendor: 'greenleaf', transactionTime: time });
  expect(text).toContain('"totalAccountAmount":1.00,"paymentMethod":"VISA"');
  expect(text).toContain(`"version":${version}.0,`);
});

test('tells of a rebill with its own receipt, its amounts and what remains to be paid', async () => {
  const world = await told();
  await world.sandbox.advance(20 * DAY);
  const event = (await eventsOf(world)).find(({ receipt }) => receipt.startsWith('SHIPBOX1'));
  const ada = {
    ...{ firstName: 'Ada', lastName: 'Sample', fullName: 'Ada Sample' },
    ...{ email: 'ada.sample@example.com', phoneNumber: '+1-208-555-0100' },
    address: {
      ...{ address1: '12 Orchard Lane', city: 'Boise', county: 'Ada', state: 'ID' },
      ...{ postalCode: '83702', country: 'US' },
    },
  };
  expect(event).toEqual({
    ...{ transactionTime: '20260402T120000-0700', receipt: 'SHIPBOX1-B003' },
    ...{ transactionType: 'BILL', vendor: 'greenleaf', affiliate: 'topaff1', role: 'VENDOR' },
    ...{ totalAccountAmount: expect.any(Number), paymentMethod: 'VISA', currency: 'USD' },
    ...{ totalOrderAmount: 46.9, totalTaxAmount: 0, totalShippingAmount: 7.9 },
    ...{ orderLanguage: 'EN', trackingCodes: ['spring'], version: 8, attemptCount: 1 },
    lineItems: [
      {
        ...{ itemNo: 'CLUB-BOX-M', productTitle: 'Garden Box by Mail', lineItemType: 'ORIGINAL' },
        ...{ shippable: true, recurring: true, shippingLiable: true, quantity: 1 },
        accountAmount: event?.totalAccountAmount,
        ...{ productPrice: 39, productDiscount: 0, taxAmount: 0, shippingAmount: 7.9 },
        affiliatePayout: expect.any(Number),
        paymentPlan: {
          ...{ rebillStatus: 'ACTIVE', rebillFrequency: 'MONTHLY', rebillAmount: 39 },
          ...{ paymentsProcessed: 3, paymentsRemaining: expect.any(Number) },
          nextPaymentDate: '20260502T120000-0700',
        },
      },
    ],
    customer: { shipping: ada, billing: ada },
  });
});

test('moves no money with a cancellation, and shows a subscription as it is after that and after a change of product', async () => {
  const world = await told();
  await change(world.sandbox, `tickets/MONTHLY1?${CANCEL}`);
  await eventsOf(world);
  const [text = ''] = world.to.texts();
  expect(text).toContain('"totalAccountAmount":0.00');
  expect(text).toContain('"totalOrderAmount":0.00');
  const [line] = JSON.parse(text).lineItems;
  expect(line).toMatchObject({ itemNo: 'CLUB-M', paymentPlan: { rebillStatus: 'CANCELED' } });
  expect(line.paymentPlan).not.toHaveProperty('nextPaymentDate');
  const other = await told();
  await change(other.sandbox, CHANGE);
  const [changed] = await eventsOf(other);
  expect(changed?.lineItems).toMatchObject([
    { itemNo: 'CLUB-PLUS-M', paymentPlan: { rebillAmount: 49 } },
  ]);
});

test('has no null, keeps names whole, and sends optional fields for some orders of a month', async () => {
  const world = await told({ seed: { orders: 600 } });
  await world.sandbox.advance(20 * DAY);
  const events = await eventsOf(world);
  const texts = world.to.texts();
  expect(texts.filter((text) => /:null|undefined|:NaN/.test(text))).toEqual([]);
  const amounts = texts.join().match(/"(?:\w*Amount|productPrice|affiliatePayout)":[^,}]+/g) ?? [];
  expect(amounts.filter((amount) => !/:-?\d+\.\d\d$/.test(amount))).toEqual([]);
  expect(texts.join()).toMatch(/"fullName":"[^"]*[\u0080-\uffff]/);
  // The library keeps the digits of the sandbox, also a final zero.
  const totals = texts.map((text) => /"totalOrderAmount":([^,}]+)/.exec(text)?.[1]);
  expect(totals.some((total) => total?.endsWith('0'))).toBe(true);
  const typed = world.to.bodies.map((body) => decryptNotification(body, SECRET).totalOrderAmount);
  expect(typed).toEqual(totals);
  for (const name of ['upsell', 'hopfeedClickId', 'vendorVariables', 'trackingCodes']) {
    const having = events.filter((event) => name in event).length;
    expect([name, having > 0, having < events.length]).toEqual([name, true, true]);
  }
  expect(events.find((event) => 'upsell' in event)?.upsell).toEqual({
    upsellOriginalReceipt: expect.stringMatching(/^\w{8}$/),
    upsellFlowId: expect.any(Number),
    upsellSession: expect.any(String),
    upsellPath: expect.any(String),
  });
});
