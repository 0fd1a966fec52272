/** Selects the test files that depend on the day. */
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../', import.meta.url));

/** Patterns of tests that use the clock of the machine: the built program, and a sandbox without its own clock. */
const usesClock =
  /support\/(binary|example-world)\.ts|new Date\(\)|Date\.now\(\)|startSandbox\(\{(?![^}]*\bnow\b)/;

/** Patterns of tests with their own clock, where the time zone of the process may still matter. */
const isAboutDays =
  /dates\/[\w-]+\.test\.ts$|(dates|days|lists\/orders|pacific|billing|schedule|requests|subscription|quickstats|ticket-search|windows)[\w-]*\.test\.ts$/;

/**
 * Tests that start the built program but do not depend on the day: the size of loaded
 * code, load, keys, faults, kills, locks, other programs (a browser, a spreadsheet, a keychain), files, memory,
 * and pipes. The harness itself sets its own clocks and time zones.
 */
const isAboutOtherThings =
  /(startup|compile|kills?|killed|two-at-once|passwords|interrupts|types|https|generated|loopback-only|load|durable|attacks|memory|pipes|proxy|disk|keychain|keys-file|canary|faults|spreadsheet|report|picture|adversary|storage\/lock|shifted-clock)\.test\.ts$/;

/** The paths of the test files, relative to the root of the repository. */
export function filesThatDependOnTheDay(): string[] {
  return readdirSync(`${root}test`, { recursive: true, encoding: 'utf8' })
    .map((name) => `test/${name}`)
    .filter((path) => path.endsWith('.test.ts') && !isAboutOtherThings.test(path))
    .filter((path) => isAboutDays.test(path) || usesClock.test(readFileSync(root + path, 'utf8')))
    .sort();
}
