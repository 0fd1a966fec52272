/** Sample events: of each type, from orders, and with changed fields. */
import { expect, test } from 'vitest';
import { eventShape, eventText } from '../../../src/features/ins/event-text.ts';
import { type EventType, eventTypeNames, eventTypes } from '../../../src/features/ins/index.ts';
import { eventOf } from '../../../src/features/ins/sample-event.ts';

const now = new Date('2026-03-18T18:30:00Z');
const made = (type: EventType, options = {}) =>
  JSON.parse(eventText(eventOf(type, { now, ...options })));

test.each(eventTypeNames)('makes a believable %s', (type) => {
  const event = made(type);
  expect(event).toMatchObject({
    transactionTime: '20260318T113000-0700',
    transactionType: type,
    vendor: 'greenleaf',
    role: 'VENDOR',
    version: 8,
    attemptCount: 1,
  });
  expect(Object.keys(event).every((name) => Object.hasOwn(eventShape, name))).toBe(true);
  expect('affiliate' in event).toBe(!eventTypes[type].isTest);
});

test('makes what differs between the types', () => {
  expect(made('TEST').receipt).toBe('********');
  expect(made('BILL').receipt).toBe('SAMPLE01-B002');
  expect(made('TEST_BILL').receipt).toBe('SAMPLE01-B002');
  expect(made('RFND').totalOrderAmount).toBe(-30.74);
  expect(made('CANCEL-REBILL').lineItems[0].paymentPlan.rebillStatus).toBe('CANCELED');
  expect(made('ABANDONED_ORDER').customer.billing.address).toEqual({});
  expect(made('SALE', { version: 7 })).not.toHaveProperty('commonTrackingParameters');
  expect(made('SALE', { receipt: 'MINE0001' }).receipt).toBe('MINE0001');
});

const sale = {
  transactionTime: '2026-02-18T15:11:38-08:00',
  receipt: 'MONTHLY1',
  vendor: 'GREENLEAF',
  paytmentMethod: 'VISA',
  transactionType: 'SALE',
  totalOrderAmount: '29.00',
  totalTaxAmount: '0.00',
  trackingId: 'spring',
  fullName: 'Noël Béranger',
  state: null,
  country: 'FR',
  vendorVariables: { item: [{ name: 'campaign', value: 'fall "24"' }] },
  lineItemData: [
    {
      ...{ itemNo: 'CLUB-M', recurring: true, accountAmount: '12.91', customerAmount: '29.00' },
      ...{
        lineItemType: 'STANDARD',
        quantity: 1,
        rebillAmount: '29.00',
        processedPayments: 1,
        futurePayments: 999,
      },
      ...{ nextPaymentDate: '2026-03-18T15:11:38-07:00', status: 'ACTIVE' },
    },
  ],
};
const bill = { ...sale, receipt: 'MONTHLY1-B002', transactionType: 'BILL' };

test('makes an event of an order, with nothing made up', () => {
  const text = eventText(eventOf('SALE', { now, from: [sale, bill] }));
  expect(text).toBe(
    '{"transactionTime":"20260218T151138-0800","receipt":"MONTHLY1","transactionType":"SALE",' +
      '"vendor":"greenleaf","totalAccountAmount":12.91,"paymentMethod":"VISA","totalOrderAmount":29.00,"totalTaxAmount":0.00,' +
      '"trackingCodes":["spring"],"lineItems":[{"itemNo":"CLUB-M","recurring":true,"accountAmount":12.91,' +
      '"quantity":1,"lineItemType":"ORIGINAL","productPrice":29.00,"paymentPlan":{"rebillStatus":"ACTIVE","rebillAmount":29.00,' +
      '"paymentsProcessed":1,"paymentsRemaining":999,"nextPaymentDate":"20260318T151138-0700"}}],' +
      '"customer":{"billing":{"fullName":"Noël Béranger","address":{"country":"FR"}}},"version":8.0,' +
      '"attemptCount":1,"vendorVariables":{"campaign":"fall \\"24\\""}}',
  );
});

test('takes the transaction of the type, and turns a sale into a refund', () => {
  expect(made('BILL', { from: [sale, bill] }).receipt).toBe('MONTHLY1-B002');
  const refund = made('RFND', { from: [sale, bill] });
  expect(refund).toMatchObject({
    receipt: 'MONTHLY1',
    transactionTime: '20260318T113000-0700',
    totalOrderAmount: -29,
    totalTaxAmount: 0,
  });
  const row = { transactionType: 'TEST_SALE', transactionTime: '2026-03-01T10:00:00-08:00' };
  expect(eventOf('TEST_SALE', { now, from: [row] })).toMatchObject({
    transactionType: 'TEST_SALE',
    transactionTime: '20260301T100000-0800',
  });
});
