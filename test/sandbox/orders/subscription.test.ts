import { expect } from 'vitest';
import type { Sandbox } from '../../../src/sandbox/http/server.ts';
import { details, statistics } from '../analytics/analytics-raw.ts';
import {
  cents,
  DAY,
  daysAfter,
  expectAnswers,
  type Json,
  lineOf,
  linesIn,
  listAll,
  NOON,
  openSandbox,
  ordersOf,
  TODAY,
  test,
} from '../raw.ts';

const next = async (sandbox: Sandbox) => (await lineOf(sandbox, 'MONTHLY1')).nextPaymentDate;
const remaining = async (sandbox: Sandbox, receipt: string) =>
  (await lineOf(sandbox, receipt)).futurePayments;

test('moves the next payment to a future day with changeDate', async ({ sandbox }) => {
  await expectAnswers(sandbox)`
    POST orders2/MONTHLY1/changeDate?changeDate=2026-04-09 204
    POST orders2/MONTHLY1/changeDate?changeDate=${TODAY} 400
    POST orders2/MONTHLY1/changeDate?changeDate=2026-03-01 400
    POST orders2/CANCEL01/changeDate?changeDate=2026-04-09 400
    affiliate: POST orders2/MONTHLY1/changeDate?changeDate=2026-04-10 403`;
  expect(await next(sandbox)).toBe('2026-04-09T12:00:00-07:00');
});

test('adds rebill periods with extend, but to no unlimited subscription', async ({ sandbox }) => {
  expect(await remaining(sandbox, 'LIMITED1')).toBe('4');
  await expectAnswers(sandbox)`
    POST orders2/LIMITED1/extend?numPeriods=3 204
    POST orders2/MONTHLY1/extend?numPeriods=3 204
    POST orders2/MONTHLY1/extend?numPeriods=1&sku=OTHER 400
    POST orders2/MONTHLY1/extend?numPeriods=1&sku=CLUB-M 204
    POST orders2/CART0003/extend?numPeriods=1 400 sku
    POST orders2/CART0003/extend?numPeriods=1&sku=KIT-01 400
    POST orders2/DIGITAL1/extend?numPeriods=1 400
    POST orders2/CANCEL01/extend?numPeriods=1 400`;
  const lines = (await ordersOf(sandbox, 'LIMITED1')).flatMap(linesIn);
  expect(lines.map(({ futurePayments }) => futurePayments)).toEqual(['7', '7', '7']);
  expect(await remaining(sandbox, 'MONTHLY1')).toBe('999');
});

test('accepts a restart date from the next payment to 60 days ahead', async ({ sandbox }) => {
  const due = String(await next(sandbox)).slice(0, 10);
  await expectAnswers(sandbox)`
    POST orders2/MONTHLY1/pause?restartDate=${daysAfter(due, -1)} 400
    POST orders2/MONTHLY1/pause?restartDate=${daysAfter(TODAY, 61)} 400
    POST orders2/MONTHLY1/pause?restartDate=${due} 204
    POST orders2/MONTHLY1/pause?restartDate=${daysAfter(TODAY, 60)} 204`;
  expect(await next(sandbox)).toBe(`${daysAfter(TODAY, 60)}T12:00:00-07:00`);
});

test('reinstates a canceled subscription with a future payment', async ({ sandbox }) => {
  expect(await lineOf(sandbox, 'CANCEL01')).toMatchObject({
    status: 'CANCELED',
    nextPaymentDate: { '@nil': 'true' },
  });
  await expectAnswers(sandbox)`
    POST orders2/CANCEL01/reinstate 204
    HEAD orders2/CANCEL01 204
    POST orders2/CANCEL01/reinstate 400
    POST orders2/MONTHLY1/reinstate 400`;
  const line = await lineOf(sandbox, 'CANCEL01');
  expect([line.status, String(line.nextPaymentDate) > TODAY]).toEqual(['ACTIVE', true]);
});

test('rejects a reinstatement 61 days after the cancellation', async () => {
  let now = NOON;
  const sandbox = await openSandbox({ now: () => now });
  now = new Date('2026-04-28T19:00:00Z');
  await expectAnswers(sandbox)`POST orders2/CANCEL01/reinstate 400`;
  now = new Date('2026-04-27T19:00:00Z');
  await expectAnswers(sandbox)`POST orders2/CANCEL01/reinstate 204`;
});

const CHANGE = 'orders2/MONTHLY1/changeProduct?oldSku=CLUB-M&newSku=CLUB-PLUS-M';

test('refunds the unused part and bills from tomorrow with changeProduct', async ({ sandbox }) => {
  await expectAnswers(sandbox)`POST ${CHANGE} 204`;
  const refund = (await ordersOf(sandbox, 'MONTHLY1')).at(-1);
  // Paid on 26 February, due on 26 March: eight of 28 days less the hour that the clocks skipped.
  expect(refund).toMatchObject({
    ...{ transactionType: 'RFND', receipt: 'MONTHLY1-B004', totalOrderAmount: '-8.30' },
    lineItemData: { itemNo: 'CLUB-M', customerAmount: '-8.30' },
  });
  expect(await lineOf(sandbox, 'MONTHLY1')).toMatchObject({
    ...{ itemNo: 'CLUB-M', rebillAmount: '49.00', status: 'ACTIVE' },
    nextPaymentDate: '2026-03-19T12:00:00-07:00',
  });
  await expectAnswers(sandbox)`HEAD orders2/MONTHLY1 204`;
});

test('refunds no more with changeProduct than is left of a payment, its tax and its shares', async () => {
  const sandbox = await openSandbox({ seed: { orders: 1500 } });
  const newest = await listAll(
    sandbox,
    'startDate=2026-03-01&endDate=2026-03-18&type=SALE&item=CLUB-M',
  );
  const isActive = (row: Json) => linesIn(row).every(({ status }) => status === 'ACTIVE');
  const sale = newest.find((row) => cents(row.totalTaxAmount) > 0 && isActive(row));
  const receipt = String(sale?.receipt);
  const refund = 'type=rfnd&reason=ticket.type.refund.2&refundType=PARTIAL_PERCENT&refundAmount=80';
  await expectAnswers(sandbox)`POST tickets/${receipt}?${refund}&retainSubscription=true 200`;
  await sandbox.advance(DAY);
  await expectAnswers(sandbox)`POST ${CHANGE.replace('MONTHLY1', receipt)} 204`;
  const rows = await ordersOf(sandbox, receipt);
  expect(rows[0]).toMatchObject({ customerRefundableState: 'ALREADY_REFUNDED' });
  const sum = (amounts: readonly unknown[]) => amounts.map(cents).reduce((all, one) => all + one);
  expect(sum(rows.map((row) => row.totalOrderAmount))).toBe(0);
  expect(sum(rows.map((row) => row.totalTaxAmount))).toBe(0);
  expect(sum(rows.flatMap(linesIn).map((line) => line.accountAmount))).toBe(0);
});

test('changes only to another digital recurring product of the currency', async ({ sandbox }) => {
  const refused = ['CLUB-M', 'NOSUCH', 'GUIDE-01', 'FIT-M', 'CLUB-BOX-M'];
  await expectAnswers(sandbox)`
    POST orders2/MONTHLY1/changeProduct?oldSku=CLUB-PLUS-M&newSku=CLUB-M 400
    POST ${CHANGE}&nextRebillDate=${TODAY} 400
    ${refused.map((sku) => `POST ${CHANGE.replace('CLUB-PLUS-M', sku)} 400`).join('\n')}`;
  expect(await ordersOf(sandbox, 'MONTHLY1')).toHaveLength(4);
  const later = `${CHANGE}&applyProratedRefund=FALSE&nextRebillDate=2026-04-01`;
  await expectAnswers(sandbox)`POST ${later} 204`;
  expect(await ordersOf(sandbox, 'MONTHLY1')).toHaveLength(4);
  expect(await next(sandbox)).toBe('2026-04-01T12:00:00-07:00');
});

test('accepts the original sku in changeDate after changeProduct', async ({ sandbox }) => {
  const date = 'orders2/MONTHLY1/changeDate?changeDate=2026-04-09';
  await expectAnswers(sandbox)`
    POST ${CHANGE} 204
    POST ${date}&sku=CLUB-PLUS-M 400 CLUB-M
    POST ${date}&sku=CLUB-M 204
    POST ${CHANGE} 400
    POST orders2/MONTHLY1/changeProduct?oldSku=CLUB-PLUS-M&newSku=CLUB-M 204`;
  expect((await lineOf(sandbox, 'MONTHLY1')).rebillAmount).toBe('29.00');
});

test('keeps past payments unchanged with changeProduct', async ({ sandbox }) => {
  const kept = (rows: readonly Json[]) =>
    rows.map((row) => {
      const { itemNo, productTitle, customerAmount, accountAmount } = linesIn(row)[0] ?? {};
      const { receipt, totalOrderAmount } = row;
      return { receipt, totalOrderAmount, itemNo, productTitle, customerAmount, accountAmount };
    });
  const before = kept(await ordersOf(sandbox, 'MONTHLY1'));
  const bySku = `VENDOR/PRODUCT_SKU?account=GREENLEAF&startDate=2025-03-01&endDate=${TODAY}`;
  const figures = await statistics(sandbox, bySku);
  await expectAnswers(sandbox)`POST ${CHANGE}&applyProratedRefund=FALSE 204`;
  expect(kept(await ordersOf(sandbox, 'MONTHLY1'))).toEqual(before);
  expect(await statistics(sandbox, bySku)).toEqual(figures);
  const search = async (item: string) =>
    (await listAll(sandbox, `item=${item}`)).map(({ receipt }) => receipt);
  expect(await search('CLUB-M')).toContain('MONTHLY1');
  expect(await search('CLUB-PLUS-M')).not.toContain('MONTHLY1');
  await sandbox.advance(2 * DAY);
  const after = await ordersOf(sandbox, 'MONTHLY1');
  expect(kept(after).slice(0, -1)).toEqual(before);
  expect(linesIn(after.at(-1))[0]).toMatchObject({
    itemNo: 'CLUB-PLUS-M',
    customerAmount: '49.00',
  });
  expect(await search('CLUB-PLUS-M')).toContain('MONTHLY1-B005');
  const rows = await details(sandbox, 'VENDOR/subscription/details?account=GREENLEAF');
  expect(rows.find(({ receipt }) => receipt === 'MONTHLY1')?.itemNo).toBe('CLUB-PLUS-M');
});

const ADDRESS = 'address1=1%20Main%20St&city=Reno&province=NV&countryCode=us&postalCode=89501';

test('stores the new address of a physical subscription only', async ({ sandbox }) => {
  await expectAnswers(sandbox)`
    POST orders2/SHIPBOX1/changeAddress?${ADDRESS}&firstName=Zo%C3%AB 204
    POST orders2/MONTHLY1/changeAddress?${ADDRESS} 400
    POST orders2/PARCEL01/changeAddress?${ADDRESS} 400
    POST orders2/DIGITAL1/changeAddress?${ADDRESS} 400
    POST orders2/SHIPBOX1/changeAddress?address1=x&city=y&countryCode=USA 400`;
  for (const row of await ordersOf(sandbox, 'SHIPBOX1')) {
    expect(row).toMatchObject({ state: 'NV', country: 'US', postalCode: '89501' });
    expect(row).toMatchObject({ firstName: 'Zoë', lastName: 'Sample', fullName: 'Zoë Sample' });
  }
});
