/** The periods of the benchmark, which must return the same rows however a client splits them. */
import { expect, test } from 'vitest';
import { offsetOf, pagesADay, pagesIn, periodOf, placeOf } from './days.ts';

const placesIn = (startDate: string, endDate: string) => {
  const period = { startDate, endDate };
  return Array.from({ length: pagesIn(period) }, (_, i) => placeOf(period, i + 1));
};

test('returns the same pages for a split period as for the whole, in order', () => {
  const parts = [...placesIn('2025-12-30', '2025-12-31'), ...placesIn('2025-12-27', '2025-12-29')];
  expect(parts).toEqual(placesIn('2025-12-27', '2025-12-31'));
  expect(parts).toHaveLength(5 * pagesADay);
});

test('generates at least the requested pages of a period, in whole days', () => {
  expect(pagesIn(periodOf(1000))).toBe(1000);
  expect(pagesIn(periodOf(1001))).toBe(1000 + pagesADay);
});

test('generates no pages for a reversed period', () => {
  expect(placesIn('2025-12-31', '2025-12-29')).toEqual([]);
});

test('uses the offset after the clock change of a day', () => {
  expect([offsetOf('2025-03-08'), offsetOf('2025-03-09'), offsetOf('2025-11-02')]).toEqual([
    '-08:00',
    '-07:00',
    '-08:00',
  ]);
});
