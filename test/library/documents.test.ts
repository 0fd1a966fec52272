/** The programs in the documentation of the library run as they are printed. */
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
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
const [example = '', ...others] = programsIn('docs/testing.md');

test('has a test for each program, and all of them compile', async () => {
  expect(programs).toHaveLength(4);
  expect(others).toEqual([]);
  const files = programs.map((text, i) => [`program${i}.ts`, text]);
  const folder = project({ ...Object.fromEntries(files), 'shop.test.ts': example });
  expect(await typeErrors(folder)).toBe('');
});

const { NODE_OPTIONS = '', PATH = '' } = process.env;

test.each([
  ['A first program', /^\w+ \d+\.\d\d USD$/m],
  ['Lists', /^1\d{3} \d+ \S/m],
  ['Writes', /^Refund 37\.00 USD .*\? \[\]\n1\d{3}$/m],
  ['Errors', /^refused 403 .* false$/m],
])('runs the program of %s', async (title, printed) => {
  const index = ['A first program', 'Lists', 'Writes', 'Errors'].indexOf(title);
  const { code } = await transform(programs[index] ?? '', { loader: 'ts', target: 'node20' });
  const { sandbox } = await openShop();
  const file = join(project({ 'program.mjs': code }), 'program.mjs');
  const env = { PATH, NODE_OPTIONS, CB_API_KEY: sandbox.apiKey, CB_BASE_URL: sandbox.baseUrl };
  const { stdout, stderr } = await promisify(execFile)(process.execPath, [file], { env });
  expect(stdout + stderr).toMatch(printed);
});

test('runs the example for Vitest', async () => {
  const folder = project({ 'shop.test.ts': example });
  const vitest = resolve('node_modules/vitest/vitest.mjs');
  const ran = await promisify(execFile)(process.execPath, [vitest, 'run', '--root', folder], {
    cwd: folder,
    env: { PATH, NODE_OPTIONS, HOME: folder, CI: 'true', NO_COLOR: '1' },
  });
  expect(ran.stdout).toMatch(/Tests +3 passed \(3\)/);
});
