/** The generated files in the repository match the current commands. */
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from '../../src/build/compile.ts';
import { referenceFiles } from '../../src/build/generated.ts';
import { shells } from '../../src/shell/completion/shells.ts';
import { home } from '../support/cb.ts';

const manFolder = 'completions/man';

const committed = (name: string) => readFileSync(join(root, name), 'utf8');

test('has up-to-date man pages and an up-to-date command reference (npm run reference)', async () => {
  const files = referenceFiles();
  for (const { name, text } of files) {
    expect(text === committed(name), `${name}: run npm run reference`).toBe(true);
  }
  const pages = files.map(({ name }) => name).filter((name) => name.startsWith(`${manFolder}/`));
  const inFolder = readdirSync(join(root, manFolder)).map((name) => `${manFolder}/${name}`);
  expect(inFolder.sort()).toEqual([...pages].sort());
});

test.each(Object.entries(shells))('prints the shipped script of %s', async (shell, { file }) => {
  const { code, out, err } = await home().cb(`completion ${shell}`, { columns: 40 });
  expect({ code, err }).toEqual({ code: 0, err: '' });
  expect(out === committed(`completions/${file}`)).toBe(true);
});

const hasGroff = spawnSync('groff', ['--version']).status === 0;

test.skipIf(!hasGroff)('formats every man page with groff without warnings', () => {
  const pages = readdirSync(join(root, manFolder));
  expect(pages).toContain('cb-orders.1');
  const args = ['-ww', '-man', '-Tutf8', ...pages];
  const options = { cwd: join(root, manFolder), encoding: 'utf8', maxBuffer: 1 << 26 } as const;
  const { status, stdout, stderr } = spawnSync('groff', args, options);
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  expect(stdout.match(/User Commands/g)?.length).toBeGreaterThanOrEqual(pages.length);
});
