/**
 * `npm run test:mutants`: changes the code in a copy of the repository, one place at a time, and runs the nearest tests.
 * Prints how many changes they noticed, and the others.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { uniformInt } from 'pure-rand/distribution/uniformInt';
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';
import { runMain } from '../support/main.ts';
import { type Area, areas } from './areas.ts';
import { type Change, changesOf } from './changes.ts';
import { whyUnnoticed } from './equivalent.ts';
import { nearestTests } from './nearest.ts';

const usage = `Usage: npm run test:mutants -- [options]

  --count <n>    Number of changes, as many from each area (default: 200)
  --seed <hex>   Selects the changes (default: 5ffdb24c, a commit before the tests that are measured)
  --area <name>  Only this one of: ${areas.map(({ name }) => name).join(', ')}
  --list         Print the changes and their tests, and run nothing`;

const root = fileURLToPath(new URL('../../', import.meta.url));
/** Of those that import the changed file. */
const mostNear = 8;
/** In milliseconds: a loop that the change keeps from ending is stopped then. */
const longest = 900_000;

interface Mutant extends Change {
  readonly area: string;
  /** Run one after the other until one of them fails. */
  readonly stages: readonly (readonly string[])[];
}

const files = execFileSync('git', ['ls-files', '-z'], { cwd: root, encoding: 'utf8' })
  .split('\0')
  .filter(Boolean);
const sources = new Map(
  files
    .filter((file) => /^(?:src|test)\/.*\.ts$/.test(file))
    .map((file) => [file, readFileSync(join(root, file), 'utf8')]),
);

/** The same from the same code and seed: in turns from each area. */
function sample(some: readonly Area[], count: number, seed: string): Mutant[] {
  const random = xoroshiro128plus(Number.parseInt(seed, 16));
  const nearest = nearestTests(sources, mostNear);
  const taken = new Set<string>();
  const pools = some.map((area) => {
    const named = [...sources.keys()].filter((file) =>
      area.sources.some((one) => file.startsWith(one)),
    );
    const missing = area.sources.filter((one) => !named.some((file) => file.startsWith(one)));
    if (missing.length > 0) throw new Error(`areas.ts: no file begins with ${missing.join(', ')}`);
    return { area, left: named.sort().flatMap((file) => changesOf(file, sources.get(file) ?? '')) };
  });
  const found: Mutant[] = [];
  while (found.length < count && pools.some(({ left }) => left.length > 0)) {
    for (const { area, left } of pools) {
      if (left.length === 0 || found.length === count) continue;
      const [change] = left.splice(uniformInt(random, 0, left.length - 1), 1);
      const id = change && `${change.file} ${change.start} ${change.after}`;
      if (!change || !id || taken.has(id)) continue;
      taken.add(id);
      const near = nearest(change.file);
      const others = area.tests
        .flatMap((one) => files.filter((file) => file.startsWith(one) && file.endsWith('.test.ts')))
        .filter((file) => !near.includes(file));
      const stages = [near, others].filter((one) => one.length > 0);
      found.push({ ...change, area: area.name, stages });
    }
  }
  return found;
}

/** A copy of the working tree, so that a run that is interrupted leaves no changed code. */
function copyRepository(): string {
  const copy = mkdtempSync(join(tmpdir(), 'cb-mutants-'));
  for (const file of files) cpSync(join(root, file), join(copy, file));
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
  // Some tests list the files of the repository.
  spawnSync('git', ['init', '--quiet'], { cwd: copy });
  spawnSync('git', ['add', '--all'], { cwd: copy });
  return copy;
}

/** What the last tests wrote. */
let output = '';

/** Runs tests until one fails. The bundle is built first if one of them starts the program. */
function run(copy: string, tests: readonly string[]): 'passed' | 'failed' | 'timed out' {
  const options = { cwd: copy, encoding: 'utf8', timeout: longest, killSignal: 'SIGKILL' } as const;
  const call = (...args: readonly string[]) => {
    const { status, signal, stdout, stderr } = spawnSync(process.execPath, args, options);
    output = stdout + stderr;
    if (signal !== null) return 'timed out';
    return status === 0 ? 'passed' : 'failed';
  };
  if (tests.some((file) => /support\/(binary|pty)/.test(sources.get(file) ?? ''))) {
    const built = call('node_modules/tsx/dist/cli.mjs', 'src/build/bundle.ts');
    if (built !== 'passed') return built;
  }
  const flags = ['--config', '.vitest.config.ts', '--bail=1', '--silent', '--reporter=dot'];
  // Many changes make a test wait forever.
  const limits = ['--test-timeout=120000', '--hook-timeout=120000'];
  return call('node_modules/vitest/vitest.mjs', 'run', ...flags, ...limits, '--no-color', ...tests);
}

function runChanged(copy: string, { file, start, end, after, stages }: Mutant) {
  const code = sources.get(file) ?? '';
  writeFileSync(join(copy, file), code.slice(0, start) + after + code.slice(end));
  try {
    for (const tests of stages) {
      const result = run(copy, tests);
      if (result === 'passed') continue;
      writeFileSync(join(copy, file), code);
      requirePassing(copy, tests);
      return result;
    }
    return 'passed';
  } finally {
    writeFileSync(join(copy, file), code);
  }
}

const passing = new Set<string>();

/** A test that fails without a change notices nothing. Each list of tests is run once. */
function requirePassing(copy: string, tests: readonly string[]): void {
  if (passing.has(tests.join())) return;
  const said = output;
  if (run(copy, tests) !== 'passed') {
    throw new Error(`Tests fail without a change.\n${said.slice(-2000)}\n${output.slice(-2000)}`);
  }
  passing.add(tests.join());
}

const words = { passed: 'UNNOTICED', failed: 'noticed  ', 'timed out': 'timed out' };

function describe({ area, file, line, kind, before, after }: Mutant): string {
  const short = (text: string) => text.replaceAll(/\s+/g, ' ').slice(0, 70);
  return `${file}:${line} (${area}, ${kind}) ${short(before)}  ->  ${short(after)}`;
}

function main(): number {
  const options = {
    area: { type: 'string' },
    count: { type: 'string', default: '200' },
    list: { type: 'boolean' },
    seed: { type: 'string', default: '5ffdb24c' },
  } as const;
  const { values } = parseArgs({ options });
  const some = areas.filter(({ name }) => values.area === undefined || name === values.area);
  if (some.length === 0) throw new Error(`There is no area '${values.area}'.`);
  const mutants = sample(some, Number(values.count), values.seed);
  if (values.list) {
    for (const one of mutants) console.log([describe(one), ...one.stages].join('\n  '));
    return 0;
  }
  const copy = copyRepository();
  try {
    const unnoticed = mutants.filter((one) => {
      const result = runChanged(copy, one);
      console.log(`${words[result]} ${describe(one)}`);
      return result === 'passed';
    });
    const equal = unnoticed.filter((one) => whyUnnoticed(one) !== undefined);
    const others = unnoticed.filter((one) => !equal.includes(one));
    const changing = mutants.length - equal.length;
    const noticed = changing - others.length;
    const share = ((100 * noticed) / changing).toFixed(1);
    console.log(
      `\nSeed ${values.seed}: ${noticed} of ${changing} that change behavior were noticed (${share} %).`,
    );
    if (others.length > 0) console.log(`Not noticed:\n${others.map(describe).join('\n')}`);
    for (const one of equal) console.log(`Equivalent: ${describe(one)}\n  ${whyUnnoticed(one)}`);
    return 0;
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
}

runMain(usage, main);
