/**
 * Analytics, trends, subscription details and quickstats agree with the rows of orders2, from which alone the expected
 * figures are computed, after every kind of write and months.
 */
import { expect } from 'vitest';
import type { Sandbox } from '../../../src/sandbox/http/server.ts';
import {
  cents,
  DAY,
  dayOf,
  type Json,
  linesIn,
  listAll,
  listed,
  ofType,
  post,
  rowsAt,
  start,
  test as withSandbox,
} from '../raw.ts';
import {
  details,
  earned,
  expectFigures,
  expectSum,
  FIELDS,
  statistics,
  wrapped,
  wrappedPages,
} from './analytics-raw.ts';

const ALWAYS = 'startDate=2025-01-01&endDate=2026-12-31';
const TYPES = ['SALE', 'BILL', 'RFND', 'CGBK'];
const REFUND = 'type=rfnd&reason=ticket.type.refund.1';

const sides = [
  { role: 'VENDOR', account: 'GREENLEAF', product: 'PRODUCT_SKU' },
  { role: 'VENDOR', account: 'YOGAHOME', product: 'PRODUCT_SKU' },
  { role: 'AFFILIATE', account: 'TOPAFF1', product: 'VENDOR_PRODUCT_SKU' },
];

/** Each write is accepted for some of the orders. */
const writes = [
  (receipt: string) => `tickets/${receipt}?${REFUND}&refundType=FULL`,
  (receipt: string) => `tickets/${receipt}?${REFUND}&refundType=PARTIAL_PERCENT&refundAmount=33.33`,
  (receipt: string) => `tickets/${receipt}?type=cncl&reason=ticket.type.cancel.1`,
  (receipt: string) => `orders2/${receipt}/extend?numPeriods=2`,
  (receipt: string) => `orders2/${receipt}/reinstate`,
  (receipt: string, item: string) =>
    `orders2/${receipt}/changeProduct?oldSku=${item}&newSku=CLUB-PLUS-M&carryAffiliate=true`,
  (receipt: string, item: string) =>
    `orders2/${receipt}/changeProduct?oldSku=${item}&newSku=CLUB-M&applyProratedRefund=false`,
];

/** Returns the writes that were accepted at least once. */
async function writeSome(sandbox: Sandbox, days: number): Promise<number[]> {
  const accepted = new Set<number>();
  const orders = await listAll(sandbox, 'vendor=GREENLEAF&role=VENDOR');
  for (const [i, row] of orders.entries()) {
    if (i % 3 !== days % 3) continue;
    const which = (i + days) % writes.length;
    const item = encodeURIComponent(String(linesIn(row)[0]?.itemNo));
    const path = writes[which]?.(String(row.receipt), item);
    if ((await post(sandbox, `/rest/1.3/${path}`)).status < 300) accepted.add(which);
  }
  return [...accepted];
}

const test = withSandbox.extend('lived', { scope: 'file' }, async ({ sizes }, { onCleanup }) => {
  const sandbox = await start({ seed: { orders: sizes.lived } });
  onCleanup(() => sandbox.close());
  const accepted: number[] = [];
  for (const days of [4, 41, 75]) {
    accepted.push(...(await writeSome(sandbox, days)));
    await sandbox.advance(days * DAY);
  }
  return { sandbox, accepted: new Set(accepted) };
});

const ordersFor = (sandbox: Sandbox, role: string, account: string) =>
  listAll(sandbox, `role=${role}&${role.toLowerCase()}=${account}`);

test('compares every kind of transaction after every kind of write', async ({ lived }) => {
  expect([...lived.accepted].sort()).toEqual(writes.map((_, i) => i));
  const orders = await ordersFor(lived.sandbox, 'VENDOR', 'GREENLEAF');
  for (const type of TYPES) {
    const isLater = ({ transactionTime }: Json) => String(transactionTime) > '2026-03-19';
    expect([type, ofType(orders, type).some(isLater)]).toEqual([type, true]);
  }
});

const DIMENSIONS: Readonly<Record<string, string | undefined>> = {
  ...{ AFFILIATE: 'affiliate', VENDOR: 'vendor', TRACKING_ID: 'trackingId' },
  ...{ CUSTOMER_CURRENCY: 'currency', CUSTOMER_COUNTRY: 'country' },
  ...{ CUSTOMER_PROVINCE: undefined, CUSTOMER_LANGUAGE: undefined, VENDOR_CATEGORY: undefined },
};

test.for(sides)('returns figures of $account that match its orders', async (side, { lived }) => {
  const { sandbox } = lived;
  const { role, account, product } = side;
  const orders = await ordersFor(sandbox, role, account);
  const text = (value: unknown) => (typeof value === 'string' ? value : 'Not Set');
  const sold = ofType(orders, 'SALE').flatMap((order) =>
    linesIn(order).map((line): Json => ({ ...line, vendor: order.vendor })),
  );
  const skuOf = ({ itemNo, vendor }: Json) => (role === 'VENDOR' ? itemNo : `${vendor}:${itemNo}`);
  for (const [dimension, field] of [...Object.entries(DIMENSIONS), [product, undefined]] as const) {
    const path = `${role}/${dimension}?account=${account}&${ALWAYS}`;
    const { status, rows, totals } = await statistics(sandbox, path);
    expect([path, status, rows.length > 0]).toEqual([path, 200, true]);
    if (dimension !== product) expectFigures(totals, orders, path);
    const all = earned(ofType(orders, ...TYPES).flatMap(linesIn));
    expect([path, cents(totals.NET_SALE_AMOUNT)]).toEqual([path, all]);
    expectSum(
      rows.map(({ figures }) => figures),
      totals,
    );
    for (const { account: of, figures, value } of rows) {
      expect([of, Object.keys(figures)]).toEqual([account, FIELDS]);
      if (dimension === product) {
        // The share of each item.
        const own = sold.filter((line) => skuOf(line) === value);
        const { SALE_COUNT = 0, UPSELL_COUNT = 0, SALE_AMOUNT = 0, UPSELL_AMOUNT = 0 } = figures;
        expect([value, SALE_COUNT + UPSELL_COUNT]).toEqual([value, own.length]);
        expect([value, cents(SALE_AMOUNT) + cents(UPSELL_AMOUNT)]).toEqual([value, earned(own)]);
      }
      if (!field) continue;
      expectFigures(
        figures,
        orders.filter((order) => text(order[field]) === value),
        `${path} ${value}`,
      );
    }
  }
});

const ratio = (a: number | undefined, b: number | undefined, times = 1) =>
  b ? Math.round((100 * times * Number(a)) / b) / 100 : 0;

test('types counts as long, others as decimal, and computes the rates', async ({ seeded }) => {
  const path = `VENDOR/AFFILIATE?account=GREENLEAF&${ALWAYS}`;
  const { body, rows, totals } = await statistics(seeded, path);
  for (const { attribute, value } of listed(body.totals.total)) {
    const isCount = /_COUNT$|^ORDER_(IMPRESSION|SUBMISSION)$/.test(String(attribute));
    const [type, digits] = isCount ? ['long', /^\d+$/] : ['decimal', /^-?\d+\.\d\d$/];
    const expected = { '@type': `xs:${type}`, $: expect.stringMatching(digits) };
    expect([attribute, value]).toEqual([attribute, expected]);
  }
  for (const f of [...rows.map(({ figures }) => figures), totals]) {
    expect(f).toMatchObject({
      REFUND_RATE: ratio(f.REFUND_COUNT, f.GROSS_SALE_COUNT, 100),
      CHARGEBACK_RATE: ratio(f.CHARGEBACK_COUNT, f.GROSS_SALE_COUNT, 100),
      HOPS_PER_SALE: ratio(f.HOP_COUNT, f.SALE_COUNT),
      EARNINGS_PER_HOP: ratio(f.NET_SALE_AMOUNT, f.HOP_COUNT),
      ORDER_FORM_SALE_CONVERSION: ratio(f.SALE_COUNT, f.ORDER_IMPRESSION, 100),
      HOPS_PER_ORDER_FORM_IMPRESSION: ratio(f.HOP_COUNT, f.ORDER_IMPRESSION),
    });
    expect(f.ORDER_SUBMISSION).toBeGreaterThanOrEqual(Number(f.SALE_COUNT));
    expect(f.ORDER_IMPRESSION).toBeGreaterThanOrEqual(Number(f.ORDER_SUBMISSION));
  }
  expect(totals.HOP_COUNT).toBeGreaterThan(Number(totals.SALE_COUNT));
});

/** A trend row of an item matches these orders. */
function expectTrend(row: Json, orders: readonly Json[]): void {
  const lines = (...types: string[]) =>
    ofType(orders, ...types)
      .flatMap(linesIn)
      .filter(({ itemNo, recurring }) => itemNo === row.itemNo && recurring === 'true');
  const [sold, billed] = [lines('SALE'), lines('BILL')];
  const { initialSaleCnt, recurringSaleCnt, totalSalesCnt } = row;
  expect([initialSaleCnt, recurringSaleCnt, totalSalesCnt].map(Number)).toEqual(
    [sold, billed, [...sold, ...billed]].map(({ length }) => length),
  );
  const { initialSaleAmt, recurringSaleAmt, grossSales, netSales } = row;
  expect([initialSaleAmt, recurringSaleAmt, grossSales, netSales].map(cents)).toEqual(
    [sold, billed, [...sold, ...billed], lines(...TYPES)].map(earned),
  );
}

test.for(sides)('returns trends of $account that match its orders', async (side, { lived }) => {
  const { sandbox } = lived;
  const { role, account } = side;
  const orders = await ordersFor(sandbox, role, account);
  const path = `${role}/subscription/trends?account=${account}`;
  const items = (await wrapped(sandbox, `${path}&${ALWAYS}`)).rows;
  const paid = ofType(orders, 'SALE', 'BILL')
    .flatMap(linesIn)
    .filter(({ recurring }) => recurring === 'true');
  expect(paid.length).toBeGreaterThan(0);
  expect(items.reduce((all, row) => all + Number(row.totalSalesCnt), 0)).toBe(paid.length);
  for (const row of items) expectTrend(row, orders);
  const march = `${path}&startDate=2026-03-01&endDate=2026-03-18`;
  const pages = await wrappedPages(sandbox, `${march}&groupBy=DATE`);
  const rows = pages.flatMap((page) => page.rows);
  const days = rows.map(({ businessDate }) => String(businessDate));
  expect(days).toEqual([...days].sort());
  expect(new Set(days).size).toBe(18);
  for (const row of rows) {
    const isOfDay = (order: Json) => dayOf(order.transactionTime) === dayOf(row.businessDate);
    expectTrend(row, orders.filter(isOfDay));
  }
  const wholes = (await wrapped(sandbox, march)).rows;
  expect(wholes.length).toBeGreaterThan(0);
  for (const whole of wholes) {
    const own = rows.filter(({ itemNo }) => itemNo === whole.itemNo);
    for (const field of ['grossSales', 'netSales', 'totalSalesCnt', 'cancelSubCnt']) {
      const sum = own.reduce((all, row) => all + cents(row[field]), 0);
      expect([whole.itemNo, field, sum]).toEqual([whole.itemNo, field, cents(whole[field])]);
    }
  }
});

test('returns sums of a subscription that match the orders of its receipt', async ({ lived }) => {
  const { sandbox } = lived;
  const orders = await ordersFor(sandbox, 'VENDOR', 'GREENLEAF');
  const rows = await details(sandbox, 'VENDOR/subscription/details?account=GREENLEAF');
  const sum = (values: readonly unknown[]) =>
    values.reduce((all: number, one) => all + cents(one), 0);
  for (const receipt of new Set(rows.map((row) => row.receipt))) {
    const own = orders.filter((order) => String(order.receipt).split('-')[0] === receipt);
    const paid = (...types: string[]) =>
      ofType(own, ...types)
        .flatMap(linesIn)
        .filter(({ recurring }) => recurring === 'true')
        .map(({ customerAmount }) => customerAmount);
    // A change of the product makes two rows of one receipt.
    const shown = rows.filter((row) => row.receipt === receipt);
    const shownSum = (name: string) => sum(shown.map((row) => row[name]));
    const kinds = { initialSale: ['SALE'], rebillSale: ['BILL'], return: ['RFND', 'CGBK'] };
    for (const [name, types] of Object.entries(kinds)) {
      const some = paid(...types);
      const found = [shownSum(`${name}Amount`), shownSum(`${name}Count`)];
      const expected = [Math.abs(sum(some)), 100 * some.length];
      expect([receipt, name, found]).toEqual([receipt, name, expected]);
    }
    expect([receipt, shownSum('subValue')]).toEqual([receipt, sum(paid(...TYPES))]);
    for (const { initialSaleAmount, rebillSaleAmount, returnAmount, subValue } of shown) {
      const value = cents(initialSaleAmount) + cents(rebillSaleAmount) - cents(returnAmount);
      expect(value).toBe(cents(subValue));
    }
  }
  expect(rows.some(({ returnCount }) => Number(returnCount) > 0)).toBe(true);
});

test('sums quickstats by account and day, in both roles, and counts them', async ({ lived }) => {
  const { sandbox } = lived;
  const accounts = async (path: string) => {
    const found = await rowsAt(sandbox, `quickstats/${path}?${ALWAYS}`);
    return new Map(found.map(({ nickName, quickStats }) => [String(nickName), listed(quickStats)]));
  };
  const [days, counts] = [await accounts('list'), await accounts('count')];
  expect(days.size).toBeGreaterThan(4);
  const kinds = { sale: ['SALE', 'BILL'], refund: ['RFND'], chargeback: ['CGBK'] };
  for (const [account, stats] of days) {
    const sold = await ordersFor(sandbox, 'VENDOR', account);
    const orders = [...sold, ...(await ordersFor(sandbox, 'AFFILIATE', account))];
    const [total, ...others] = counts.get(account) ?? [];
    expect([others, total?.quickStatDate]).toEqual([[], { '@nil': 'true' }]);
    for (const [kind, types] of Object.entries(kinds)) {
      const expected = new Map<string, number>();
      for (const order of ofType(orders, ...types)) {
        const amount = Math.abs(earned(linesIn(order)));
        const day = dayOf(order.transactionTime);
        if (amount > 0) expected.set(day, (expected.get(day) ?? 0) + amount);
      }
      const shown = stats.filter((stat) => cents(stat[kind]) !== 0);
      expect(
        Object.fromEntries(shown.map((stat) => [dayOf(stat.quickStatDate), cents(stat[kind])])),
        `${kind} of ${account}`,
      ).toEqual(Object.fromEntries(expected));
      const sum = [...expected.values()].reduce((all, one) => all + one, 0);
      expect([account, kind, cents(total?.[kind])]).toEqual([account, kind, sum]);
    }
    for (const { quickStatDate } of stats) expect(quickStatDate).toMatch(/T00:00:00-0[78]:00$/);
  }
});
