/** The life of a subscription on one sandbox: every service reports it in the same way. */
import { expect, test } from 'vitest';
import { type Home, sandboxHome } from '../../support/cb.ts';
import { sandboxJson as json } from '../../support/sandbox.ts';

interface Order {
  readonly receipt: string;
  readonly transactionType: string;
  readonly totalOrderAmount: number;
  readonly lineItemData: readonly {
    readonly itemNo: string;
    readonly accountAmount: number;
    readonly status: string;
    readonly nextPaymentDate: string;
    readonly futurePayments: number;
  }[];
}

const period = '--start-date 2026-03-01 --end-date today';
const as = '--role VENDOR --account GREENLEAF';

const cents = (amount: number) => Math.round(amount * 100);

/** What the vendor's account earned from transactions of these types, in cents. */
function earned(orders: readonly Order[], ...types: string[]): number {
  return orders
    .filter(({ transactionType }) => types.includes(transactionType))
    .flatMap(({ lineItemData }) => lineItemData)
    .reduce((sum, { accountAmount }) => sum + cents(accountAmount), 0);
}

/** Expects orders, quickstats and analytics to have equal totals, and returns them in cents. */
async function expectEqualTotals(at: Home): Promise<{ refunded: number; sold: number }> {
  const orders: Order[] = await json(at, `orders list ${period} --vendor GREENLEAF --role VENDOR`);
  const sold = earned(orders, 'SALE', 'BILL');
  const refunded = 0 - earned(orders, 'RFND');
  const chargedBack = 0 - earned(orders, 'CGBK');

  const [stats] = await json(at, `quickstats count ${period} --account GREENLEAF`);
  expect([stats.sale, stats.refund, stats.chargeback].map(cents)).toEqual([
    sold,
    refunded,
    chargedBack,
  ]);

  const figures = await json(
    at,
    `analytics dimension PRODUCT_SKU ${as} ${period} --totals --select GROSS_SALE_AMOUNT,REFUND_AMOUNT,REFUND_COUNT,CHARGEBACK_AMOUNT`,
  );
  const total = figures.at(-1);
  expect(total.dimensionValue).toBe('TOTAL');
  expect(
    [total.GROSS_SALE_AMOUNT, total.REFUND_AMOUNT, total.CHARGEBACK_AMOUNT].map(cents),
  ).toEqual([sold, refunded, chargedBack]);
  // Grouped by product, the refund of a cart counts once for each of its line items.
  expect(total.REFUND_COUNT).toBe(
    orders
      .filter(({ transactionType }) => transactionType === 'RFND')
      .flatMap(({ lineItemData }) => lineItemData).length,
  );
  return { sold, refunded };
}

async function sale(at: Home, receipt: string): Promise<Order> {
  return (await json(at, `orders get ${receipt}`))[0];
}

async function isActive({ cb }: Home, receipt: string): Promise<boolean> {
  return (await cb(`--sandbox orders active ${receipt}`)).code === 0;
}

/** The subscription in the list of analytics. */
async function subscription(at: Home, wanted: string) {
  const rows: Order[] = await json(at, `analytics subscriptions list ${as}`);
  return rows.find(({ receipt }) => receipt === wanted);
}

test('reports equal totals in orders, quickstats and analytics while a subscription is shipped, refunded, canceled, reinstated and changed', async () => {
  const at = await sandboxHome(300);
  const before = await expectEqualTotals(at);

  // Ship its physical item.
  expect(await json(at, 'ship list --status notshipped --receipt SHIPBOX1')).toBeDefined();
  const notice = await json(
    at,
    'ship notice add SHIPBOX1 --date today --carrier UPS --tracking 1Z999 --yes',
  );
  expect(notice).toMatchObject({ receipt: 'SHIPBOX1', carrier: 'UPS', trackingId: '1Z999' });
  expect(await json(at, 'ship notice list SHIPBOX1')).toHaveLength(1);
  const shipped = await json(at, 'ship list --status shipped --receipt SHIPBOX1');
  expect(shipped).toContainEqual(expect.objectContaining({ receipt: 'SHIPBOX1' }));

  // Refund half of a rebill and keep the subscription.
  const paid = 'MONTHLY1-B004';
  const half = '--refund-type PARTIAL_PERCENT --refund-amount 50';
  const amounts = await json(at, `tickets refund-amounts ${paid} ${half}`);
  const [bill] = await json(at, `orders get ${paid}`);
  expect(amounts).toMatchObject({ customerCurrency: bill.currency });
  expect(cents(amounts.customerAmount)).toBe(Math.round(cents(bill.totalOrderAmount) / 2));
  const refund = `tickets create ${paid} --type rfnd ${half} --reason ticket.type.refund.2`;
  const ticket = await json(at, `${refund} --retain-subscription --yes`);
  expect(ticket).toMatchObject({ type: 'REFUND', status: 'OPEN', refundType: 'PARTIAL_PERCENT' });
  expect(await expectEqualTotals(at)).toEqual(before);
  const again = await at.cb(`--sandbox ${refund} --yes --allow-duplicate`);
  expect(again.code).toBe(4);
  expect(again.err).toContain('Refund ticket already open');

  // The refund completes as time passes.
  await at.cb('--sandbox sandbox clock advance 2d');
  expect((await json(at, `tickets get ${ticket.ticketid}`)).status).toBe('CLOSED');
  const paidBack: Order[] = (await json(at, `orders get ${paid}`)).filter(
    ({ transactionType }: Order) => transactionType === 'RFND',
  );
  expect(paidBack.map(({ totalOrderAmount }) => cents(totalOrderAmount))).toEqual([
    -cents(amounts.customerAmount),
  ]);
  const after = await expectEqualTotals(at);
  expect(after.refunded).toBeGreaterThan(before.refunded);
  expect(await isActive(at, 'MONTHLY1')).toBe(true);
  expect(await subscription(at, 'MONTHLY1')).toMatchObject({ status: 'ACTIVE' });

  // Cancel it: it is inactive everywhere, and nothing is refunded.
  await json(at, 'tickets create MONTHLY1 --type cncl --reason ticket.type.cancel.5 --yes');
  expect(await isActive(at, 'MONTHLY1')).toBe(false);
  expect((await sale(at, 'MONTHLY1')).lineItemData[0]?.status).toBe('CANCELED');
  expect(await subscription(at, 'MONTHLY1')).toMatchObject({ status: 'CANCELED' });
  const canceled = await json(at, `analytics subscriptions canceled-30 ${as}`);
  expect(canceled).toContainEqual(expect.objectContaining({ receipt: 'MONTHLY1' }));
  expect((await expectEqualTotals(at)).refunded).toBe(after.refunded);

  // Reinstate and pause it.
  await json(at, 'orders reinstate MONTHLY1 --yes');
  expect(await isActive(at, 'MONTHLY1')).toBe(true);
  await json(at, 'orders pause MONTHLY1 --restart-date +40d --yes');
  expect((await sale(at, 'MONTHLY1')).lineItemData[0]?.nextPaymentDate).toMatch(/^2026-04-29/);
  await json(
    at,
    'orders change-product MONTHLY1 --old-sku CLUB-M --new-sku CLUB-PLUS-M --apply-prorated-refund --yes',
  );
  expect((await sale(at, 'MONTHLY1')).lineItemData[0]?.itemNo).toBe('CLUB-M');
  expect(await subscription(at, 'MONTHLY1')).toMatchObject({ itemNo: 'CLUB-PLUS-M' });
  const changed = await expectEqualTotals(at);
  expect(changed.refunded).toBeGreaterThan(after.refunded);
  await at.cb('--sandbox sandbox clock advance 3d');
  const rebilled: Order[] = await json(at, 'orders get MONTHLY1');
  expect(
    rebilled.filter(({ transactionType }) => transactionType === 'BILL').length,
  ).toBeGreaterThan(3);
  expect((await expectEqualTotals(at)).sold).toBeGreaterThan(changed.sold);

  // Extend another one: it has more future payments.
  const future = (await sale(at, 'LIMITED1')).lineItemData[0]?.futurePayments ?? 0;
  await json(at, 'orders extend LIMITED1 --num-periods 2 --yes');
  expect((await sale(at, 'LIMITED1')).lineItemData[0]?.futurePayments).toBe(future + 2);

  // A refund that does not keep the subscription ends it. A physical item must be returned first.
  const box = await json(
    at,
    'tickets create SHIPBOX1 --type rfnd --refund-type FULL --reason ticket.type.refund.returned --yes',
  );
  expect(await isActive(at, 'SHIPBOX1')).toBe(false);
  await at.cb('--sandbox sandbox clock advance 5d');
  expect((await json(at, `tickets get ${box.ticketid}`)).status).toBe('OPEN');
  const waiting = await expectEqualTotals(at);
  expect((await at.cb(`--sandbox tickets returned ${box.ticketid} --yes`)).code).toBe(0);
  expect((await json(at, `tickets get ${box.ticketid}`)).status).toBe('CLOSED');
  expect((await expectEqualTotals(at)).refunded).toBeGreaterThan(waiting.refunded);
});

test('reports equal totals in orders, quickstats and analytics after the clock is advanced by 90 days', async () => {
  const at = await sandboxHome(300);
  const before = await expectEqualTotals(at);
  expect((await at.cb('--sandbox sandbox clock advance 90d')).code).toBe(0);
  const after = await expectEqualTotals(at);
  expect(after.sold).toBeGreaterThan(before.sold);
  expect(after.refunded).toBeGreaterThan(before.refunded);
  const line = 'orders list --start-date 2026-03-19 --end-date today --type SALE';
  const sales: Order[] = await json(at, line);
  expect(sales.length).toBeGreaterThan(60);
  expect(sales.some(({ lineItemData }) => lineItemData.length > 1)).toBe(true);
});
