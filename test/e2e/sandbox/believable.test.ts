/** The sample data tells a believable story, at any hour. */
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { home, sandboxHome } from '../../support/cb.ts';
import { sandboxJson } from '../../support/sandbox.ts';
import { copySeed } from '../../support/seeds.ts';

interface Figure {
  readonly value: number;
  readonly previous: number;
  readonly changePercent: number;
}

/** The figures of `cb summary` or `cb today` by metric. */
function figuresOf(csv: string): Readonly<Record<string, Figure>> {
  const [, ...lines] = csv.trimEnd().split('\n');
  return Object.fromEntries(
    lines.map((line) => {
      const [metric, value, , , previous, , changePercent] = line.split(',');
      return [
        metric,
        {
          value: Number(value),
          previous: Number(previous),
          changePercent: Number(changePercent),
        },
      ];
    }),
  );
}

/** Runs a command against a sandbox seeded at the given time. */
async function shopAt(at: string, command: string) {
  const { cb, folder } = home();
  const now = new Date(at);
  const file = join(folder, '.local/share/clickbank-cli/sandbox.sqlite');
  await copySeed(file, { orders: 5000 }, now);
  return cb(`--sandbox ${command} -o csv`, { now: () => now });
}

/** Most sales are made in the evening. */
const hours = [
  ['2026-11-25T08:05:00Z', 0.003],
  ['2026-11-25T15:30:00Z', 7.5],
  ['2026-11-26T07:30:00Z', 23.5],
] as const;

describe.each(hours)('at %s', (at, hour) => {
  test('today has the sales of the hours that have passed, as last week had them', async () => {
    const { code, out } = await shopAt(at, 'today');
    expect(code).toBe(0);
    const { sales, earned } = figuresOf(out);
    const day = 34 * (hour / 24) ** 2;
    const spread = 2 + 3 * Math.sqrt(day);
    for (const count of [sales?.value ?? Number.NaN, sales?.previous ?? Number.NaN]) {
      expect(Math.abs(count - day)).toBeLessThan(spread);
    }
    // Without sales a week ago there is no change.
    if (hour > 6) expect(Math.abs(earned?.changePercent ?? Number.NaN)).toBeLessThan(60);
  });
});

test('a month shows a growing business with usual rates, and so does the month before', async () => {
  const { out } = await shopAt('2026-11-25T15:30:00Z', 'summary');
  const { earned, refundRatePercent, chargebackRatePercent } = figuresOf(out);
  expect(earned?.changePercent).toBeGreaterThan(10);
  expect(earned?.changePercent).toBeLessThan(70);
  for (const period of ['value', 'previous'] as const) {
    expect(refundRatePercent?.[period]).toBeGreaterThan(2);
    expect(refundRatePercent?.[period]).toBeLessThan(6);
    expect(chargebackRatePercent?.[period]).toBeGreaterThan(0.1);
    expect(chargebackRatePercent?.[period]).toBeLessThan(1.5);
  }
});

interface Order {
  readonly receipt: string;
  readonly transactionType: string;
  readonly totalOrderAmount: number;
  readonly lineItemData: readonly { readonly status: string | null }[];
}

test('some refunds are partial, with a ticket, and leave a subscription running', async () => {
  const shop = await sandboxHome(5000);
  const rows: readonly Order[] = await sandboxJson(
    shop,
    'orders list --start-date 2025-12-01 --end-date 2026-03-18 --role VENDOR',
  );
  const key = (type: string, receipt: string) => `${type} ${receipt}`;
  const byType = new Map(rows.map((row) => [key(row.transactionType, row.receipt), row]));
  const refunds = rows.filter(({ transactionType }) => transactionType === 'RFND');
  const paidFor = ({ receipt }: Order) =>
    (byType.get(key('SALE', receipt)) ?? byType.get(key('BILL', receipt)))?.totalOrderAmount ?? 0;
  const partial = refunds.filter((row) => -row.totalOrderAmount < paidFor(row));
  expect(partial.length / refunds.length).toBeGreaterThan(0.05);
  expect(partial.length / refunds.length).toBeLessThan(0.3);
  for (const refund of partial) {
    expect(-refund.totalOrderAmount / paidFor(refund)).toBeCloseTo(0.5, 1);
  }
  const receipt = partial[0]?.receipt;
  expect(await sandboxJson(shop, `tickets list --receipt ${receipt} --type rfnd`)).toMatchObject([
    { refundType: 'PARTIAL_PERCENT', refundAmount: -(partial[0]?.totalOrderAmount ?? 0) },
  ]);
  const running = partial.filter(({ lineItemData: [line] }) => line?.status === 'ACTIVE');
  expect(running.length).toBeGreaterThan(0);
});
