/** One receipt: its transactions, upsells, totals and whether it is active. */
import { expect } from 'vitest';
import {
  cents,
  DAY,
  expectAnswers,
  getJson,
  type Json,
  linesIn,
  ordersOf,
  rowsIn,
  test,
} from '../raw.ts';

const receiptsAndTypes = (rows: readonly Json[]) =>
  rows.map(({ receipt, transactionType }) => `${receipt} ${transactionType}`);

test.for([
  [
    'a sale with its rebills',
    'MONTHLY1',
    'MONTHLY1 SALE, MONTHLY1-B002 BILL, MONTHLY1-B003 BILL, MONTHLY1-B004 BILL',
  ],
  ['only the rebill for its receipt', 'MONTHLY1-B003', 'MONTHLY1-B003 BILL'],
  ['a sale with its refund', 'REFUND01', 'REFUND01 SALE, REFUND01 RFND'],
  ['a sale with its chargeback', 'CHARGE01', 'CHARGE01 SALE, CHARGE01 CGBK, CHARGE01 FEE'],
  ['upsells under their parent', 'UPSELL01/upsells', 'UPSELL02 SALE, UPSELL03 SALE'],
] as const)('returns %s', async ([, path, expected], { seeded }) => {
  const rows = await ordersOf(seeded, path);
  expect(receiptsAndTypes(rows).join(', ')).toBe(expected);
});

test('returns the amounts and the state of a refunded sale, and the type of upsells', async ({
  sandbox,
}) => {
  const refunded = await ordersOf(sandbox, 'REFUND01');
  expect(refunded.map((row) => row.totalOrderAmount)).toEqual(['37.00', '-37.00']);
  expect(refunded[0]?.customerRefundableState).toBe('ALREADY_REFUNDED');
  const upsells = await ordersOf(sandbox, 'UPSELL01/upsells');
  expect(upsells.flatMap(linesIn).map((line) => line.lineItemType)).toEqual(['UPSELL', 'UPSELL']);
});

test('returns 403 for a receipt of another account or without upsells, and filters by sku', async ({
  sandbox,
}) => {
  await expectAnswers(
    sandbox,
    `affiliate: GET orders2/PARCEL01 403
    affiliate: GET orders2/MONTHLY1 200
    GET orders2/DIGITAL1/upsells 403
    GET orders2/CART0003?sku=OTHER 200 null`,
  );
  const found = rowsIn(await getJson(sandbox, '/rest/1.3/orders2/CART0003?sku=KIT-03'));
  expect(linesIn(found[0]).map((line) => line.itemNo)).toEqual(['KIT-01', 'KIT-02', 'KIT-03']);
});

test('returns totals that equal items, shipping, and tax to the cent', async ({ seeded }) => {
  const path = '/rest/1.3/orders2/list?startDate=2025-01-01&endDate=2026-12-31';
  const paid = rowsIn(await getJson(seeded, path)).filter((row) =>
    /SALE|BILL|RFND/.test(String(row.transactionType)),
  );
  expect(paid.length).toBeGreaterThan(50);
  for (const row of paid) {
    const items = linesIn(row).reduce((sum, line) => sum + cents(line.customerAmount), 0);
    const rest = cents(row.totalShippingAmount) + cents(row.totalTaxAmount);
    expect(items + rest).toBe(cents(row.totalOrderAmount));
  }
});

const active = (...receipts: string[]) =>
  receipts.map((path) => `HEAD orders2/${path} 204`).join('\n');
const inactive = (...receipts: string[]) =>
  receipts.map((path) => `HEAD orders2/${path} 403`).join('\n');

test('returns 204 to HEAD for an active order, line or rebill, and 403 otherwise', async ({
  sandbox,
}) => {
  await expectAnswers(
    sandbox,
    `${active('MONTHLY1', 'LIMITED1', 'SHIPBOX1', 'DIGITAL1', 'CART0003?sku=KIT-02')}
    ${inactive('CANCEL01', 'REFUND01', 'CHARGE01', 'CART0003?sku=OTHER')}
    ${active('CANCEL01-B002')}
    ${inactive('CANCEL01-B009')}`,
  );
  const refund = 'type=rfnd&reason=ticket.type.refund.2';
  for (const query of [
    'KIT-02&refundType=FULL',
    'KIT-01&refundType=PARTIAL_PERCENT&refundAmount=50',
  ]) {
    await expectAnswers(sandbox, `POST tickets/CART0003?${refund}&sku=${query} 200`);
    await sandbox.advance(3 * DAY);
  }
  // A partly refunded line is still active.
  await expectAnswers(
    sandbox,
    `${inactive('CART0003?sku=KIT-02')}
    ${active('CART0003', 'CART0003?sku=KIT-01', 'CART0003?sku=KIT-03')}`,
  );
});

test('returns Pacific times with the seasonal offset', async ({ sandbox }) => {
  const [winter] = await ordersOf(sandbox, 'MONTHLY1');
  expect(winter?.transactionTime).toBe('2025-11-26T12:00:00-08:00');
  const [summer] = await ordersOf(sandbox, 'DIGITAL1');
  expect(summer?.transactionTime).toBe('2026-03-15T12:00:00-07:00');
});
