/**
 * `npm run bench:path`: counts the files and named functions of src that `cb orders list -o csv` runs through, and the
 * async generators that its pages cross. V8 counts the calls of a second run, so that what only loads modules is not
 * counted; the sandbox that answers is not either. It fails if that is too much. `--names` prints what was counted.
 */
import { Session } from 'node:inspector/promises';
import { fileURLToPath } from 'node:url';
import { run } from '../../src/run.ts';
import { startSandbox } from '../../src/sandbox/http/server.ts';
import { now, world } from '../support/cb.ts';

/** At most this much may run. */
const limits = { files: 70, functions: 280, generators: 4 };

const source = new URL('../../src/', import.meta.url).href;
/** The sandbox, and what only it needs of `storage`. */
const notOurs = /\/src\/(?:sandbox\/|storage\/sqlite\.ts)/;

const line = 'orders list --period last-7-days -o csv --limit 30';

interface Called {
  readonly file: string;
  readonly name: string;
  readonly isGenerator: boolean;
}

/** The functions of src that are called during the work. */
async function callsOf(work: () => Promise<unknown>): Promise<readonly Called[]> {
  const session = new Session();
  session.connect();
  await session.post('Debugger.enable');
  await session.post('Profiler.enable');
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
  await work();
  const { result } = await session.post('Profiler.takePreciseCoverage');
  const called: Called[] = [];
  for (const { url, scriptId, functions } of result) {
    if (!url.startsWith(source) || notOurs.test(url)) continue;
    const { scriptSource } = await session.post('Debugger.getScriptSource', { scriptId });
    const file = fileURLToPath(url).slice(fileURLToPath(source).length);
    for (const { functionName: name, ranges } of functions) {
      const [range] = ranges;
      // A helper of the compiler.
      if (!range?.count || name === '__name') continue;
      const text = scriptSource.slice(range.startOffset, range.startOffset + 40);
      called.push({ file, name, isGenerator: /^async\s*(?:function\s*)?\*/.test(text) });
    }
  }
  session.disconnect();
  return called;
}

const sandbox = await startSandbox({ file: ':memory:', now: () => now, seed: { orders: 3000 } });
const env = {
  CB_BASE_URL: sandbox.url,
  CB_API_KEY: sandbox.keys.find(({ name }) => name === 'full')?.key ?? '',
};
const list = async () => {
  const { context, stdout, stderr } = world('/nowhere', { env });
  const code = await run(line.split(' '), context);
  const rows = stdout.text.split('\n').length;
  if (code !== 0 || rows < 10) throw new Error(`${rows} rows. ${stderr.text}`);
};
await list();
const called = await callsOf(list);
await sandbox.close();

const named = called.filter(({ name }) => name !== '');
const counts = {
  files: new Set(named.map(({ file }) => file)).size,
  functions: named.length,
  generators: called.filter(({ isGenerator }) => isGenerator).length,
};
if (process.argv.includes('--names')) {
  for (const { file, name, isGenerator } of called) {
    if (name !== '' || isGenerator) console.log(`${file} ${isGenerator ? '*' : ''}${name}`);
  }
}
for (const [what, most] of Object.entries(limits)) {
  const count = counts[what as keyof typeof limits];
  console.log(`${what}: ${count} of at most ${most}`);
  if (count > most) process.exitCode = 1;
}
