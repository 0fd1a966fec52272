/** The times and time zones at which the tests that depend on the day must pass. */
import { uniformInt } from 'pure-rand/distribution/uniformInt';
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';

interface Moment {
  /** An ISO 8601 date and time with its offset. */
  readonly at: string;
  readonly what: string;
}

export interface Point extends Moment {
  /** The time zone of the processes. */
  readonly zone: string;
}

const moments: readonly Moment[] = [
  { at: '2027-05-11T23:59:00Z', what: 'one minute before midnight UTC' },
  { at: '2027-05-12T00:01:00Z', what: 'one minute after midnight UTC' },
  { at: '2027-05-12T23:59:00-07:00', what: 'one minute before midnight Pacific' },
  { at: '2027-05-13T00:01:00-07:00', what: 'one minute after midnight Pacific' },
  { at: '2027-03-14T01:59:00-08:00', what: 'one minute before daylight saving time starts' },
  { at: '2027-03-14T03:01:00-07:00', what: 'one minute after daylight saving time starts' },
  { at: '2027-11-07T01:59:00-07:00', what: 'one minute before daylight saving time ends' },
  { at: '2027-11-07T01:01:00-08:00', what: 'one minute after daylight saving time ends' },
  { at: '2028-02-28T12:00:00-08:00', what: 'February 28 of a leap year' },
  { at: '2028-02-29T00:01:00-08:00', what: 'the start of February 29' },
  { at: '2028-02-29T23:59:00-08:00', what: 'the end of February 29' },
  { at: '2028-03-01T12:00:00-08:00', what: 'March 1 of a leap year' },
  { at: '2027-12-31T23:59:00-08:00', what: 'the last minute of a year' },
  { at: '2028-01-01T00:01:00-08:00', what: 'the first minute of a year' },
  { at: '2027-04-30T17:30:00-07:00', what: 'the last day of a month, the next one in UTC' },
  { at: '2027-05-01T00:01:00-07:00', what: 'the first day of a month' },
  // Most tests set their clock to March 18, 2026.
  { at: '2026-01-31T23:59:00-08:00', what: 'before the day that other tests are pinned to' },
];

const zones = ['UTC', 'America/Los_Angeles', 'Asia/Tokyo', 'Pacific/Auckland'];

export const points: readonly Point[] = moments.flatMap((moment) =>
  zones.map((zone) => ({ ...moment, zone })),
);

/** Picks `count` points with different times and, if possible, different zones, reproducible by seed. */
export function samplePoints(seed: number, count: number): Point[] {
  const shuffledZones = shuffle(zones, seed);
  return shuffle(moments, seed)
    .slice(0, count)
    .map((moment, index) => ({ ...moment, zone: shuffledZones[index % zones.length] ?? 'UTC' }));
}

function shuffle<T>(items: readonly T[], seed: number): T[] {
  const random = xoroshiro128plus(seed);
  const left = [...items];
  return items.flatMap((_, index) =>
    left.splice(uniformInt(random, 0, items.length - index - 1), 1),
  );
}
