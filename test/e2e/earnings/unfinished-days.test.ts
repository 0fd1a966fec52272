/** Today is never compared with a whole day: just after midnight, at daylight-saving time, at New Year. */
import { expect, test } from 'vitest';
import { home } from '../../support/cb.ts';
import { type Entry, openLedger } from '../../support/ledger.ts';

async function summary(line: string, time: string, entries: readonly Entry[]) {
  const { env } = await openLedger(entries);
  const { code, out, err } = await home().cb(`${line} -o json`, { env, now: () => new Date(time) });
  expect({ code, err }).toEqual({ code: 0, err: '' });
  return JSON.parse(out);
}

const each = (amount: string, ...times: readonly string[]): Entry[] =>
  times.map((time) => ({ time, amount }));

test('compares today with the same hours of the same weekday last week', async () => {
  const found = await summary('today', '2026-03-18T11:30:00-07:00', [
    ...each('5.00', '2026-03-18T11:29:00-07:00', '2026-03-18T00:00:00-07:00'),
    ...each('7.00', '2026-03-11T11:30:00-07:00', '2026-03-11T11:30:01-07:00'),
    ...each('9.00', '2026-03-10T10:00:00-07:00'),
  ]);
  expect(found).toMatchObject({
    period: { first: '2026-03-18', last: '2026-03-18', days: 1 },
    unfinishedDay: '2026-03-18',
    comparison: { with: 'week-before', until: '11:30:00' },
    totals: { earned: 10, sales: 2 },
    previous: { earned: 7, sales: 1 },
    changePercent: { earned: 42.9 },
  });
});

test('has nothing to compare just after Pacific midnight', async () => {
  const found = await summary('today', '2026-03-18T00:00:30-07:00', [
    ...each('5.00', '2026-03-18T00:00:10-07:00'),
    ...each('7.00', '2026-03-17T23:59:59-07:00', '2026-03-11T00:01:00-07:00'),
  ]);
  expect(found).toMatchObject({
    totals: { earned: 5 },
    previous: { earned: 0, sales: 0 },
    changePercent: { earned: null, sales: null },
  });
});

test('knows the Pacific day when it is already tomorrow in UTC', async () => {
  const found = await summary('summary --period last-2-days', '2026-03-19T06:59:00Z', [
    ...each('5.00', '2026-03-18T23:58:00-07:00'),
    ...each('3.00', '2026-03-17T12:00:00-07:00'),
  ]);
  expect(found).toMatchObject({
    period: { first: '2026-03-17', last: '2026-03-18' },
    unfinishedDay: '2026-03-18',
    totals: { earned: 8 },
    compared: { earned: 3 },
  });
});

test('assigns the hours around a change of the clock to their days', async () => {
  const days = await summary(
    'summary --since 2026-10-31 --until 2026-11-01',
    '2026-11-03T12:00:00-08:00',
    [
      ...each('1.00', '2026-11-01T23:30:00-08:00', '2026-11-01T00:30:00-07:00'),
      ...each('4.00', '2026-10-31T23:59:59-07:00'),
      ...each('8.00', '2026-11-02T00:00:00-08:00'),
    ],
  );
  expect(days.byDay.map((row: { earned: number }) => row.earned)).toEqual([4, 2]);
});
