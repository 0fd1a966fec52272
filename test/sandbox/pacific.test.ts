import { expect, test } from 'vitest';
import { addPeriods } from '../../src/sandbox/billing-date.ts';
import {
  endOf,
  instantOf,
  isDay,
  pacificDay,
  pacificTime,
  secondOfDay,
} from '../../src/sandbox/pacific.ts';

const at = (time: string) => Date.parse(time) / 1000;

test('a day begins at midnight in Los Angeles, in winter and in summer', () => {
  expect(instantOf('2026-01-15')).toBe(at('2026-01-15T00:00:00-08:00'));
  expect(instantOf('2026-07-15')).toBe(at('2026-07-15T00:00:00-07:00'));
  expect(instantOf('2026-07-15', 43_200)).toBe(at('2026-07-15T12:00:00-07:00'));
});

test('a day has 23 hours when the clocks go forward and 25 when they go back', () => {
  const hours = (day: string) => (endOf(day) - instantOf(day)) / 3600;
  expect(['2026-03-07', '2026-03-08', '2026-11-01', '2026-11-02'].map(hours)).toEqual([
    24, 23, 25, 24,
  ]);
});

test('times are written in wall time with the offset of the moment', () => {
  expect(pacificTime(at('2026-03-08T09:59:59Z'))).toBe('2026-03-08T01:59:59-08:00');
  expect(pacificTime(at('2026-03-08T10:00:00Z'))).toBe('2026-03-08T03:00:00-07:00');
  expect(pacificTime(at('2026-11-01T08:30:00Z'))).toBe('2026-11-01T01:30:00-07:00');
  expect(pacificTime(at('2026-11-01T09:30:00Z'))).toBe('2026-11-01T01:30:00-08:00');
});

test('the day and its second are those of the wall clock', () => {
  const late = at('2026-02-19T07:59:59Z');
  expect([pacificDay(late), secondOfDay(late)]).toEqual(['2026-02-18', 86_399]);
});

test('only days of the calendar are days', () => {
  expect(['2028-02-29', '0001-01-01', '9999-12-31'].map(isDay)).toEqual([true, true, true]);
  const others = ['2026-02-29', '2026-13-01', '2026-00-10', '2026-1-1', '20260101', '2026-01-01Z'];
  expect(others.filter(isDay)).toEqual([]);
});

test('a subscription of the 31st is billed on the last days of shorter months', () => {
  const due = [1, 2, 3].map((periods) => addPeriods('2026-01-31', 'MONTHLY', periods));
  expect(due).toEqual(['2026-02-28', '2026-03-31', '2026-04-30']);
  expect(addPeriods('2026-02-28', 'MONTHLY', 1, 31)).toBe('2026-03-31');
});

test('every frequency has its step', () => {
  const steps = ['WEEKLY', 'BI_WEEKLY', 'MONTHLY', 'QUARTERLY', 'HALF_YEARLY', 'YEARLY'];
  expect(steps.map((frequency) => addPeriods('2026-01-15', frequency, 1))).toEqual([
    '2026-01-22',
    '2026-01-29',
    '2026-02-15',
    '2026-04-15',
    '2026-07-15',
    '2027-01-15',
  ]);
});
