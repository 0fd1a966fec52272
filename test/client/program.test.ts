/** The client and the workflows are a library that works without the command line. */
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { expect, onTestFinished, test } from 'vitest';
import { serveSandbox } from '../support/sandbox.ts';

const program = fileURLToPath(new URL('./program.ts', import.meta.url));

async function bundle() {
  const folder = mkdtempSync(join(tmpdir(), 'cb-program-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const outfile = join(folder, 'program.mjs');
  const banner = "import { createRequire } from 'node:module';const require = createRequire('/');";
  const { metafile } = await build({
    ...{ entryPoints: [program], outfile, bundle: true, metafile: true },
    ...{ platform: 'node', format: 'esm', banner: { js: banner } },
  });
  return { outfile, sources: Object.keys(metafile.inputs) };
}

test('lists orders, follows pages, and creates a ticket once from a program that imports only the client and the workflows', async () => {
  const { outfile, sources } = await bundle();
  const { sandbox, key } = await serveSandbox({ orders: 250 });
  const { stdout } = await promisify(execFile)(process.execPath, [outfile, sandbox.url, key]);
  const { amounts, pages, created, again } = JSON.parse(stdout);
  expect(pages.length).toBeGreaterThan(1);
  expect(amounts).toMatchObject({ DIGITAL1: '37.00' });
  expect(created).toMatchObject({ receipt: 'DIGITAL1', type: 'REFUND', refundAmount: '37.00' });
  expect(again).toBe('existing-match');
  const rooms = sources.flatMap((file) => /^src\/(\w+)\//.exec(file)?.[1] ?? []);
  expect(new Set(rooms)).toEqual(
    new Set(['client', 'dates', 'operations', 'storage', 'workflows']),
  );
});
