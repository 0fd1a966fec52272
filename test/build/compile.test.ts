/** What the build leaves out, includes and refuses. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Metafile } from 'esbuild';
import { expect, test } from 'vitest';
import { bundledPackages, compile, licensesOf } from '../../src/build/compile.ts';

const packages = bundledPackages(JSON.parse(readFileSync('dist/meta.json', 'utf8')) as Metafile);
const names = packages.map(({ name }) => name);

test('bundles conf without its schema validation and migrations, and only the prompts that cb uses', () => {
  expect(names).toEqual(expect.arrayContaining(['conf', 'commander', '@inquirer/confirm']));
  const unused = ['ajv', 'ajv-formats', 'semver', '@inquirer/editor', 'iconv-lite'];
  expect(names.filter((name) => unused.includes(name))).toEqual([]);
});

test('includes the license of every bundled package', () => {
  const licenses = licensesOf(packages);
  expect(readFileSync('dist/THIRD-PARTY-LICENSES.txt', 'utf8')).toBe(licenses);
  for (const name of names) expect(licenses).toMatch(new RegExp(`^${name} \\d`, 'm'));
  expect(licenses).toContain('Permission is hereby granted');
});

test.each([
  ['a top-level await, which would prevent a chunk from loading at once', 'top-level-await'],
  ['import.meta, which has no meaning in a built file', 'import-meta'],
])('refuses %s', async (_, name) => {
  const entry = fileURLToPath(new URL(`fixture/refused/${name}.ts`, import.meta.url));
  const compiled = compile({ entry, external: [], define: {} });
  await expect(compiled).rejects.toThrow(/[Tt]op-level await|import\.meta/);
});
