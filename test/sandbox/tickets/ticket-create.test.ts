import { expect } from 'vitest';
import {
  cents,
  DAY,
  getJson,
  linesIn,
  listAll,
  openSandbox,
  ordersOf,
  post,
  test,
} from '../raw.ts';
import {
  bodyOf,
  CANCEL,
  expectTickets,
  FULL,
  logOf,
  moneyOf,
  open,
  partial,
  stateOf,
  TECH,
  TICKETS,
  ticketOf,
} from './ticket-raw.ts';

test('returns a created ticket with the values of responses', async ({ sandbox }) => {
  const made = bodyOf(await open(sandbox, `DIGITAL1?${FULL}&comment=No%20thanks`));
  expect(made).toMatchObject({
    ...{ receipt: 'DIGITAL1', type: 'REFUND', status: 'OPEN', source: 'API' },
    ...{ refundType: 'FULL', refundAmount: '37.00', productItemNo: 'GUIDE-01' },
    ...{ customerFirstName: 'Ada', email: 'ada.sample@example.com' },
    openedDate: '2026-03-18T12:00:00-07:00',
    closedDate: { '@nil': 'true' },
    comments: { action: 'OPENED', commentRole: 'VENDOR', comment: 'No thanks' },
  });
});

test('rejects tickets by another account', async ({ sandbox }) => {
  const [other] = await listAll(sandbox, 'type=SALE&vendor=FITLAB24');
  await expectTickets(
    sandbox,
    `affiliate: MONTHLY1?${TECH} 403
    vendor: ${other?.receipt}?${TECH} 403`,
  );
});

test.for([
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
])('returns 400 with a message for %s', async ([query, says], { seeded }) => {
  await expectTickets(seeded, `DIGITAL1?${query} 400 ${says}`);
  expect(await stateOf(seeded, 'DIGITAL1')).toBe('REFUNDABLE');
});

test.for(['1', '80', '79.99'])('accepts a refund of %s percent', async (percent, { sandbox }) => {
  await expectTickets(sandbox, `DIGITAL1?${partial('PERCENT', percent)} 200`);
});

test('allows one open refund ticket per receipt, and none of an unpaid or returned one', async ({
  sandbox,
}) => {
  await expectTickets(
    sandbox,
    `DIGITAL1?${CANCEL} 200
    DIGITAL1?${FULL} 400 Refund ticket already open
    DIGITAL1?${CANCEL} 400 Refund ticket already open
    DIGITAL1?${partial('AMOUNT', '1')} 400 Refund ticket already open
    DIGITAL1?${TECH} 200
    REFUND01?${FULL} 400 refunded
    CHARGE01?${FULL} 400 charged back
    TESTFEE1?${FULL} 400 paid
    REFUND01?${TECH} 200`,
  );
});

test('completes a refund after one day', async ({ sandbox }) => {
  const { ticketid } = bodyOf(await open(sandbox, `DIGITAL1?${FULL}`));
  expect(await stateOf(sandbox, 'DIGITAL1')).toBe('HAS_OPEN_REFUND');
  await sandbox.advance(DAY - 1);
  expect(await moneyOf(sandbox, 'DIGITAL1')).toEqual(['SALE 37.00']);
  await sandbox.advance(1);
  const [, refund] = await ordersOf(sandbox, 'DIGITAL1');
  const time = '2026-03-19T12:00:00-07:00';
  expect(refund).toMatchObject({
    ...{ transactionType: 'RFND', totalOrderAmount: '-37.00', transactionTime: time },
  });
  expect(linesIn(refund)).toMatchObject([{ customerAmount: '-37.00', accountAmount: '-16.61' }]);
  expect(await stateOf(sandbox, 'DIGITAL1')).toBe('ALREADY_REFUNDED');
  const closed = await ticketOf(sandbox, ticketid);
  expect(closed).toMatchObject({ status: 'CLOSED', closedDate: time });
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
    ...{ status: 'CANCELED', nextPaymentDate: { '@nil': 'true' } },
  });
  await sandbox.advance(60 * DAY);
  const bills = ['BILL 29.00', 'BILL 29.00', 'BILL 29.00'];
  expect(await moneyOf(sandbox, 'MONTHLY1')).toEqual(['SALE 29.00', ...bills, 'RFND -29.00']);
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
  await expectTickets(
    sandbox,
    `MONTHLY1?${CANCEL} 400 Subscription already canceled
    CANCEL01?${CANCEL} 400`,
  );
  await sandbox.advance(90 * DAY);
  expect(await moneyOf(sandbox, 'MONTHLY1')).toHaveLength(4);
  expect((await ticketOf(sandbox, made.ticketid)).status).toBe('CLOSED');
});

test('leaves the receipt unchanged with tech', async ({ sandbox }) => {
  const before = await ordersOf(sandbox, 'DIGITAL1');
  const { ticketid } = bodyOf(await open(sandbox, `DIGITAL1?${TECH}`));
  await sandbox.advance(30 * DAY);
  expect(await ordersOf(sandbox, 'DIGITAL1')).toEqual(before);
  const still = await ticketOf(sandbox, ticketid);
  expect([still.status, logOf(still)]).toEqual(['OPEN', ['OPENED']]);
});

test('keeps the sale refundable after partial refunds that never exceed the payment', async ({
  sandbox,
}) => {
  await open(sandbox, `DIGITAL1?${partial('PERCENT', '33.33')}`);
  await sandbox.advance(DAY);
  expect(await moneyOf(sandbox, 'DIGITAL1')).toEqual(['SALE 37.00', 'RFND -12.33']);
  expect(await stateOf(sandbox, 'DIGITAL1')).toBe('REFUNDABLE');
  await expectTickets(
    sandbox,
    `DIGITAL1?${partial('PERCENT', '80')} 400
    DIGITAL1?${partial('AMOUNT', '24.68')} 400
    DIGITAL1?${partial('AMOUNT', '4.67')} 200`,
  );
  await sandbox.advance(DAY);
  const rest = bodyOf(await open(sandbox, `DIGITAL1?${FULL}`));
  expect(rest.refundAmount).toBe('20.00');
  await sandbox.advance(DAY);
  const rows = await ordersOf(sandbox, 'DIGITAL1');
  const sum = (amounts: unknown[]) => amounts.reduce<number>((all, one) => all + cents(one), 0);
  expect(sum(rows.map((row) => row.totalOrderAmount))).toBe(0);
  expect(sum(rows.flatMap(linesIn).map((line) => line.accountAmount))).toBe(0);
  expect(rows[0]?.customerRefundableState).toBe('ALREADY_REFUNDED');
});

test('refunds shipping and tax in proportion, to the cent, in every currency', async () => {
  const sandbox = await openSandbox({ seed: { orders: 1500 } });
  const taxed = (await listAll(sandbox, 'type=SALE')).filter(
    (row) =>
      row.vendor !== 'YOGAHOME' &&
      row.customerRefundableState === 'REFUNDABLE' &&
      linesIn(row).length === 1 &&
      Number(row.totalTaxAmount) > 0,
  );
  const chosen = new Map(taxed.map((row) => [String(row.currency), String(row.receipt)]));
  expect(chosen.size).toBeGreaterThan(4);
  for (const receipt of chosen.values()) {
    const made = bodyOf(await open(sandbox, `${receipt}?${partial('PERCENT', '37.5')}`));
    // A shipped item is refunded only after its return.
    await post(sandbox, `${TICKETS}/${made.ticketid}/returned`);
  }
  await sandbox.advance(DAY);
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

test('refunds one item of a cart at a time, named by sku', async ({ sandbox }) => {
  await expectTickets(
    sandbox,
    `CART0003?${FULL} 400 sku
    CART0003?${CANCEL} 400 sku
    CART0003?${TECH} 200`,
  );
  for (const [sku, amount] of [
    ['KIT-02', '-24.00'],
    ['KIT-01', '-19.00'],
    ['KIT-03', '-12.90'],
  ]) {
    expect(await stateOf(sandbox, 'CART0003')).toBe('REFUNDABLE');
    await expectTickets(sandbox, `CART0003?${FULL}&sku=${sku} 200`);
    await sandbox.advance(DAY);
    const back = (await ordersOf(sandbox, 'CART0003')).at(-1);
    expect(back).toMatchObject({ transactionType: 'RFND', totalOrderAmount: amount });
    expect(linesIn(back)).toMatchObject([{ itemNo: sku, customerAmount: amount }]);
    await expectTickets(sandbox, `CART0003?${FULL}&sku=${sku} 400`);
  }
  expect(await stateOf(sandbox, 'CART0003')).toBe('ALREADY_REFUNDED');
});

const AMOUNTS = `${TICKETS}/refundAmounts`;

test('returns the refund in all currencies from refundAmounts', async ({ seeded }) => {
  const path = `${AMOUNTS}/MONTHLY1?refundType=PARTIAL_PERCENT&refundAmount=50`;
  expect(bodyOf(await getJson(seeded, path))).toEqual({
    ...{ usdAmount: '14.50', customerAmount: '14.50', productAmount: '14.50' },
    ...{ customerCurrency: 'USD', productCurrency: 'USD' },
  });
  const [sale] = (await listAll(seeded, 'type=SALE&vendor=COOKWELL')).filter(
    (row) => row.currency === 'CAD' && linesIn(row).length === 1,
  );
  const full = bodyOf(
    await getJson(seeded, `${AMOUNTS}/${sale?.receipt}?refundType=FULL&refundAmount=0`),
  );
  expect(full).toMatchObject({ customerCurrency: 'CAD', productCurrency: 'EUR' });
  expect(full.customerAmount).toBe(sale?.totalOrderAmount);
  const inDollars = (cents(full.customerAmount) * 1000) / 1360;
  expect(cents(full.usdAmount)).toBe(Math.round(inDollars));
  expect(cents(full.productAmount)).toBe(Math.round(inDollars * 0.92));
});

test('applies the refund rules in refundAmounts', async ({ seeded }) => {
  const amounts = (receipt: string, percent: string) =>
    `GET refundAmounts/${receipt}?refundType=PARTIAL_PERCENT&refundAmount=${percent}`;
  await expectTickets(
    seeded,
    `${amounts('MONTHLY1', '80.5')} 400
    ${amounts('MONTHLY1', '0.5')} 400
    ${amounts('MONTHLY1', '5.125')} 400
    ${amounts('CART0003', '10')} 400
    ${amounts('CART0003', '10')}&sku=KIT-03 200 "customerAmount":"1.29"`,
  );
});

test('returns 403 for partial refunds if the vendor is not enabled for them', async () => {
  const sandbox = await openSandbox({ seed: { orders: 800 } });
  const [sale] = (await listAll(sandbox, 'type=SALE&vendor=YOGAHOME')).filter(
    (row) => row.customerRefundableState === 'REFUNDABLE' && linesIn(row).length === 1,
  );
  const [percent, amount] = [partial('PERCENT', '10'), partial('AMOUNT', '1')];
  const receipt = sale?.receipt;
  await expectTickets(
    sandbox,
    `GET refundAmounts/${receipt}?${percent} 403
    GET refundAmounts/${receipt}?${amount} 403
    ${receipt}?${percent} 403
    ${receipt}?${amount} 403
    GET refundAmounts/${receipt}?refundType=FULL&refundAmount=0 200
    ${receipt}?${FULL} 200`,
  );
});
