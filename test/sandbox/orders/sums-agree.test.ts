/**
 * Orders, quickstats, analytics, trends, and subscription details are consistent, for several random seeds,
 * after writes and after the clock advanced. Expected values are computed from the rows of orders2 alone.
 */
import { expect, test } from 'vitest';
import type { Sandbox } from '../../../src/sandbox/http/server.ts';
import {
  ANALYTICS,
  cents as centsOf,
  details,
  expectFigures,
  type Json,
  listed,
  statistics,
} from '../analytics/analytics-raw.ts';
import { getJson, linesIn, listAll, openSandbox, post } from '../raw.ts';

const VENDORS = ['GREENLEAF', 'FITLAB24', 'COOKWELL', 'CODEMENTOR', 'YOGAHOME'];
const ALWAYS = 'startDate=2025-01-01&endDate=2026-12-31';
const DAY = 86_400;
const TYPES = ['SALE', 'BILL', 'RFND', 'CGBK'];

const cents = (value: unknown) => centsOf(Number(value));
const sumOf = (values: readonly number[]) => values.reduce((sum, one) => sum + one, 0);

const counted = (orders: readonly Json[]) =>
  orders.filter(({ transactionType }) => TYPES.includes(String(transactionType)));

/** The share of the account in the lines, in cents. */
const earned = (lines: readonly Json[]) => sumOf(lines.map((line) => cents(line.accountAmount)));

async function rolesOf(sandbox: Sandbox) {
  const roles = [
    ...VENDORS.map((account) => ({ role: 'VENDOR', account })),
    { role: 'AFFILIATE', account: 'TOPAFF1' },
  ];
  return Promise.all(
    roles.map(async ({ role, account }) => ({
      role,
      account,
      orders: await listAll(sandbox, `role=${role}&${role.toLowerCase()}=${account}`),
    })),
  );
}

type Side = Awaited<ReturnType<typeof rolesOf>>[number];

async function checkAnalytics(sandbox: Sandbox, { role, account, orders }: Side) {
  const path = (dimension: string) => `${role}/${dimension}?account=${account}&${ALWAYS}`;
  for (const dimension of ['CUSTOMER_COUNTRY', 'TRACKING_ID', 'CUSTOMER_CURRENCY']) {
    expectFigures((await statistics(sandbox, path(dimension))).totals, orders, account);
  }
  const products = role === 'VENDOR' ? 'PRODUCT_SKU' : 'VENDOR_PRODUCT_SKU';
  const { totals } = await statistics(sandbox, path(products));
  expect(cents(totals.NET_SALE_AMOUNT)).toBe(earned(counted(orders).flatMap(linesIn)));
}

async function checkTrends(sandbox: Sandbox, { role, account, orders }: Side) {
  const body = await getJson(
    sandbox,
    `${ANALYTICS}/${role}/subscription/trends?account=${account}&${ALWAYS}`,
  );
  const rows = listed(JSON.parse(body.text).data.row);
  const lines = (type: string) =>
    orders
      .filter(({ transactionType }) => transactionType === type)
      .flatMap(linesIn)
      .filter(({ recurring }) => recurring === 'true');
  const shown = (name: string) => sumOf(rows.map((row) => cents(row[name])));
  expect([account, shown('initialSaleCnt'), shown('recurringSaleCnt')]).toEqual([
    account,
    100 * lines('SALE').length,
    100 * lines('BILL').length,
  ]);
  expect([shown('initialSaleAmt'), shown('recurringSaleAmt'), shown('netSales')]).toEqual([
    earned(lines('SALE')),
    earned(lines('BILL')),
    earned(TYPES.flatMap(lines)),
  ]);
}

/** A receipt without the suffix of a rebill. */
const saleOf = (receipt: unknown) => String(receipt).split('-')[0] ?? '';

async function checkDetails(sandbox: Sandbox, { role, account, orders }: Side) {
  if (role !== 'VENDOR') return;
  const rows = await details(sandbox, `VENDOR/subscription/details?account=${account}`);
  for (const receipt of new Set(rows.map((row) => String(row.receipt)))) {
    const own = counted(orders).filter((order) => saleOf(order.receipt) === receipt);
    const paid = own.flatMap(linesIn).filter(({ recurring }) => recurring === 'true');
    const shown = rows.filter((row) => row.receipt === receipt);
    expect([receipt, sumOf(shown.map((row) => cents(row.subValue)))]).toEqual([
      receipt,
      sumOf(paid.map((line) => cents(line.customerAmount))),
    ]);
    for (const { initialSaleAmount, rebillSaleAmount, returnAmount, subValue } of shown) {
      const value = cents(initialSaleAmount) + cents(rebillSaleAmount) - cents(returnAmount);
      expect(value).toBe(cents(subValue));
    }
  }
}

/** Quickstats cover both roles of an account. */
async function checkQuickstats(sandbox: Sandbox, sides: readonly Side[]) {
  const { text } = await getJson(sandbox, `/rest/1.3/quickstats/count?${ALWAYS}`);
  const shown = listed(JSON.parse(text).accountData);
  for (const { account } of sides) {
    const [stat] = listed(shown.find(({ nickName }) => nickName === account)?.quickStats);
    const orders: Json[] = [];
    for (const role of ['VENDOR', 'AFFILIATE']) {
      orders.push(...(await listAll(sandbox, `role=${role}&${role.toLowerCase()}=${account}`)));
    }
    const sum = (...types: string[]) =>
      earned(
        orders
          .filter(({ transactionType }) => types.includes(String(transactionType)))
          .flatMap(linesIn),
      );
    expect([account, cents(stat?.sale), cents(stat?.refund), cents(stat?.chargeback)]).toEqual([
      account,
      sum('SALE', 'BILL'),
      0 - sum('RFND'),
      0 - sum('CGBK'),
    ]);
  }
}

async function checkAll(sandbox: Sandbox): Promise<readonly Side[]> {
  const sides = await rolesOf(sandbox);
  for (const side of sides) {
    await checkAnalytics(sandbox, side);
    await checkTrends(sandbox, side);
    await checkDetails(sandbox, side);
  }
  await checkQuickstats(sandbox, sides);
  return sides;
}

const refund = 'type=rfnd&reason=ticket.type.refund.1';

/** Each write is accepted for some of the orders. */
const writes = [
  (receipt: string) => `tickets/${receipt}?${refund}&refundType=FULL`,
  (receipt: string) => `tickets/${receipt}?${refund}&refundType=PARTIAL_PERCENT&refundAmount=33.33`,
  (receipt: string) => `tickets/${receipt}?type=cncl&reason=ticket.type.cancel.1`,
  (receipt: string) => `orders2/${receipt}/extend?numPeriods=2`,
  (receipt: string) => `orders2/${receipt}/reinstate`,
  (receipt: string, item: string) =>
    `orders2/${receipt}/changeProduct?oldSku=${item}&newSku=CLUB-PLUS-M&carryAffiliate=true`,
  (receipt: string, item: string) =>
    `orders2/${receipt}/changeProduct?oldSku=${item}&newSku=CLUB-M&applyProratedRefund=false`,
];

/** Returns the writes that were accepted at least once. */
async function writeSome(sandbox: Sandbox, seed: number): Promise<Set<number>> {
  const accepted = new Set<number>();
  const orders = await listAll(sandbox, 'vendor=GREENLEAF&role=VENDOR');
  const rows = orders.filter((_, i) => i % 3 === seed % 3);
  for (const [i, row] of rows.entries()) {
    const which = (i + seed) % writes.length;
    const item = encodeURIComponent(String(linesIn(row)[0]?.itemNo));
    const path = writes[which]?.(String(row.receipt), item);
    const { status } = await post(sandbox, `/rest/1.3/${path}`);
    if (status < 300) accepted.add(which);
  }
  return accepted;
}

test.each([1, 2])(
  'keeps orders, quickstats, analytics, trends, and subscriptions consistent after writes and months, with seed %i',
  async (randomSeed) => {
    const sandbox = await openSandbox({ seed: { orders: 600, randomSeed } });
    const accepted = new Set<number>();
    for (const days of [3, 40, 75]) {
      for (const one of await writeSome(sandbox, randomSeed + days)) accepted.add(one);
      await sandbox.advance(days * DAY);
    }
    expect([...accepted].sort()).toEqual(writes.map((_, i) => i));
    const [{ orders = [] } = {}] = await checkAll(sandbox);
    for (const type of TYPES) {
      const found = orders.filter(({ transactionType, transactionTime }) => {
        return transactionType === type && String(transactionTime) > '2026-03-19';
      });
      expect([type, found.length > 0]).toEqual([type, true]);
    }
  },
);
