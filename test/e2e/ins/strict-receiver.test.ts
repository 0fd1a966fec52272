/**
 * A receiver with strict types, as programs in Go or C# have it, accepts what cb and the sandbox send, in each version: it
 * refuses an event with any field that it does not expect.
 */
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/server/validators/ajv';
import { expect, test } from 'vitest';
import { eventTypeNames } from '../../../src/features/ins/event-types.ts';
import {
  change,
  decrypted,
  eventsOf,
  receive,
  SECRET,
  told,
} from '../../sandbox/notifications/receiver.ts';
import { DAY } from '../../sandbox/raw.ts';
import { CANCEL } from '../../sandbox/tickets/ticket-raw.ts';
import { home } from '../../support/cb.ts';
import { tier } from '../../support/tier.ts';

const text = { type: 'string' };
const number = { type: 'number' };
const integer = { type: 'integer' };
const boolean = { type: 'boolean' };
const record = { type: 'object', additionalProperties: text };
const matching = (pattern: string) => ({ type: 'string', pattern });
const nickname = matching('^[a-z\\d]+$');
const isoTime = matching('^\\d{4}(-\\d\\d){2}T\\d\\d(:\\d\\d){2}[+-]\\d\\d:\\d\\d$');
const compactTime = matching('^\\d{8}T\\d{6}[+-]\\d{4}$');
const listOf = (items: object) => ({ type: 'array', items });

/** With no other fields. Names with a question mark may be missing. */
function object(fields: Readonly<Record<string, object>>) {
  const names = Object.keys(fields);
  return {
    ...{ type: 'object', additionalProperties: false },
    required: names.filter((name) => !name.endsWith('?')),
    properties: Object.fromEntries(names.map((name) => [name.replace('?', ''), fields[name]])),
  };
}

const optionalTexts = (names: string) =>
  Object.fromEntries(names.split(' ').map((name) => [`${name}?`, text]));

const person = object({
  ...optionalTexts('firstName lastName fullName email phoneNumber'),
  'address?': object(optionalTexts('address1 address2 city county state postalCode country')),
});

/** Transcribed from recorded notifications: version 6 differs in its times and lacks six fields of line items. */
function eventSchema(version: number) {
  const time = version === 6 ? isoTime : compactTime;
  const paymentPlan = object({
    ...{ rebillStatus: text, rebillFrequency: text, rebillAmount: number },
    ...{ paymentsProcessed: integer, paymentsRemaining: integer, 'nextPaymentDate?': time },
  });
  const details = {
    ...{ productPrice: number, productDiscount: number, taxAmount: number },
    ...{ shippingAmount: number, shippingLiable: boolean, affiliatePayout: number },
  };
  const lineItem = object({
    ...{ itemNo: text, 'productTitle?': text, shippable: boolean, recurring: boolean },
    ...{ accountAmount: number, quantity: integer, 'downloadUrl?': text },
    lineItemType: matching('^(ORIGINAL|BUMP|CART|UPSELL|TOKEN)$'),
    ...(version === 6 ? {} : details),
    'paymentPlan?': paymentPlan,
  });
  const upsell = object({
    ...{ 'upsellOriginalReceipt?': text, upsellFlowId: integer },
    ...{ upsellSession: text, upsellPath: text },
  });
  return object({
    ...{ transactionTime: time, receipt: text, transactionType: text, role: text },
    ...{ vendor: nickname, 'affiliate?': nickname, 'paymentMethod?': text },
    ...{ totalAccountAmount: number, totalOrderAmount: number, totalTaxAmount: number },
    ...{ totalShippingAmount: number, currency: text, orderLanguage: text },
    ...{ 'trackingCodes?': listOf(text), lineItems: listOf(lineItem) },
    customer: object({ 'shipping?': person, billing: person }),
    ...{ 'upsell?': upsell, 'hopfeedClickId?': text, 'vendorVariables?': record },
    version: { const: version },
    attemptCount: integer,
    ...(version === 8 && {
      ...{ 'commonTrackingParameters?': record, 'affiliateTrackingParameters?': record },
    }),
  });
}

/** Receives until the test ends, and answers 400 to what a strict program refuses. */
async function receiveStrictly(version: number) {
  const refused: string[] = [];
  const check = new AjvJsonSchemaValidator().getValidator(eventSchema(version) as object);
  const receiver = await receive((_, response, body) => {
    const event = JSON.parse(decrypted(body));
    const { valid, errorMessage } = check(event);
    if (!valid) refused.push(`${event.transactionType}: ${errorMessage}`);
    response.writeHead(valid ? 200 : 400).end();
  });
  return { ...receiver, refused };
}

const env = { CB_INS_SECRET: SECRET };

test.each([6, 7, 8])(
  'takes each of the 19 types from cb ins trigger in version %i',
  async (version) => {
    const { cb } = home();
    const to = await receiveStrictly(version);
    for (const type of eventTypeNames) {
      const line = `ins trigger ${type} --event-version ${version} --to ${to.url}`;
      const { code } = await cb(line, { env });
      expect([type, code, to.refused]).toEqual([type, 0, []]);
    }
    expect(to.bodies).toHaveLength(19);
    for (const text of to.texts()) expect(text).toContain(`"version":${version}.0,`);
  },
);

test.each(tier([8], [6, 7, 8]))(
  'takes the events of weeks of the sandbox in version %i',
  async (version) => {
    const to = await receiveStrictly(version);
    const world = await told({ seed: { orders: 600 }, version, to });
    await change(world.sandbox, `tickets/MONTHLY1?${CANCEL}`);
    await change(world.sandbox, 'orders2/MONTHLY1/reinstate');
    await world.sandbox.advance(20 * DAY);
    const events = await eventsOf(world);
    expect(to.refused).toEqual([]);
    const types = new Set(events.map(({ transactionType }) => transactionType));
    const expected = ['SALE', 'BILL', 'RFND', 'CANCEL-REBILL', 'UNCANCEL-REBILL'];
    expect([...types]).toEqual(expect.arrayContaining(expected));
    for (const text of to.texts()) expect(text).toContain(`"version":${version}.0,`);
  },
);
