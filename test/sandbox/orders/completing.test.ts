/** The last payment of a subscription, over all subscriptions of a seed. */
import { expect, test } from 'vitest';
import type { Sandbox } from '../../../src/sandbox/http/server.ts';
import { details, type Json } from '../analytics/analytics-raw.ts';
import { daysAfter, openSandbox, TODAY } from '../raw.ts';
import { DAY } from '../tickets/ticket-raw.ts';

const VENDORS = ['GREENLEAF', 'FITLAB24', 'COOKWELL', 'CODEMENTOR', 'YOGAHOME'];
const SEED = { orders: 5000 };

async function allOf(sandbox: Sandbox, path = ''): Promise<Json[]> {
  const rows: Json[] = [];
  for (const vendor of VENDORS) {
    rows.push(...(await details(sandbox, `VENDOR/subscription/details${path}?account=${vendor}`)));
  }
  return rows;
}

const isTime = (value: unknown): value is string => typeof value === 'string';

/** Fails if a subscription ends before its next payment; returns the number that end with it. */
function checkEnds(rows: readonly Json[]): number {
  let last = 0;
  for (const { receipt, nextPaymentDate, subEndDate, futurePaymentsCount } of rows) {
    if (!isTime(nextPaymentDate) || !isTime(subEndDate)) continue;
    expect([receipt, Date.parse(subEndDate) >= Date.parse(nextPaymentDate)]).toEqual([
      receipt,
      true,
    ]);
    if (Number(futurePaymentsCount) !== 1) continue;
    expect([receipt, subEndDate]).toEqual([receipt, nextPaymentDate]);
    last += 1;
  }
  return last;
}

async function checkListings(sandbox: Sandbox, all: readonly Json[], today: string) {
  for (const [path, days] of [
    ['/compthirty', 30],
    ['/compsixty', 60],
  ] as const) {
    const until = daysAfter(today, days);
    const expected = all.filter(
      ({ nextPaymentDate, subEndDate }) =>
        isTime(nextPaymentDate) && isTime(subEndDate) && subEndDate.slice(0, 10) <= until,
    );
    expect(expected.length).toBeGreaterThan(0);
    expect(await allOf(sandbox, path)).toEqual(expected);
  }
}

test.each([1, 2])('ends no subscription of seed %i before its next payment', async (randomSeed) => {
  const sandbox = await openSandbox({ seed: { ...SEED, randomSeed } });
  const all = await allOf(sandbox);
  expect(checkEnds(all)).toBeGreaterThan(0);
  await checkListings(sandbox, all, TODAY);
});

test('does not change after failed payments that are retried', async () => {
  const sandbox = await openSandbox({ seed: SEED });
  let retried = 0;
  // A failed payment is retried after three days.
  for (let day = 2; day <= 40; day += 2) {
    await sandbox.advance(2 * DAY);
    const all = await allOf(sandbox);
    checkEnds(all);
    retried += all.filter(
      ({ status, futurePaymentsCount }) =>
        /^(RETRY_PAYMENT|REQUEST_NEW_CARD)$/.test(String(status)) &&
        Number(futurePaymentsCount) === 1,
    ).length;
    if (day % 20 === 0) await checkListings(sandbox, all, daysAfter(TODAY, day));
  }
  expect(retried).toBeGreaterThan(0);
});
