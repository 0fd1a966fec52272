import { XmlDocument } from 'libxml2-wasm';
import { expect } from 'vitest';
import * as field from '../../../src/operations/resource.ts';
import { writeJson, writeJsonList } from '../../../src/sandbox/http/json.ts';
import { writeXml, writeXsd } from '../../../src/sandbox/http/xml.ts';
import { ask, getJson, listAll, post, rowsIn, test } from '../raw.ts';
import { schemaOf } from './shape.ts';

const ORDERS = '/rest/1.3/orders2';
const YEAR = 'startDate=2025-01-01&endDate=2026-12-31';

test('writes a list of one as an object, and an empty list as null', async ({ sandbox }) => {
  const one = await getJson(sandbox, `${ORDERS}/DIGITAL1`);
  expect(one.text).toMatch(/^\{"orderData":\{/);
  expect(one.text).toContain('"lineItemData":{"itemNo":"GUIDE-01"');
  const many = await getJson(sandbox, `${ORDERS}/MONTHLY1`);
  expect(many.text).toMatch(/^\{"orderData":\[\{/);
  const none = await getJson(sandbox, `${ORDERS}/list?${YEAR}&tid=NOSUCH`);
  expect([none.status, none.text]).toEqual([200, 'null']);
});

test('writes unset fields as nil in JSON and XML', async ({ sandbox }) => {
  const json = await getJson(sandbox, `${ORDERS}/PARCEL01`);
  const xml = await ask(sandbox, 'GET', `${ORDERS}/PARCEL01`);
  expect(rowsIn(json)[0]?.affiliate).toEqual({ '@nil': 'true' });
  expect(xml.text).toContain('<affiliate xsi:nil="true"/>');
  expect(xml.text).toContain("<productTitle>Gardener's Trowel &lt;steel&gt;</productTitle>");
  expect(rowsIn(json)[0]?.lineItemData).toMatchObject({
    productTitle: "Gardener's Trowel <steel>",
    recurring: 'false',
    quantity: '1',
    customerAmount: '44.50',
    status: { '@nil': 'true' },
  });
});

const COMMON_TRACKING = ['clickTimestamp', 'clickId', 'deviceType', 'extclid'];
const AFFILIATE_TRACKING = [
  ...['affSub1', 'affSub2', 'affSub3', 'affSub4', 'affSub5', 'trafficType', 'trafficSource'],
  ...['offer', 'campaign', 'adgroup', 'ad', 'creative'],
];

test('sends tracking parameters of the service and of the vendor', async ({ seeded }) => {
  const rows = await listAll(seeded, '');
  for (const [field, names] of [
    ['commonTrackingParameters', COMMON_TRACKING],
    ['affiliateTrackingParameters', AFFILIATE_TRACKING],
  ] as const) {
    const sent = rows.flatMap((row) => (row[field] === undefined ? [] : [row[field] as object]));
    expect(sent.length).toBeGreaterThan(5);
    for (const parameters of sent) {
      expect(Object.keys(parameters)).toEqual(expect.arrayContaining([...names]));
      expect(Object.keys(parameters).length).toBeGreaterThan(names.length);
    }
  }
});

test('replaces characters that XML cannot contain', async ({ sandbox }) => {
  const name = 'a\u0001b\u001f<&>"\' \t\r\n\ufffe😀';
  const query = `address1=x&city=y&countryCode=US&firstName=${encodeURIComponent(name)}`;
  expect((await post(sandbox, `${ORDERS}/SHIPBOX1/changeAddress?${query}`)).status).toBe(204);
  const xml = await ask(sandbox, 'GET', `${ORDERS}/SHIPBOX1`);
  using doc = XmlDocument.fromString(xml.text);
  expect(doc.get('/*/*[1]/firstName')?.content).toBe('a\ufffdb\ufffd<&>"\' \t\r\n\ufffd😀');
  const json = rowsIn(await getJson(sandbox, `${ORDERS}/SHIPBOX1`));
  expect(json[0]?.firstName).toBe(name);
});

const page = field.resource('page', [], { name: field.text });
const shop = field.resource('shop', [], {
  sku: { ...field.text, attribute: true },
  open: field.boolean,
  price: field.nillable(field.decimal),
  pages: field.many(page),
  extra: field.object(field.resource('extra', [], {})),
  count: field.typed(field.decimal),
  share: field.typed(field.decimal),
});
const row = {
  sku: 'A"1',
  open: true,
  price: null,
  pages: [{ name: 'x' }, { name: 'y<' }],
  extra: { free: 1 },
  count: 31,
  share: '-0.50',
};

test('writes attributes, nested lists, open objects and self-describing numbers in JSON and XML', () => {
  expect(JSON.parse(writeJson(shop, row))).toEqual({
    '@sku': 'A"1',
    open: 'true',
    price: { '@nil': 'true' },
    pages: [{ name: 'x' }, { name: 'y<' }],
    extra: { free: '1' },
    count: { '@type': 'xs:long', $: '31' },
    share: { '@type': 'xs:decimal', $: '-0.50' },
  });
  expect(JSON.parse(writeJsonList(shop, [{ pages: [{ name: 'x' }] }]))).toEqual({
    shop: { pages: { name: 'x' } },
  });
  expect(JSON.parse(writeJson(shop, { pages: [] }))).toEqual({});
  const xml = writeXml(shop, row);
  expect(xml).toContain(
    'sku="A&quot;1"><open>true</open><price xsi:nil="true"/><pages><name>x</name></pages>' +
      '<pages><name>y&lt;</name></pages><extra><free>1</free></extra>',
  );
  expect(xml).toContain('xsi:type="xs:long">31</count>');
  const { validate } = schemaOf(writeXsd(shop));
  validate(xml);
  expect(() => validate(xml.replace('>31<', '>3.1<'))).toThrow();
});
