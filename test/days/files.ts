/** Which test files depend on the day. */
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../', import.meta.url));

/** What runs by the clock of the machine: the built program, and a sandbox that is given no clock. */
const usesClock =
  /support\/(binary|example-world)\.ts|new Date\(\)|Date\.now\(\)|startSandbox\(\{(?![^}]*\bnow\b)/;

/** What works with days at a clock of its own, where the time zone of the process may still matter. */
const isAboutDays =
  /dates\/[\w-]+\.test\.ts$|(dates|days|lists\/orders|pacific|billing|schedule|subscription|quickstats|analytics-periods|ticket-search|windows)[\w-]*\.test\.ts$/;

/**
 * These start the built program, but what they check doesn't depend on the day: the size of what is
 * loaded, load, keys, faults, locks, other programs (a browser, a spreadsheet, a keychain), files, memory
 * and pipes. The harness itself sets its own clocks and time zones.
 */
const isAboutOtherThings =
  /(startup|compile|generated|loopback-only|load|durable|attacks|memory|pace|pipes|proxy|disk|keychain|keys-file|canary|faults|spreadsheet|report|picture|adversary|storage\/lock|shifted-clock)\.test\.ts$/;

/** The paths of the test files, relative to the root of the repository. */
export function filesThatDependOnTheDay(): string[] {
  return readdirSync(`${root}test`, { recursive: true, encoding: 'utf8' })
    .map((name) => `test/${name}`)
    .filter((path) => path.endsWith('.test.ts') && !isAboutOtherThings.test(path))
    .filter((path) => isAboutDays.test(path) || usesClock.test(readFileSync(root + path, 'utf8')))
    .sort();
}
