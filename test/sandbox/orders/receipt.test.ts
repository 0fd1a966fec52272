import { expect } from 'vitest';
import { ask, getJson, keyOf, linesIn, ordersIn, ordersOf, post, test } from '../raw.ts';

const RECEIPT = '/rest/1.3/orders2';
const DAY = 86_400;

function receiptsAndTypes(rows: Awaited<ReturnType<typeof ordersOf>>) {
  return rows.map((row) => [row.receipt, row.transactionType]);
}

test('returns a sale with its rebills', async ({ sandbox }) => {
  expect(receiptsAndTypes(await ordersOf(sandbox, 'MONTHLY1'))).toEqual([
    ['MONTHLY1', 'SALE'],
    ['MONTHLY1-B002', 'BILL'],
    ['MONTHLY1-B003', 'BILL'],
    ['MONTHLY1-B004', 'BILL'],
  ]);
});

test('returns a sale with its refund or chargeback', async ({ sandbox }) => {
  const refunded = await ordersOf(sandbox, 'REFUND01');
  expect(receiptsAndTypes(refunded)).toEqual([
    ['REFUND01', 'SALE'],
    ['REFUND01', 'RFND'],
  ]);
  expect(refunded.map((row) => row.totalOrderAmount)).toEqual(['37.00', '-37.00']);
  expect(refunded[0]?.customerRefundableState).toBe('ALREADY_REFUNDED');
  expect(receiptsAndTypes(await ordersOf(sandbox, 'CHARGE01'))).toEqual([
    ['CHARGE01', 'SALE'],
    ['CHARGE01', 'CGBK'],
    ['CHARGE01', 'FEE'],
  ]);
});

test('returns only the rebill for a rebill receipt', async ({ sandbox }) => {
  const response = await getJson(sandbox, `${RECEIPT}/MONTHLY1-B003`);
  expect(receiptsAndTypes(ordersIn(response))).toEqual([['MONTHLY1-B003', 'BILL']]);
});

test('returns 403 for an unknown receipt and for one of another account', async ({ sandbox }) => {
  expect((await getJson(sandbox, `${RECEIPT}/NOSUCH01`)).status).toBe(403);
  const Authorization = keyOf(sandbox, 'affiliate');
  expect((await getJson(sandbox, `${RECEIPT}/PARCEL01`, { Authorization })).status).toBe(403);
  expect((await getJson(sandbox, `${RECEIPT}/MONTHLY1`, { Authorization })).status).toBe(200);
});

test('filters transactions by item with sku', async ({ sandbox }) => {
  const found = ordersIn(await getJson(sandbox, `${RECEIPT}/CART0003?sku=KIT-03`));
  expect(linesIn(found[0]).map((line) => line.itemNo)).toEqual(['KIT-01', 'KIT-02', 'KIT-03']);
  const none = await getJson(sandbox, `${RECEIPT}/CART0003?sku=OTHER`);
  expect([none.status, none.text]).toEqual([200, 'null']);
});

test('returns totals that equal items, shipping, and tax to the cent', async ({ seeded }) => {
  const cents = (value: unknown) => Math.round(Number(value) * 100);
  const body = await getJson(seeded, `${RECEIPT}/list?startDate=2025-01-01&endDate=2026-12-31`);
  const paid = ordersIn(body).filter((row) => /SALE|BILL|RFND/.test(String(row.transactionType)));
  expect(paid.length).toBeGreaterThan(50);
  for (const row of paid) {
    const items = linesIn(row).map((line) => cents(line.customerAmount));
    const sum = items.reduce((total, item) => total + item, 0);
    const rest = cents(row.totalShippingAmount) + cents(row.totalTaxAmount);
    expect(sum + rest).toBe(cents(row.totalOrderAmount));
  }
});

test('returns 204 to HEAD for an active order and 403 otherwise', async ({ sandbox }) => {
  const status = async (path: string) => (await ask(sandbox, 'HEAD', `${RECEIPT}/${path}`)).status;
  for (const receipt of ['MONTHLY1', 'LIMITED1', 'SHIPBOX1', 'DIGITAL1', 'CART0003?sku=KIT-02']) {
    expect(await status(receipt), receipt).toBe(204);
  }
  for (const receipt of ['CANCEL01', 'REFUND01', 'CHARGE01', 'NOSUCH01', 'CART0003?sku=OTHER']) {
    expect(await status(receipt), receipt).toBe(403);
  }
});

test('returns 403 to HEAD for a refunded line and 204 for another line', async ({ sandbox }) => {
  const status = async (path: string) => (await ask(sandbox, 'HEAD', `${RECEIPT}/${path}`)).status;
  const refund = (sku: string, amount: string) =>
    post(
      sandbox,
      `/rest/1.3/tickets/CART0003?sku=${sku}&type=rfnd&reason=ticket.type.refund.2&${amount}`,
    );
  expect((await refund('KIT-02', 'refundType=FULL')).status).toBe(200);
  await sandbox.advance(3 * DAY);
  expect((await refund('KIT-01', 'refundType=PARTIAL_PERCENT&refundAmount=50')).status).toBe(200);
  await sandbox.advance(3 * DAY);
  expect(await status('CART0003?sku=KIT-02')).toBe(403);
  // A partly refunded line is still active.
  for (const path of ['CART0003', 'CART0003?sku=KIT-01', 'CART0003?sku=KIT-03']) {
    expect([path, await status(path)]).toEqual([path, 204]);
  }
});

test('responds to HEAD about a rebill, not about its subscription', async ({ sandbox }) => {
  expect((await ask(sandbox, 'HEAD', `${RECEIPT}/CANCEL01-B002`)).status).toBe(204);
  expect((await ask(sandbox, 'HEAD', `${RECEIPT}/CANCEL01-B009`)).status).toBe(403);
});

test('lists upsells under their parent, and returns 403 without upsells', async ({ sandbox }) => {
  const upsells = ordersIn(await getJson(sandbox, `${RECEIPT}/UPSELL01/upsells`));
  expect(receiptsAndTypes(upsells)).toEqual([
    ['UPSELL02', 'SALE'],
    ['UPSELL03', 'SALE'],
  ]);
  expect(upsells.flatMap(linesIn).map((line) => line.lineItemType)).toEqual(['UPSELL', 'UPSELL']);
  for (const receipt of ['DIGITAL1', 'NOSUCH01']) {
    expect((await getJson(sandbox, `${RECEIPT}/${receipt}/upsells`)).status).toBe(403);
  }
});

test('returns Pacific times with the seasonal offset', async ({ sandbox }) => {
  const times = (await ordersOf(sandbox, 'MONTHLY1')).map((row) => row.transactionTime);
  expect(times[0]).toBe('2025-11-26T12:00:00-08:00');
  const [sale] = await ordersOf(sandbox, 'DIGITAL1');
  expect(sale?.transactionTime).toBe('2026-03-15T12:00:00-07:00');
});
