/** At which times and in which zones which tests must pass, and the environment that shifts their clock. */

import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';

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
  const shuffled = <T>(items: readonly T[]): T[] => {
    const all = fc.shuffledSubarray([...items], { minLength: items.length });
    return fc.sample(all, { seed, numRuns: 1 }).flat();
  };
  const shuffledZones = shuffled(zones);
  return shuffled(moments)
    .slice(0, count)
    .map((moment, index) => ({ ...moment, zone: shuffledZones[index % zones.length] ?? 'UTC' }));
}

const root = fileURLToPath(new URL('../../', import.meta.url));

/** Patterns of tests that use the clock of the machine: the built program, and a sandbox without its own clock. */
const usesClock =
  /(?<!\{ emptyHome \} from '[./]*)support\/(binary|example-world)\.ts|new Date\(\)|Date\.now\(\)|startSandbox\(\{(?![^}]*\bnow\b)/;

/** Patterns of tests with their own clock, where the time zone of the process may still matter. */
const isAboutDays =
  /dates\/[\w-]+\.test\.ts$|(dates|days|\/orders|sync\/tables\/|pacific|lifecycle|schedule|requests|analytics|tickets\/tickets|paging\/lists)[\w-]*\.test\.ts$/;

/**
 * Tests that start the built program but do not depend on the day: the size of loaded
 * code, load, keys, faults, kills, locks, other programs (a browser, a spreadsheet, a keychain), files, memory,
 * and pipes. The harness itself sets its own clocks and time zones.
 */
const isAboutOtherThings =
  /(startup|compile|kills?|killed|two-at-once|passwords|interrupts|types|https|loopback-only|load|durable|attacks|memory|pipes|proxy|disk|keychain|keys-file|canary|faults|spreadsheet|report|picture|adversary|storage\/lock|shifted-clock)\.test\.ts$/;

/** The paths of the test files, relative to the root of the repository. */
export function filesThatDependOnTheDay(): string[] {
  return readdirSync(`${root}test`, { recursive: true, encoding: 'utf8' })
    .map((name) => `test/${name}`)
    .filter((path) => path.endsWith('.test.ts') && !isAboutOtherThings.test(path))
    .filter((path) => isAboutDays.test(path) || usesClock.test(readFileSync(root + path, 'utf8')))
    .sort();
}

/**
 * The environment that sets the time of a program and its child processes to `at` (ISO 8601) in the
 * time zone `zone`. `test/support/child-environment.cjs` passes it to programs with their own environment.
 */
export function clockAt(at: string, zone: string): Record<string, string> {
  const seconds = Math.round((Date.parse(at) - Date.now()) / 1000);
  return {
    TZ: zone,
    // The linker replaces $LIB with the folder of the system.
    LD_PRELOAD: '/usr/$LIB/faketime/libfaketimeMT.so.1',
    FAKETIME: `${seconds < 0 ? '' : '+'}${seconds}s`,
    // Timers and timeouts are not shifted.
    DONT_FAKE_MONOTONIC: '1',
    // Node bypasses libfaketime for file times, so everything sees the real ones.
    NO_FAKE_STAT: '1',
  };
}
