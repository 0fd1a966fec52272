/** Lengths of time as people type them. */
import { expect, test } from 'vitest';
import { durationText, parseDuration } from '../../src/dates/duration.ts';

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

test.each(['', 's', '-1s', '1e3', '30x', '1:30', '30s 5', 'Infinity', '9999999999'])(
  'does not read %j as a duration',
  (typed) => {
    expect(parseDuration(typed, 's')).toBeUndefined();
  },
);

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
