/**
 * `npm run test:days`: runs the tests that depend on the day at other times and in other time zones.
 * libfaketime shifts the clock of the test process and its child processes (decision 023).
 */
import { spawnSync } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { runMain } from '../support/main.ts';
import { clockAt, filesThatDependOnTheDay, type Point, points, samplePoints } from './points.ts';

const usage = `Usage: npm run test:days -- [options] [test files]

  --all            Run at all ${points.length} points instead of a sample
  --count <n>      Number of points in the sample (default: 2)
  --seed <n>       Take the sample of an earlier run
  --at <time>      Run at one moment, such as 2028-02-29T23:59:00-08:00
  --zone <name>    Time zone for --at (default: UTC)

Without test files, runs all that depend on the day. Needs faketime (Debian: apt-get install faketime).`;

const root = fileURLToPath(new URL('../../', import.meta.url));

/** Runs the files at a point, and prints their output if they fail. */
function passesAt({ at, zone, what }: Point, files: readonly string[]): boolean {
  const start = performance.now();
  const flags = ['--config', '.vitest.config.ts', '--silent', '--reporter=dot', '--no-color'];
  const args = ['node_modules/vitest/vitest.mjs', 'run', ...flags, ...files];
  const { status, stdout, stderr } = spawnSync(process.execPath, args, {
    cwd: root,
    env: { ...process.env, ...clockAt(at, zone) },
    encoding: 'utf8',
    maxBuffer: 1 << 28,
  });
  const seconds = Math.round((performance.now() - start) / 1000);
  console.log(`${status === 0 ? 'ok' : 'FAILED'}: ${at}, TZ=${zone} (${what}), ${seconds} s`);
  if (status !== 0) console.log(stdout + stderr);
  return status === 0;
}

function choosePoints(options: ReturnType<typeof readOptions>['values']): readonly Point[] {
  const { at, zone = 'UTC', all, seed, count = '2' } = options;
  if (at !== undefined) {
    if (Number.isNaN(Date.parse(at))) throw new Error(`--at ${at} is not a date and time`);
    return [{ at, zone, what: 'given by --at' }];
  }
  if (all) return points;
  const chosen = seed === undefined ? randomInt(1, 1_000_000) : wholeNumber('--seed', seed);
  console.log(`sample of seed ${chosen}; take it again with --seed ${chosen}`);
  return samplePoints(chosen, wholeNumber('--count', count));
}

function wholeNumber(flag: string, typed: string): number {
  if (/^[1-9]\d{0,8}$/.test(typed)) return Number(typed);
  throw new Error(`${flag} ${typed} is not a positive whole number`);
}

function readOptions() {
  return parseArgs({
    allowPositionals: true,
    options: {
      all: { type: 'boolean' },
      at: { type: 'string' },
      count: { type: 'string' },
      seed: { type: 'string' },
      zone: { type: 'string' },
    },
  });
}

function main(): number {
  const { values, positionals } = readOptions();
  if (spawnSync('faketime', ['--version']).status !== 0) {
    console.error('faketime is not installed. On Debian: apt-get install faketime');
    return 1;
  }
  const files = positionals.length > 0 ? positionals : filesThatDependOnTheDay();
  const chosen = choosePoints(values);
  console.log(`${chosen.length} points, ${files.length} test files`);
  const failed = chosen.filter((point) => !passesAt(point, files)).length;
  console.log(`${chosen.length - failed} passed, ${failed} failed`);
  return failed === 0 ? 0 : 1;
}

runMain(usage, main);
