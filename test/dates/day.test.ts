/** Arithmetic on calendar days. */
import { expect, test } from 'vitest';
import { addDays, addMonths, daysBetween, daysFrom, isDay } from '../../src/dates/day.ts';

test('accepts only valid calendar dates', () => {
  expect(['2028-02-29', '0001-01-01', '9999-12-31'].map(isDay)).toEqual([true, true, true]);
  const others = ['2026-02-29', '2026-13-01', '2026-00-10', '2026-1-1', '20260101', '2026-01-01Z'];
  expect(others.filter(isDay)).toEqual([]);
});

test.each([
  ['2026-12-31', 1, '2027-01-01'],
  ['2027-01-01', -1, '2026-12-31'],
  ['2028-02-28', 1, '2028-02-29'],
  ['2026-02-28', 1, '2026-03-01'],
  ['2026-03-07', 2, '2026-03-09'],
  ['2026-10-31', 2, '2026-11-02'],
])('adds days: %s plus %i days is %s', (day, days, sum) => {
  expect(addDays(day, days)).toBe(sum);
  expect(daysBetween(day, sum)).toBe(days);
});

test.each([
  ['2026-01-31', 1, undefined, '2026-02-28'],
  ['2028-01-31', 1, undefined, '2028-02-29'],
  ['2026-02-28', 1, 31, '2026-03-31'],
  ['2026-12-15', 1, undefined, '2027-01-15'],
  ['2028-02-29', -12, undefined, '2027-02-28'],
  ['0050-01-01', 12, undefined, '0051-01-01'],
])(
  'adds months: %s plus %i months, with day %s of the month, is %s',
  (day, months, anchor, sum) => {
    expect(addMonths(day, months, anchor)).toBe(sum);
  },
);

test('lists the days of a period including both ends, and none for a reversed period', () => {
  expect(daysFrom('2028-02-28', '2028-03-01')).toEqual(['2028-02-28', '2028-02-29', '2028-03-01']);
  expect(daysFrom('2028-03-01', '2028-02-28')).toEqual([]);
});
