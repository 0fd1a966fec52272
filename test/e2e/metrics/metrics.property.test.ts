/** Each metric equals the same figures computed here, in cents, from lists of the service. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { tier } from '../../support/tier.ts';
import { openShop, sharesOf } from '../earnings/shops.ts';

type Json = Readonly<Record<string, unknown>>;

interface Order extends Json {
  readonly receipt: string;
  readonly transactionType: string;
  readonly transactionTime: string;
  readonly role: string;
  readonly vendor: string;
  readonly affiliate: string | null;
  readonly email: string | null;
  readonly lineItemData: readonly { readonly itemNo: string; readonly accountAmount: unknown }[];
}

type Shop = Awaited<ReturnType<typeof openShop>>;

const cents = (value: unknown) => Math.round(Number(value ?? 0) * 100);
const dayOf = ({ transactionTime }: Order) => transactionTime.slice(0, 10);
const monthOf = (order: Order) => `${dayOf(order).slice(0, 7)}-01`;
const kinds = { SALE: 'sales', BILL: 'rebills', RFND: 'refunds', CGBK: 'chargebacks' } as const;
const isCounted = ({ transactionType }: Order) => Object.hasOwn(kinds, transactionType);
const isPayment = ({ transactionType }: Order) => /^(?:SALE|BILL)$/.test(transactionType);

/** The part of a transaction that belongs to a product; all of it without one. */
function earnedBy({ lineItemData }: Order, sku?: string): number {
  const items = lineItemData.filter(({ itemNo }) => sku === undefined || itemNo === sku);
  return items.reduce((sum, item) => sum + cents(item.accountAmount), 0);
}

class Figures {
  sales = 0;
  rebills = 0;
  refunds = 0;
  chargebacks = 0;
  earned = 0;
  refunded = 0;
  charged_back = 0;
  net = 0;

  add(order: Order, earned: number): void {
    const kind = kinds[order.transactionType as keyof typeof kinds];
    this[kind] += 1;
    this.net += earned;
    if (isPayment(order)) this.earned += earned;
    else this[kind === 'refunds' ? 'refunded' : 'charged_back'] -= earned;
  }
}

/** The figures of each group; a key is the text of its columns. */
function grouped(orders: readonly Order[], keysOf: (order: Order) => readonly Json[]) {
  const groups = new Map<string, Figures>();
  for (const order of orders.filter(isCounted)) {
    for (const key of keysOf(order)) {
      const text = JSON.stringify(key);
      const figures = groups.get(text) ?? new Figures();
      groups.set(text, figures);
      figures.add(order, earnedBy(order, key.product as string | undefined));
    }
  }
  return groups;
}

const amounts = new Set(['earned', 'refunded', 'charged_back', 'net']);

function expectGroups(rows: readonly Json[], groups: ReadonlyMap<string, Figures>) {
  const keys = Object.keys(JSON.parse([...groups.keys()][0] ?? '{}'));
  const found = rows.map((row) => {
    const figures = Object.entries(row).filter(([name]) => name in new Figures());
    return [
      JSON.stringify(Object.fromEntries(keys.map((name) => [name, row[name]]))),
      Object.fromEntries(
        figures.map(([name, value]) => [name, amounts.has(name) ? cents(value) : value]),
      ),
    ];
  });
  const names = Object.keys(found[0]?.[1] ?? {});
  const expected = [...groups].map(([key, figures]) => [
    key,
    Object.fromEntries(names.map((name) => [name, figures[name as keyof Figures] || 0])),
  ]);
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

function customersOf(orders: readonly Order[]): Map<string, Order[]> {
  const customers = new Map<string, Order[]>();
  for (const order of orders.filter(isCounted)) {
    if (order.role !== 'VENDOR' || !order.email) continue;
    const customer = order.email.toLowerCase();
    customers.set(customer, [...(customers.get(customer) ?? []), order]);
  }
  return customers;
}

const isSale = ({ transactionType }: Order) => transactionType === 'SALE';

async function checkCustomers({ json }: Shop, orders: readonly Order[]): Promise<void> {
  const customers = customersOf(orders);
  const repeated = [...customers].flatMap(([customer, own]) => {
    const days = own.map(dayOf).sort();
    const sales = own.filter(isSale).length;
    const payments = own.filter(isPayment).length;
    const net = own.reduce((sum, order) => sum + earnedBy(order), 0);
    const spans = { first_day: days[0], last_day: days.at(-1) };
    const row = {
      customer,
      orders: sales,
      payments,
      refunds: own.length - payments,
      ...spans,
      net,
    };
    return sales < 2 ? [] : [row];
  });
  const rows = (await json('metrics repeat-customers')) as Json[];
  const found = rows.map(({ account: _, net, ...row }) => ({ ...row, net: cents(net) }));
  const byName = (one: Json, other: Json) =>
    String(one.customer) < String(other.customer) ? -1 : 1;
  expect(found.sort(byName)).toEqual(repeated.sort(byName));
  expect(await json('metrics cohorts')).toEqual(cohortsOf(customers));
}

/** The rows of the metric, in its order. */
function cohortsOf(customers: ReadonlyMap<string, readonly Order[]>): Json[] {
  const rows = new Map<string, { active: Set<string>; earned: number }>();
  const sizes = new Map<string, number>();
  for (const [customer, own] of customers) {
    const [cohort] = own.filter(isSale).map(monthOf).sort();
    if (cohort === undefined) continue;
    sizes.set(cohort, (sizes.get(cohort) ?? 0) + 1);
    for (const order of own.filter((one) => monthOf(one) >= cohort)) {
      const key = `${cohort} ${monthOf(order)}`;
      const row = rows.get(key) ?? { active: new Set(), earned: 0 };
      rows.set(key, row);
      if (isPayment(order)) row.active.add(customer);
      row.earned += earnedBy(order);
    }
  }
  const soFar = new Map<string, number>();
  return [...rows.keys()].sort().map((key) => {
    const [cohort = '', month = ''] = key.split(' ');
    const { active, earned } = rows.get(key) ?? { active: new Set(), earned: 0 };
    soFar.set(cohort, (soFar.get(cohort) ?? 0) + earned);
    const index = (day: string) => Number(day.slice(0, 4)) * 12 + Number(day.slice(5, 7));
    const customers = sizes.get(cohort) ?? 0;
    return {
      ...{ account: expect.any(String), cohort, month, months_after: index(month) - index(cohort) },
      ...{ customers, active_customers: active.size },
      retention_percent: expect.closeTo((100 * active.size) / customers, 1),
      earned: earned / 100,
      earned_so_far: (soFar.get(cohort) ?? 0) / 100,
    };
  });
}

interface Subscribed {
  readonly group: string;
  readonly customer: string;
  readonly first: string;
  readonly stop: string | undefined;
  /** Cents by month. */
  readonly price: number;
}

const monthsFor: Readonly<Record<string, number>> = {
  'EVERY WEEK': 12 / 52,
  'EVERY 2 WEEKS': 24 / 52,
  'EVERY MONTH': 1,
  'EVERY 3 MONTHS': 3,
  'EVERY 6 MONTHS': 6,
  'EVERY YEAR': 12,
};

/** Subscriptions with a known price that had begun and not ended on their first day. */
async function subscriptionsOf({ json }: Shop): Promise<Subscribed[]> {
  const accounts = (await json('quickstats accounts')) as { readonly nickName: string }[];
  const found: Subscribed[] = [];
  for (const { nickName } of accounts) {
    for (const role of ['VENDOR', 'AFFILIATE']) {
      const rows = (await json(
        `analytics subscriptions list --role ${role} --account ${nickName}`,
      )) as Json[];
      for (const row of rows) found.push(...subscribed(row, role));
    }
  }
  return found;
}

function subscribed(row: Json, role: string): Subscribed[] {
  const trial = Number.parseInt(String(row.trialPeriod ?? 0), 10) || 0;
  const pacific = new Date(`${String(row.purchaseDate).slice(0, 10)}T12:00:00Z`);
  pacific.setUTCDate(pacific.getUTCDate() + trial);
  const first = pacific.toISOString().slice(0, 10);
  const end = row.subCancelDate ?? (row.status === 'COMPLETED' ? row.subEndDate : undefined);
  const stop = end === undefined || end === null ? undefined : String(end).slice(0, 10);
  const rebills = Number(row.rebillSaleCount ?? 0);
  const paid = rebills > 0 ? Number(row.rebillSaleAmount) / rebills : Number(row.initialSaleAmount);
  const isKnown = rebills > 0 || trial === 0;
  if (!isKnown || first > today || (stop !== undefined && stop <= first)) return [];
  const price = Math.round((100 * paid) / (monthsFor[String(row.frequency)] ?? Number.NaN));
  const customer = String(row.email ?? [row.receipt, row.itemNo].join('.')).toLowerCase();
  return [{ group: `${role} ${row.currencyCode}`, customer, first, stop, price }];
}

const today = '2026-03-18';

const moves = ['new', 'expansion', 'contraction', 'churned', 'reactivation'] as const;

/** What happens to the recurring revenue of a customer, day by day. */
function movesOf(own: readonly Subscribed[]) {
  const days = own.flatMap(({ first, stop }) => [first, ...(stop && stop <= today ? [stop] : [])]);
  let [before, wasHere] = [0, false];
  let count = 0;
  return [...new Set(days)].sort().map((day) => {
    const active = own.filter(({ first, stop }) => first <= day && !(stop && stop <= day));
    const after = active.reduce((sum, { price }) => sum + price, 0);
    const change = after - before;
    const move: (typeof moves)[number] | undefined =
      count === 0 && active.length > 0
        ? wasHere
          ? 'reactivation'
          : 'new'
        : count > 0 && active.length === 0
          ? 'churned'
          : change > 0
            ? 'expansion'
            : change < 0
              ? 'contraction'
              : undefined;
    [before, count, wasHere] = [after, active.length, true];
    return { month: `${day.slice(0, 7)}-01`, move, change: Math.abs(change) };
  });
}

async function checkSubscriptions(shop: Shop): Promise<number> {
  const all = await subscriptionsOf(shop);
  const rows = (await shop.json('metrics subscriptions-by-month')) as Json[];
  const customers = new Map<string, Subscribed[]>();
  for (const one of all) {
    const key = `${one.group} ${one.customer}`;
    customers.set(key, [...(customers.get(key) ?? []), one]);
  }
  const sums = new Map<string, number>();
  const add = (key: string, value: number) => sums.set(key, (sums.get(key) ?? 0) + value);
  for (const [key, own] of customers) {
    const group = key.split(' ').slice(0, 2).join(' ');
    for (const { month, move, change } of movesOf(own)) {
      if (move === undefined) continue;
      add(`${group} ${month} ${move}_mrr`, change);
      if (move === 'new') add(`${group} ${month} new_customers`, 1);
      if (move === 'churned') add(`${group} ${month} churned_customers`, 1);
    }
  }
  for (const row of rows) {
    const key = `${row.role} ${row.currency} ${row.month}`;
    for (const move of moves) {
      const expected = (sums.get(`${key} ${move}_mrr`) ?? 0) / 100;
      expect([key, move, Number(row[`${move}_mrr`])]).toEqual([
        ...[key, move, expect.closeTo(expected, 1)],
      ]);
    }
    for (const name of ['new_customers', 'churned_customers']) {
      expect([key, name, row[name]]).toEqual([key, name, sums.get(`${key} ${name}`) ?? 0]);
    }
    const month = String(row.month);
    const active = all.filter(
      ({ group, first, stop }) =>
        `${row.role} ${row.currency}` === group &&
        `${first.slice(0, 7)}-01` <= month &&
        !(stop && stop <= today && `${stop.slice(0, 7)}-01` <= month),
    );
    const known = Number(row.active_subscriptions) - Number(row.without_mrr);
    expect([key, known]).toEqual([key, active.length]);
    const mrr = active.reduce((sum, { price }) => sum + price, 0) / 100;
    expect(Number(row.mrr)).toBeCloseTo(mrr, 1);
  }
  const months = new Set(rows.map((row) => `${row.role} ${row.currency} ${row.month}`));
  for (const key of sums.keys()) expect(months).toContain(key.split(' ').slice(0, 3).join(' '));
  return all.length;
}

test('equals figures computed from the lists of the service, for random shops', async () => {
  let [transactions, subscriptions] = [0, 0];
  await fc.assert(
    fc.asyncProperty(fc.nat(), async (seed) => {
      const shop = await openShop(seed, 'full', 400);
      try {
        await shop.run('sync');
        const orders = await sharesOf<Order>(shop.json, '--start-date 2024-01-01 --end-date today');
        transactions += orders.length;
        await checkSales(shop, orders);
        await checkCustomers(shop, orders);
        subscriptions += await checkSubscriptions(shop);
      } finally {
        await shop.sandbox.close();
      }
    }),
    { numRuns: tier(1, 3), endOnFailure: true },
  );
  expect(transactions).toBeGreaterThan(tier(300, 1000));
  expect(subscriptions).toBeGreaterThan(tier(10, 50));
});
