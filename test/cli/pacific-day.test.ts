/** Days of the service, which are reckoned here, held against the zones that Node knows. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { pacificDay } from '../../src/cli/pacific-day.ts';

const zone = new Intl.DateTimeFormat('sv-SE', { timeZone: 'America/Los_Angeles' });

test('any moment since 2007 falls on the day that it falls on in California', () => {
  const moments = fc.date({
    min: new Date('2007-01-01T00:00Z'),
    max: new Date('2037-12-31T23:59Z'),
  });
  fc.assert(
    fc.property(
      moments.filter((moment) => !Number.isNaN(moment.getTime())),
      (moment) => {
        expect(pacificDay(moment)).toBe(zone.format(moment));
      },
    ),
    { numRuns: 2000 },
  );
});

test('the days on which the clocks change begin and end when they do in California', () => {
  for (let year = 2007; year <= 2037; year++) {
    for (const month of [2, 10]) {
      for (let hour = 0; hour < 16 * 24; hour++) {
        for (const minute of [0, 59]) {
          const moment = new Date(Date.UTC(year, month, 1, hour, minute));
          expect(pacificDay(moment)).toBe(zone.format(moment));
        }
      }
    }
  }
});

test('days before 2007 followed other rules, and are not told', () => {
  expect(pacificDay(new Date('2006-12-31T12:00Z'))).toBeUndefined();
});
