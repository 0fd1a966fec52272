import { expect } from 'vitest';
import { partialRefund, ticket } from '../../../src/operations/tickets.ts';
import type { Sandbox } from '../../../src/sandbox/http/server.ts';
import { faultsInJson } from '../codec/shape.ts';
import { ask, getJson, keyed, linesIn, listAll, openSandbox, ordersOf, test } from '../raw.ts';
import {
  bodyOf,
  CANCEL,
  DAY,
  expectRefusal,
  FULL,
  logOf,
  moneyOf,
  open,
  partial,
  stateOf,
  TECH,
  TICKETS,
} from './ticket-raw.ts';

test('returns a created ticket with the values of responses', async ({ sandbox }) => {
  const made = bodyOf(await open(sandbox, `DIGITAL1?${FULL}&comment=No%20thanks`));
  expect(made).toMatchObject({
    receipt: 'DIGITAL1',
    type: 'REFUND',
    status: 'OPEN',
    refundType: 'FULL',
    refundAmount: '37.00',
    productItemNo: 'GUIDE-01',
    customerFirstName: 'Ada',
    email: 'ada.sample@example.com',
    openedDate: '2026-03-18T12:00:00-07:00',
    closedDate: { '@nil': 'true' },
    source: 'API',
    comments: { action: 'OPENED', commentRole: 'VENDOR', comment: 'No thanks' },
  });
  expect(faultsInJson(ticket, made)).toEqual([]);
});

test('rejects tickets without write permission or by another account', async ({ sandbox }) => {
  for (const name of ['read-only', 'affiliate', 'no-orders']) {
    const response = await open(sandbox, `MONTHLY1?${TECH}`, keyed(sandbox, name));
    expect([name, response.status]).toEqual([name, 403]);
  }
  expect((await open(sandbox, `NOSUCH01?${TECH}`)).status).toBe(403);
  const [other] = await listAll(sandbox, 'type=SALE&vendor=FITLAB24');
  const response = await open(sandbox, `${other?.receipt}?${TECH}`, keyed(sandbox, 'vendor'));
  expect(response.status).toBe(403);
});

test('returns 400 with a message for invalid ticket parameters', async ({ sandbox }) => {
  const refused = [
    ['type=eat&reason=ticket.type.refund.2', 'type'],
    ['reason=ticket.type.refund.2', 'type'],
    ['type=tech', 'reason'],
    ['type=tech&reason=ticket.type.refund.2', 'reason'],
    ['type=tech&reason=ticket.type.tech_support.99', 'reason'],
    ['type=rfnd&reason=ticket.type.refund.2', 'refundType'],
    ['type=rfnd&reason=ticket.type.refund.2&refundType=full', 'refundType'],
    ['type=rfnd&reason=ticket.type.refund.2&refundType=PARTIAL_PERCENT', 'refundAmount'],
    ['type=rfnd&reason=ticket.type.refund.2&refundType=PARTIAL_AMOUNT', 'refundAmount'],
    [partial('PERCENT', '0.99'), '1 to 80'],
    [partial('PERCENT', '80.01'), '1 to 80'],
    [partial('PERCENT', '10.125'), 'two decimal digits'],
    [partial('PERCENT', 'half'), 'a number'],
    [partial('AMOUNT', '0'), 'above 0'],
    [partial('AMOUNT', '-1'), 'above 0'],
    [partial('AMOUNT', '1.005'), 'digits'],
    [partial('AMOUNT', '37.01'), '37.00 USD'],
    [`${FULL}&sku=OTHER`, 'GUIDE-01'],
  ];
  for (const [query, says = ''] of refused) {
    const response = await open(sandbox, `DIGITAL1?${query}`);
    expect([query, response.status], response.text).toEqual([query, 400]);
    expect(response.text).toContain(says);
    expect(response.text).toMatch(/\.$/);
  }
  expect(await stateOf(sandbox, 'DIGITAL1')).toBe('REFUNDABLE');
  for (const percent of ['1', '80', '79.99']) {
    const one = await openSandbox();
    expect((await open(one, `DIGITAL1?${partial('PERCENT', percent)}`)).status).toBe(200);
  }
});

test('allows one open refund ticket per receipt', async ({ sandbox }) => {
  expect((await open(sandbox, `DIGITAL1?${CANCEL}`)).status).toBe(200);
  for (const query of [FULL, CANCEL, partial('AMOUNT', '1')]) {
    await expectRefusal(sandbox, `DIGITAL1?${query}`, 'Refund ticket already open');
  }
  expect((await open(sandbox, `DIGITAL1?${TECH}`)).status).toBe(200);
});

test('rejects refunds of refunded, charged-back, and unpaid receipts', async ({ sandbox }) => {
  await expectRefusal(sandbox, `REFUND01?${FULL}`, 'refunded');
  await expectRefusal(sandbox, `CHARGE01?${FULL}`, 'charged back');
  await expectRefusal(sandbox, `TESTFEE1?${FULL}`, 'paid');
  expect((await open(sandbox, `REFUND01?${TECH}`)).status).toBe(200);
});

test('completes a refund after one day', async ({ sandbox }) => {
  const { ticketid } = bodyOf(await open(sandbox, `DIGITAL1?${FULL}`));
  expect(await stateOf(sandbox, 'DIGITAL1')).toBe('HAS_OPEN_REFUND');
  await sandbox.advance(DAY - 1);
  expect(await moneyOf(sandbox, 'DIGITAL1')).toEqual(['SALE 37.00']);
  await sandbox.advance(1);
  const [, refund] = await ordersOf(sandbox, 'DIGITAL1');
  expect(refund).toMatchObject({
    transactionType: 'RFND',
    totalOrderAmount: '-37.00',
    transactionTime: '2026-03-19T12:00:00-07:00',
  });
  expect(linesIn(refund)).toMatchObject([{ customerAmount: '-37.00', accountAmount: '-16.61' }]);
  expect(await stateOf(sandbox, 'DIGITAL1')).toBe('ALREADY_REFUNDED');
  expect((await ask(sandbox, 'HEAD', '/rest/1.3/orders2/DIGITAL1')).status).toBe(403);
  const closed = bodyOf(await getJson(sandbox, `${TICKETS}/${ticketid}`));
  expect(closed).toMatchObject({ status: 'CLOSED', closedDate: '2026-03-19T12:00:00-07:00' });
  expect(closed.comments).toMatchObject([{}, { action: 'CLOSED', commentRole: 'CBSYSTEM' }]);
});

test('refunds a one-time sale with cncl, and a test sale with a test refund', async ({
  sandbox,
}) => {
  const made = bodyOf(await open(sandbox, `TESTSL01?${CANCEL}`));
  expect(made).toMatchObject({ type: 'CANCEL', refundType: 'FULL', refundAmount: '37.00' });
  await sandbox.advance(DAY);
  expect(await moneyOf(sandbox, 'TESTSL01')).toEqual(['TEST_SALE 37.00', 'TEST_RFND -37.00']);
});

test('refunds a rebill with rfnd and ends future billing', async ({ sandbox }) => {
  await open(sandbox, `MONTHLY1-B003?${FULL}`);
  const [sale] = await ordersOf(sandbox, 'MONTHLY1');
  expect(linesIn(sale)[0]).toMatchObject({
    status: 'CANCELED',
    nextPaymentDate: { '@nil': 'true' },
  });
  await sandbox.advance(60 * DAY);
  expect(await moneyOf(sandbox, 'MONTHLY1')).toEqual([
    'SALE 29.00',
    'BILL 29.00',
    'BILL 29.00',
    'BILL 29.00',
    'RFND -29.00',
  ]);
  expect(await moneyOf(sandbox, 'MONTHLY1-B003')).toEqual(['BILL 29.00', 'RFND -29.00']);
});

test('continues billing after rfnd with retainSubscription', async ({ sandbox }) => {
  await open(sandbox, `MONTHLY1-B004?${FULL}&retainSubscription=true`);
  await sandbox.advance(10 * DAY);
  const money = await moneyOf(sandbox, 'MONTHLY1');
  expect(money.slice(4)).toEqual(['RFND -29.00', 'BILL 29.00']);
});

test('ends future billing without a refund with cncl on a subscription', async ({ sandbox }) => {
  const made = bodyOf(await open(sandbox, `MONTHLY1?${CANCEL}`));
  expect(made).toMatchObject({ type: 'CANCEL', refundType: { '@nil': 'true' } });
  await expectRefusal(sandbox, `MONTHLY1?${CANCEL}`, 'Subscription already canceled');
  expect((await open(sandbox, `CANCEL01?${CANCEL}`)).status).toBe(400);
  await sandbox.advance(90 * DAY);
  expect(await moneyOf(sandbox, 'MONTHLY1')).toHaveLength(4);
  const closed = bodyOf(await getJson(sandbox, `${TICKETS}/${made.ticketid}`));
  expect(closed.status).toBe('CLOSED');
});

test('leaves the receipt unchanged with tech', async ({ sandbox }) => {
  const before = await ordersOf(sandbox, 'DIGITAL1');
  const { ticketid } = bodyOf(await open(sandbox, `DIGITAL1?${TECH}`));
  await sandbox.advance(30 * DAY);
  expect(await ordersOf(sandbox, 'DIGITAL1')).toEqual(before);
  const still = bodyOf(await getJson(sandbox, `${TICKETS}/${ticketid}`));
  expect([still.status, logOf(still)]).toEqual(['OPEN', ['OPENED']]);
});

test('keeps the sale active after partial refunds that never exceed the payment', async ({
  sandbox,
}) => {
  await open(sandbox, `DIGITAL1?${partial('PERCENT', '33.33')}`);
  await sandbox.advance(DAY);
  expect(await moneyOf(sandbox, 'DIGITAL1')).toEqual(['SALE 37.00', 'RFND -12.33']);
  expect(await stateOf(sandbox, 'DIGITAL1')).toBe('REFUNDABLE');
  expect((await ask(sandbox, 'HEAD', '/rest/1.3/orders2/DIGITAL1')).status).toBe(204);
  expect((await open(sandbox, `DIGITAL1?${partial('PERCENT', '80')}`)).status).toBe(400);
  expect((await open(sandbox, `DIGITAL1?${partial('AMOUNT', '24.68')}`)).status).toBe(400);
  await open(sandbox, `DIGITAL1?${partial('AMOUNT', '4.67')}`);
  await sandbox.advance(DAY);
  const rest = bodyOf(await open(sandbox, `DIGITAL1?${FULL}`));
  expect(rest.refundAmount).toBe('20.00');
  await sandbox.advance(DAY);
  const rows = await ordersOf(sandbox, 'DIGITAL1');
  const sum = (amounts: unknown[]) =>
    amounts.reduce<number>((total, amount) => total + Math.round(Number(amount) * 100), 0);
  expect(sum(rows.map((row) => row.totalOrderAmount))).toBe(0);
  expect(sum(rows.flatMap(linesIn).map((line) => line.accountAmount))).toBe(0);
  expect(rows[0]?.customerRefundableState).toBe('ALREADY_REFUNDED');
});

test('refunds shipping and tax in proportion, to the cent, in every currency', async () => {
  const sandbox = await openSandbox({ seed: { orders: 1500 } });
  const sales = (await listAll(sandbox, 'type=SALE')).filter(
    (row) => row.vendor !== 'YOGAHOME' && linesIn(row).length === 1,
  );
  const taxed = sales.filter(
    (row) => Number(row.totalTaxAmount) > 0 && row.customerRefundableState === 'REFUNDABLE',
  );
  const chosen = new Map(taxed.map((row) => [String(row.currency), String(row.receipt)]));
  expect(chosen.size).toBeGreaterThan(4);
  for (const receipt of chosen.values()) {
    const made = bodyOf(await open(sandbox, `${receipt}?${partial('PERCENT', '37.5')}`));
    await sendBack(sandbox, made.ticketid);
  }
  await sandbox.advance(DAY);
  const cents = (value: unknown) => Math.round(Number(value) * 100);
  for (const [currency, receipt] of chosen) {
    const rows = await ordersOf(sandbox, receipt);
    const back = rows.find((row) => row.transactionType === 'RFND');
    expect(back, currency).toBeDefined();
    const items = linesIn(back).reduce((total, line) => total + cents(line.customerAmount), 0);
    const rest = cents(back?.totalShippingAmount) + cents(back?.totalTaxAmount);
    expect(items + rest, currency).toBe(cents(back?.totalOrderAmount));
    expect(cents(back?.totalTaxAmount), currency).toBeLessThan(0);
    if (currency === 'JPY') expect(back?.totalOrderAmount).toMatch(/\.00$/);
  }
});

/** A shipped item is refunded only after its return. */
async function sendBack(sandbox: Sandbox, id: unknown): Promise<void> {
  await ask(sandbox, 'POST', `${TICKETS}/${id}/returned`);
}

test('refunds one item of a cart at a time, named by sku', async ({ sandbox }) => {
  for (const query of [FULL, CANCEL]) await expectRefusal(sandbox, `CART0003?${query}`, 'sku');
  expect((await open(sandbox, `CART0003?${TECH}`)).status).toBe(200);
  for (const [sku, amount] of [
    ['KIT-02', '-24.00'],
    ['KIT-01', '-19.00'],
    ['KIT-03', '-12.90'],
  ]) {
    expect(await stateOf(sandbox, 'CART0003')).toBe('REFUNDABLE');
    expect((await open(sandbox, `CART0003?${FULL}&sku=${sku}`)).status).toBe(200);
    await sandbox.advance(DAY);
    const back = (await ordersOf(sandbox, 'CART0003')).at(-1);
    expect(back).toMatchObject({ transactionType: 'RFND', totalOrderAmount: amount });
    expect(linesIn(back)).toMatchObject([{ itemNo: sku, customerAmount: amount }]);
    expect((await open(sandbox, `CART0003?${FULL}&sku=${sku}`)).status).toBe(400);
  }
  expect(await stateOf(sandbox, 'CART0003')).toBe('ALREADY_REFUNDED');
});

const AMOUNTS = `${TICKETS}/refundAmounts`;

test('returns the refund in all currencies from refundAmounts', async ({ seeded }) => {
  const path = `${AMOUNTS}/MONTHLY1?refundType=PARTIAL_PERCENT&refundAmount=50`;
  const half = bodyOf(await getJson(seeded, path));
  expect(half).toEqual({
    usdAmount: '14.50',
    customerAmount: '14.50',
    customerCurrency: 'USD',
    productAmount: '14.50',
    productCurrency: 'USD',
  });
  const [euro] = (await listAll(seeded, 'type=SALE&vendor=COOKWELL')).filter(
    (row) => row.currency === 'CAD' && linesIn(row).length === 1,
  );
  const full = bodyOf(
    await getJson(seeded, `${AMOUNTS}/${euro?.receipt}?refundType=FULL&refundAmount=0`),
  );
  expect(faultsInJson(partialRefund, full)).toEqual([]);
  const cents = Number(full.customerAmount) * 100;
  expect(full).toMatchObject({ customerCurrency: 'CAD', productCurrency: 'EUR' });
  expect(full.customerAmount).toBe(euro?.totalOrderAmount);
  expect(Number(full.usdAmount) * 100).toBeCloseTo(Math.round((cents * 1000) / 1360), 6);
  expect(Number(full.productAmount) * 100).toBeCloseTo(Math.round((cents * 920) / 1360), 6);
});

test('applies the refund rules in refundAmounts', async ({ seeded }) => {
  const ask400 = ['refundType=FULL', 'refundAmount=5', 'refundType=HALF&refundAmount=5'];
  const percent = (value: string) => `refundType=PARTIAL_PERCENT&refundAmount=${value}`;
  for (const query of [...ask400, percent('80.5'), percent('0.5'), percent('5.125')]) {
    expect((await getJson(seeded, `${AMOUNTS}/MONTHLY1?${query}`)).status, query).toBe(400);
  }
  const cart = `${AMOUNTS}/CART0003?${percent('10')}`;
  expect((await getJson(seeded, cart)).status).toBe(400);
  expect(bodyOf(await getJson(seeded, `${cart}&sku=KIT-03`)).customerAmount).toBe('1.29');
  expect((await getJson(seeded, `${AMOUNTS}/NOSUCH01?${percent('10')}`)).status).toBe(403);
});

test('returns 403 for partial refunds if the vendor is not enabled for them', async () => {
  const sandbox = await openSandbox({ seed: { orders: 800 } });
  const [sale] = (await listAll(sandbox, 'type=SALE&vendor=YOGAHOME')).filter(
    (row) => row.customerRefundableState === 'REFUNDABLE' && linesIn(row).length === 1,
  );
  for (const query of [partial('PERCENT', '10'), partial('AMOUNT', '1')]) {
    const amounts = `${AMOUNTS}/${sale?.receipt}?${query}`;
    expect((await getJson(sandbox, amounts)).status).toBe(403);
    expect((await open(sandbox, `${sale?.receipt}?${query}`)).status).toBe(403);
  }
  const full = `${AMOUNTS}/${sale?.receipt}?refundType=FULL&refundAmount=0`;
  expect((await getJson(sandbox, full)).status).toBe(200);
  expect((await open(sandbox, `${sale?.receipt}?${FULL}`)).status).toBe(200);
});
