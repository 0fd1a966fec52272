/** Events after the seed: sales, refunds, chargebacks, cancellations, and hops. */
import { expect, test } from 'vitest';
import type { Sandbox } from '../../../src/sandbox/http/server.ts';
import { statistics } from '../analytics/analytics-raw.ts';
import { ask, everything, getJson, linesIn, listAll, NOON, openSandbox, ordersOf } from '../raw.ts';
import { DAY, ticketsIn } from '../tickets/ticket-raw.ts';

type Row = Readonly<Record<string, unknown>>;

const SEED = { orders: 1200 };

const isNew = (row: Row) => Date.parse(String(row.transactionTime)) > NOON.getTime();

/** Rows of the orders list, before and after the seed. */
async function ordersBy(sandbox: Sandbox): Promise<{ seeded: Row[]; later: Row[] }> {
  const rows = await listAll(sandbox, '');
  return { seeded: rows.filter((row) => !isNew(row)), later: rows.filter(isNew) };
}

const ofType = (rows: readonly Row[], type: string) =>
  rows.filter(({ transactionType }) => transactionType === type);

function shareOf(rows: readonly Row[], type: string): number {
  return ofType(rows, type).length / ofType(rows, 'SALE').length;
}

test('generates sales, refunds, chargebacks, and hops at the rates of the seed over half a year', async () => {
  const sandbox = await openSandbox({ seed: SEED });
  const figures = async (from: string, to: string) =>
    (
      await statistics(
        sandbox,
        `VENDOR/AFFILIATE?account=GREENLEAF&startDate=${from}&endDate=${to}`,
      )
    ).totals;
  await sandbox.advance(184 * DAY);
  const { seeded, later } = await ordersBy(sandbox);
  const recent = seeded.filter((row) => String(row.transactionTime) > '2026-02-18');
  const perDay = ofType(recent, 'SALE').length / 28;
  const newPerDay = ofType(later, 'SALE').length / 184;
  expect(newPerDay / perDay).toBeGreaterThan(0.7);
  expect(newPerDay / perDay).toBeLessThan(1.5);
  // The seed refunds 5.5% of its sales and charges back 1.0%, some time after the sale.
  for (const [type, share] of [
    ['RFND', 0.055],
    ['CGBK', 0.01],
  ] as const) {
    const ratio = shareOf(later, type) / share;
    expect([type, ratio > 0.6, ratio < 1.5]).toEqual([type, true, true]);
  }
  expect(ofType(later, 'FEE')).toHaveLength(ofType(later, 'CGBK').length);
  const before = await figures('2025-03-18', '2026-03-18');
  const after = await figures('2026-03-19', '2026-09-18');
  const hops = (of: Row) => Number(of.HOP_COUNT) / Number(of.SALE_COUNT);
  expect(hops(after) / hops(before)).toBeGreaterThan(0.8);
  expect(hops(after) / hops(before)).toBeLessThan(1.25);
});

test('generates new sales with carts, upsells, subscriptions, affiliates, tracking IDs, and currencies', async () => {
  const sandbox = await openSandbox({ seed: SEED });
  await sandbox.advance(90 * DAY);
  const { seeded, later } = await ordersBy(sandbox);
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

test('generates the same events in one step of 30 days as in 30 steps of one day', async () => {
  const one = await openSandbox({ seed: SEED });
  const many = await openSandbox({ seed: SEED });
  let real = NOON;
  const waited = await openSandbox({ seed: SEED, now: () => real });
  await one.advance(30 * DAY);
  for (let day = 0; day < 30; day += 1) await many.advance(DAY);
  // Some of the time passes on the real clock, in uneven steps.
  for (const hours of [1, 7, 30, 200]) {
    real = new Date(NOON.getTime() + hours * 3_600_000);
    await getJson(waited, '/rest/1.3/orders2/count');
  }
  await waited.advance(30 * DAY - 200 * 3600);
  const whole = await everything(one);
  expect(await everything(many)).toEqual(whole);
  expect(await everything(waited)).toEqual(whole);
  expect((await ordersBy(one)).later.length).toBeGreaterThan(200);
});

test('generates other sales for another random seed', async () => {
  const sales = async (randomSeed: number) => {
    const sandbox = await openSandbox({ seed: { orders: 1200, randomSeed } });
    await sandbox.advance(3 * DAY);
    return (await ordersBy(sandbox)).later.map(({ receipt }) => receipt);
  };
  const first = await sales(1);
  expect(first.length).toBeGreaterThan(5);
  expect(await sales(1)).toEqual(first);
  expect(await sales(2)).not.toEqual(first);
});

test('generates no sales in the first 15 minutes after the seed', async () => {
  for (const randomSeed of [1, 2, 3]) {
    const sandbox = await openSandbox({ seed: { orders: 3000, randomSeed } });
    await sandbox.advance(900);
    expect(ofType((await ordersBy(sandbox)).later, 'SALE')).toEqual([]);
  }
});

test('only rebills the fixed receipts as the clock advances', async () => {
  const sandbox = await openSandbox({ seed: SEED });
  const fixed = ['DIGITAL1', 'CART0003', 'PARCEL01', 'UPSELL01', 'REFUND01', 'CHARGE01'];
  const before = await Promise.all(fixed.map((receipt) => ordersOf(sandbox, receipt)));
  await sandbox.advance(50 * DAY);
  const kept = (rows: readonly Row[]) =>
    rows.map(({ transactionType, totalOrderAmount }) => [transactionType, totalOrderAmount]);
  for (const [i, receipt] of fixed.entries()) {
    expect(kept(await ordersOf(sandbox, receipt))).toEqual(kept(before[i] ?? []));
  }
  const monthly = (await ordersOf(sandbox, 'MONTHLY1')).map((row) => row.transactionType);
  expect(new Set(monthly)).toEqual(new Set(['SALE', 'BILL']));
});

test('opens refund tickets that a vendor can close before the refund', async () => {
  const sandbox = await openSandbox({ seed: SEED });
  const opened = async () => {
    const path = '/rest/1.3/tickets/list?type=rfnd&status=open';
    return ticketsIn(await getJson(sandbox, path)).filter(
      ({ openedDate }) => Date.parse(String(openedDate)) > NOON.getTime(),
    );
  };
  let days = 0;
  for (; (await opened()).length === 0; days += 1) {
    expect(days).toBeLessThan(30);
    await sandbox.advance(DAY / 2);
  }
  const [ticket] = await opened();
  expect([ticket?.comments].flat()).toMatchObject([{ action: 'OPENED', commentRole: 'CUSTOMER' }]);
  const receipt = String(ticket?.receipt);
  const path = `/rest/1.3/tickets/${ticket?.ticketid}?action=close`;
  expect((await ask(sandbox, 'PUT', path)).status).toBe(200);
  await sandbox.advance(15 * DAY);
  const types = (await ordersOf(sandbox, receipt)).map(({ transactionType }) => transactionType);
  expect(types).not.toContain('RFND');
});

test('closes a ticket with every new refund', async () => {
  const sandbox = await openSandbox({ seed: SEED });
  await sandbox.advance(60 * DAY);
  const refunds = ofType((await ordersBy(sandbox)).later, 'RFND');
  expect(refunds.length).toBeGreaterThan(5);
  for (const { receipt } of refunds) {
    const response = await getJson(sandbox, `/rest/1.3/tickets/list?receipt=${receipt}`);
    expect(ticketsIn(response), String(receipt)).toMatchObject([
      { type: 'REFUND', status: 'CLOSED' },
    ]);
  }
});

test('stops selling a deleted product and sells a repriced one at its new price', async () => {
  const sandbox = await openSandbox({ seed: { orders: 3000 } });
  const product = '/rest/1.3/products';
  expect((await ask(sandbox, 'DELETE', `${product}/KIT-01?site=GREENLEAF`)).status).toBeLessThan(
    300,
  );
  const save = `${product}/GUIDE-01?site=GREENLEAF&currency=USD&price=99&language=EN&title=New&digital=true&categories=EBOOK&thankYouPage=https://a.example/t&pitchPage=https://a.example/p`;
  expect((await ask(sandbox, 'PUT', save, { 'Content-Length': '0' })).status).toBe(200);
  await sandbox.advance(20 * DAY);
  const lines = ofType((await ordersBy(sandbox)).later, 'SALE')
    .filter(({ vendor, currency }) => vendor === 'GREENLEAF' && currency === 'USD')
    .flatMap(linesIn);
  const named = (sku: string) => lines.filter(({ itemNo }) => itemNo === sku);
  expect(named('KIT-01')).toEqual([]);
  expect(named('GUIDE-01').length).toBeGreaterThan(0);
  for (const { productTitle, customerAmount, quantity } of named('GUIDE-01')) {
    expect(Number(customerAmount)).toBe(99 * Number(quantity));
    expect([productTitle, { '@nil': 'true' }]).toContainEqual(productTitle);
  }
});

test('stops an interrupted advance at a complete step that can be continued', async () => {
  const [whole, stopped] = [await openSandbox({ seed: SEED }), await openSandbox({ seed: SEED })];
  const stop = new AbortController();
  const onStep = (done: number) => done === 7 * DAY && stop.abort();
  const now = await stopped.advance(3640 * DAY, { signal: stop.signal, onStep });
  expect(now).toEqual(new Date(NOON.getTime() + 7 * DAY * 1000));
  await stopped.advance(23 * DAY);
  await whole.advance(30 * DAY);
  expect(await everything(stopped)).toEqual(await everything(whole));
});
