/** Imports that Ctrl-C stops. */
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { type Sandbox, startSandbox } from '../../../src/sandbox/http/server.ts';
import { cb, emptyHome } from '../../support/binary.ts';

interface World {
  readonly sandbox: Sandbox;
  readonly home: string;
  start(args: readonly string[]): ReturnType<typeof cb>;
}

async function world(): Promise<World> {
  const sandbox = await startSandbox({ file: ':memory:' });
  onTestFinished(() => sandbox.close());
  const home = emptyHome();
  const env = { CB_BASE_URL: sandbox.url, CB_API_KEY: sandbox.keys[0]?.key ?? '' };
  const start = (args: readonly string[]) => cb(args, { home, env });
  return { sandbox, home, start };
}

function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}

/** The result file of `count` finished rows. */
function expectAllDone(path: string, rows: number): void {
  const lines = readFileSync(path, 'utf8').trimEnd().split('\n').slice(1);
  expect(lines).toHaveLength(rows);
  for (const line of lines) expect(line).toMatch(/,(done|already there),$/);
}

test('finishes requests in progress on Ctrl-C, ends with exit code 130, and continues in the next run', async () => {
  const at = await world();
  const file = join(at.home, 'shipped.csv');
  const rows = Array.from({ length: 100 }, (_, i) => `PARCEL01,IMPORT${i}`);
  writeFileSync(file, ['receipt,tracking', ...rows].join('\n'));
  at.sandbox.setFaults('latency=20ms');
  const args = ['ship', 'notice', 'import', file, '--carrier', 'USPS', '--date', 'today', '--yes'];
  const journal = `${file}.cb-journal`;
  const running = at.start(args);
  while (sizeOf(journal) < 1000) await new Promise((done) => setTimeout(done, 2));
  running.child.kill('SIGINT');
  expect((await running.ended()).code).toBe(130);
  const states = readFileSync(journal, 'utf8').trimEnd().split('\n').slice(1);
  expect(states.at(-1)).toContain('"state":"done"');
  expect(states.length).toBeLessThan(200);
  at.sandbox.setFaults(undefined);
  expect((await at.start(args).ended()).code).toBe(0);
  expectAllDone(`${file}.results.csv`, 100);
});
