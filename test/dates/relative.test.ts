/** Ages, due times, and short times. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ageText, dueText, shortDay, shortTime } from '../../src/dates/relative.ts';

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

test('shortens any time to twelve characters', () => {
  fc.assert(
    fc.property(fc.date({ min: new Date(0), max: new Date(4e12), noInvalidDate: true }), (date) => {
      expect(shortTime(date.toISOString(), pacific, now)).toHaveLength(12);
    }),
  );
});

test('shortens a day', () => {
  expect(shortDay('2026-11-20')).toBe('Nov 20');
});
