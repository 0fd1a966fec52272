/** Days and periods in words, as Pacific days. */
import { expect, test } from 'vitest';
import { dayIn, parseDay, parsePeriod, serviceZone } from '../../src/cli/dates.ts';
import { home } from '../support/cb.ts';

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

test('A month back from the 31st is the last day of the month before', () => {
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
])('%j is no day', (words) => {
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

test.each(['2026-00', '2026-13', '2026-Q5', 'last-0-days', 'next-month', 'last-decade', ''])(
  '%j is no period',
  (words) => {
    expect(parsePeriod(words, today)).toBeUndefined();
  },
);

test('A day begins at midnight in Pacific time, before and after the clocks change', () => {
  expect(dayIn(serviceZone, new Date('2026-03-08T07:59:59Z'))).toBe('2026-03-07');
  expect(dayIn(serviceZone, new Date('2026-03-08T08:00:00Z'))).toBe('2026-03-08');
  expect(dayIn(serviceZone, new Date('2026-03-09T06:59:59Z'))).toBe('2026-03-08');
  expect(dayIn(serviceZone, new Date('2026-03-09T07:00:00Z'))).toBe('2026-03-09');
});

test('--tz takes another zone for words like tomorrow', async () => {
  const { cb } = home();
  const line = 'orders change-date MONTHLY1 --change-date tomorrow --dry-run';
  expect((await cb(line)).out).toContain('changeDate=2026-03-19');
  expect((await cb(`${line} --tz Pacific/Auckland`)).out).toContain('changeDate=2026-03-20');
});
