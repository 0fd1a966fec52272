/** The encrypted request and the JSON in it, read as a program of a vendor reads them. */
import { createDecipheriv } from 'node:crypto';
import { expect, test } from 'vitest';
import { CANCEL, DAY } from '../tickets/ticket-raw.ts';
import { change, decrypted, eventsOf, logOf, receive, told } from './receiver.ts';

/** `printf TESTSECRET123456 | sha1sum | cut -c1-32` */
const KEY = 'f72b826db2687ac471a62961ffccf8f9';

test('encrypts with the first 32 hexadecimal digits of the SHA-1 of the secret key', async () => {
  const { sandbox, to } = await told();
  await sandbox.notifications.test();
  const { notification, iv, ...others } = JSON.parse(to.bodies[0] ?? '');
  expect(others).toEqual({});
  expect(Buffer.from(iv, 'base64').toString('ascii')).toMatch(/^[0-9A-F]{16}$/);
  const decipher = createDecipheriv('aes-256-cbc', KEY, Buffer.from(iv, 'base64'));
  const text = decipher.update(notification, 'base64', 'utf8') + decipher.final('utf8');
  expect(JSON.parse(text)).toMatchObject({ transactionType: 'TEST', receipt: '********' });
});

test('uses another IV for each request', async () => {
  const { sandbox, to } = await told();
  for (let count = 0; count < 5; count += 1) await sandbox.notifications.test();
  expect(new Set(to.bodies.map((body) => JSON.parse(body).iv)).size).toBe(5);
});

test('posts JSON', async () => {
  const heads: unknown[] = [];
  const to = await receive(({ method, url, headers }, response) => {
    heads.push([method, url, headers['content-type']]);
    response.end();
  });
  const { sandbox } = await told({ to });
  await sandbox.notifications.test();
  expect(heads).toEqual([['POST', '/ins', 'application/json']]);
});

test('sends every field of the test notification with two decimals in amounts', async () => {
  const { sandbox, to } = await told({ version: 7 });
  await sandbox.notifications.test();
  const [text = ''] = to.texts();
  expect(text).toMatch(/^\{"transactionTime":"20260318T120000-0700","receipt":"\*{8}",/);
  expect(text).toContain('"totalAccountAmount":1.00,"paymentMethod":"VISA"');
  expect(text).toMatch(/"version":7\.0,"attemptCount":1\}$/);
  const { lineItems, customer, ...event } = JSON.parse(text);
  expect(Object.keys(event)).toEqual([
    ...['transactionTime', 'receipt', 'transactionType', 'vendor', 'affiliate', 'role'],
    ...['totalAccountAmount', 'paymentMethod', 'totalOrderAmount', 'totalTaxAmount'],
    ...['totalShippingAmount', 'currency', 'orderLanguage', 'trackingCodes'],
    ...['upsell', 'hopfeedClickId', 'vendorVariables', 'version', 'attemptCount'],
  ]);
  expect(Object.keys(lineItems[0])).toEqual([
    ...['itemNo', 'productTitle', 'shippable', 'recurring', 'accountAmount', 'quantity'],
    ...['lineItemType', 'downloadUrl', 'productPrice', 'productDiscount', 'taxAmount'],
    ...['shippingAmount', 'shippingLiable', 'affiliatePayout', 'paymentPlan'],
  ]);
  expect(Object.keys(lineItems[0].paymentPlan)).toEqual([
    ...['rebillStatus', 'rebillFrequency', 'rebillAmount'],
    ...['paymentsProcessed', 'paymentsRemaining', 'nextPaymentDate'],
  ]);
  for (const who of ['shipping', 'billing']) {
    const { address, ...person } = customer[who];
    expect(Object.keys(person)).toEqual([
      ...['firstName', 'lastName', 'fullName', 'email', 'phoneNumber'],
    ]);
    expect(Object.keys(address)).toEqual([
      ...['address1', 'address2', 'city', 'county', 'state', 'postalCode', 'country'],
    ]);
  }
});

test('writes ISO times in version 6, without the six fields of line items that came later', async () => {
  const { sandbox, to } = await told({ version: 6 });
  await sandbox.notifications.test();
  const { lineItems, ...event } = JSON.parse(to.texts()[0] ?? '');
  expect(event).toMatchObject({
    transactionTime: '2026-03-18T12:00:00-07:00',
    vendor: 'greenleaf',
  });
  expect(Object.keys(lineItems[0])).toEqual([
    ...['itemNo', 'productTitle', 'shippable', 'recurring', 'accountAmount', 'quantity'],
    ...['lineItemType', 'downloadUrl', 'paymentPlan'],
  ]);
  expect(lineItems[0].paymentPlan.nextPaymentDate).toBe('2026-04-17T12:00:00-07:00');
});

test('tells of a rebill with its own receipt, its amounts and what remains to be paid', async () => {
  const world = await told();
  await world.sandbox.advance(20 * DAY);
  const event = (await eventsOf(world)).find(({ receipt }) => receipt.startsWith('SHIPBOX1'));
  expect(event).toEqual({
    transactionTime: '20260402T120000-0700',
    receipt: 'SHIPBOX1-B003',
    transactionType: 'BILL',
    vendor: 'greenleaf',
    affiliate: 'topaff1',
    role: 'VENDOR',
    totalAccountAmount: expect.any(Number),
    paymentMethod: 'VISA',
    totalOrderAmount: 46.9,
    totalTaxAmount: 0,
    totalShippingAmount: 7.9,
    currency: 'USD',
    orderLanguage: 'EN',
    trackingCodes: ['spring'],
    lineItems: [
      {
        itemNo: 'CLUB-BOX-M',
        productTitle: 'Garden Box by Mail',
        shippable: true,
        recurring: true,
        accountAmount: event?.totalAccountAmount,
        quantity: 1,
        lineItemType: 'ORIGINAL',
        productPrice: 39,
        productDiscount: 0,
        taxAmount: 0,
        shippingAmount: 7.9,
        shippingLiable: true,
        affiliatePayout: expect.any(Number),
        paymentPlan: {
          rebillStatus: 'ACTIVE',
          rebillFrequency: 'MONTHLY',
          rebillAmount: 39,
          paymentsProcessed: 3,
          paymentsRemaining: expect.any(Number),
          nextPaymentDate: '20260502T120000-0700',
        },
      },
    ],
    customer: { shipping: ADA, billing: ADA },
    version: 8,
    attemptCount: 1,
  });
});

const ADA = {
  firstName: 'Ada',
  lastName: 'Sample',
  fullName: 'Ada Sample',
  email: 'ada.sample@example.com',
  phoneNumber: '+1-208-555-0100',
  address: {
    address1: '12 Orchard Lane',
    city: 'Boise',
    county: 'Ada',
    state: 'ID',
    postalCode: '83702',
    country: 'US',
  },
};

test('moves no money with a cancellation, and shows the subscription as it is then', async () => {
  const world = await told();
  await change(world.sandbox, `tickets/MONTHLY1?${CANCEL}`);
  await eventsOf(world);
  const [text = ''] = world.to.texts();
  expect(text).toContain('"totalAccountAmount":0.00');
  expect(text).toContain('"totalOrderAmount":0.00');
  const [line] = JSON.parse(text).lineItems;
  expect(line).toMatchObject({ itemNo: 'CLUB-M', paymentPlan: { rebillStatus: 'CANCELED' } });
  expect(line.paymentPlan).not.toHaveProperty('nextPaymentDate');
});

test('names the new item of a changed subscription', async () => {
  const world = await told();
  await change(
    world.sandbox,
    'orders2/MONTHLY1/changeProduct?oldSku=CLUB-M&newSku=CLUB-PLUS-M&applyProratedRefund=false',
  );
  const [event] = await eventsOf(world);
  expect(event?.lineItems).toEqual([
    expect.objectContaining({
      itemNo: 'CLUB-PLUS-M',
      paymentPlan: expect.objectContaining({ rebillAmount: 49 }),
    }),
  ]);
});

test('has no null, keeps names whole, and sends optional fields for some orders of a month', async () => {
  const world = await told({ seed: { orders: 3000 } });
  await world.sandbox.advance(31 * DAY);
  const events = await eventsOf(world);
  const texts = world.to.texts();
  expect(texts.filter((text) => /:null|undefined|:NaN/.test(text))).toEqual([]);
  const amounts = texts.join().match(/"(?:\w*Amount|productPrice|affiliatePayout)":[^,}]+/g) ?? [];
  expect(amounts.filter((amount) => !/:-?\d+\.\d\d$/.test(amount))).toEqual([]);
  expect(texts.join()).toMatch(/"fullName":"[^"]*[\u0080-\uffff]/);
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

test('sends the tracking parameters in version 8 only', async () => {
  const six = await receive();
  const seven = await receive();
  const { sandbox } = await told({ to: six, version: 6 });
  sandbox.notifications.add({ url: seven.url, secret: 'OTHERSECRET', version: 7 });
  await sandbox.notifications.test();
  sandbox.notifications.remove(six.url);
  sandbox.notifications.add({ url: six.url, secret: 'OTHERSECRET', version: 8 });
  await sandbox.notifications.test();
  const ofSix = [
    JSON.parse(decrypted(six.bodies[0] ?? '')),
    JSON.parse(decrypted(six.bodies[1] ?? '', 'OTHERSECRET')),
  ];
  const ofSeven = JSON.parse(decrypted(seven.bodies[0] ?? '', 'OTHERSECRET'));
  expect([...ofSix, ofSeven].map(({ version }) => version)).toEqual([6, 8, 7]);
  const names = ['commonTrackingParameters', 'affiliateTrackingParameters'];
  for (const name of names) {
    expect([...ofSix, ofSeven].map((event) => name in event)).toEqual([false, true, false]);
  }
});

test('shows the JSON and the request of each attempt in the log', async () => {
  const { sandbox, to } = await told();
  await sandbox.notifications.test();
  const [entry] = logOf(sandbox);
  expect(entry).toMatchObject({ state: 'delivered', status: 200, sent: to.bodies[0] });
  expect(entry?.body).toBe(to.texts()[0]);
});
