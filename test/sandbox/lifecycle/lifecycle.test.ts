/** Events after the seed: sales, refunds, chargebacks, cancellations, hops and rebills, as the clock advances. */
import { expect } from 'vitest';
import type { Sandbox } from '../../../src/sandbox/http/server.ts';
import { addPeriods } from '../../../src/sandbox/services/billing-date.ts';
import { details, statistics } from '../analytics/analytics-raw.ts';
import { NEW_PRODUCT } from '../good-request.ts';
import {
  DAY,
  everything,
  expectAnswers,
  getJson,
  type Json,
  lineOf,
  linesIn,
  listAll,
  NOON,
  ofType,
  openSandbox,
  ordersOf,
  rowsAt,
  rowsIn,
  start,
  test as withSandbox,
} from '../raw.ts';
import { storeFile } from '../store/store-file.ts';

const SEED = { orders: 600 };
const DAYS = 92;

const isLater = (time: unknown) => Date.parse(String(time)) > NOON.getTime();
const laterOf = (rows: readonly Json[]) =>
  rows.filter(({ transactionTime }) => isLater(transactionTime));

const FIXED = ['DIGITAL1', 'CART0003', 'PARCEL01', 'UPSELL01', 'REFUND01', 'CHARGE01'];

/** Types and amounts of the fixed receipts. */
async function fixedIn(sandbox: Sandbox): Promise<string[]> {
  const rows = await Promise.all(FIXED.map((receipt) => ordersOf(sandbox, receipt)));
  return rows.flat().map((row) => `${row.transactionType} ${row.totalOrderAmount}`);
}

/** A sandbox three months after its seed. */
const test = withSandbox.extend('lived', { scope: 'file' }, async ({ sizes }, { onCleanup }) => {
  const sandbox = await start({ seed: { orders: sizes.lived * 2 } });
  onCleanup(() => sandbox.close());
  const fixed = await fixedIn(sandbox);
  await sandbox.advance(DAYS * DAY);
  const rows = await listAll(sandbox, '');
  const later = laterOf(rows);
  return { sandbox, fixed, later, seeded: rows.filter((row) => !later.includes(row)) };
});

test('generates events at the rates of the seed over three months', async ({ lived }) => {
  const { sandbox, seeded, later } = lived;
  const recent = seeded.filter((row) => String(row.transactionTime) > '2026-02-18');
  const perDay = ofType(recent, 'SALE').length / 28;
  const rates: [name: string, ratio: number, least: number, most: number][] = [
    ['sales', ofType(later, 'SALE').length / DAYS / perDay, 0.7, 1.5],
  ];
  // The seed refunds 5.5% of its sales and charges back 1.0%, some time after the sale.
  for (const [type, share] of Object.entries({ RFND: 0.055, CGBK: 0.01 })) {
    const found = ofType(later, type).length / ofType(later, 'SALE').length;
    rates.push([type, found / share, 0.6, 1.5]);
  }
  const hops = async (days: string) => {
    const path = `VENDOR/AFFILIATE?account=GREENLEAF&${days}`;
    const { HOP_COUNT, SALE_COUNT } = (await statistics(sandbox, path)).totals;
    return Number(HOP_COUNT) / Number(SALE_COUNT);
  };
  const before = await hops('startDate=2025-03-18&endDate=2026-03-18');
  rates.push(['hops', (await hops('startDate=2026-03-19&endDate=2026-06-18')) / before, 0.8, 1.25]);
  expect(rates.filter(([, ratio, least, most]) => !(ratio > least && ratio < most))).toEqual([]);
  expect(ofType(later, 'FEE')).toHaveLength(ofType(later, 'CGBK').length);
});

test('generates new sales of every kind, and each receipt once', async ({ lived }) => {
  const { seeded, later } = lived;
  const sales = ofType(later, 'SALE');
  const lines = sales.flatMap(linesIn);
  expect(new Set(lines.map(({ lineItemType }) => lineItemType))).toEqual(
    new Set(['STANDARD', 'ORIGINAL', 'BUMP', 'CART', 'UPSELL', 'TOKEN']),
  );
  expect(lines.some(({ recurring }) => recurring === 'true')).toBe(true);
  for (const name of ['vendor', 'affiliate', 'currency', 'country', 'paytmentMethod']) {
    expect(new Set(sales.map((sale) => sale[name])).size, name).toBeGreaterThan(4);
  }
  const receipts = [...seeded, ...later]
    .filter(({ transactionType }) => /SALE$/.test(String(transactionType)))
    .map(({ receipt }) => receipt);
  expect(new Set(receipts).size).toBe(receipts.length);
});

test('only rebills the fixed receipts as the clock advances', async ({ lived }) => {
  const { sandbox, fixed } = lived;
  expect(await fixedIn(sandbox)).toEqual(fixed);
  const monthly = (await ordersOf(sandbox, 'MONTHLY1')).map((row) => row.transactionType);
  expect(new Set(monthly)).toEqual(new Set(['SALE', 'BILL']));
});

test('closes a ticket with every new refund', async ({ lived: { sandbox, later } }) => {
  const refunds = ofType(later, 'RFND').map(({ receipt }) => receipt);
  expect(refunds.length).toBeGreaterThan(5);
  const tickets = await rowsAt(sandbox, 'tickets/list?type=rfnd');
  for (const receipt of refunds) {
    const own = tickets.filter((ticket) => ticket.receipt === receipt);
    expect(own, String(receipt)).toMatchObject([{ type: 'REFUND', status: 'CLOSED' }]);
  }
});

test('generates the same events in one step of 20 days as in other steps, also after an interruption', async () => {
  const [one, many] = [await openSandbox({ seed: SEED }), await openSandbox({ seed: SEED })];
  await one.advance(20 * DAY);
  const whole = await everything(one);
  expect(laterOf(whole.orders).length).toBeGreaterThan(50);
  const stop = new AbortController();
  const onStep = (done: number) => done === 7 * DAY && stop.abort();
  const now = await many.advance(3640 * DAY, { signal: stop.signal, onStep });
  expect(now).toEqual(new Date(NOON.getTime() + 7 * DAY * 1000));
  for (let day = 7; day < 20; day += 1) await many.advance(DAY);
  expect(await everything(many)).toEqual(whole);
  // Some of the time passes on the real clock, in uneven steps.
  let real = NOON;
  const waited = await openSandbox({ seed: SEED, now: () => real });
  for (const hours of [1, 7, 30, 200]) {
    real = new Date(NOON.getTime() + hours * 3_600_000);
    await getJson(waited, '/rest/1.3/orders2/count');
  }
  await waited.advance(20 * DAY - 200 * 3600);
  expect(await everything(waited)).toEqual(whole);
});

test('generates other sales for another random seed, and none in the first 15 minutes', async () => {
  const sales = async (randomSeed: number) => {
    const sandbox = await openSandbox({ seed: { orders: 1000, randomSeed } });
    const later = async () => {
      const days = 'startDate=2026-03-18&endDate=2026-03-20';
      return laterOf(await rowsAt(sandbox, `orders2/list?${days}`));
    };
    await sandbox.advance(900);
    expect(ofType(await later(), 'SALE')).toEqual([]);
    await sandbox.advance(2 * DAY);
    return (await later()).map(({ receipt }) => receipt);
  };
  const first = await sales(1);
  expect(first.length).toBeGreaterThan(5);
  expect(await sales(1)).toEqual(first);
  expect(await sales(2)).not.toEqual(first);
});

test('opens refund tickets that a vendor can close before the refund', async () => {
  const sandbox = await openSandbox({ seed: SEED });
  const opened = async () => {
    const found = await getJson(sandbox, '/rest/1.3/tickets/list?type=rfnd&status=open');
    return rowsIn(found).filter(({ openedDate }) => isLater(openedDate));
  };
  for (let days = 0; (await opened()).length === 0; days += 1) {
    expect(days).toBeLessThan(30);
    await sandbox.advance(DAY / 2);
  }
  const [ticket] = await opened();
  expect([ticket?.comments].flat()).toMatchObject([{ action: 'OPENED', commentRole: 'CUSTOMER' }]);
  await expectAnswers(sandbox)`PUT tickets/${ticket?.ticketid}?action=close 200`;
  await sandbox.advance(15 * DAY);
  expect(ofType(await ordersOf(sandbox, String(ticket?.receipt)), 'RFND')).toEqual([]);
});

test('stops selling a deleted product and sells a repriced one at its new price', async () => {
  const sandbox = await openSandbox({ seed: { orders: 1500 } });
  await expectAnswers(sandbox)`
    DELETE products/KIT-01?site=GREENLEAF 204
    PUT products/GUIDE-01?${NEW_PRODUCT} 200`;
  await sandbox.advance(20 * DAY);
  const lines = laterOf(await listAll(sandbox, 'type=SALE&vendor=GREENLEAF'))
    .filter(({ currency }) => currency === 'USD')
    .flatMap(linesIn);
  const named = (sku: string) => lines.filter(({ itemNo }) => itemNo === sku);
  expect(named('KIT-01')).toEqual([]);
  expect(named('GUIDE-01').length).toBeGreaterThan(0);
  for (const { productTitle, customerAmount, quantity } of named('GUIDE-01')) {
    expect(Number(customerAmount)).toBe(10 * Number(quantity));
    expect(['New', { '@nil': 'true' }]).toContainEqual(productTitle);
  }
});

async function billsOf(sandbox: Sandbox, receipt: string): Promise<unknown[]> {
  const rows = await ordersOf(sandbox, receipt);
  return rows
    .filter((row) => String(row.transactionType).endsWith('BILL'))
    .map((row) => [row.receipt, row.transactionTime]);
}

test('bills on the due day, at the time of the sale', async ({ sandbox }) => {
  await sandbox.advance(8 * DAY - 1);
  expect(await billsOf(sandbox, 'MONTHLY1')).toHaveLength(3);
  const now = await sandbox.advance(1);
  expect(now).toEqual(new Date(NOON.getTime() + 8 * DAY * 1000));
  const [last] = (await billsOf(sandbox, 'MONTHLY1')).slice(-1);
  expect(last).toEqual(['MONTHLY1-B005', '2026-03-26T12:00:00-07:00']);
  const [bill] = await ordersOf(sandbox, 'MONTHLY1-B005');
  const [former] = await ordersOf(sandbox, 'MONTHLY1-B004');
  expect(bill).toMatchObject({ transactionType: 'BILL', totalOrderAmount: '29.00' });
  expect(linesIn(bill)[0]?.accountAmount).toBe(linesIn(former)[0]?.accountAmount);
  expect(await lineOf(sandbox, 'MONTHLY1')).toMatchObject({
    ...{ processedPayments: '5', futurePayments: '999', status: 'ACTIVE' },
    nextPaymentDate: '2026-04-26T12:00:00-07:00',
  });
});

test('catches up on events that were due while the sandbox was closed', async () => {
  const file = storeFile();
  const first = await openSandbox({ file });
  const { orders } = first.status();
  await first.close();
  const later = new Date(NOON.getTime() + 45 * DAY * 1000);
  const second = await openSandbox({ file, now: () => later });
  expect(second.status().orders).toBeGreaterThan(orders);
  expect(await billsOf(second, 'MONTHLY1')).toHaveLength(5);
});

test('advances the clock only when all events until then have happened', async () => {
  let real = NOON;
  const sandbox = await openSandbox({ now: () => real, seed: { orders: 700 } });
  // More than fit into two transactions.
  real = new Date(NOON.getTime() + 150 * DAY * 1000);
  await sandbox.advance(1);
  const { orders } = sandbox.status();
  expect(orders).toBeGreaterThan(1700);
  await getJson(sandbox, '/rest/1.3/orders2/count');
  expect(sandbox.status().orders).toBe(orders);
});

test.each([
  ['WEEKLY', '2026-01-22'],
  ['BI_WEEKLY', '2026-01-29'],
  ['MONTHLY', '2026-02-15'],
  ['QUARTERLY', '2026-04-15'],
  ['HALF_YEARLY', '2026-07-15'],
  ['YEARLY', '2027-01-15'],
])('bills %s on %s after January 15', (frequency, day) => {
  expect(addPeriods('2026-01-15', frequency, 1)).toBe(day);
});

test('returns to the 31st after a short month', async ({ sandbox }) => {
  await expectAnswers(sandbox)`POST orders2/MONTHLY1/changeDate?changeDate=2026-03-31 204`;
  await sandbox.advance(80 * DAY);
  expect((await billsOf(sandbox, 'MONTHLY1')).slice(3)).toEqual([
    ['MONTHLY1-B005', '2026-03-31T12:00:00-07:00'],
    ['MONTHLY1-B006', '2026-04-30T12:00:00-07:00'],
    ['MONTHLY1-B007', '2026-05-31T12:00:00-07:00'],
  ]);
  expect(addPeriods('2026-02-28', 'MONTHLY', 1, 31)).toBe('2026-03-31');
});

test('ends a limited subscription with its last payment', async ({ sandbox }) => {
  await sandbox.advance(300 * DAY);
  expect(await lineOf(sandbox, 'LIMITED1')).toMatchObject({
    ...{ processedPayments: '7', futurePayments: '0' },
    ...{ status: 'COMPLETED', nextPaymentDate: { '@nil': 'true' } },
  });
  expect(await billsOf(sandbox, 'LIMITED1')).toHaveLength(6);
  await expectAnswers(sandbox)`POST orders2/LIMITED1/extend?numPeriods=1 400`;
});

test('bills a changed product at its own price and shipping', async ({ sandbox }) => {
  const path = 'orders2/SHIPBOX1/changeProduct?oldSku=CLUB-BOX-M&newSku=CLUB-M';
  await expectAnswers(sandbox)`POST ${path} 204`;
  await sandbox.advance(2 * DAY);
  const [bill] = (await ordersOf(sandbox, 'SHIPBOX1')).slice(-1);
  expect(bill).toMatchObject({
    ...{ transactionType: 'BILL', totalOrderAmount: '29.00' },
    ...{ totalShippingAmount: '0.00', affiliate: { '@nil': 'true' } },
  });
  // The platform keeps 7.5% plus one dollar, and there is no commission.
  expect(linesIn(bill)).toMatchObject([{ itemNo: 'CLUB-M', accountAmount: '25.82' }]);
});

const isFailing = ({ status }: Json) => /^(RETRY_PAYMENT|REQUEST_NEW_CARD)$/.test(String(status));

/** The subscriptions of a vendor, by receipt. */
async function subscriptionsIn(sandbox: Sandbox): Promise<Map<unknown, Json>> {
  const rows = await details(sandbox, 'VENDOR/subscription/details?account=GREENLEAF');
  return new Map(rows.map((row) => [row.receipt, row]));
}

test('retries a failed payment twice, three days apart, and then cancels', async () => {
  const sandbox = await openSandbox({ seed: { orders: 1500 } });
  /** The day on which a payment failed, with the subscription of that day. */
  const failing = new Map<unknown, { readonly day: number; readonly first: Json }>();
  const ends = new Set<number>();
  let before = await subscriptionsIn(sandbox);
  for (let day = 1; day <= 40; day += 1) {
    await sandbox.advance(DAY);
    const rows = await subscriptionsIn(sandbox);
    for (const [receipt, row] of rows) {
      const start = failing.get(receipt);
      if (before.get(receipt)?.status === 'ACTIVE' && isFailing(row)) {
        failing.set(receipt, { day, first: row });
      } else if (start && !isFailing(row)) {
        failing.delete(receipt);
        const { processedPaymentsCount: unpaid } = start.first;
        const paid = Number(row.processedPaymentsCount) - Number(unpaid);
        const length = day - start.day;
        // It is paid on one attempt, or canceled after the last one.
        expect([receipt, length]).toEqual([receipt, paid === 1 && length === 3 ? 3 : 6]);
        expect([receipt, row.status === 'CANCELED', paid]).toEqual([
          ...[receipt, paid === 0, paid === 0 ? 0 : 1],
        ]);
        ends.add(length);
      }
    }
    before = rows;
  }
  expect([...ends].sort()).toEqual([3, 6]);
});

test('bills each payment once with several sandboxes on one file', async () => {
  const file = storeFile();
  let real = NOON;
  const now = () => real;
  const all = [];
  for (const _ of [1, 2, 3]) all.push(await openSandbox({ file, now, seed: { orders: 300 } }));
  real = new Date(NOON.getTime() + 45 * DAY * 1000);
  await Promise.all(all.map((sandbox) => getJson(sandbox, '/rest/1.3/orders2/MONTHLY1')));
  const [first] = all;
  if (!first) throw new Error('none open');
  const bills = (await listAll(first, 'type=BILL')).map((row) => row.receipt);
  expect(new Set(bills).size).toBe(bills.length);
  const alone = await openSandbox({ seed: { orders: 300 } });
  await alone.advance(45 * DAY);
  expect(await everything(first)).toEqual(await everything(alone));
});
