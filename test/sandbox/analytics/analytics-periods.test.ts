import { expect } from 'vitest';
import { daysAfter, post, TODAY, test } from '../raw.ts';
import { details, expectRefusal } from './analytics-raw.ts';

const VENDOR = 'VENDOR/subscription/details';
const GREENLEAF = 'account=GREENLEAF';

/** A next payment that is not due is nil, any other field is left out. */
const isAbsent = (value: unknown) => typeof value !== 'string';
const day = (value: unknown) => String(value).slice(0, 10);

test('moves the end date with the number of remaining payments', async ({ sandbox }) => {
  const receipts = async () =>
    (await details(sandbox, `${VENDOR}/compsixty?${GREENLEAF}`)).map(({ receipt }) => receipt);
  expect(await receipts()).not.toContain('LIMITED1');
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
      all.filter((row) => !isAbsent(row.subCancelDate) && day(row.subCancelDate) >= first),
    );
    expect(rows.map(({ receipt }) => receipt)).toContain('CANCEL01');
  },
);

test('no longer lists a reinstated subscription as canceled', async ({ sandbox }) => {
  const receipts = async (path: string) =>
    (await details(sandbox, `${VENDOR}/${path}`)).map(({ receipt }) => receipt);
  expect((await post(sandbox, '/rest/1.3/orders2/CANCEL01/reinstate')).status).toBe(204);
  expect(await receipts(`cancelthirty?${GREENLEAF}`)).not.toContain('CANCEL01');
  expect(await receipts(`status?${GREENLEAF}&status=ACTIVE`)).toContain('CANCEL01');
});

test.for([
  ['startdate', 'purchaseDate', '2026-02-01', '2026-02-28'],
  ['canceldate', 'subCancelDate', '2026-01-15', '2026-02-14'],
  ['nextpmtdate', 'nextPaymentDate', '2026-03-20', '2026-04-05'],
] as const)(
  'lists with %s the subscriptions whose %s is between two inclusive days',
  async ([path, field, first, last], { seeded }) => {
    const all = await details(seeded, `${VENDOR}?${GREENLEAF}`);
    const list = (from: string, to: string) =>
      details(seeded, `${VENDOR}/${path}?${GREENLEAF}&startDate=${from}&endDate=${to}`);
    const within = (from: string, to: string) =>
      all.filter(
        (row) => !isAbsent(row[field]) && day(row[field]) >= from && day(row[field]) <= to,
      );
    expect(await list(first, last)).toEqual(within(first, last));
    const one = day(within(first, last)[0]?.[field]);
    expect(await list(one, one)).toEqual(within(one, one));
    expect((await list(one, one)).length).toBeGreaterThan(0);
    const base = `${VENDOR}/${path}?${GREENLEAF}`;
    await expectRefusal(seeded, `${base}&startDate=${first}`, 400, 'endDate');
    await expectRefusal(seeded, `${base}&endDate=${last}`, 400, 'startDate');
    await expectRefusal(seeded, `${base}&startDate=${last}&endDate=${first}`, 400, 'endDate');
    await expectRefusal(seeded, `${base}&startDate=01.02.2026&endDate=${last}`, 400, 'startDate');
    await expectRefusal(seeded, `${base}&startDate=${first}&endDate=2026-02-30`, 400, 'endDate');
  },
);
