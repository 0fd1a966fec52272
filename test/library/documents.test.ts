/** The programs in the documentation of the library run as they are printed. */
import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { transform } from 'esbuild';
import { expect, test } from 'vitest';
import { project, typeErrors } from './package.ts';
import { openShop } from './shop.ts';

function programsIn(path: string): string[] {
  const blocks = readFileSync(path, 'utf8').matchAll(/^```ts$\n([\s\S]*?)^```$/gm);
  return [...blocks].map(([, program = '']) => program);
}

const programs = programsIn('docs/library.md');

test.each([
  ['A first program', /^\w+ \d+\.\d\d USD$/m],
  ['Lists', /^1\d{3} \d+ \S/m],
  ['Writes', /^Refund 37\.00 USD .*\? \[\]\n1\d{3}$/m],
  ['Errors', /^refused 403 .* false$/m],
])('runs the program of %s', async (title, printed) => {
  const index = ['A first program', 'Lists', 'Writes', 'Errors'].indexOf(title);
  const text = programs[index] ?? '';
  const { sandbox } = await openShop();
  const folder = project({ 'program.ts': text });
  expect(await typeErrors(folder)).toBe('');
  const { code } = await transform(text, { loader: 'ts', target: 'node20' });
  writeFileSync(join(folder, 'program.mjs'), code);
  const { NODE_OPTIONS = '', PATH = '' } = process.env;
  const env = { PATH, NODE_OPTIONS, CB_API_KEY: sandbox.apiKey, CB_BASE_URL: sandbox.baseUrl };
  const file = join(folder, 'program.mjs');
  const { stdout, stderr } = await promisify(execFile)(process.execPath, [file], { env });
  expect(stdout + stderr).toMatch(printed);
});

test('has a test for each program', () => {
  expect(programs).toHaveLength(4);
  expect(programsIn('docs/testing.md')).toHaveLength(1);
});

test('runs the example for Vitest', async () => {
  const [example = ''] = programsIn('docs/testing.md');
  const folder = project({ 'shop.test.ts': example });
  expect(await typeErrors(folder)).toBe('');
  const vitest = resolve('node_modules/vitest/vitest.mjs');
  const { NODE_OPTIONS = '', PATH = '' } = process.env;
  const ran = await promisify(execFile)(process.execPath, [vitest, 'run', '--root', folder], {
    cwd: folder,
    env: { PATH, NODE_OPTIONS, HOME: folder, CI: 'true', NO_COLOR: '1' },
  });
  expect(ran.stdout).toMatch(/Tests +3 passed \(3\)/);
});
