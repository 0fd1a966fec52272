/** Decrypting and encrypting notifications, why decrypting fails, and sample events: of each type, from orders, and with changed fields. */
import { createCipheriv, createHash } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { EventVersion8 } from '../../../src/features/ins/event.ts';
import { eventText } from '../../../src/features/ins/event-text.ts';
import {
  decryptNotification,
  type EventType,
  encryptNotification,
  eventTypeNames,
  eventTypes,
  NotificationError,
} from '../../../src/features/ins/index.ts';
import { openNotification } from '../../../src/features/ins/open-notification.ts';
import { eventOf } from '../../../src/features/ins/sample-event.ts';
import { eventVersions } from '../../../src/operations/notification-versions.ts';

const secret = 'SECRET1KEY2026AB';
const iv = Buffer.from('0123456789abcdef');
const now = new Date('2026-03-18T18:30:00Z');

/** Encrypts bytes that need not be an event. */
function bodyOf(bytes: string | Uint8Array, { padding = true } = {}): string {
  const key = createHash('sha1').update(secret).digest('hex').slice(0, 32);
  const cipher = createCipheriv('aes-256-cbc', key, iv).setAutoPadding(padding);
  const encrypted = Buffer.concat([cipher.update(bytes), cipher.final()]).toString('base64');
  return JSON.stringify({ notification: encrypted, iv: iv.toString('base64') });
}

/** With `given`, the secret can be undefined. */
function failureOf(body: unknown, given: { readonly secret: unknown } = { secret }) {
  try {
    decryptNotification(body as string, given.secret as string);
  } catch (error) {
    if (error instanceof NotificationError) return error;
    throw error;
  }
  throw new Error('The notification was decrypted.');
}

const sent =
  '{"transactionTime":"20260218T151138-0800","receipt":"ABCD1234","transactionType":"SALE",' +
  '"totalOrderAmount":1.00,"totalTaxAmount":"0.10","lineItems":[{"itemNo":7,"quantity":2,"recurring":false,' +
  '"productPrice":12345678901234567.10}],"trackingCodes":[],"customer":{"billing":{"fullName":"Zoë 李",' +
  '"address":{}}},"upsell":{"upsellFlowId":44874},"version":6.0,"attemptCount":1,"new":{"rate":0.10,"count":3},"affiliate":null}';

test('types known fields, keeps digits, unknown fields, and the text as sent', () => {
  expect(decryptNotification(bodyOf(sent), secret)).toEqual({
    ...{ transactionTime: '20260218T151138-0800', receipt: 'ABCD1234', transactionType: 'SALE' },
    ...{ totalOrderAmount: '1.00', totalTaxAmount: '0.10', version: 6, attemptCount: 1 },
    lineItems: [
      { itemNo: '7', quantity: 2, recurring: false, productPrice: '12345678901234567.10' },
    ],
    trackingCodes: [],
    customer: { billing: { fullName: 'Zoë 李', address: {} } },
    upsell: { upsellFlowId: 44874 },
    new: { rate: '0.10', count: 3 },
  });
  expect(openNotification(bodyOf(sent), ['WRONG', secret]).text).toBe(sent);
  const { upsell } = decryptNotification(bodyOf('{"upsell":{"upsellFlowId":"flow-55"}}'), secret);
  const flow: number | string | undefined = upsell?.upsellFlowId;
  expect(flow).toBe('flow-55');
});

test('returns what was encrypted, narrowed by its version', () => {
  for (const version of eventVersions) {
    const sample = encryptNotification(eventOf('SALE', { version, now }), secret);
    const event = decryptNotification(sample, secret);
    expect(event).toMatchObject({ transactionType: 'SALE', version });
    expect(decryptNotification(encryptNotification(event, secret), secret)).toEqual(event);
    const eight: EventVersion8 | undefined = event.version === 8 ? event : undefined;
    const tracking = version === 8 ? { affSub1: 'newsletter' } : undefined;
    expect(eight?.affiliateTrackingParameters).toEqual(tracking);
  }
});

test('reads bytes, a parsed body, line breaks in base64, and zero bytes at the end', () => {
  const body = bodyOf('{"receipt":"A"}\0\0');
  const parsed = JSON.parse(body);
  const broken = { ...parsed, notification: parsed.notification.replace(/.{8}/g, '$&\r\n') };
  for (const one of [body, Buffer.from(`\n${body}\n`), parsed, broken]) {
    expect(decryptNotification(one, secret)).toEqual({ receipt: 'A' });
  }
});

test('encrypts with an IV of 16 hexadecimal digits, another one each time', () => {
  const ivs = [1, 2].map(() => JSON.parse(encryptNotification({}, secret)).iv);
  for (const one of ivs) expect(Buffer.from(one, 'base64').toString()).toMatch(/^[0-9a-f]{16}$/);
  expect(ivs[0]).not.toBe(ivs[1]);
});

test('encrypts and decrypts any text in any field', () => {
  // All characters except surrogates; the unit 'binary' of fast-check takes seconds to make.
  const codes = fc.oneof(fc.nat(0xd7ff), fc.integer({ min: 0xe000, max: 0x10ffff }));
  const text = fc.string({ unit: codes.map((code) => String.fromCodePoint(code)) });
  const texts = fc.dictionary(
    text.filter((name) => name !== '__proto__'),
    fc.oneof(text, fc.boolean(), fc.integer()),
  );
  fc.assert(
    fc.property(texts, (fields) => {
      const vendorVariables = { ...fields };
      const body = encryptNotification({ vendorVariables }, secret);
      expect(decryptNotification(body, secret)).toEqual({ vendorVariables });
    }),
  );
});

const good = JSON.parse(bodyOf('{"receipt":"A"}'));
const otherIv = Buffer.from('fedcba9876543210').toString('base64');

const spaces = '`notification` has spaces, so it is not base64.';
const lengthOf = (bytes: number) =>
  `\`notification\` has ${bytes} bytes, which is not a multiple of 16.`;
const notJson = 'The decrypted text is not a JSON object.';
const latin = Buffer.from('{"transactionType":"SALE","receipt":"\xff"}', 'latin1');

/** Every reason, with a body that causes it. */
const broken: readonly (readonly [reason: string, body: unknown, detail: string])[] = [
  ['body', '', 'The body is empty.'],
  ['body', 'notification=abc&iv=def', 'The body is not a JSON object.'],
  ['body', '[]', 'The body is not a JSON object.'],
  ['body', undefined, 'There is no body.'],
  ['body', null, 'There is no body.'],
  ['fields', '{}', 'The body has no `notification`.'],
  ['fields', { notification: good.notification }, 'The body has no `iv`.'],
  ['fields', { ...good, iv: 5 }, 'The body has a `iv` that is not a text.'],
  ['base64', { ...good, notification: '§' }, '`notification` is not base64.'],
  ['base64', { ...good, iv: 'AAAAA' }, '`iv` is not base64.'],
  // Whatever the length is without the spaces.
  ['base64', { ...good, notification: 'AA AA' }, spaces],
  ['base64', { ...good, notification: 'A A A A' }, spaces],
  ['iv', { ...good, iv: 'AAAA' }, '`iv` has 3 bytes; the cipher needs 16.'],
  ['length', { ...good, notification: 'AAAA' }, lengthOf(3)],
  ['length', { ...good, notification: '' }, lengthOf(0)],
  ['key', bodyOf('sixteen bytes ok', { padding: false }), 'The padding is wrong after decryption.'],
  ['utf-8', bodyOf(latin), 'The decrypted text is not UTF-8.'],
  ['json', bodyOf('no event'), notJson],
  ['json', bodyOf('[1]'), notJson],
  ['json', bodyOf(`{"a":${'['.repeat(5000)}`), notJson],
  ['json', bodyOf(`{"a":${'['.repeat(200)}${']'.repeat(200)}}`), notJson],
];

test.each(broken)('says why it fails: %s, for %j', (reason, body, detail) => {
  const failure = failureOf(body);
  expect(failure).toMatchObject({ reason, detail });
  expect(failure.hint).toMatch(/\.$/);
});

test('looks the same to a sender for every reason, and never contains the secret', () => {
  const failures = [
    ...broken.map(([, body]) => failureOf(body)),
    failureOf(bodyOf('{}'), { secret: '' }),
  ];
  const answers = failures.map((error) => `${error.message} ${JSON.stringify(error)} ${error}`);
  expect(new Set(answers).size).toBe(1);
  expect(new Set(failures.map(({ reason }) => reason)).size).toBe(9);
  const all = failures.map(({ stack, detail, hint }) => [stack, detail, hint].join(' ')).join(' ');
  expect(all).not.toContain(secret);
});

test('tells a wrong IV from a wrong secret, and a body that was decoded as a form', () => {
  const { notification } = JSON.parse(bodyOf(sent));
  const failure = failureOf({ notification, iv: otherIv }, { secret: ['WRONG', secret] });
  expect(failure.hint).toMatch(/^The secret is right, but `iv` is not the one used/);
  expect(failureOf({ ...good, notification: 'AA AA' }).hint).toContain('decoded as a form');
  const wrong = failureOf(bodyOf(sent), { secret: 'WRONG' });
  expect(wrong.hint).toMatch(/^The secret probably belongs to another/);
});

test('refuses an empty secret, and one that is not set', () => {
  for (const unset of ['', undefined, null, [], [''], [undefined]]) {
    expect(failureOf(bodyOf('{}'), { secret: unset }).reason).toBe('secret');
  }
  expect(decryptNotification(bodyOf(sent), [undefined as never, secret]).receipt).toBe('ABCD1234');
  expect(() => encryptNotification({}, undefined as never)).toThrow(RangeError);
  expect(() => encryptNotification({}, '')).toThrow(RangeError);
  expect(() => encryptNotification({}, secret, { iv: Buffer.from('short') })).toThrow(RangeError);
});

test('ignores __proto__ in an event', () => {
  const event = decryptNotification(
    bodyOf('{"__proto__":{"isAdmin":true},"a":{"__proto__":{"isAdmin":true}},"n":1.50}'),
    secret,
  );
  expect(event).toEqual({ a: {}, n: '1.50' });
  expect(event.isAdmin ?? (event.a as { isAdmin?: boolean }).isAdmin).toBeUndefined();
});

const made = (type: EventType, options = {}) =>
  JSON.parse(eventText(eventOf(type, { now, ...options })));

test('makes what differs between the types', () => {
  expect(made('SALE')).toMatchObject({
    ...{ transactionTime: '20260318T113000-0700', vendor: 'greenleaf', role: 'VENDOR' },
    ...{ version: 8, attemptCount: 1 },
  });
  for (const type of eventTypeNames) {
    expect('affiliate' in made(type), type).toBe(!eventTypes[type].isTest);
  }
  expect(made('TEST').receipt).toBe('********');
  expect(made('BILL').receipt).toBe('SAMPLE01-B002');
  expect(made('TEST_BILL').receipt).toBe('SAMPLE01-B002');
  expect(made('RFND').totalOrderAmount).toBe(-30.74);
  expect(made('CANCEL-REBILL').lineItems[0].paymentPlan.rebillStatus).toBe('CANCELED');
  expect(made('ABANDONED_ORDER').customer.billing.address).toEqual({});
});

const sale = {
  ...{ transactionTime: '2026-02-18T15:11:38-08:00', receipt: 'MONTHLY1', vendor: 'GREENLEAF' },
  ...{ paytmentMethod: 'VISA', transactionType: 'SALE', trackingId: 'spring' },
  ...{ totalOrderAmount: '29.00', totalTaxAmount: '0.00' },
  ...{ fullName: 'Noël Béranger', state: null, country: 'FR' },
  vendorVariables: { item: [{ name: 'campaign', value: 'fall "24"' }] },
  lineItemData: [
    {
      ...{ itemNo: 'CLUB-M', recurring: true, accountAmount: '12.91', customerAmount: '29.00' },
      ...{ lineItemType: 'STANDARD', quantity: 1, rebillAmount: '29.00', status: 'ACTIVE' },
      ...{ processedPayments: 1, futurePayments: 999 },
      nextPaymentDate: '2026-03-18T15:11:38-07:00',
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

test.each([
  ['CANCEL-REBILL', '0.00'],
  ['RFND', '-29.00'],
] as const)('makes of an order a %s in which %s is paid', (type, paid) => {
  const text = eventText(eventOf(type, { now, from: [sale] }));
  expect(text).toMatch(new RegExp(`"totalOrderAmount":${paid},.*"productPrice":${paid},`));
});

test('takes the transaction of the type, and turns a sale into a refund', () => {
  expect(made('BILL', { from: [sale, bill] }).receipt).toBe('MONTHLY1-B002');
  expect(made('RFND', { from: [sale, bill] })).toMatchObject({
    ...{ receipt: 'MONTHLY1', transactionTime: '20260318T113000-0700' },
    ...{ totalOrderAmount: -29, totalTaxAmount: 0 },
  });
  const row = { transactionType: 'TEST_SALE', transactionTime: '2026-03-01T10:00:00-08:00' };
  expect(eventOf('TEST_SALE', { now, from: [row] })).toMatchObject({
    transactionType: 'TEST_SALE',
    transactionTime: '20260301T100000-0800',
  });
});
