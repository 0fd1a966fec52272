/** One receipt: its transactions, upsells, totals, whether it is active, and until when it can be refunded. */
import { expect } from 'vitest';
import type { Sandbox } from '../../../src/sandbox/http/server.ts';
import { cents, DAY, expectAnswers, type Json, linesIn, listAll, ordersOf, test } from '../raw.ts';
import {
  bodyOf,
  CANCEL,
  expectTickets,
  FULL,
  open,
  partial,
  stateOf,
  TECH,
} from '../tickets/ticket-raw.ts';

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
  const found = await ordersOf(sandbox, 'CART0003?sku=KIT-03');
  expect(linesIn(found[0]).map((line) => line.itemNo)).toEqual(['KIT-01', 'KIT-02', 'KIT-03']);
});

test('returns totals that equal items, shipping, and tax to the cent', async ({ seeded }) => {
  const paid = (await listAll(seeded, '')).filter((row) =>
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

const PAGES = 'thankYouPage=https://a.example/t&pitchPage=https://a.example/p';
const GUIDE = 'price=37&digital=true';
const CLUB =
  'price=29&digitalRecurring=true&rebillPrice=29&frequency=MONTHLY&duration=999&trialPeriod=0';

/** Saves the product again with other limits. */
function limit(sandbox: Sandbox, sku: string, product: string, limits: string) {
  const usual = `site=GREENLEAF&currency=USD&language=EN&title=x&categories=EBOOK&${PAGES}`;
  return expectAnswers(sandbox, `PUT products/${sku}?${usual}&${product}&${limits} 200`);
}

test('limits refunds of a sale by saleRefundDaysLimit', async ({ sandbox }) => {
  // Both are sales of GUIDE-01, nine and three days old.
  expect(await stateOf(sandbox, 'UPSELL01')).toBe('REFUNDABLE');
  await limit(sandbox, 'GUIDE-01', GUIDE, 'saleRefundDaysLimit=8');
  expect(await stateOf(sandbox, 'UPSELL01')).toBe('TOO_OLD');
  expect(await stateOf(sandbox, 'DIGITAL1')).toBe('REFUNDABLE');
  await expectTickets(
    sandbox,
    `UPSELL01?${FULL} 400 too old
    UPSELL01?${partial('PERCENT', '10')} 400 too old
    UPSELL01?${CANCEL} 400 too old
    UPSELL01?${TECH} 200
    DIGITAL1?${FULL} 200`,
  );
});

test('limits refunds of rebills, but not of the sale, by rebillRefundDaysLimit', async ({
  sandbox,
}) => {
  await limit(sandbox, 'CLUB-M', CLUB, 'saleRefundDaysLimit=200&rebillRefundDaysLimit=25');
  const states = (await ordersOf(sandbox, 'MONTHLY1')).map((row) => row.customerRefundableState);
  // 112, 81, 50 and 20 days old.
  expect(states).toEqual(['REFUNDABLE', 'TOO_OLD', 'TOO_OLD', 'REFUNDABLE']);
  await expectTickets(
    sandbox,
    `MONTHLY1-B003?${FULL} 400 too old
    MONTHLY1-B004?${FULL} 200`,
  );
});

test('limits refunds to 60 days by default', async ({ sandbox }) => {
  await limit(sandbox, 'GUIDE-01', GUIDE, '');
  await sandbox.advance(51 * DAY);
  expect(await stateOf(sandbox, 'UPSELL01')).toBe('REFUNDABLE');
  await sandbox.advance(DAY);
  expect(await stateOf(sandbox, 'UPSELL01')).toBe('TOO_OLD');
});

test('treats a cart as too old only if all of its items are', async ({ sandbox }) => {
  await limit(sandbox, 'KIT-02', GUIDE, 'saleRefundDaysLimit=2');
  expect(await stateOf(sandbox, 'CART0003')).toBe('REFUNDABLE');
  await expectTickets(
    sandbox,
    `CART0003?sku=KIT-02&${FULL} 400 too old
    CART0003?sku=KIT-01&${FULL} 200`,
  );
});

test('rejects a refund ticket for an order with blocked refunds', async ({ seeded }) => {
  const blocked = (await listAll(seeded, 'type=SALE')).filter(
    (row) => row.customerRefundableState === 'REFUND_BLOCKED',
  );
  expect(blocked.length).toBeGreaterThan(0);
  for (const row of blocked) {
    const path = `${row.receipt}?sku=${linesIn(row)[0]?.itemNo}&${FULL}`;
    await expectTickets(seeded, `${path} 400 Refunds of this order are blocked.`);
  }
});

test('rejects reopening a refund ticket once the order is too old', async ({ sandbox }) => {
  const { ticketid } = bodyOf(await open(sandbox, `DIGITAL1?${FULL}`));
  await expectAnswers(sandbox, `PUT tickets/${ticketid}?action=close 200`);
  await sandbox.advance(70 * DAY);
  const reopen = `PUT tickets/${ticketid}?action=reopen&comment=again`;
  await expectAnswers(sandbox, `${reopen} 400 The order is too old for a refund.`);
});
