/** Days and periods as people type them. */
import { describe, expect, test } from 'vitest';
import { daysOfHours, parsePeriod, possibleDays } from '../../src/dates/words.ts';

/** A Wednesday. */
const today = '2026-03-18';

test.each([
  ['2026-03-01', '2026-03-01'],
  ['2026/11/20', '2026-11-20'],
  ['2026-1-5', '2026-01-05'],
  ['11/20/2026', '2026-11-20'],
  ['13/02/2026', '2026-02-13'],
  ['20.11.2026', '2026-11-20'],
  ['03/03/2026', '2026-03-03'],
  ['20 Nov 2026', '2026-11-20'],
  ['20-Nov-2026', '2026-11-20'],
  ['Nov 20, 2026', '2026-11-20'],
  ['Nov. 20, 2026', '2026-11-20'],
  ['November 20th, 2026', '2026-11-20'],
  ['sept 1 2025', '2025-09-01'],
  ['today', '2026-03-18'],
  ['Yesterday', '2026-03-17'],
  ['tomorrow', '2026-03-19'],
  ['-7d', '2026-03-11'],
  ['7d', '2026-03-11'],
  ['2w', '2026-03-04'],
  ['3m', '2025-12-18'],
  ['2 weeks ago', '2026-03-04'],
  ['+2w', '2026-04-01'],
  ['-1m', '2026-02-18'],
  ['-1y', '2025-03-18'],
  ['monday', '2026-03-16'],
  ['wed', '2026-03-18'],
  ['thursday', '2026-03-12'],
])('reads %s as %s', (words, day) => {
  expect(possibleDays(words, today)).toEqual([day]);
});

describe('A date without a year', () => {
  test.each([
    ['20 Nov', '2025-11-20', '2026-11-20'],
    ['November 20', '2025-11-20', '2026-11-20'],
    ['Mar 18', '2026-03-18', '2026-03-18'],
    ['3/19', '2025-03-19', '2026-03-19'],
    ['Feb 29', '2024-02-29', '2028-02-29'],
    ['friday', '2026-03-13', '2026-03-20'],
    ['10d', '2026-03-08', '2026-03-28'],
  ])('%s is the latest such day, or the next one of future days', (words, past, future) => {
    expect(possibleDays(words, today)).toEqual([past]);
    expect(possibleDays(words, today, 'future')).toEqual([future]);
  });
});

test('keeps both readings of a date whose day and month can be swapped', () => {
  expect(possibleDays('03/04/2026', today)).toEqual(['2026-03-04', '2026-04-03']);
  expect(possibleDays('3.4.2026', today)).toEqual(['2026-03-04', '2026-04-03']);
  expect(possibleDays('1/2', today)).toEqual(['2026-01-02', '2026-02-01']);
});

test('subtracts a month from the 31st as the last day of a shorter month', () => {
  expect(possibleDays('-1m', '2026-03-31')).toEqual(['2026-02-28']);
});

test.each([
  ...['2026-02-30', '2026-13-01', '26-01-01', '11/20/26', '31/11/2026', '2026/11-20'],
  ...['20 Foo 2026', '2026-11-20T10:00:00Z', 'someday', '', '-7', '-7d ago', '2025-02-29'],
  ...['0000-00-00', 'constructor', '+9999y'],
])('does not read %j as a day', (words) => {
  expect(possibleDays(words, today)).toEqual([]);
});

test.each([
  ['today', '2026-03-18', '2026-03-18'],
  ['Nov 20, 2025', '2025-11-20', '2025-11-20'],
  ['last-7-days', '2026-03-12', '2026-03-18'],
  ['last 7 days', '2026-03-12', '2026-03-18'],
  ['past 7 days', '2026-03-12', '2026-03-18'],
  ['last-7d', '2026-03-12', '2026-03-18'],
  ['7d', '2026-03-12', '2026-03-18'],
  ['-7d', '2026-03-11', '2026-03-11'],
  ['last-1-day', '2026-03-18', '2026-03-18'],
  ['last-3-months', '2025-12-19', '2026-03-18'],
  ['last-2-quarters', '2025-09-19', '2026-03-18'],
  ['this-week', '2026-03-16', '2026-03-18'],
  ['last week', '2026-03-09', '2026-03-15'],
  ['this month', '2026-03-01', '2026-03-18'],
  ['mtd', '2026-03-01', '2026-03-18'],
  ['last-month', '2026-02-01', '2026-02-28'],
  ['previous month', '2026-02-01', '2026-02-28'],
  ['this-quarter', '2026-01-01', '2026-03-18'],
  ['last-quarter', '2025-10-01', '2025-12-31'],
  ['this-year', '2026-01-01', '2026-03-18'],
  ['last-year', '2025-01-01', '2025-12-31'],
  ['2024-02', '2024-02-01', '2024-02-29'],
  ['November', '2025-11-01', '2025-11-30'],
  ['nov 2026', '2026-11-01', '2026-11-30'],
  ['march', '2026-03-01', '2026-03-31'],
  ['2026-Q1', '2026-01-01', '2026-03-31'],
  ['Q4', '2025-10-01', '2025-12-31'],
  ['q4 2024', '2024-10-01', '2024-12-31'],
  ['2025', '2025-01-01', '2025-12-31'],
  ['2026-W12', '2026-03-16', '2026-03-22'],
  ['2026-w01', '2025-12-29', '2026-01-04'],
  ['2020-w53', '2020-12-28', '2021-01-03'],
])('reads %s as the period from %s to %s', (words, first, last) => {
  expect(parsePeriod(words, today)).toEqual({ first, last });
});

test.each([
  ['2026-01-01', 'this-week', '2025-12-29', '2026-01-01'],
  ['2026-01-01', 'last-month', '2025-12-01', '2025-12-31'],
  ['2026-01-01', 'last-quarter', '2025-10-01', '2025-12-31'],
  ['2026-01-01', 'last-year', '2025-01-01', '2025-12-31'],
  ['2024-12-31', 'this-quarter', '2024-10-01', '2024-12-31'],
  ['2024-12-31', 'last-month', '2024-11-01', '2024-11-30'],
  ['2024-02-29', 'last-1-years', '2023-03-01', '2024-02-29'],
  ['2024-03-31', 'last-1-months', '2024-03-01', '2024-03-31'],
  ['2026-03-08', 'last-7-days', '2026-03-02', '2026-03-08'],
  ['2026-11-02', 'last-2-days', '2026-11-01', '2026-11-02'],
  ['2026-03-15', 'last-week', '2026-03-02', '2026-03-08'],
])('at the turn of %s, reads %s as the period from %s to %s', (turn, words, first, last) => {
  expect(parsePeriod(words, turn)).toEqual({ first, last });
});

test.each([
  ...['2026-00', '2026-13', '2026-Q5', '2025-w53', '2026-w00', '03/04/2026', 'last-0-days'],
  ...['last-24-hours', 'next-month', 'last-decade', 'last-9999-years', ''],
])('does not read %j as a period', (words) => {
  expect(parsePeriod(words, today)).toBeUndefined();
});

test.each([
  ['last-24-hours', 'last-2-days'],
  ['48h', 'last-3-days'],
  ['last-7-days', undefined],
])('suggests whole days for %s: %s', (typed, days) => {
  expect(daysOfHours(typed)).toBe(days);
});
