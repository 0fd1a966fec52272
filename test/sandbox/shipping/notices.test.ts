import { expect } from 'vitest';
import type { Resource } from '../../../src/operations/resource.ts';
import { notices, notices2, notices3 } from '../../../src/operations/shipping.ts';
import type { Sandbox } from '../../../src/sandbox/http/server.ts';
import { faultsInJson } from '../codec/shape.ts';
import { ask, getJson, keyed, openSandbox, post, TODAY, test } from '../raw.ts';

const BOUGHT = '2026-03-16';
const USPS = `date=${TODAY}&carrier=USPS`;

type Json = Readonly<Record<string, unknown>>;

const GENERATIONS: readonly (readonly [string, Resource])[] = [
  ['/rest/1.3/shipping/shipnotice', notices.list.returns.resource],
  ['/rest/1.3/shipping2/shipnotice', notices2.list.returns.resource],
  ['/rest/1.3/shipping3/shipnotice', notices3.list.returns.resource],
];
const LATER = GENERATIONS.slice(1);

async function noticesOf(sandbox: Sandbox, path: string, receipt: string): Promise<Json[]> {
  const response = await getJson(sandbox, `${path}/${receipt}`);
  expect(response.status).toBe(200);
  const body = JSON.parse(response.text) as { shippingNoticeData: Json | Json[] } | null;
  return body === null ? [] : [body.shippingNoticeData].flat();
}

test('returns a notice as stored and listed, with the item in generations 2 and 3', async () => {
  for (const [path, resource] of GENERATIONS) {
    const sandbox = await openSandbox();
    const none = await getJson(sandbox, `${path}/PARCEL01`);
    expect([none.status, none.text]).toEqual([200, 'null']);
    const made = await post(sandbox, `${path}/PARCEL01?${USPS}&tracking=9400&comments=Fragile`);
    expect(made.status).toBe(200);
    const notice = JSON.parse(made.text) as Json;
    expect(faultsInJson(resource, notice)).toEqual([]);
    expect(notice).toEqual({
      receipt: 'PARCEL01',
      shipDate: '2026-03-18T00:00:00-07:00',
      carrier: 'USPS',
      trackingId: '9400',
      shippedTo: 'Ada Sample, 12 Orchard Lane, Boise ID 83702, US',
      comments: 'Fragile',
      ...('itemNo' in resource.fields && { itemNo: 'TROWEL' }),
    });
    expect(await noticesOf(sandbox, path, 'PARCEL01')).toEqual([notice]);
  }
});

test('returns nil for omitted fields, and shares notices between generations', async ({
  sandbox,
}) => {
  for (const [path] of GENERATIONS) await post(sandbox, `${path}/PARCEL01?${USPS}`);
  for (const [path, resource] of GENERATIONS) {
    const found = await noticesOf(sandbox, path, 'PARCEL01');
    expect(found).toHaveLength(3);
    expect(found[0]).toMatchObject({
      trackingId: { '@nil': 'true' },
      comments: { '@nil': 'true' },
    });
    expect('itemNo' in (found[0] ?? {})).toBe('itemNo' in resource.fields);
  }
});

test('adds a notice with each call, even an identical one', async ({ sandbox }) => {
  for (const [path] of LATER) {
    const before = (await noticesOf(sandbox, path, 'PARCEL01')).length;
    await post(sandbox, `${path}/PARCEL01?${USPS}&fillOrder=true`);
    await post(sandbox, `${path}/PARCEL01?${USPS}&fillOrder=true`);
    expect(await noticesOf(sandbox, path, 'PARCEL01')).toHaveLength(before + 2);
  }
});

test('accepts ship dates from the Pacific day of purchase to today', async () => {
  for (const [path] of GENERATIONS) {
    // Already tomorrow in UTC.
    const sandbox = await openSandbox({ now: () => new Date('2026-03-19T06:59:00Z') });
    const status = async (date: string) =>
      (await post(sandbox, `${path}/PARCEL01?date=${date}&carrier=USPS`)).status;
    expect(await status('2026-03-19')).toBe(400);
    expect([await status(BOUGHT), await status(TODAY)]).toEqual([200, 200]);
  }
});

test.for([
  ['before the day of the sale', `PARCEL01?date=2026-03-15&carrier=USPS`, 'date'],
  ['for tomorrow', `PARCEL01?date=2026-03-19&carrier=USPS`, 'date'],
  ['without a date', `PARCEL01?carrier=USPS`, 'date'],
  ['of no date', `PARCEL01?date=18.03.2026&carrier=USPS`, 'date'],
  ['without a carrier', `PARCEL01?date=${TODAY}`, 'carrier'],
  ['of an empty carrier', `PARCEL01?date=${TODAY}&carrier=`, 'carrier'],
  ['that does not say which of several items', `PARCEL02?${USPS}`, 'TROWEL, GLOVES'],
  ['of an unknown item', `PARCEL02?${USPS}&item=OTHER`, 'OTHER'],
  ['of an item of another order', `PARCEL02?${USPS}&item=KIT-01`, 'KIT-01'],
  ['of an item beside the only one', `PARCEL01?${USPS}&item=GLOVES`, 'GLOVES'],
  ['of a digital order', `DIGITAL1?${USPS}`, 'nothing to ship'],
  ['of a digital item', `CART0003?${USPS}&item=KIT-01`, 'nothing to ship'],
] as const)('rejects a notice %s without storing it', async ([, query, says], { sandbox }) => {
  for (const [path] of GENERATIONS) {
    const { status, text } = await post(sandbox, `${path}/${query}`);
    expect([status, text]).toEqual([400, expect.stringContaining(says)]);
    expect(await noticesOf(sandbox, path, query.slice(0, 8))).toEqual([]);
  }
});

test('adds notices for the remaining items with fillOrder, once each', async () => {
  for (const [path] of LATER) {
    const sandbox = await openSandbox();
    const query = `${USPS}&tracking=T1&item=GLOVES&fillOrder=true`;
    const made = await post(sandbox, `${path}/PARCEL02?${query}`);
    expect(JSON.parse(made.text)).toMatchObject({ itemNo: 'GLOVES' });
    const found = await noticesOf(sandbox, path, 'PARCEL02');
    expect(found.map((notice) => [notice.itemNo, notice.trackingId])).toEqual([
      ['GLOVES', 'T1'],
      ['TROWEL', 'T1'],
    ]);
    await post(sandbox, `${path}/PARCEL02?${query}`);
    expect(await noticesOf(sandbox, path, 'PARCEL02')).toHaveLength(3);
  }
});

test('adds a notice for a single item, in generation 1 even with fillOrder', async () => {
  for (const [path] of GENERATIONS) {
    const sandbox = await openSandbox();
    const more = path.includes('/shipping/') ? '&fillOrder=true' : '';
    expect((await post(sandbox, `${path}/PARCEL02?${USPS}&item=GLOVES${more}`)).status).toBe(200);
    expect(await noticesOf(sandbox, path, 'PARCEL02')).toHaveLength(1);
  }
});

test('ships a rebill of a box separately', async ({ sandbox }) => {
  const path = '/rest/1.3/shipping3/shipnotice';
  const sale = await noticesOf(sandbox, path, 'SHIPBOX1');
  expect(await noticesOf(sandbox, path, 'SHIPBOX1-B002')).toHaveLength(1);
  expect((await post(sandbox, `${path}/SHIPBOX1-B002?${USPS}`)).status).toBe(200);
  expect(await noticesOf(sandbox, path, 'SHIPBOX1-B002')).toHaveLength(2);
  expect(await noticesOf(sandbox, path, 'SHIPBOX1')).toEqual(sale);
});

test('keeps the original shipping address in a notice', async ({ sandbox }) => {
  const path = '/rest/1.3/shipping2/shipnotice';
  const [before] = await noticesOf(sandbox, path, 'SHIPBOX1-B002');
  const address = 'address1=1%20Main%20St&city=Reno&province=NV&countryCode=us&postalCode=89501';
  await post(sandbox, `/rest/1.3/orders2/SHIPBOX1/changeAddress?${address}`);
  const made = await post(sandbox, `${path}/SHIPBOX1-B002?${USPS}`);
  expect(JSON.parse(made.text)).toMatchObject({
    shippedTo: 'Ada Sample, 1 Main St, Reno NV 89501, US',
  });
  expect((await noticesOf(sandbox, path, 'SHIPBOX1-B002'))[0]).toEqual(before);
});

test('returns 403 for unknown orders and orders of other accounts', async ({ sandbox }) => {
  for (const [path] of GENERATIONS) {
    for (const method of ['GET', 'POST']) {
      const response = await ask(sandbox, method, `${path}/NOSUCH01?${USPS}`);
      expect([method, response.status]).toEqual([method, 403]);
    }
    const affiliate = keyed(sandbox, 'affiliate');
    // The affiliate can read the order, but not ship it.
    const seen = await getJson(sandbox, '/rest/1.3/orders2/PARCEL02', affiliate);
    expect(seen.status).toBe(200);
    expect((await getJson(sandbox, `${path}/PARCEL02`, affiliate)).status).toBe(403);
  }
});
