import { expect } from 'vitest';
import type { Sandbox } from '../../../src/sandbox/http/server.ts';
import {
  expectAnswers,
  getJson,
  type Json,
  openSandbox,
  post,
  rowsIn,
  TODAY,
  test,
} from '../raw.ts';

const USPS = `date=${TODAY}&carrier=USPS`;

/** The three generations of the service; the first has no items. */
const GENERATIONS = ['shipping', 'shipping2', 'shipping3'].map((name) => `${name}/shipnotice`);
const [FIRST = '', SECOND = '', THIRD = ''] = GENERATIONS;

const noticesOf = async (sandbox: Sandbox, path: string) =>
  rowsIn(await getJson(sandbox, `/rest/1.3/${path}`));

test.for(GENERATIONS)(
  'returns a notice of %s as stored and listed, with the item in generations 2 and 3',
  async (path, { sandbox }) => {
    await expectAnswers(sandbox, `GET ${path}/PARCEL01 200 null`);
    const query = `${USPS}&tracking=9400&comments=Fragile`;
    const made = await post(sandbox, `/rest/1.3/${path}/PARCEL01?${query}`);
    const notice = JSON.parse(made.text) as Json;
    expect(notice).toEqual({
      receipt: 'PARCEL01',
      shipDate: '2026-03-18T00:00:00-07:00',
      carrier: 'USPS',
      trackingId: '9400',
      shippedTo: 'Ada Sample, 12 Orchard Lane, Boise ID 83702, US',
      comments: 'Fragile',
      ...(path !== FIRST && { itemNo: 'TROWEL' }),
    });
    expect(await noticesOf(sandbox, `${path}/PARCEL01`)).toEqual([notice]);
  },
);

test('adds a notice with each call, even an identical one, with nil for omitted fields, shared by the generations', async ({
  sandbox,
}) => {
  const calls = [...GENERATIONS, SECOND, THIRD].map((path, at) => {
    return `POST ${path}/PARCEL01?${USPS}${at > 0 ? '&fillOrder=true' : ''} 200`;
  });
  await expectAnswers(sandbox, calls.join('\n'));
  for (const path of GENERATIONS) {
    const found = await noticesOf(sandbox, `${path}/PARCEL01`);
    expect(found).toHaveLength(5);
    const nil = { '@nil': 'true' };
    for (const notice of found) {
      expect(notice).toMatchObject({ trackingId: nil, comments: nil });
      expect('itemNo' in notice).toBe(path !== FIRST);
    }
  }
});

test('accepts ship dates from the Pacific day of purchase to today', async () => {
  // Already tomorrow in UTC.
  const sandbox = await openSandbox({ now: () => new Date('2026-03-19T06:59:00Z') });
  for (const path of GENERATIONS) {
    await expectAnswers(
      sandbox,
      `POST ${path}/PARCEL01?date=2026-03-15&carrier=USPS 400 date
      POST ${path}/PARCEL01?date=2026-03-19&carrier=USPS 400 date
      POST ${path}/PARCEL01?date=2026-03-16&carrier=USPS 200
      POST ${path}/PARCEL01?date=${TODAY}&carrier=USPS 200`,
    );
  }
});

test('rejects a notice of a wrong item without storing it', async ({ sandbox }) => {
  for (const path of GENERATIONS) {
    await expectAnswers(
      sandbox,
      `POST ${path}/PARCEL01?date=${TODAY}&carrier= 400 carrier
      POST ${path}/PARCEL02?${USPS} 400 TROWEL, GLOVES
      POST ${path}/PARCEL02?${USPS}&item=OTHER 400 OTHER
      POST ${path}/PARCEL02?${USPS}&item=KIT-01 400 KIT-01
      POST ${path}/PARCEL01?${USPS}&item=GLOVES 400 GLOVES
      POST ${path}/DIGITAL1?${USPS} 400 nothing to ship
      POST ${path}/CART0003?${USPS}&item=KIT-01 400 nothing to ship`,
    );
    for (const receipt of ['PARCEL01', 'PARCEL02', 'DIGITAL1', 'CART0003']) {
      expect(await noticesOf(sandbox, `${path}/${receipt}`)).toEqual([]);
    }
  }
});

test.for([SECOND, THIRD])(
  'adds notices of %s for the remaining items with fillOrder, once each',
  async (path, { sandbox }) => {
    const request = `POST ${path}/PARCEL02?${USPS}&tracking=T1&item=GLOVES&fillOrder=true 200`;
    await expectAnswers(sandbox, `${request} "itemNo":"GLOVES"`);
    const found = await noticesOf(sandbox, `${path}/PARCEL02`);
    expect(found.map((notice) => `${notice.itemNo} ${notice.trackingId}`)).toEqual([
      'GLOVES T1',
      'TROWEL T1',
    ]);
    await expectAnswers(sandbox, request);
    expect(await noticesOf(sandbox, `${path}/PARCEL02`)).toHaveLength(3);
  },
);

test('adds a notice for a single item, in generation 1 even with fillOrder', async ({
  sandbox,
}) => {
  for (const [at, path] of GENERATIONS.entries()) {
    const more = path === FIRST ? '&fillOrder=true' : '';
    await expectAnswers(sandbox, `POST ${path}/PARCEL02?${USPS}&item=GLOVES${more} 200`);
    expect(await noticesOf(sandbox, `${path}/PARCEL02`)).toHaveLength(at + 1);
  }
});

test('ships a rebill of a box separately, and keeps the address of earlier notices', async ({
  sandbox,
}) => {
  const sale = await noticesOf(sandbox, `${THIRD}/SHIPBOX1`);
  const [before, ...others] = await noticesOf(sandbox, `${THIRD}/SHIPBOX1-B002`);
  expect(others).toEqual([]);
  const address = 'address1=1%20Main%20St&city=Reno&province=NV&countryCode=us&postalCode=89501';
  await expectAnswers(
    sandbox,
    `POST orders2/SHIPBOX1/changeAddress?${address} 204
    POST ${SECOND}/SHIPBOX1-B002?${USPS} 200 "Ada Sample, 1 Main St, Reno NV 89501, US"`,
  );
  const after = await noticesOf(sandbox, `${THIRD}/SHIPBOX1-B002`);
  expect([after.length, after[0]]).toEqual([2, before]);
  expect(await noticesOf(sandbox, `${THIRD}/SHIPBOX1`)).toEqual(sale);
});

test('returns 403 for orders that an affiliate can read, but not ship', async ({ sandbox }) => {
  const answers = GENERATIONS.map((path) => `affiliate: GET ${path}/PARCEL02 403`);
  await expectAnswers(sandbox, `affiliate: GET orders2/PARCEL02 200\n${answers.join('\n')}`);
});
