/** Each metric of transactions equals the same figures computed here, in cents, from lists of the service. Those of customers and subscriptions are in test/features/sync/views/. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { tier } from '../../support/tier.ts';
import { addUp, cents, type Part, type Sold, shareOf } from '../earnings/answers.ts';
import { openShop, sharesOf } from '../earnings/shops.ts';

type Json = Readonly<Record<string, unknown>>;

type Order = Sold & Json;

type Shop = Awaited<ReturnType<typeof openShop>>;

const dayOf = ({ transactionTime }: Order) => transactionTime.slice(0, 10);
const monthOf = (order: Order) => `${dayOf(order).slice(0, 7)}-01`;
const isCounted = ({ transactionType }: Order) => /^(?:SALE|BILL|RFND|CGBK)$/.test(transactionType);
const isSale = ({ transactionType }: Order) => transactionType === 'SALE';
const isPayment = ({ transactionType }: Order) => /^(?:SALE|BILL)$/.test(transactionType);

/** The part of a transaction that belongs to a product; all of it without one. */
function earnedBy({ lineItemData }: Order, sku?: string): number {
  return shareOf({
    lineItemData: lineItemData.filter(({ itemNo }) => sku === undefined || itemNo === sku),
  });
}

/** The figures of each group; a key is the text of its columns. */
function grouped(orders: readonly Order[], keysOf: (order: Order) => readonly Json[]) {
  const groups = new Map<string, Part[]>();
  for (const [i, order] of orders.filter(isCounted).entries()) {
    for (const key of keysOf(order)) {
      const earned = earnedBy(order, key.product as string | undefined);
      const part = { kind: order.transactionType, earned, transaction: String(i) };
      const text = JSON.stringify(key);
      groups.set(text, [...(groups.get(text) ?? []), part]);
    }
  }
  return new Map([...groups].map(([text, parts]) => [text, figuresOf(parts)]));
}

/** By the columns of the views. */
function figuresOf(parts: readonly Part[]): Json {
  const { chargedBack: charged_back, ...others } = addUp(parts);
  return { ...others, charged_back };
}

const counts = ['sales', 'rebills', 'refunds', 'chargebacks'];
const amounts = ['earned', 'refunded', 'charged_back', 'net'];

function expectGroups(rows: readonly Json[], groups: ReturnType<typeof grouped>) {
  const keys = Object.keys(JSON.parse([...groups.keys()][0] ?? '{}'));
  const names = [...counts, ...amounts].filter((name) => name in (rows[0] ?? {}));
  const found = rows.map((row) => [
    JSON.stringify(Object.fromEntries(keys.map((name) => [name, row[name]]))),
    names.map((name) => (amounts.includes(name) ? cents(row[name]) : row[name])),
  ]);
  const expected = [...groups].map(([key, figures]) => [key, names.map((name) => figures[name])]);
  expect(new Map(found as [string, unknown][])).toEqual(new Map(expected as [string, unknown][]));
  for (const row of rows) expectRates(row);
}

function expectRates(row: Json): void {
  const payments = Number(row.sales) + Number(row.rebills);
  for (const name of ['refund', 'chargeback'] as const) {
    const found = row[`${name}_rate_percent`];
    if (found === undefined) continue;
    if (payments === 0) expect(found).toBeNull();
    else {
      const exact = (100 * Number(row[`${name}s`])) / payments;
      expect(Math.abs(Number(found) - exact)).toBeLessThanOrEqual(0.005 + 1e-9);
    }
  }
}

const productsOf = ({ lineItemData }: Order) => [...new Set(lineItemData.map((one) => one.itemNo))];

const average = (sum: number, count: number) =>
  count === 0 ? null : expect.closeTo(sum / count, 1);

async function checkOrderValues({ json }: Shop, orders: readonly Order[]): Promise<void> {
  const sales = orders.filter(isSale);
  const isUpsell = ({ lineItemData: [item] }: Order) => item?.lineItemType === 'UPSELL';
  for (const row of (await json('metrics order-value-by-month')) as Json[]) {
    const own = sales.filter((one) => monthOf(one) === row.month && one.role === row.role);
    const upsells = own.filter(isUpsell);
    const sum = (some: readonly Order[]) => some.reduce((sum, one) => sum + earnedBy(one), 0) / 100;
    expect(row).toMatchObject({
      ...{ orders: own.length - upsells.length, upsells: upsells.length, earned: sum(own) },
      earned_per_order: average(sum(own), own.length - upsells.length),
      upsell_percent: average(100 * sum(upsells), sum(own)),
    });
  }
  const refunds = orders.filter(({ transactionType }) => transactionType === 'RFND');
  for (const row of (await json('metrics rates-by-month-of-sale')) as Json[]) {
    const days = refunds.flatMap((one) => {
      const paid = orders.find(
        (other) => isPayment(other) && other.receipt === one.receipt && other.role === one.role,
      );
      const isRow = paid && monthOf(paid) === row.month && paid.role === row.role;
      return isRow ? (Date.parse(dayOf(one)) - Date.parse(dayOf(paid))) / 86_400_000 : [];
    });
    const sum = days.reduce((all, one) => all + one, 0);
    expect(row.days_to_refund).toEqual(average(sum, days.length));
  }
}

async function checkSales({ json }: Shop, orders: readonly Order[]): Promise<void> {
  const ofProducts = (order: Order, when: Json) => {
    const { role, vendor } = order;
    return productsOf(order).map((product) => ({ ...when, role, vendor, product }));
  };
  const paidIn = new Map(
    orders.filter(isPayment).map((order) => [`${order.receipt} ${order.role}`, monthOf(order)]),
  );
  const keys: Readonly<Record<string, (order: Order) => readonly Json[]>> = {
    'sales-by-day-and-product': (order) => ofProducts(order, { day: dayOf(order) }),
    'rates-by-product': (order) => ofProducts(order, { month: monthOf(order) }),
    'rates-by-affiliate': (order) => [
      { month: monthOf(order), role: order.role, affiliate: order.affiliate ?? null },
    ],
    'rates-by-month-of-sale': ({ receipt, role }) => {
      const month = paidIn.get(`${receipt} ${role}`);
      return month === undefined ? [] : [{ month, role }];
    },
  };
  for (const [metric, keysOf] of Object.entries(keys)) {
    expectGroups((await json(`metrics ${metric}`)) as Json[], grouped(orders, keysOf));
  }
}

const nights = tier(3, 60);

test(`equals figures computed from the lists of the service, for random shops after ${nights} nights`, async () => {
  let transactions = 0;
  await fc.assert(
    fc.asyncProperty(fc.nat(), async (seed) => {
      const shop = await openShop(seed, 'full', 400);
      for (let night = 0; night < nights; night++) await shop.night();
      await shop.run('sync');
      const orders = await sharesOf<Order>(shop.json, '--start-date 2024-01-01 --end-date today');
      transactions += orders.length;
      await checkSales(shop, orders);
      await checkOrderValues(shop, orders);
    }),
    { numRuns: tier(1, 3), endOnFailure: true },
  );
  expect(transactions).toBeGreaterThan(tier(300, 1000));
});
