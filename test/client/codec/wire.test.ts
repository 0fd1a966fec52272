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

test('decodes nil as null, and skips it in lists', () => {
  const wire = Object.fromEntries(
    Object.entries(order.fields)
      .filter(([, { nillable, kind }]) => nillable && kind !== 'list')
      .map(([name]) => [name, nil]),
  );
  const lists = { customerContactInfo: nil, lineItemData: [nil, nil] };
  const row = rowOf(JSON.stringify({ orderData: { ...wire, ...lists } }));
  for (const name of Object.keys(wire)) expect(row).toHaveProperty(name, null);
  expect([row?.customerContactInfo, row?.lineItemData]).toEqual([[], []]);
  expect(replyOf(orders, answer(JSON.stringify({ orderData: nil })))).toEqual([]);
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

test('decodes JSON and XML of the same orders to the same rows', () => {
  const json =
    '{"orderData":[{"receipt":"A","trackingId":{"@nil":"true"},"fullName":"Ann & Bob <x>","vendorVariables":{"item":{"name":"n","value":" v "}},"lineItemData":[{"itemNo":"1"},{"itemNo":"2"}]},{"receipt":"B"}]}';
  const xml = `<?xml version="1.0"?><orderDataList xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">
    <orderData><receipt>A</receipt><trackingId xsi:nil="true"/><fullName>Ann &amp; Bob &lt;x&gt;</fullName>
      <vendorVariables><item><name>n</name><value> v </value></item></vendorVariables>
      <lineItemData><itemNo>1</itemNo></lineItemData><lineItemData><itemNo>2</itemNo></lineItemData></orderData>
    <orderData><receipt>B</receipt></orderData></orderDataList>`;
  expect(decoded(xml)).toBe(decoded(json));
});

test('decodes XML character references, also beyond the basic plane', () => {
  const name = '<fullName>&#1071;&#x1F600;&quot;&apos;&amp;amp;</fullName>';
  expect(rowOf(`<l><orderData>${name}</orderData></l>`)?.fullName).toBe('Я😀"\'&amp;');
});

test('decodes a single row that is the root of an XML document', () => {
  expect(rowOf('<orderData><receipt>A</receipt></orderData>')).toMatchObject({ receipt: 'A' });
});

test.each([
  '{"orderData":[{"receipt":"A"',
  '<l><orderData><receipt>A</receipt>',
  '<!DOCTYPE l [<!ENTITY a "b">]><l/>',
  '<html><body>Log in</body></html>',
  '{"error":"no such thing"}',
  '"just a text"',
  'Sorry',
  `{"orderData":{"x":${'['.repeat(300)}${']'.repeat(300)}}}`,
])('throws for a body that is not a list of orders: %s', (body) => {
  expect(() => replyOf(orders, answer(body))).toThrow(/can't be read/);
});

test('ignores a field named __proto__', () => {
  const row = rowOf('{"orderData":{"receipt":"A","__proto__":{"polluted":"1"}}}');
  expect((row as Record<string, unknown>).polluted).toBeUndefined();
  expect(({} as Record<string, unknown>).polluted).toBeUndefined();
});

test('decodes XML with more comments and instructions than elements may be nested', () => {
  const notes = '<!-- note --><?hint a?>'.repeat(200);
  const row = rowOf(`<l>${notes}<orderData>${notes}<receipt>A</receipt></orderData></l>`);
  expect(row).toMatchObject({ receipt: 'A' });
});
