/** Days, lengths of time, ages and due times; and Pacific time, computed without Intl, compared with the time zones of Node. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  addDays,
  addMonths,
  dayIn,
  daysBetween,
  daysFrom,
  endOf,
  instantOf,
  isDay,
  pacificDay,
  pacificTime,
  secondOfDay,
  serviceZone,
} from '../../src/dates/day.ts';
import { durationText, parseDuration } from '../../src/dates/duration.ts';
import { ageText, dueText, shortDay, shortTime } from '../../src/dates/wall-time.ts';

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
])('adds months: %s plus %i months, on day %s, is %s', (day, months, anchor, sum) => {
  expect(addMonths(day, months, anchor)).toBe(sum);
});

test('lists the days of a period including both ends, and none for a reversed period', () => {
  expect(daysFrom('2028-02-28', '2028-03-01')).toEqual(['2028-02-28', '2028-02-29', '2028-03-01']);
  expect(daysFrom('2028-03-01', '2028-02-28')).toEqual([]);
});

test.each([
  ['200ms', 200],
  ['30s', 30_000],
  ['30 seconds', 30_000],
  ['2m', 120_000],
  ['5 min', 300_000],
  ['1.5h', 5_400_000],
  ['1 hour', 3_600_000],
  ['2d', 172_800_000],
  ['1w', 604_800_000],
  ['30', 30_000],
])('reads %s as %d milliseconds', (typed, milliseconds) => {
  expect(parseDuration(typed, 's')).toBe(milliseconds);
});

test('reads a number without a unit in the default unit of its option, if there is one', () => {
  expect(parseDuration('30', 'ms')).toBe(30);
  expect(parseDuration('30')).toBeUndefined();
});

test('reads nothing else as a duration', () => {
  for (const typed of ['', 's', '-1s', '1e3', '30x', '1:30', '30s 5', 'Infinity', '9999999999']) {
    expect(parseDuration(typed, 's'), typed).toBeUndefined();
  }
});

test.each([
  [200, '200ms'],
  [10_000, '10s'],
  [90_000, '90s'],
  [120_000, '2m'],
  [3_600_000, '1h'],
  [172_800_000, '2d'],
])('writes %d milliseconds as %s', (milliseconds, text) => {
  expect(durationText(milliseconds)).toBe(text);
});

const zone = new Intl.DateTimeFormat('sv-SE', {
  timeZone: serviceZone,
  dateStyle: 'short',
  timeStyle: 'medium',
});

/** Wall time according to Intl, such as `2026-03-08T03:00:00`. */
const wallTime = (instant: number) => zone.format(instant * 1000).replace(' ', 'T');

const at = (time: string) => Date.parse(time) / 1000;

test('computes the same wall time as Intl for any second since 1990', () => {
  const instants = fc.integer({ min: at('1990-01-01T00:00Z'), max: at('2037-12-31T23:59Z') });
  fc.assert(
    fc.property(instants, (instant) => {
      const time = pacificTime(instant);
      expect(time.slice(0, 19)).toBe(wallTime(instant));
      expect(at(time)).toBe(instant);
      expect(pacificDay(instant)).toBe(time.slice(0, 10));
    }),
    { numRuns: 2000 },
  );
});

test('changes the clocks at the same seconds as Intl', () => {
  for (let year = 2007; year <= 2037; year++) {
    for (const month of [2, 10]) {
      for (let hour = 0; hour < 16 * 24; hour++) {
        const instant = Date.UTC(year, month, 1, hour) / 1000;
        for (const second of [instant - 1, instant]) {
          const time = pacificTime(second);
          expect([time.slice(0, 19), at(time)]).toEqual([wallTime(second), second]);
        }
      }
    }
  }
});

test('starts a day at midnight in Los Angeles, in winter and in summer', () => {
  expect(instantOf('2026-01-15')).toBe(at('2026-01-15T00:00:00-08:00'));
  expect(instantOf('2026-07-15')).toBe(at('2026-07-15T00:00:00-07:00'));
  expect(instantOf('2026-07-15', 43_200)).toBe(at('2026-07-15T12:00:00-07:00'));
});

test('counts 23 hours in a day when clocks go forward and 25 when they go back', () => {
  const hours = (day: string) => (endOf(day) - instantOf(day)) / 3600;
  const days = ['2026-03-07', '2026-03-08', '2026-11-01', '2026-11-02'];
  expect(days.map(hours)).toEqual([24, 23, 25, 24]);
});

test('returns the day and the second of the day in wall time', () => {
  const late = at('2026-02-19T07:59:59Z');
  expect([pacificDay(late), secondOfDay(late)]).toEqual(['2026-02-18', 86_399]);
});

test('returns the day in other time zones, and throws a RangeError for unknown ones', () => {
  const moment = new Date('2026-03-18T23:00:00Z');
  for (const zone of ['Pacific/Auckland', 'Asia/Kolkata']) {
    expect(dayIn(zone, moment)).toBe('2026-03-19');
  }
  for (const zone of ['UTC', 'Pacific/Pago_Pago']) expect(dayIn(zone, moment)).toBe('2026-03-18');
  expect(() => dayIn('Mars/Olympus', moment)).toThrow(RangeError);
});

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

test.each([
  [-hour, '0 min'],
  [0, '0 min'],
  [hour - 1, '59 min'],
  [hour, '1 h'],
  [day - 1, '23 h'],
  [day, '1 d'],
  [400 * day, '400 d'],
])('writes an age of %d ms as %j', (age, text) => {
  expect(ageText(age)).toBe(text);
});

const now = new Date('2026-03-18T18:30:00Z');
const pacific = 'America/Los_Angeles';

test.each([
  ['2026-03-18T18:29:59Z', 'expired'],
  ['2026-03-18T18:30:00Z', 'expired'],
  ['2026-03-18T18:30:01Z', 'today'],
  ['2026-03-19T06:59:59Z', 'today'],
  ['2026-03-19T07:00:00Z', 'in 12 h'],
  ['2026-03-19T18:30:00Z', 'in 1 d'],
  ['2026-03-21T18:29:59Z', 'in 2 d'],
])('writes the due time %s as %j', (due, text) => {
  expect(dueText(new Date(due), now, pacific)).toBe(text);
});

test('counts today in the requested zone', () => {
  const due = new Date('2026-03-19T02:00:00Z');
  expect(dueText(due, now, pacific)).toBe('today');
  expect(dueText(due, now, 'Europe/Berlin')).toBe('in 7 h');
});

test.each([
  ['2026-03-18T11:30:00-07:00', 'Mar 18 11:30'],
  ['2025-10-01T09:05:00-07:00', 'Oct 01 09:05'],
  ['2025-03-18T11:30:00-07:00', 'Mar 18  2025'],
  ['2027-01-02T11:30:00-08:00', 'Jan 02  2027'],
  ['not a time', 'not a time'],
  ['2026-13-45T99:99:99-07:00', '2026-13-45T99:99:99-07:00'],
])('shortens %s to %j', (time, text) => {
  expect(shortTime(time, pacific, now)).toBe(text);
});

test('shortens any time to twelve characters, and a day', () => {
  expect(shortDay('2026-11-20')).toBe('Nov 20');
  fc.assert(
    fc.property(fc.date({ min: new Date(0), max: new Date(4e12), noInvalidDate: true }), (date) => {
      expect(shortTime(date.toISOString(), pacific, now)).toHaveLength(12);
    }),
  );
});
