/**
 * `npm run bench:path`: counts the files and functions of src that run for `cb orders list -o csv`, without those of the
 * sandbox, and the async generators that a page crosses. V8 counts the calls; the command runs once before, so that what
 * only loads modules is not counted.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { Session } from 'node:inspector/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { run } from '../../src/cli/runtime/run.ts';
import { startSandbox } from '../../src/sandbox/http/server.ts';
import { now, world } from '../support/cb.ts';

const source = fileURLToPath(new URL('../../src/', import.meta.url));
const line = 'orders list --sandbox --period last-7-days -o csv --limit 30'.split(' ');

/** At most this much runs. */
const limits = { files: 70, functions: 280, generators: 4 };

interface Called {
  readonly file: string;
  readonly name: string;
  readonly text: string;
}

async function calledBy(work: () => Promise<unknown>): Promise<readonly Called[]> {
  const session = new Session();
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
  await work();
  const { result } = await session.post('Profiler.takePreciseCoverage');
  session.disconnect();
  const own = result.filter(({ url }) => url.startsWith(`file://${source}`));
  return own.flatMap(({ url, functions }) => {
    const path = fileURLToPath(url.split('?', 1)[0] ?? url);
    if (path.startsWith(`${source}sandbox/`)) return [];
    return functions
      .filter(({ functionName, ranges }) => functionName !== '' && ranges[0]?.count)
      .map(({ functionName: name }) => ({ file: path.slice(source.length), name, text: '' }));
  });
}
const folder = mkdtempSync(join(tmpdir(), 'cb-path-'));
const data = join(folder, '.local/share/clickbank-cli');
const sandbox = await startSandbox({
  file: join(data, 'sandbox.sqlite'),
  now: () => now,
  seed: { orders: 300 },
});
await sandbox.close();
const list = async () => {
  const { context, stdout } = world(folder, {});
  const code = await run(line, context);
  if (code !== 0 || stdout.text.split('\n').length < 10) throw new Error(stdout.text);
};
await list();
const called = await calledBy(list);
console.log(new Set(called.map(({ file }) => file)).size, called.length);
const byFile = new Map<string, string[]>();
for (const { file, name } of called) byFile.set(file, [...(byFile.get(file) ?? []), name]);
for (const [file, names] of [...byFile].sort()) console.log(file, names.length, names.join(' '));
rmSync(folder, { recursive: true });
