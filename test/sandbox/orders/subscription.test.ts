import { expect } from 'vitest';
import type { Sandbox } from '../../../src/sandbox/http/server.ts';
import { statistics } from '../analytics/analytics-raw.ts';
import {
  ask,
  daysAfter,
  getJson,
  keyed,
  lineOf,
  linesIn,
  listAll,
  openSandbox,
  ordersOf,
  post,
  TODAY,
  test,
} from '../raw.ts';

const ORDERS = '/rest/1.3/orders2';

async function expectStatus(sandbox: Sandbox, path: string, status: number): Promise<string> {
  const response = await post(sandbox, `${ORDERS}/${path}`);
  expect([path, response.status, status === 204 && response.text]).toEqual([
    path,
    status,
    status === 204 && '',
  ]);
  return response.text;
}

test('moves the next payment to a future day with changeDate', async ({ sandbox }) => {
  const { status } = await post(sandbox, `${ORDERS}/MONTHLY1/changeDate?changeDate=2026-04-09`);
  expect(status).toBe(204);
  const line = await lineOf(sandbox, 'MONTHLY1');
  expect(line.nextPaymentDate).toBe('2026-04-09T12:00:00-07:00');
  await expectStatus(sandbox, `MONTHLY1/changeDate?changeDate=${TODAY}`, 400);
  await expectStatus(sandbox, 'MONTHLY1/changeDate?changeDate=2026-03-01', 400);
});

test('shows a change in every transaction of the subscription', async ({ sandbox }) => {
  await expectStatus(sandbox, 'LIMITED1/extend?numPeriods=2', 204);
  const lines = (await ordersOf(sandbox, 'LIMITED1')).map((row) => row.lineItemData);
  expect(lines).toHaveLength(3);
  expect(new Set(lines.map((line) => (line as { futurePayments: string }).futurePayments))).toEqual(
    new Set(['6']),
  );
});

test('adds rebill periods with extend, and keeps unlimited subscriptions unlimited', async ({
  sandbox,
}) => {
  expect((await lineOf(sandbox, 'LIMITED1')).futurePayments).toBe('4');
  await expectStatus(sandbox, 'LIMITED1/extend?numPeriods=3', 204);
  expect((await lineOf(sandbox, 'LIMITED1')).futurePayments).toBe('7');
  await expectStatus(sandbox, 'LIMITED1/extend?numPeriods=0', 400);
  await expectStatus(sandbox, 'MONTHLY1/extend?numPeriods=3', 204);
  expect((await lineOf(sandbox, 'MONTHLY1')).futurePayments).toBe('999');
});

test('accepts a restart date from the next payment to 60 days ahead', async ({ sandbox }) => {
  const next = String((await lineOf(sandbox, 'MONTHLY1')).nextPaymentDate).slice(0, 10);
  const pause = (day: string) => `MONTHLY1/pause?restartDate=${day}`;
  await expectStatus(sandbox, pause(daysAfter(next, -1)), 400);
  await expectStatus(sandbox, pause(daysAfter(TODAY, 61)), 400);
  await expectStatus(sandbox, pause(next), 204);
  await expectStatus(sandbox, pause(daysAfter(TODAY, 60)), 204);
  const line = await lineOf(sandbox, 'MONTHLY1');
  expect(line.nextPaymentDate).toBe(`${daysAfter(TODAY, 60)}T12:00:00-07:00`);
});

test('reinstates a canceled subscription with a future payment', async ({ sandbox }) => {
  expect(await lineOf(sandbox, 'CANCEL01')).toMatchObject({
    status: 'CANCELED',
    nextPaymentDate: { '@nil': 'true' },
  });
  await expectStatus(sandbox, 'CANCEL01/reinstate', 204);
  const line = await lineOf(sandbox, 'CANCEL01');
  expect(line.status).toBe('ACTIVE');
  expect(String(line.nextPaymentDate) > TODAY).toBe(true);
  expect((await ask(sandbox, 'HEAD', `${ORDERS}/CANCEL01`)).status).toBe(204);
  await expectStatus(sandbox, 'CANCEL01/reinstate', 400);
  await expectStatus(sandbox, 'MONTHLY1/reinstate', 400);
});

test('rejects a reinstatement 61 days after the cancellation', async () => {
  let now = new Date('2026-03-18T19:00:00Z');
  const sandbox = await openSandbox({ now: () => now });
  now = new Date('2026-04-28T19:00:00Z');
  await expectStatus(sandbox, 'CANCEL01/reinstate', 400);
  now = new Date('2026-04-27T19:00:00Z');
  await expectStatus(sandbox, 'CANCEL01/reinstate', 204);
});

test('requires a sku for an order with several items', async ({ sandbox }) => {
  const says = await expectStatus(sandbox, 'CART0003/extend?numPeriods=1', 400);
  expect(says).toContain('sku');
  await expectStatus(sandbox, 'CART0003/extend?numPeriods=1&sku=KIT-01', 400);
  await expectStatus(sandbox, 'MONTHLY1/extend?numPeriods=1&sku=OTHER', 400);
  await expectStatus(sandbox, 'MONTHLY1/extend?numPeriods=1&sku=CLUB-M', 204);
});

test('returns 400 for a one-time sale or a subscription without future payments', async ({
  sandbox,
}) => {
  await expectStatus(sandbox, 'DIGITAL1/extend?numPeriods=1', 400);
  await expectStatus(sandbox, 'CANCEL01/extend?numPeriods=1', 400);
  await expectStatus(sandbox, 'CANCEL01/changeDate?changeDate=2026-04-09', 400);
});

test('returns 403 for unknown orders and orders of other vendors', async ({ sandbox }) => {
  const change = 'changeDate?changeDate=2026-04-09';
  await expectStatus(sandbox, `NOSUCH01/${change}`, 403);
  const response = await post(sandbox, `${ORDERS}/MONTHLY1/${change}`, keyed(sandbox, 'affiliate'));
  expect(response.status).toBe(403);
});

const CHANGE = 'MONTHLY1/changeProduct?oldSku=CLUB-M&newSku=CLUB-PLUS-M';

test('refunds the unused part and bills from tomorrow with changeProduct', async ({ sandbox }) => {
  await expectStatus(sandbox, CHANGE, 204);
  const rows = await ordersOf(sandbox, 'MONTHLY1');
  const refund = rows.at(-1);
  // Paid on 26 February, due on 26 March: eight of 28 days less the hour that the clocks skipped.
  expect(refund).toMatchObject({
    transactionType: 'RFND',
    receipt: 'MONTHLY1-B004',
    totalOrderAmount: '-8.30',
  });
  expect(refund?.lineItemData).toMatchObject({ itemNo: 'CLUB-M', customerAmount: '-8.30' });
  expect(await lineOf(sandbox, 'MONTHLY1')).toMatchObject({
    itemNo: 'CLUB-M',
    rebillAmount: '49.00',
    nextPaymentDate: '2026-03-19T12:00:00-07:00',
    status: 'ACTIVE',
  });
  expect((await ask(sandbox, 'HEAD', `${ORDERS}/MONTHLY1`)).status).toBe(204);
});

test('supports changeProduct without a refund and on another day', async ({ sandbox }) => {
  const path = `${CHANGE}&applyProratedRefund=FALSE&nextRebillDate=2026-04-01`;
  await expectStatus(sandbox, path, 204);
  expect(await ordersOf(sandbox, 'MONTHLY1')).toHaveLength(4);
  const line = await lineOf(sandbox, 'MONTHLY1');
  expect(line.nextPaymentDate).toBe('2026-04-01T12:00:00-07:00');
});

test('requires another digital recurring product of the same currency for changeProduct', async ({
  sandbox,
}) => {
  const change = (oldSku: string, newSku: string, more = '') =>
    `MONTHLY1/changeProduct?oldSku=${oldSku}&newSku=${newSku}${more}`;
  await expectStatus(sandbox, change('CLUB-PLUS-M', 'CLUB-M'), 400);
  for (const sku of ['CLUB-M', 'NOSUCH', 'GUIDE-01', 'FIT-M', 'CLUB-BOX-M']) {
    await expectStatus(sandbox, change('CLUB-M', sku), 400);
  }
  await expectStatus(sandbox, change('CLUB-M', 'CLUB-PLUS-M', `&nextRebillDate=${TODAY}`), 400);
  expect(await ordersOf(sandbox, 'MONTHLY1')).toHaveLength(4);
});

test('accepts the original sku in changeDate after changeProduct', async ({ sandbox }) => {
  await expectStatus(sandbox, CHANGE, 204);
  const date = 'MONTHLY1/changeDate?changeDate=2026-04-09';
  const says = await expectStatus(sandbox, `${date}&sku=CLUB-PLUS-M`, 400);
  expect(says).toContain('CLUB-M');
  await expectStatus(sandbox, `${date}&sku=CLUB-M`, 204);
  await expectStatus(sandbox, CHANGE, 400);
  await expectStatus(sandbox, 'MONTHLY1/changeProduct?oldSku=CLUB-PLUS-M&newSku=CLUB-M', 204);
  expect((await lineOf(sandbox, 'MONTHLY1')).rebillAmount).toBe('29.00');
});

test('keeps past payments unchanged with changeProduct', async ({ sandbox }) => {
  const kept = (rows: readonly Readonly<Record<string, unknown>>[]) =>
    rows.map((row) => {
      const { itemNo, productTitle, customerAmount, accountAmount } = linesIn(row)[0] ?? {};
      return [
        row.receipt,
        row.totalOrderAmount,
        itemNo,
        productTitle,
        customerAmount,
        accountAmount,
      ];
    });
  const before = kept(await ordersOf(sandbox, 'MONTHLY1'));
  const bySku = `VENDOR/PRODUCT_SKU?account=GREENLEAF&startDate=2025-03-01&endDate=${TODAY}`;
  const figures = await statistics(sandbox, bySku);
  await expectStatus(sandbox, `${CHANGE}&applyProratedRefund=FALSE`, 204);
  expect(kept(await ordersOf(sandbox, 'MONTHLY1'))).toEqual(before);
  expect(await statistics(sandbox, bySku)).toEqual(figures);
  const search = async (item: string) =>
    (await listAll(sandbox, `item=${item}`)).map(({ receipt }) => receipt);
  expect(await search('CLUB-M')).toContain('MONTHLY1');
  expect(await search('CLUB-PLUS-M')).not.toContain('MONTHLY1');
  await sandbox.advance(2 * 86_400);
  const after = await ordersOf(sandbox, 'MONTHLY1');
  expect(kept(after).slice(0, -1)).toEqual(before);
  expect(linesIn(after.at(-1))[0]).toMatchObject({
    itemNo: 'CLUB-PLUS-M',
    customerAmount: '49.00',
  });
  expect(await search('CLUB-PLUS-M')).toContain('MONTHLY1-B005');
  const details = await getJson(
    sandbox,
    '/rest/1.3/analytics/VENDOR/subscription/details?account=GREENLEAF',
  );
  const { data } = JSON.parse(details.text) as { data: { row: Record<string, unknown>[] } };
  expect(data.row.find(({ receipt }) => receipt === 'MONTHLY1')?.itemNo).toBe('CLUB-PLUS-M');
});

const ADDRESS = 'address1=1%20Main%20St&city=Reno&province=NV&countryCode=us&postalCode=89501';

test('stores the new address of a physical subscription', async ({ sandbox }) => {
  await expectStatus(sandbox, `SHIPBOX1/changeAddress?${ADDRESS}&firstName=Zo%C3%AB`, 204);
  const rows = await ordersOf(sandbox, 'SHIPBOX1');
  for (const row of rows) {
    expect(row).toMatchObject({ state: 'NV', country: 'US', postalCode: '89501' });
    expect(row).toMatchObject({ firstName: 'Zoë', lastName: 'Sample', fullName: 'Zoë Sample' });
  }
});

test('rejects changeAddress for other than physical subscriptions', async ({ sandbox }) => {
  for (const receipt of ['MONTHLY1', 'PARCEL01', 'DIGITAL1']) {
    await expectStatus(sandbox, `${receipt}/changeAddress?${ADDRESS}`, 400);
  }
  await expectStatus(sandbox, `NOSUCH01/changeAddress?${ADDRESS}`, 403);
  await expectStatus(sandbox, 'SHIPBOX1/changeAddress?address1=x&city=y&countryCode=USA', 400);
});
