/** Listings of subscriptions by a period, and of those that end soon. */
import { expect } from 'vitest';
import type { Sandbox } from '../../../src/sandbox/http/server.ts';
import {
  DAY,
  dayOf,
  daysAfter,
  expectAnswers,
  type Json,
  openSandbox,
  post,
  TODAY,
  test,
} from '../raw.ts';
import { details } from './analytics-raw.ts';

const VENDOR = 'VENDOR/subscription/details';
const GREENLEAF = 'account=GREENLEAF';

/** A next payment that is not due is nil, any other field is left out. */
const isTime = (value: unknown): value is string => typeof value === 'string';

const receipts = async (sandbox: Sandbox, path: string) =>
  (await details(sandbox, `${VENDOR}/${path}`)).map(({ receipt }) => receipt);

test('moves the end date with the number of remaining payments', async ({ sandbox }) => {
  expect(await receipts(sandbox, `compsixty?${GREENLEAF}`)).not.toContain('LIMITED1');
  const end = async () =>
    (await details(sandbox, `${VENDOR}?${GREENLEAF}`)).find(({ receipt }) => receipt === 'LIMITED1')
      ?.subEndDate;
  await post(sandbox, '/rest/1.3/orders2/LIMITED1/extend?numPeriods=2');
  expect(await end()).toBe('2026-08-30T12:00:00-07:00');
  await post(sandbox, '/rest/1.3/orders2/LIMITED1/changeDate?changeDate=2026-03-31');
  expect(await end()).toBe('2026-08-31T12:00:00-07:00');
});

test.for([
  ['cancelthirty', 30],
  ['cancelsixty', 60],
] as const)(
  'lists with %s the subscriptions canceled in the last %i days',
  async ([path, days], { seeded }) => {
    const all = await details(seeded, `${VENDOR}?${GREENLEAF}`);
    const rows = await details(seeded, `${VENDOR}/${path}?${GREENLEAF}`);
    const first = daysAfter(TODAY, -days);
    expect(rows).toEqual(
      all.filter(({ subCancelDate: time }) => isTime(time) && dayOf(time) >= first),
    );
    expect(rows.map(({ receipt }) => receipt)).toContain('CANCEL01');
  },
);

test('no longer lists a reinstated subscription as canceled', async ({ sandbox }) => {
  expect((await post(sandbox, '/rest/1.3/orders2/CANCEL01/reinstate')).status).toBe(204);
  expect(await receipts(sandbox, `cancelthirty?${GREENLEAF}`)).not.toContain('CANCEL01');
  expect(await receipts(sandbox, `status?${GREENLEAF}&status=ACTIVE`)).toContain('CANCEL01');
});

test.for([
  ['startdate', 'purchaseDate', '2026-02-01', '2026-02-28'],
  ['canceldate', 'subCancelDate', '2026-01-15', '2026-02-14'],
  ['nextpmtdate', 'nextPaymentDate', '2026-03-20', '2026-04-05'],
] as const)(
  'lists with %s the subscriptions whose %s is between two inclusive days',
  async ([path, field, first, last], { seeded }) => {
    const all = await details(seeded, `${VENDOR}?${GREENLEAF}`);
    const base = `${VENDOR}/${path}?${GREENLEAF}`;
    const within = (from: string, to: string) =>
      all.filter(
        (row) => isTime(row[field]) && dayOf(row[field]) >= from && dayOf(row[field]) <= to,
      );
    const one = dayOf(within(first, last)[0]?.[field]);
    for (const [from, to] of [
      [first, last],
      [one, one],
    ] as const) {
      const rows = await details(seeded, `${base}&startDate=${from}&endDate=${to}`);
      expect(rows).toEqual(within(from, to));
      expect(rows.length).toBeGreaterThan(0);
    }
    await expectAnswers(
      seeded,
      `GET analytics/${base}&startDate=${first} 400 endDate
      GET analytics/${base}&endDate=${last} 400 startDate
      GET analytics/${base}&startDate=${last}&endDate=${first} 400 endDate
      GET analytics/${base}&startDate=01.02.2026&endDate=${last} 400 startDate
      GET analytics/${base}&startDate=${first}&endDate=2026-02-30 400 endDate`,
    );
  },
);

const VENDORS = ['GREENLEAF', 'FITLAB24', 'COOKWELL', 'CODEMENTOR', 'YOGAHOME'];

async function allOf(sandbox: Sandbox, path = ''): Promise<Json[]> {
  const lists = VENDORS.map((vendor) => details(sandbox, `${VENDOR}${path}?account=${vendor}`));
  return (await Promise.all(lists)).flat();
}

test('ends no subscription before its next payment, also after failed payments that are retried', async () => {
  const sandbox = await openSandbox({ seed: { orders: 2500 } });
  let [last, retried] = [0, 0];
  // A failed payment is retried after three days.
  for (let day = 0; day <= 20; day += 2) {
    if (day > 0) await sandbox.advance(2 * DAY);
    const all = await allOf(sandbox);
    const ending = all.filter((row) => isTime(row.nextPaymentDate) && isTime(row.subEndDate));
    const [next, end] = ['nextPaymentDate', 'subEndDate'].map(
      (name) => (row: Json) => Date.parse(String(row[name])),
    );
    if (!next || !end) throw new Error('two times');
    expect(ending.filter((row) => end(row) < next(row))).toEqual([]);
    const lasts = ending.filter(({ futurePaymentsCount }) => futurePaymentsCount === '1');
    expect(lasts.filter((row) => end(row) !== next(row))).toEqual([]);
    last += lasts.length;
    retried += lasts.filter(({ status }) => /^(RETRY|REQUEST)_/.test(String(status))).length;
    if (day % 20 !== 0) continue;
    for (const [path, days] of [
      ['/compthirty', 30],
      ['/compsixty', 60],
    ] as const) {
      const until = daysAfter(daysAfter(TODAY, day), days);
      const expected = ending.filter(({ subEndDate }) => dayOf(subEndDate) <= until);
      expect(expected.length).toBeGreaterThan(0);
      expect(await allOf(sandbox, path)).toEqual(expected);
    }
  }
  expect([last > 0, retried > 0]).toEqual([true, true]);
});
