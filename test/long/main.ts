/** `npm run test:long`: the tests with large counts, all of them or in parts. */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { runMain } from '../support/main.ts';
import { type Part, parts } from './parts.ts';

const usage = `Usage: npm run test:long -- [options]

  --part <name>  Only one part: ${parts.map(({ name }) => name).join(', ')}
  --today        Only the part of today, a different one each day
  --seed <n>     Other random cases than the usual ones
  --list         Print the names of the parts`;

const root = fileURLToPath(new URL('../../', import.meta.url));

function argsOf({ files = [], titles, script }: Part): readonly string[] {
  if (script) return ['node_modules/tsx/dist/cli.mjs', ...script];
  const paths = files.map((file) => `test/${file}.test.ts`);
  const missing = paths.filter((path) => !existsSync(root + path));
  if (missing.length > 0) throw new Error(`parts.ts: there is no ${missing.join(', ')}`);
  const named = titles === undefined ? [] : ['--testNamePattern', titles];
  const vitest = ['node_modules/vitest/vitest.mjs', 'run', '--config', '.vitest.config.ts'];
  return [...vitest, ...named, ...paths];
}

function passes(part: Part, seed: string | undefined): boolean {
  console.log(`part ${part.name}${seed === undefined ? '' : `, seed ${seed}`}`);
  const { needs } = part;
  if (needs !== undefined && spawnSync(needs, ['--version']).status !== 0) {
    console.log(`ok: part ${part.name} is not run, ${needs} is not installed`);
    return true;
  }
  const { CB_TEST_REPORT: _, ...env } = process.env;
  const start = performance.now();
  const { status } = spawnSync(process.execPath, argsOf(part), {
    cwd: root,
    env: { ...env, CB_TEST_LONG: '1', ...(seed !== undefined && { CB_TEST_SEED: seed }) },
    stdio: 'inherit',
  });
  const seconds = Math.round((performance.now() - start) / 1000);
  console.log(`${status === 0 ? 'ok' : 'FAILED'}: part ${part.name}, ${seconds} s`);
  return status === 0;
}

function main(): number {
  const { values } = parseArgs({
    options: {
      list: { type: 'boolean' },
      part: { type: 'string' },
      seed: { type: 'string' },
      today: { type: 'boolean' },
    },
  });
  if (values.list) {
    console.log(parts.map(({ name }) => name).join('\n'));
    return 0;
  }
  const named = parts.filter(({ name }) => values.part === undefined || name === values.part);
  if (named.length === 0) throw new Error(`There is no part '${values.part}'.`);
  // The parts take turns by the days since 1970.
  const daily = parts.filter(({ isLonger }) => !isLonger);
  const today = Math.floor(Date.now() / 86_400_000) % daily.length;
  const chosen = values.today ? daily.slice(today, today + 1) : named;
  for (const part of chosen) argsOf(part);
  const failed = chosen.filter((part) => !passes(part, values.seed));
  return failed.length === 0 ? 0 : 1;
}

runMain(usage, main);
