/** The three generations of shipping: orders to ship, and ship notices. */
import { expect } from 'vitest';
import type { Sandbox } from '../../../src/sandbox/http/server.ts';
import {
  cents,
  countAt,
  dayOf,
  daysAfter,
  expectAnswers,
  type Json,
  keyed,
  linesIn,
  listAll,
  listed,
  openSandbox,
  ordersOf,
  pagesOf,
  post,
  rowsAt,
  rowsIn,
  TODAY,
  test,
} from '../raw.ts';

const REST = '/rest/1.3';
const YEAR = 'startDate=2025-01-01&endDate=2026-12-31';
const GENERATIONS = ['shipping', 'shipping2', 'shipping3'];

/** Every row of a search, page by page. */
async function shipments(sandbox: Sandbox, path: string, headers = {}): Promise<Json[]> {
  const pages = await pagesOf(sandbox, path, headers);
  expect([path, pages.at(-1)?.status]).toEqual([path, 200]);
  for (const page of pages.slice(0, -1)) expect(rowsIn(page)).toHaveLength(100);
  return pages.flatMap(rowsIn);
}

const itemsIn = (row: Json | undefined) => listed(row?.lineItemShipData);

const receiptsOf = (rows: readonly Json[]) => rows.map((row) => row.receipt);

test('lists exactly the payments with physical items', async ({ seeded }) => {
  const payments = (await listAll(seeded, 'role=VENDOR')).filter((row) =>
    /SALE|BILL/.test(String(row.transactionType)),
  );
  const physical = payments.filter((row) => linesIn(row).some((line) => line.shippable === 'true'));
  expect(physical.some((row) => row.transactionType === 'BILL')).toBe(true);
  const listed = await shipments(seeded, `shipping3/list?${YEAR}`);
  expect(receiptsOf(listed).toSorted()).toEqual(receiptsOf(physical).toSorted());
  for (const row of listed) {
    const order = physical.find((other) => other.receipt === row.receipt);
    const lines = linesIn(order).filter((line) => line.shippable === 'true');
    for (const name of ['itemNo', 'customerAmount', 'accountAmount']) {
      expect(itemsIn(row).map((item) => item[name])).toEqual(lines.map((line) => line[name]));
    }
    expect(row.transactionTime).toBe(order?.transactionTime);
    expect(row.isTestTransaction).toBe(String(/^TEST/.test(String(order?.transactionType))));
  }
});

test('returns orders oldest first, 100 a page, with 206 until the last', async ({ seeded }) => {
  for (const service of GENERATIONS) {
    const rows = await shipments(seeded, `${service}/list?${YEAR}`);
    expect(rows.length).toBeGreaterThan(150);
    const times = rows.map((row) => Date.parse(String(row.orderDate ?? row.transactionTime)));
    expect(times).toEqual(times.toSorted((a, b) => a - b));
    expect(await countAt(seeded, `${service}/count?${YEAR}`)).toBe(rows.length);
  }
});

test('classifies every order as shipped or notshipped by its notices', async ({ seeded }) => {
  for (const service of GENERATIONS) {
    const list = (status: string) => shipments(seeded, `${service}/list?${YEAR}&status=${status}`);
    const shipped = await list('shipped');
    const waiting = await list('notshipped');
    const all = await list('all');
    expect([shipped.length > 20, waiting.length > 5]).toEqual([true, true]);
    expect(receiptsOf([...shipped, ...waiting]).toSorted()).toEqual(receiptsOf(all).toSorted());
    expect(await shipments(seeded, `${service}/list?${YEAR}`)).toEqual(all);
    const notices = (row?: Json) => rowsAt(seeded, `${service}/shipnotice/${row?.receipt}`);
    expect(await notices(shipped[0])).not.toEqual([]);
    expect(await notices(waiting[0])).toEqual([]);
    const counted = await countAt(seeded, `${service}/count?status=notshipped&${YEAR}`);
    expect(counted).toBe(waiting.length);
  }
});

test('treats an order with two parcels as shipped when both have a notice', async ({ sandbox }) => {
  const listed = async (service: string, status: string) =>
    (await shipments(sandbox, `${service}/list?status=${status}`)).filter(
      (row) => row.receipt === 'PARCEL02',
    );
  // Generation 1 ignores fillOrder.
  await expectAnswers(sandbox)`
    POST ${FIRST}/PARCEL02?${USPS}&item=GLOVES&fillOrder=true 200
    POST ${SECOND}/PARCEL02?${USPS}&item=GLOVES 200
    POST ${THIRD}/PARCEL02?${USPS}&item=GLOVES 200`;
  expect(await rowsAt(sandbox, `${FIRST}/PARCEL02`)).toHaveLength(3);
  expect(await listed('shipping3', 'notshipped')).toHaveLength(1);
  expect((await listed('shipping', 'notshipped')).map((row) => row.productNo)).toEqual(['TROWEL']);
  expect((await listed('shipping', 'shipped')).map((row) => row.productNo)).toEqual(['GLOVES']);
  await expectAnswers(sandbox)`POST ${SECOND}/PARCEL02?${USPS}&item=TROWEL 200`;
  expect(await listed('shipping3', 'notshipped')).toEqual([]);
  expect(itemsIn((await listed('shipping3', 'shipped'))[0])).toHaveLength(2);
});

test('covers the last 30 days by default, or the requested number of days', async ({ seeded }) => {
  const all = await shipments(seeded, `shipping2/list?${YEAR}`);
  const within = (days: number) =>
    all.filter((row) => dayOf(row.transactionTime) >= daysAfter(TODAY, -days));
  expect(within(30).length).toBeLessThan(within(90).length);
  expect(await shipments(seeded, 'shipping2/list')).toEqual(within(30));
  expect(await shipments(seeded, 'shipping2/list?days=90')).toEqual(within(90));
  expect(await shipments(seeded, 'shipping2/list?days=2147483647')).toEqual(all);
  expect(await countAt(seeded, 'shipping2/count?days=7')).toBe(within(7).length);
});

test('prefers inclusive Pacific dates over days', async ({ seeded }) => {
  const all = await shipments(seeded, `shipping2/list?${YEAR}`);
  const day = (row: Json) => dayOf(row.transactionTime);
  const between = (from: string, to: string) =>
    all.filter((row) => day(row) >= from && day(row) <= to);
  const [from, to] = ['2026-01-10', '2026-02-10'];
  expect(between(from, to).length).toBeGreaterThan(5);
  const list = (query: string) => shipments(seeded, `shipping2/list?${query}`);
  expect(await list(`startDate=${from}&endDate=${to}&days=1`)).toEqual(between(from, to));
  expect(await list(`startDate=${from}`)).toEqual(between(from, '9'));
  expect(await list(`endDate=${to}`)).toEqual(between('0', to));
});

test('finds a receipt regardless of other filters', async ({ sandbox }) => {
  for (const service of GENERATIONS) {
    const path = `list?receipt=PARCEL01&status=shipped&startDate=2020-01-01&endDate=2020-01-02`;
    expect(receiptsOf(await shipments(sandbox, `${service}/${path}`))).toEqual(['PARCEL01']);
    expect(await countAt(sandbox, `${service}/count?receipt=PARCEL01&status=shipped`)).toBe(1);
    expect(await shipments(sandbox, `${service}/list?receipt=DIGITAL1`)).toEqual([]);
    expect(await shipments(sandbox, `${service}/list?receipt=NOSUCH01`)).toEqual([]);
  }
});

test('returns one row per item in generation 1, otherwise one per order', async ({ sandbox }) => {
  const rows = await shipments(sandbox, 'shipping/list?receipt=PARCEL02');
  expect(rows.map((row) => [row.productNo, row.displayName])).toEqual([
    ['TROWEL', "Gardener's Trowel <steel>"],
    ['GLOVES', 'Garden Gloves'],
  ]);
  expect(await countAt(sandbox, 'shipping/count?receipt=PARCEL02')).toBe(2);
  for (const service of ['shipping2', 'shipping3']) {
    const [row, ...others] = await shipments(sandbox, `${service}/list?receipt=PARCEL02`);
    expect(others).toEqual([]);
    expect(itemsIn(row).map((item) => item.itemNo)).toEqual(['TROWEL', 'GLOVES']);
    expect(await countAt(sandbox, `${service}/count?receipt=PARCEL02`)).toBe(1);
  }
});

test('returns the address fields of each generation', async ({ sandbox }) => {
  const first = async (service: string) =>
    (await shipments(sandbox, `${service}/list?receipt=PARCEL01`))[0];
  expect(await first('shipping')).toMatchObject({
    firstname: 'Ada',
    lastname: 'Sample',
    addr1: '12 Orchard Lane',
    addr2: { '@nil': 'true' },
    ...{ city: 'Boise', zip: '83702', site: 'GREENLEAF', orderDate: '2026-03-16T12:00:00-07:00' },
  });
  const second = await first('shipping2');
  const names = { firstName: 'Ada', lastName: 'Sample', fullName: 'Ada Sample' };
  const address = { address1: '12 Orchard Lane', postalCode: '83702', vendor: 'GREENLEAF' };
  expect(second).toMatchObject({ ...names, ...address });
  expect(second).not.toHaveProperty('phoneNumber');
  expect(await first('shipping3')).toEqual({ ...second, phoneNumber: '+1-208-555-0100' });
});

test('lists refunded and charged-back payments with their flags', async ({ large }) => {
  const [whole, part] = [new Set<string>(), new Set<string>()];
  const flags = { RFND: 'hasBeenRefunded', CGBK: 'hasBeenChargebacked' };
  for (const [type, flag] of Object.entries(flags)) {
    for (const row of await listAll(large, `role=VENDOR&type=${type}`)) {
      if (!linesIn(row).some((line) => line.shippable === 'true')) continue;
      const { receipt, totalOrderAmount } = row;
      const paid = (await ordersOf(large, String(receipt))).find((one) => one.receipt === receipt);
      const isWhole = cents(totalOrderAmount) === -cents(paid?.totalOrderAmount);
      const [shipment] = await shipments(large, `shipping/list?receipt=${receipt}`);
      // A payment of which a part was refunded has no flag.
      expect([receipt, shipment?.[flag]]).toEqual([receipt, String(isWhole)]);
      (isWhole ? whole : part).add(type);
    }
  }
  expect([[...whole], [...part]]).toEqual([['RFND', 'CGBK'], ['RFND']]);
});

test('flags a refunded item of a cart separately, first as pending', async ({ sandbox }) => {
  const flags = async (service: string) => {
    const rows = await shipments(sandbox, `${service}/list?receipt=PARCEL02`);
    const items = service === 'shipping' ? rows : rows.flatMap(itemsIn);
    return items.map(({ productNo, itemNo, isRefundPending, hasBeenRefunded }) =>
      [productNo ?? itemNo, isRefundPending, hasBeenRefunded].join(' '),
    );
  };
  const refund = 'type=rfnd&reason=ticket.type.refund.2&refundType=FULL&sku=TROWEL';
  const ticket = await post(sandbox, `${REST}/tickets/PARCEL02?${refund}`);
  expect(ticket.status).toBe(200);
  for (const service of GENERATIONS) {
    expect(await flags(service)).toEqual(['TROWEL true false', 'GLOVES false false']);
  }
  const { ticketid } = JSON.parse(ticket.text) as { ticketid: string };
  await expectAnswers(sandbox)`POST tickets/${ticketid}/returned 204`;
  for (const service of GENERATIONS) {
    expect(await flags(service)).toEqual(['TROWEL false true', 'GLOVES false false']);
  }
});

test('shows shipments only to their vendor, never to affiliates', async ({ seeded }) => {
  for (const service of GENERATIONS) {
    const as = (name: string) => shipments(seeded, `${service}/list?${YEAR}`, keyed(seeded, name));
    expect(await as('affiliate')).toEqual([]);
    const own = await as('vendor');
    expect(new Set(own.map((row) => row.site ?? row.vendor))).toEqual(new Set(['GREENLEAF']));
    expect((await as('full')).length).toBeGreaterThan(own.length);
    await expectAnswers(seeded)`
      affiliate: GET orders2/PARCEL02 200
      affiliate: GET ${service}/shipnotice/PARCEL02 403`;
  }
});

const USPS = `date=${TODAY}&carrier=USPS`;

/** The three generations of the service; the first has no items. */
const NOTICES = ['shipping', 'shipping2', 'shipping3'].map((name) => `${name}/shipnotice`);
const [FIRST = '', SECOND = '', THIRD = ''] = NOTICES;

test.for(NOTICES)('returns a notice of %s as stored and listed', async (path, { sandbox }) => {
  await expectAnswers(sandbox)`GET ${path}/PARCEL01 200 null`;
  const query = `${USPS}&tracking=9400&comments=Fragile`;
  const made = await post(sandbox, `/rest/1.3/${path}/PARCEL01?${query}`);
  const notice = JSON.parse(made.text) as Json;
  expect(notice).toEqual({
    ...{ receipt: 'PARCEL01', shipDate: '2026-03-18T00:00:00-07:00', carrier: 'USPS' },
    ...{ trackingId: '9400', comments: 'Fragile' },
    shippedTo: 'Ada Sample, 12 Orchard Lane, Boise ID 83702, US',
    ...(path !== FIRST && { itemNo: 'TROWEL' }),
  });
  expect(await rowsAt(sandbox, `${path}/PARCEL01`)).toEqual([notice]);
});

test('adds a notice with each call, which all generations share', async ({ sandbox }) => {
  const calls = [...NOTICES, SECOND, THIRD].map((path, at) => {
    return `POST ${path}/PARCEL01?${USPS}${at > 0 ? '&fillOrder=true' : ''} 200`;
  });
  await expectAnswers(sandbox)`${calls.join('\n')}`;
  for (const path of NOTICES) {
    const found = await rowsAt(sandbox, `${path}/PARCEL01`);
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
  for (const path of NOTICES) {
    await expectAnswers(sandbox)`
      POST ${path}/PARCEL01?date=2026-03-15&carrier=USPS 400 date
      POST ${path}/PARCEL01?date=2026-03-19&carrier=USPS 400 date
      POST ${path}/PARCEL01?date=2026-03-16&carrier=USPS 200
      POST ${path}/PARCEL01?date=${TODAY}&carrier=USPS 200`;
  }
});

test('rejects a notice of a wrong item without storing it', async ({ sandbox }) => {
  for (const path of NOTICES) {
    await expectAnswers(sandbox)`
      POST ${path}/PARCEL01?date=${TODAY}&carrier= 400 carrier
      POST ${path}/PARCEL02?${USPS} 400 TROWEL, GLOVES
      POST ${path}/PARCEL02?${USPS}&item=OTHER 400 OTHER
      POST ${path}/PARCEL02?${USPS}&item=KIT-01 400 KIT-01
      POST ${path}/PARCEL01?${USPS}&item=GLOVES 400 GLOVES
      POST ${path}/DIGITAL1?${USPS} 400 nothing to ship
      POST ${path}/CART0003?${USPS}&item=KIT-01 400 nothing to ship`;
    for (const receipt of ['PARCEL01', 'PARCEL02', 'DIGITAL1', 'CART0003']) {
      expect(await rowsAt(sandbox, `${path}/${receipt}`)).toEqual([]);
    }
  }
});

test.for([SECOND, THIRD])('fills an order with notices of %s, once', async (path, { sandbox }) => {
  const request = `POST ${path}/PARCEL02?${USPS}&tracking=T1&item=GLOVES&fillOrder=true 200`;
  await expectAnswers(sandbox)`${request} "itemNo":"GLOVES"`;
  const found = await rowsAt(sandbox, `${path}/PARCEL02`);
  const filled = found.map(({ itemNo, trackingId }) => `${itemNo} ${trackingId}`);
  expect(filled).toEqual(['GLOVES T1', 'TROWEL T1']);
  await expectAnswers(sandbox)`${request}`;
  expect(await rowsAt(sandbox, `${path}/PARCEL02`)).toHaveLength(3);
});

test('ships a rebill separately, to a changed address, and keeps that of earlier notices', async ({
  sandbox,
}) => {
  const sale = await rowsAt(sandbox, `${THIRD}/SHIPBOX1`);
  const [before, ...others] = await rowsAt(sandbox, `${THIRD}/SHIPBOX1-B002`);
  expect(others).toEqual([]);
  const address = 'address1=1%20Main%20St&city=Reno&province=NV&countryCode=us&postalCode=89501';
  await expectAnswers(sandbox)`
    POST orders2/SHIPBOX1/changeAddress?${address} 204
    GET shipping3/list?receipt=SHIPBOX1-B002 200 "address1":"1 Main St"
    POST ${SECOND}/SHIPBOX1-B002?${USPS} 200 "Ada Sample, 1 Main St, Reno NV 89501, US"`;
  const [row] = await shipments(sandbox, 'shipping3/list?receipt=SHIPBOX1-B002');
  expect(row).toMatchObject({ address1: '1 Main St', city: 'Reno', postalCode: '89501' });
  const after = await rowsAt(sandbox, `${THIRD}/SHIPBOX1-B002`);
  expect([after.length, after[0]]).toEqual([2, before]);
  expect(await rowsAt(sandbox, `${THIRD}/SHIPBOX1`)).toEqual(sale);
});
