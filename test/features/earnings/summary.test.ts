/** Which transactions count, how often, and which days are compared, at the edges of days, years and daylight-saving time. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { addDays, daysBetween } from '../../../src/dates/day.ts';
import {
  comparedWith,
  comparisons,
  listsOf,
  pacificMoment,
  planByDay,
  planOf,
} from '../../../src/features/earnings/comparison.ts';
import {
  addTo,
  changeOf,
  changePercentOf,
  figuresOf,
  type Tally,
} from '../../../src/features/earnings/figures.ts';
import { Summary, type SummaryQuery } from '../../../src/features/earnings/summary.ts';
import type { Transaction } from '../../../src/features/earnings/transaction.ts';

const days = { first: '2026-03-01', last: '2026-03-10' };
const plan = planOf(days, Date.parse('2026-03-18T12:00:00Z') / 1000);

function transaction(facts: Partial<Transaction>, accountAmount = '10.00'): Transaction {
  const usual = { transactionType: 'SALE', transactionTime: '2026-03-05T12:00:00-08:00' };
  const items = [{ itemNo: 'BOOK', accountAmount }] as unknown as NonNullable<
    Transaction['lineItemData']
  >;
  return { ...usual, role: 'VENDOR', vendor: 'GREENLEAF', lineItemData: items, ...facts };
}

function summaryOf(rows: readonly Transaction[], query: Partial<SummaryQuery> = {}): Summary {
  const summary = new Summary({ plan, by: ['account', 'product', 'affiliate'], ...query });
  for (const row of rows) summary.add(row);
  return summary;
}

test('counts a sale without a role', () => {
  const summary = summaryOf([transaction({ role: null })], { accounts: ['GREENLEAF', 'TOPAFF1'] });
  expect(summary.all.period).toMatchObject({ sales: 1, earned: '10.00' });
});

test('tells transactions without a time, and rows outside the period, from others', () => {
  const summary = summaryOf([
    transaction({ transactionTime: null }),
    transaction({ transactionTime: '2026-03-11T00:00:00-07:00' }),
    transaction({ transactionTime: '2026-02-14T12:00:00-08:00' }),
  ]);
  expect(summary.notCounted).toMatchObject({ undated: 1 });
  expect(summary.all.period.sales).toBe(0);
  expect(summary.all.before.sales).toBe(0);
});

test('counts a fee in another currency, but not its amount, and a shared fee once', () => {
  const fee: object = { transactionType: 'FEE', totalOrderAmount: '15.00' };
  const fees = ['USD', 'EUR'].map((currency) => transaction({ ...fee, currency }));
  const share = transaction({ ...fee, currency: 'USD', role: 'AFFILIATE', affiliate: 'TOPAFF1' });
  const summary = summaryOf([...fees, share], { accounts: ['GREENLEAF', 'TOPAFF1'] });
  expect(summary.notCounted).toMatchObject({ fees: 2, feeAmount: '15.00' });
});

test('splits an order among its products, and counts it once in total', () => {
  const items = [
    { itemNo: 'BOOK', accountAmount: '7.00' },
    { itemNo: 'CLUB', accountAmount: '2.00' },
    { itemNo: 'BOOK', accountAmount: '1.00' },
    { itemNo: 'GIFT', accountAmount: null },
  ] as unknown as NonNullable<Transaction['lineItemData']>;
  const summary = summaryOf([transaction({ lineItemData: items })]);
  expect(summary.all.period).toMatchObject({ sales: 1, earned: '10.00' });
  const products = summary.groups('product').map(({ name, figures: { period } }) => {
    return `${name} ${period.earned} ${period.sales}`;
  });
  expect(products).toEqual(['BOOK 8.00 1', 'CLUB 2.00 1', 'GIFT 0.00 1']);
});

test('keeps equal SKUs of different vendors apart', () => {
  const summary = summaryOf([transaction({}), transaction({ vendor: 'COOKWELL' })]);
  expect(summary.groups('product').map(({ vendor }) => vendor)).toEqual(['COOKWELL', 'GREENLEAF']);
});

function earning(amount?: string) {
  const tally: Tally = new Map();
  if (amount !== undefined) addTo(tally, 'sale', amount);
  return figuresOf(tally);
}

test.each([
  ['150', '100', '50.0', '50.00'],
  ['99.95', '100', '-0.1', '-0.05'],
  ['1', '3', '-66.7', '-2.00'],
  ['5', '-10', '150.0', '15.00'],
  ['5', undefined, undefined, '5.00'],
])('changes to %s from %s by %s%%', (value, base, percent, change) => {
  expect(changePercentOf(earning(value), earning(base), 'earned')).toBe(percent);
  expect(changeOf(earning(value), earning(base), 'earned')).toBe(change);
  expect(changePercentOf(earning(value), earning(), 'refundRatePercent')).toBeUndefined();
});

const at = (time: string) => Date.parse(time) / 1000;
const noon = at('2026-03-18T12:00:00-07:00');

test('does not compare today with whole days if figures are known by day only', () => {
  const planned = (first: string, last: string) => planByDay({ first, last }, '2026-03-18');
  expect(planned('2026-03-12', '2026-03-31')).toEqual(
    planOf({ first: '2026-03-12', last: '2026-03-18' }, noon),
  );
  const before = { first: '2026-03-10', last: '2026-03-10' };
  expect(planned('2026-03-17', '2026-03-17')).toMatchObject({ unfinished: undefined, before });
  const today = planned('2026-03-18', '2026-03-20');
  const period = { first: '2026-03-18', last: '2026-03-18' };
  expect(today).toMatchObject({ period, unfinished: '2026-03-18' });
  expect(today.before).toBeUndefined();
});

test.each([
  ['in winter', '2026-01-14T09:30:15-08:00', '2026-01-07', '09:30:15'],
  ['just after midnight', '2026-03-18T00:00:05-07:00', '2026-03-11', '00:00:05'],
  ['on the day that daylight time begins', '2026-03-08T12:00:00-07:00', '2026-03-01', '12:00:00'],
  ['a week after that day', '2026-03-15T02:30:00-07:00', '2026-03-08', '02:30:00'],
  ['on the day that it ends', '2026-11-01T12:00:00-08:00', '2026-10-25', '12:00:00'],
  ['in the hour that is repeated', '2026-11-01T01:30:00-08:00', '2026-10-25', '01:30:00'],
  ['on New Year', '2026-01-01T08:00:00-08:00', '2025-12-25', '08:00:00'],
])('compares today with the same hours a week before %s', (_, time, day, until) => {
  const today = time.slice(0, 10);
  expect(planOf({ first: today, last: today }, at(time))).toMatchObject({
    compareWith: 'week-before',
    unfinished: today,
    compared: { first: today, last: today },
    before: { first: day, last: day },
    until,
  });
});

/** From a text such as `2026-10-01..2026-10-31`. */
function daysIn(text: string) {
  const [first = '', last = ''] = text.split('..');
  return { first, last };
}

const october = daysIn('2026-10-01..2026-10-31');
const september = daysIn('2026-09-01..2026-09-30');

test.each`
  what                          | typed             | period                      | compared                    | before
  ${'October'}                  | ${undefined}      | ${'2026-10-01..2026-10-31'} | ${undefined}                | ${'2026-09-01..2026-09-30'}
  ${'last-month'}               | ${'last-month'}   | ${'2026-10-01..2026-10-31'} | ${undefined}                | ${'2026-09-01..2026-09-30'}
  ${'June to July'}             | ${undefined}      | ${'2026-06-01..2026-07-31'} | ${undefined}                | ${'2026-04-01..2026-05-31'}
  ${'a leap February'}          | ${undefined}      | ${'2028-03-01..2028-03-31'} | ${undefined}                | ${'2028-02-01..2028-02-29'}
  ${'Q4 so far'}                | ${'2026-Q4'}      | ${'2026-10-01..2026-12-31'} | ${'2026-10-01..2026-11-29'} | ${'2026-07-01..2026-08-29'}
  ${'this-month'}               | ${'this month'}   | ${'2026-11-01..2026-11-30'} | ${'2026-11-01..2026-11-29'} | ${'2026-10-01..2026-10-29'}
  ${'ytd'}                      | ${'ytd'}          | ${'2026-01-01..2026-11-30'} | ${'2026-01-01..2026-11-29'} | ${'2025-01-01..2025-11-29'}
  ${'last-year'}                | ${'last-year'}    | ${'2025-01-01..2025-12-31'} | ${undefined}                | ${'2024-01-01..2024-12-31'}
  ${'30 days that are a month'} | ${'last-30-days'} | ${'2026-11-01..2026-11-30'} | ${'2026-11-01..2026-11-29'} | ${'2026-09-27..2026-10-25'}
  ${'last-7-days'}              | ${'last-7-days'}  | ${'2026-11-24..2026-11-30'} | ${'2026-11-24..2026-11-29'} | ${'2026-11-17..2026-11-22'}
  ${'yesterday'}                | ${'yesterday'}    | ${'2026-11-29..2026-11-29'} | ${undefined}                | ${'2026-11-22..2026-11-22'}
`('compares $what with the days before it', ({ typed, period, compared = period, before }) => {
  const now = at(period > '2028' ? '2028-06-01' : '2026-11-30T12:00:00-08:00');
  const plan = planOf(daysIn(period), now, { typed });
  expect(plan).toMatchObject({ compared: daysIn(compared), before: daysIn(before) });
});

test('compares day n with day n of the month before, and the 31st with nothing', () => {
  const plan = planOf(october, at('2026-11-15'));
  expect(plan).toEqual({
    ...{ period: october, compared: october, before: september, compareWith: 'previous' },
    ...{ shift: { months: 1 }, unfinished: undefined, until: undefined },
  });
  expect(comparedWith(plan, '2026-10-30')).toBe('2026-09-30');
  expect(comparedWith(plan, '2026-10-31')).toBeUndefined();
  expect(planOf(october, at('2026-11-15'), { compare: 'month-before' }).before).toEqual(september);
});

test('compares each weekday of any number of days with the same weekday', () => {
  for (const days of [7, 14, 29, 30, 31, 90]) {
    const period = { first: addDays('2026-03-17', 1 - days), last: '2026-03-17' };
    const plan = planOf(period, noon, { typed: `last-${days}-days` });
    const shift = daysBetween(plan.before?.first ?? '', period.first);
    expect([days, shift % 7, shift >= days && shift < days + 7]).toEqual([days, 0, true]);
  }
});

test('compares February 29 with no day of the year before', () => {
  const period = { first: '2028-02-28', last: '2028-02-29' };
  const plan = planOf(period, at('2028-06-01'), { compare: 'year-before' });
  expect(plan.before).toEqual({ first: '2027-02-28', last: '2027-02-28' });
  expect(comparedWith(plan, '2028-02-29')).toBeUndefined();
  const day = { first: '2028-02-29', last: '2028-02-29' };
  const alone = planOf(day, at('2028-06-01'), { compare: 'year-before' });
  expect(alone.before).toEqual({ first: '2027-02-28', last: '2027-02-28' });
});

test('reads periods that touch or overlap in one list, and others in two', () => {
  const month = { first: '2026-02-01', last: '2026-02-28' };
  expect(listsOf(planOf(month, noon))).toEqual([{ first: '2026-01-01', last: '2026-02-28' }]);
  const weeks = listsOf(planOf(month, noon, { compare: 'week-before' }));
  expect(weeks).toEqual([{ first: '2026-01-25', last: '2026-02-28' }]);
  expect(listsOf(planOf(month, noon, { compare: 'year-before' }))).toHaveLength(2);
  expect(listsOf({ ...planOf(month, noon), before: undefined })).toEqual([month]);
});

test('never compares an unfinished day with a whole one, and reads each day once', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: at('2024-01-01'), max: at('2029-12-31') }),
      fc.nat({ max: 400 }),
      fc.nat({ max: 800 }),
      fc.constantFrom(undefined, ...comparisons),
      (now, back, length, compare) => {
        const today = pacificMoment(new Date(now * 1000).toISOString())?.day ?? '';
        const first = addDays(today, -back);
        const plan = planOf({ first, last: addDays(first, length) }, now, { compare });
        const { period, compared, before, until } = plan;
        if (!before) throw new Error('nothing is compared');
        expect(period.last <= today && before.last < compared.last).toBe(true);
        expect(until === undefined ? compared.last < today : compared.first === today).toBe(true);
        const lengthOf = ({ first, last }: typeof before) => daysBetween(first, last);
        if ('days' in plan.shift) expect(lengthOf(before)).toBe(lengthOf(compared));
        const [one, other] = listsOf(plan);
        if (one && other) expect(other.last < one.first).toBe(true);
      },
    ),
  );
});

test.each([
  ['2026-03-08T01:59:59-08:00', '2026-03-08', '01:59:59'],
  ['2026-03-08T03:00:00-07:00', '2026-03-08', '03:00:00'],
  ['2026-11-01T08:30:00Z', '2026-11-01', '01:30:00'],
  ['2026-11-01T09:30:00Z', '2026-11-01', '01:30:00'],
  ['2026-01-01T07:59:59.500Z', '2025-12-31', '23:59:59'],
])('reads %s as a Pacific time', (time, day, clock) => {
  expect(pacificMoment(time)).toEqual({ day, clock });
});

test.each(['', 'soon', '2026-03-08', '2026-03-08T01:59:59'])('has no day for %j', (text) => {
  expect(pacificMoment(text)).toBeUndefined();
});
