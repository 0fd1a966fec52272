/** Refund limits of products, and the refund tickets that follow them. */
import { expect } from 'vitest';
import type { Sandbox } from '../../../src/sandbox/http/server.ts';
import { ask, linesIn, listAll, openSandbox, ordersOf, test } from '../raw.ts';
import {
  bodyOf,
  CANCEL,
  DAY,
  FULL,
  open,
  partial,
  put,
  stateOf,
  TECH,
} from '../tickets/ticket-raw.ts';

const GUIDE = {
  title: 'The "No-Dig" Guide',
  price: '37',
  digital: 'true',
  categories: 'EBOOK',
};
const CLUB = {
  title: 'Garden Club, monthly',
  price: '29',
  digitalRecurring: 'true',
  categories: 'EBOOK',
  rebillPrice: '29',
  frequency: 'MONTHLY',
  duration: '999',
  trialPeriod: '0',
};

async function save(sandbox: Sandbox, sku: string, values: Readonly<Record<string, string>>) {
  const query = new URLSearchParams({
    site: 'GREENLEAF',
    currency: 'USD',
    language: 'EN',
    thankYouPage: 'https://greenleaf.example/thanks',
    pitchPage: 'https://greenleaf.example/pitch',
    ...values,
  });
  const headers = { 'Content-Length': '0' };
  const { status, text } = await ask(sandbox, 'PUT', `/rest/1.3/products/${sku}?${query}`, headers);
  expect([status, text]).toEqual([200, expect.stringContaining(sku)]);
}

async function expectTooOld(sandbox: Sandbox, path: string): Promise<void> {
  const { status, text } = await open(sandbox, path);
  expect([path, status, text]).toEqual([path, 400, expect.stringMatching(/too old/)]);
}

test('limits refunds of a sale by saleRefundDaysLimit', async ({ sandbox }) => {
  // Both are sales of GUIDE-01, nine and three days old.
  expect(await stateOf(sandbox, 'UPSELL01')).toBe('REFUNDABLE');
  await save(sandbox, 'GUIDE-01', { ...GUIDE, saleRefundDaysLimit: '8' });
  expect(await stateOf(sandbox, 'UPSELL01')).toBe('TOO_OLD');
  expect(await stateOf(sandbox, 'DIGITAL1')).toBe('REFUNDABLE');
  await expectTooOld(sandbox, `UPSELL01?${FULL}`);
  await expectTooOld(sandbox, `UPSELL01?${partial('PERCENT', '10')}`);
  await expectTooOld(sandbox, `UPSELL01?${CANCEL}`);
  expect((await open(sandbox, `UPSELL01?${TECH}`)).status).toBe(200);
  expect((await open(sandbox, `DIGITAL1?${FULL}`)).status).toBe(200);
});

test('limits refunds of rebills, but not of the sale, by rebillRefundDaysLimit', async ({
  sandbox,
}) => {
  await save(sandbox, 'CLUB-M', {
    ...CLUB,
    saleRefundDaysLimit: '200',
    rebillRefundDaysLimit: '25',
  });
  const states = (await ordersOf(sandbox, 'MONTHLY1')).map((row) => row.customerRefundableState);
  // 112, 81, 50 and 20 days old.
  expect(states).toEqual(['REFUNDABLE', 'TOO_OLD', 'TOO_OLD', 'REFUNDABLE']);
  await expectTooOld(sandbox, `MONTHLY1-B003?${FULL}`);
  expect((await open(sandbox, `MONTHLY1-B004?${FULL}`)).status).toBe(200);
});

test('limits refunds to 60 days by default', async ({ sandbox }) => {
  await save(sandbox, 'GUIDE-01', GUIDE);
  await sandbox.advance(51 * DAY);
  expect(await stateOf(sandbox, 'UPSELL01')).toBe('REFUNDABLE');
  await sandbox.advance(DAY);
  expect(await stateOf(sandbox, 'UPSELL01')).toBe('TOO_OLD');
});

test('treats a cart as too old only if all of its items are', async ({ sandbox }) => {
  await save(sandbox, 'KIT-02', {
    ...GUIDE,
    title: 'Seeds',
    price: '24',
    saleRefundDaysLimit: '2',
  });
  expect(await stateOf(sandbox, 'CART0003')).toBe('REFUNDABLE');
  await expectTooOld(sandbox, `CART0003?sku=KIT-02&${FULL}`);
  expect((await open(sandbox, `CART0003?sku=KIT-01&${FULL}`)).status).toBe(200);
});

test('rejects a refund ticket for an order with blocked refunds', async () => {
  const sandbox = await openSandbox({ seed: { orders: 5000 } });
  const blocked = (await listAll(sandbox, 'type=SALE')).filter(
    (row) => row.customerRefundableState === 'REFUND_BLOCKED',
  );
  expect(blocked.length).toBeGreaterThan(0);
  for (const row of blocked) {
    const sku = linesIn(row)[0]?.itemNo;
    const { status, text } = await open(sandbox, `${row.receipt}?sku=${sku}&${FULL}`);
    expect([status, text]).toEqual([400, 'Refunds of this order are blocked.']);
  }
});

test('rejects reopening a refund ticket once the order is too old', async ({ sandbox }) => {
  const { ticketid } = bodyOf(await open(sandbox, `DIGITAL1?${FULL}`));
  expect((await put(sandbox, `${ticketid}?action=close`)).status).toBe(200);
  await sandbox.advance(70 * DAY);
  const { status, text } = await put(sandbox, `${ticketid}?action=reopen&comment=again`);
  expect([status, text]).toEqual([400, 'The order is too old for a refund.']);
});
