/** Compares Pacific time, which is computed without Intl, with the time zones of Node. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  dayIn,
  endOf,
  instantOf,
  pacificDay,
  pacificTime,
  secondOfDay,
  serviceZone,
} from '../../src/dates/pacific.ts';

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
          expect(pacificTime(second).slice(0, 19)).toBe(wallTime(second));
        }
      }
    }
  }
});

test.each([
  ['2026-03-08T07:59:59Z', '2026-03-07'],
  ['2026-03-08T08:00:00Z', '2026-03-08'],
  ['2026-03-09T06:59:59Z', '2026-03-08'],
  ['2026-03-09T07:00:00Z', '2026-03-09'],
  ['2027-01-01T07:59:59Z', '2026-12-31'],
])('converts %s to the Pacific day %s', (moment, day) => {
  expect(dayIn(serviceZone, new Date(moment))).toBe(day);
});

test('starts a day at midnight in Los Angeles, in winter and in summer', () => {
  expect(instantOf('2026-01-15')).toBe(at('2026-01-15T00:00:00-08:00'));
  expect(instantOf('2026-07-15')).toBe(at('2026-07-15T00:00:00-07:00'));
  expect(instantOf('2026-07-15', 43_200)).toBe(at('2026-07-15T12:00:00-07:00'));
});

test('counts 23 hours in a day when clocks go forward and 25 when they go back', () => {
  const hours = (day: string) => (endOf(day) - instantOf(day)) / 3600;
  expect(['2026-03-07', '2026-03-08', '2026-11-01', '2026-11-02'].map(hours)).toEqual([
    24, 23, 25, 24,
  ]);
});

test('writes times as wall time with the offset of that moment', () => {
  expect(pacificTime(at('2026-03-08T09:59:59Z'))).toBe('2026-03-08T01:59:59-08:00');
  expect(pacificTime(at('2026-03-08T10:00:00Z'))).toBe('2026-03-08T03:00:00-07:00');
  expect(pacificTime(at('2026-11-01T08:30:00Z'))).toBe('2026-11-01T01:30:00-07:00');
  expect(pacificTime(at('2026-11-01T09:30:00Z'))).toBe('2026-11-01T01:30:00-08:00');
});

test('returns the day and the second of the day in wall time', () => {
  const late = at('2026-02-19T07:59:59Z');
  expect([pacificDay(late), secondOfDay(late)]).toEqual(['2026-02-18', 86_399]);
});

test('returns the day in other time zones, and throws a RangeError for unknown ones', () => {
  const moment = new Date('2026-03-18T12:00:00Z');
  const zones = ['Pacific/Auckland', 'Asia/Kolkata', 'UTC', 'Pacific/Pago_Pago'];
  expect(zones.map((name) => dayIn(name, new Date('2026-03-18T23:00:00Z')))).toEqual([
    '2026-03-19',
    '2026-03-19',
    '2026-03-18',
    '2026-03-18',
  ]);
  expect(() => dayIn('Mars/Olympus', moment)).toThrow(RangeError);
});
