import { expect } from 'vitest';
import { analyticsResult } from '../../../src/operations/analytics.ts';
import { faultsInJson } from '../codec/shape.ts';
import { linesIn, listAll, test } from '../raw.ts';
import {
  ADDITIVE,
  COUNTED,
  cents,
  expectFigures,
  FIELDS,
  type Order,
  statistics,
  YEAR,
} from './analytics-raw.ts';

const DIMENSIONS = [
  'AFFILIATE',
  'CUSTOMER_CURRENCY',
  'CUSTOMER_COUNTRY',
  'CUSTOMER_PROVINCE',
  'CUSTOMER_LANGUAGE',
  'TRACKING_ID',
  'VENDOR',
  'VENDOR_CATEGORY',
];
const ROLES = [
  { role: 'VENDOR', account: 'GREENLEAF', column: 'vendor', product: 'PRODUCT_SKU' },
  { role: 'AFFILIATE', account: 'TOPAFF1', column: 'affiliate', product: 'VENDOR_PRODUCT_SKU' },
];

test.for(ROLES)(
  'returns totals for $role that match its orders',
  async ({ role, account, column }, { seeded }) => {
    const orders = await listAll(seeded, `${column}=${account}&role=${role}`);
    expect(orders.length).toBeGreaterThan(80);
    for (const dimension of DIMENSIONS) {
      const path = `${role}/${dimension}?account=${account}&${YEAR}`;
      expectFigures((await statistics(seeded, path)).totals, orders, dimension);
    }
  },
);

const VALUES: Readonly<Record<string, (order: Order) => unknown>> = {
  TRACKING_ID: (order) => order.trackingId,
  AFFILIATE: (order) => order.affiliate,
  VENDOR: (order) => order.vendor,
  CUSTOMER_CURRENCY: (order) => order.currency,
  CUSTOMER_COUNTRY: (order) => order.country,
};

test.for(Object.entries(VALUES))(
  'returns rows for %s that match the orders with that value',
  async ([dimension, valueIn], { seeded }) => {
    const orders = await listAll(seeded, 'vendor=GREENLEAF&role=VENDOR');
    const { rows } = await statistics(seeded, `VENDOR/${dimension}?account=GREENLEAF&${YEAR}`);
    const text = (value: unknown) => (typeof value === 'string' ? value : 'Not Set');
    const counted = orders.filter(({ transactionType }) =>
      COUNTED.includes(String(transactionType)),
    );
    const values = new Set(counted.map((order) => text(valueIn(order))));
    expect(new Set(rows.map(({ value }) => value))).toEqual(values);
    for (const { value, figures } of rows) {
      const own = orders.filter((order) => text(valueIn(order)) === value);
      expectFigures(figures, own, value);
    }
  },
);

test.for(ROLES)(
  'returns the share of each item by product for $role',
  async ({ role, account, column, product }, { seeded }) => {
    const orders = await listAll(seeded, `${column}=${account}&role=${role}&type=SALE`);
    const { rows, totals } = await statistics(
      seeded,
      `${role}/${product}?account=${account}&${YEAR}`,
    );
    const lines = orders.flatMap((order) =>
      linesIn(order).map((line) => ({ ...line, vendor: order.vendor })),
    ) as Order[];
    const skuOf = (line: Order) =>
      role === 'VENDOR' ? line.itemNo : `${line.vendor}:${line.itemNo}`;
    for (const { value, figures } of rows) {
      const own = lines.filter((line) => skuOf(line) === value);
      const paid = own.reduce((sum, line) => sum + cents(Number(line.accountAmount)), 0);
      const { SALE_COUNT = 0, UPSELL_COUNT = 0, SALE_AMOUNT = 0, UPSELL_AMOUNT = 0 } = figures;
      expect([value, SALE_COUNT + UPSELL_COUNT]).toEqual([value, own.length]);
      expect([value, cents(SALE_AMOUNT) + cents(UPSELL_AMOUNT)]).toEqual([value, paid]);
    }
    const whole = await statistics(seeded, `${role}/TRACKING_ID?account=${account}&${YEAR}`);
    expect(totals.NET_SALE_AMOUNT).toBe(whole.totals.NET_SALE_AMOUNT);
  },
);

test('returns all fields of every dimension for both roles', async ({ seeded }) => {
  for (const { role, account, product } of ROLES) {
    for (const dimension of [...DIMENSIONS, product]) {
      const path = `${role}/${dimension}?account=${account}&${YEAR}`;
      const { body, rows, totals } = await statistics(seeded, path);
      expect(faultsInJson(analyticsResult, body)).toEqual([]);
      expect(rows.length, path).toBeGreaterThan(0);
      for (const row of rows) {
        expect(Object.keys(row.figures)).toEqual(FIELDS);
        expect(row.account).toBe(account);
      }
      for (const name of ADDITIVE) {
        const sum = rows.reduce((all, { figures }) => all + cents(figures[name]), 0);
        expect([path, name, sum]).toEqual([path, name, cents(totals[name])]);
      }
    }
  }
});

test('types counts as long and other figures as decimal', async ({ seeded }) => {
  const { body } = await statistics(seeded, `VENDOR/VENDOR?account=GREENLEAF&${YEAR}`);
  const { data } = (body.rows as { row: { data: { attribute: string; value: object }[] } }).row;
  for (const { attribute, value } of data) {
    if (attribute === 'DIMENSION_VALUE') continue;
    const isCount = /_COUNT$|^ORDER_(IMPRESSION|SUBMISSION)$/.test(attribute);
    expect([attribute, value]).toEqual([
      attribute,
      isCount
        ? { '@type': 'xs:long', $: expect.stringMatching(/^\d+$/) }
        : { '@type': 'xs:decimal', $: expect.stringMatching(/^-?\d+\.\d\d$/) },
    ]);
  }
});

const ratio = (a: number | undefined, b: number | undefined, times = 1) =>
  b ? Math.round((100 * times * Number(a)) / b) / 100 : 0;

test('computes rates and ratios from the counts', async ({ seeded }) => {
  for (const { role, account } of ROLES) {
    for (const dimension of DIMENSIONS) {
      const path = `${role}/${dimension}?account=${account}&${YEAR}`;
      const { rows, totals } = await statistics(seeded, path);
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
    }
  }
});
