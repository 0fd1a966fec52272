/** Days and periods as people type them. */
import { expect, test } from 'vitest';
import { parseDay, parsePeriod } from '../../src/dates/words.ts';

/** A Wednesday. */
const today = '2026-03-18';

test.each([
  ['2026-03-01', '2026-03-01'],
  ['today', '2026-03-18'],
  ['Yesterday', '2026-03-17'],
  ['tomorrow', '2026-03-19'],
  ['-7d', '2026-03-11'],
  ['+2w', '2026-04-01'],
  ['-1m', '2026-02-18'],
  ['-1y', '2025-03-18'],
  ['monday', '2026-03-16'],
  ['wed', '2026-03-18'],
  ['thursday', '2026-03-12'],
])('%s is %s', (words, day) => {
  expect(parseDay(words, today)).toBe(day);
});

test('a month back from the 31st is the last day of the month before', () => {
  expect(parseDay('-1m', '2026-03-31')).toBe('2026-02-28');
});

test.each([
  '2026-02-30',
  '2026-13-01',
  '26-01-01',
  '2026-1-1',
  '7d',
  'someday',
  '',
  '-7',
  '2025-02-29',
  '0000-00-00',
  'constructor',
  '+9999y',
])('%j is not a day', (words) => {
  expect(parseDay(words, today)).toBeUndefined();
});

test.each([
  ['today', '2026-03-18', '2026-03-18'],
  ['last-7-days', '2026-03-12', '2026-03-18'],
  ['last-1-day', '2026-03-18', '2026-03-18'],
  ['last-3-months', '2025-12-19', '2026-03-18'],
  ['this-week', '2026-03-16', '2026-03-18'],
  ['last-week', '2026-03-09', '2026-03-15'],
  ['this-month', '2026-03-01', '2026-03-18'],
  ['last-month', '2026-02-01', '2026-02-28'],
  ['this-quarter', '2026-01-01', '2026-03-18'],
  ['last-quarter', '2025-10-01', '2025-12-31'],
  ['this-year', '2026-01-01', '2026-03-18'],
  ['last-year', '2025-01-01', '2025-12-31'],
  ['2024-02', '2024-02-01', '2024-02-29'],
  ['2026-Q1', '2026-01-01', '2026-03-31'],
  ['2025', '2025-01-01', '2025-12-31'],
])('%s is %s to %s', (words, first, last) => {
  expect(parsePeriod(words, today)).toEqual({ first, last });
});

test.each([
  '2026-00',
  '2026-13',
  '2026-Q5',
  'last-0-days',
  'next-month',
  'last-decade',
  'last-9999-years',
  '',
])('%j is not a period', (words) => {
  expect(parsePeriod(words, today)).toBeUndefined();
});
