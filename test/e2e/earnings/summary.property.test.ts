/** The figures of `cb summary` equal sums that this program makes itself from `cb orders list`. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { tier } from '../../support/tier.ts';
import { addUp, cents, partOf, type Sold } from './answers.ts';
import { openShop, sharesOf } from './shops.ts';

type Json = Readonly<Record<string, unknown>>;

interface Order extends Sold, Json {
  readonly trackingId: string | null;
}

interface Case {
  readonly key: 'full' | 'vendor' | 'affiliate';
  readonly role: 'VENDOR' | 'AFFILIATE' | undefined;
  readonly compare: 'previous' | 'week-before' | 'year-before';
  /** Days before today. */
  readonly end: number;
  readonly length: number;
}

const cases = fc.record<Case>({
  key: fc.constantFrom('full', 'vendor', 'affiliate'),
  role: fc.constantFrom(undefined, undefined, 'VENDOR', 'AFFILIATE'),
  compare: fc.constantFrom('previous', 'week-before', 'year-before'),
  end: fc.oneof(fc.constant(0), fc.nat({ max: 120 })),
  length: fc.integer({ min: 2, max: 60 }),
});

const today = '2026-03-18';

function shifted(day: string, days: number): string {
  const date = new Date(`${day}T12:00:00Z`);
  date.setUTCDate(date.getUTCDate() + days);
  return date.toISOString().slice(0, 10);
}

/** Sums in cents, and counts of different transactions. */
function figuresOf(orders: readonly Order[]) {
  const added = addUp(orders.map((one) => partOf(one)));
  const payments = added.sales + added.rebills;
  const each = (value: number) => (payments === 0 ? null : value / payments);
  return {
    ...added,
    averageEarned: each(added.earned),
    refundRatePercent: each(100 * added.refunds),
    chargebackRatePercent: each(100 * added.chargebacks),
  };
}

type Figures = ReturnType<typeof figuresOf>;

const amounts = ['earned', 'refunded', 'chargedBack', 'net'] as const;
const counts = ['sales', 'rebills', 'refunds', 'chargebacks'] as const;
const rounded = ['averageEarned', 'refundRatePercent', 'chargebackRatePercent'] as const;

function expectFigures(found: Json, expected: Figures): void {
  const ours = Object.fromEntries(amounts.map((name) => [name, cents(found[name])]));
  const theirs = Object.fromEntries(amounts.map((name) => [name, expected[name] || 0]));
  expect(ours).toEqual(theirs);
  for (const name of counts) expect([name, found[name]]).toEqual([name, expected[name]]);
  for (const name of rounded) {
    const exact = expected[name];
    const value = name === 'averageEarned' && exact !== null ? exact / 100 : exact;
    if (value === null) expect([name, found[name]]).toEqual([name, null]);
    else expect(Math.abs(Number(found[name]) - value), name).toBeLessThanOrEqual(0.005 + 1e-9);
  }
}

/** The change of an amount or a count, in percent of the earlier one. */
function expectChange(found: unknown, value: number, base: number): void {
  if (base === 0) expect(found).toBeNull();
  else {
    const exact = (100 * (value - base)) / Math.abs(base);
    expect(Math.abs(Number(found) - exact)).toBeLessThanOrEqual(0.05 + 1e-9);
  }
}

type Shop = Awaited<ReturnType<typeof openShop>>;

async function ordersOf({ jsonAs }: Shop, { key, role }: Case, first: string, last: string) {
  const days = `--start-date ${first} --end-date ${last}`;
  const list: (line: string) => Promise<readonly Order[]> = (line) => jsonAs(key, line);
  return role === undefined ? sharesOf(list, days) : list(`orders list ${days} --role ${role}`);
}

async function checkCase(shop: Shop, one: Case): Promise<number> {
  const last = shifted(today, -one.end);
  const first = shifted(last, 1 - one.length);
  const options = `--since ${first} --until ${last} --compare ${one.compare}`;
  const found = await shop.jsonAs(
    one.key,
    `summary ${options}${one.role ? ` --role ${one.role}` : ''}`,
  );
  expect(found).toMatchObject({
    period: { first, last, days: one.length },
    unfinishedDay: one.end === 0 ? today : null,
  });
  // Which days these are is checked in features/earnings/comparison.
  const { compared: whole, previous: before } = found.comparison;
  const shares = await ordersOf(shop, one, first, last);
  const wholeShares = shares.filter((order) => order.transactionTime.slice(0, 10) <= whole.last);
  const compared = figuresOf(wholeShares);
  const previous = figuresOf(await ordersOf(shop, one, before.first, before.last));
  expectFigures(found.totals, figuresOf(shares));
  expectFigures(found.compared, compared);
  expectFigures(found.previous, previous);
  for (const name of [...amounts, ...counts]) {
    expectChange(found.changePercent[name], compared[name], previous[name]);
  }
  expectDays(found.byDay, shares);
  expectTop(found, shares);
  return shares.length;
}

function expectDays(byDay: readonly Json[], shares: readonly Order[]): void {
  for (const row of byDay) {
    const own = shares.filter((order) => order.transactionTime.startsWith(String(row.day)));
    expectFigures(row, figuresOf(own));
  }
}

function expectTop(found: Json, shares: readonly Order[]): void {
  const paid = shares.filter(({ transactionType }) => /^(SALE|BILL)$/.test(transactionType));
  const earned = new Map<string, number>();
  for (const { vendor, lineItemData } of paid) {
    for (const { itemNo, accountAmount } of lineItemData) {
      const key = `${vendor} ${itemNo}`;
      earned.set(key, (earned.get(key) ?? 0) + cents(accountAmount));
    }
  }
  const best = [...earned.values()].filter((sum) => sum > 0).sort((a, b) => b - a);
  const rows = found.topProducts as readonly Json[];
  expect(rows.map((row) => cents(row.earned))).toEqual(best.slice(0, 5));
  for (const { vendor, product, earned: sum } of rows) {
    expect(cents(sum)).toBe(earned.get(`${vendor} ${product}`));
  }
}

test('equals sums over the listed orders, for random shops, keys, roles and periods', async () => {
  let transactions = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.nat(),
      fc.array(cases, { minLength: 4, maxLength: 4 }),
      async (seed, all) => {
        const shop = await openShop(seed, 'full', 500);
        for (const one of all) transactions += await checkCase(shop, one);
      },
    ),
    { numRuns: tier(3, 12), endOnFailure: true },
  );
  expect(transactions).toBeGreaterThan(100);
});

test('makes the rows of --by from all transactions', async () => {
  const shop = await openShop(7, 'full', 500);
  const whole = await shop.json('summary --period last-60-days');
  const orders = await ordersOf(
    shop,
    { key: 'full', role: undefined, compare: 'previous', end: 0, length: 60 },
    ...([shifted(today, -59), today] as const),
  );
  const groups = {
    affiliate: ({ affiliate }: Order) => affiliate,
    'tracking-id': ({ trackingId }: Order) => trackingId,
    country: ({ country }: Order) => country,
    currency: ({ currency }: Order) => currency,
  };
  const fields = { 'tracking-id': 'trackingId', currency: 'customerCurrency' };
  for (const [by, keyOf] of Object.entries(groups)) {
    const rows = (await shop.json(`summary --period last-60-days --by ${by}`)) as Json[];
    const field = fields[by as keyof typeof fields] ?? by;
    for (const row of rows) {
      expectFigures(row, figuresOf(orders.filter((one) => (keyOf(one) ?? null) === row[field])));
    }
    const sum = rows.reduce((all, row) => all + cents(row.earned), 0);
    expect([by, sum]).toEqual([by, cents(whole.totals.earned)]);
  }
});
