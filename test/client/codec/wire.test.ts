/** Decodes every quirk of the service's JSON and XML to typed rows. */
import { stringify } from 'lossless-json';
import { expect, test } from 'vitest';
import { replyOf } from '../../../src/client/codec/reply.ts';
import { list } from '../../../src/operations/operation.ts';
import { order } from '../../../src/operations/orders.ts';

const orders = { returns: list(order) };

function answer(body: string, status = 200) {
  return { status, headers: {}, body };
}

/** The decoded rows as JSON, numbers with the digits as sent. */
function decoded(body: string): string | undefined {
  return stringify(replyOf(orders, answer(body), 'exact'));
}

function rowOf(body: string) {
  return replyOf(orders, answer(body))[0];
}

const nil = { '@nil': 'true' };

// Of all fields, in every format: e2e/lists/orders.
test('skips nil in lists', () => {
  const lists = { customerContactInfo: nil, lineItemData: [nil, nil] };
  const row = rowOf(JSON.stringify({ orderData: lists }));
  expect([row?.customerContactInfo, row?.lineItemData]).toEqual([[], []]);
});

test.each([
  ['"11.90"', '11.90'],
  ['11.90', '11.90'],
  ['{"@type":"xs:decimal","$":"31.00"}', '31.00'],
  ['"12345678901234567890.10"', '12345678901234567890.10'],
  ['"1,000.00"', '"1,000.00"'],
  ['"007"', '"007"'],
])('decodes the amount %s as %s', (sent, shown) => {
  const row = decoded(`{"orderData":{"totalOrderAmount":${sent}}}`);
  expect(row).toContain(`"totalOrderAmount":${shown}`);
});

test('decodes booleans, and keeps IDs and unknown words, fields and values as sent', () => {
  const row = rowOf(`{"orderData":{"declinedConsent":"true","lineItemData":{"recurring":"maybe"},
    "postalCode":"01067","receipt":"00123456",
    "transactionType":"NEWKIND","newField":"x","newObject":{"a":{"@nil":"true"},"b":["1"]}}}`);
  expect(row).toMatchObject({
    ...{ declinedConsent: true, lineItemData: [{ recurring: 'maybe' }] },
    ...{ postalCode: '01067', receipt: '00123456' },
    ...{ transactionType: 'NEWKIND', newField: 'x', newObject: { a: null, b: ['1'] } },
  });
});

test('decodes XML character references, also beyond the basic plane', () => {
  const name = '<fullName>&#1071;&#x1F600;&quot;&apos;&amp;amp;</fullName>';
  expect(rowOf(`<l><orderData>${name}</orderData></l>`)?.fullName).toBe('Я😀"\'&amp;');
});

test('decodes a single row that is the root of an XML document', () => {
  expect(rowOf('<orderData><receipt>A</receipt></orderData>')).toMatchObject({ receipt: 'A' });
});

test('ignores a field named __proto__', () => {
  const row = rowOf('{"orderData":{"receipt":"A","__proto__":{"polluted":"1"}}}');
  expect(row).not.toHaveProperty('polluted');
});

test('decodes XML with more comments and instructions than elements may be nested', () => {
  const notes = '<!-- note --><?hint a?>'.repeat(200);
  const row = rowOf(`<l>${notes}<orderData>${notes}<receipt>A</receipt></orderData></l>`);
  expect(row).toMatchObject({ receipt: 'A' });
});
