import { expect } from 'vitest';
import type { Sandbox } from '../../../src/sandbox/http/server.ts';
import { addPeriods } from '../../../src/sandbox/services/billing-date.ts';
import { details } from '../analytics/analytics-raw.ts';
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
  openSandbox,
  ordersOf,
  test,
} from '../raw.ts';
import { storeFile } from '../store/store-file.ts';

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
