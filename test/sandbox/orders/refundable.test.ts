/** Refund limits of products, and the refund tickets that follow them. */
import { expect } from 'vitest';
import type { Sandbox } from '../../../src/sandbox/http/server.ts';
import { DAY, expectAnswers, linesIn, listAll, ordersOf, test } from '../raw.ts';
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
