/** What makes cb slow to start stays out of commands that don't need it. Reads the built program. */
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Metafile } from 'esbuild';
import { beforeAll, expect, test } from 'vitest';
import { runAndListFiles } from './support/loaded-files.ts';

const root = fileURLToPath(new URL('..', import.meta.url));

/** Each is part of the bundle, so that a name that is out of date here is noticed. */
const costly = {
  undici: /node_modules\/undici\//,
  'fast-xml-parser': /node_modules\/fast-xml-parser\//,
  conf: /node_modules\/conf\//,
  prompts: /node_modules\/@inquirer\//,
  csv: /node_modules\/csv-stringify\//,
  table: /^src\/output\/table\.ts$/,
  jmespath: /node_modules\/@jmespath-community\//,
  sandbox: /^src\/sandbox\//,
};

let sources: Map<string, string[]>;

beforeAll(() => {
  const { outputs } = JSON.parse(readFileSync(`${root}dist/meta.json`, 'utf8')) as Metafile;
  sources = new Map(
    Object.entries(outputs).map(([name, { inputs }]) => [name, Object.keys(inputs)]),
  );
});

/** Sources of the bundle by file, and files outside it as they are. */
const sourcesOf = (file: string) => sources.get(basename(file)) ?? [file];

test('cb has everything that is costly in its bundle', () => {
  const all = [...sources.values()].flat();
  for (const pattern of Object.values(costly)) {
    expect(all).toContainEqual(expect.stringMatching(pattern));
  }
});

test.each([
  { args: ['--version'], says: /^\d+\.\d+\.\d+/ },
  { args: ['orders', 'list', '--help'], says: /orders list/ },
])('cb $args loads nothing that is costly', ({ args, says }) => {
  const { status, stdout, stderr, files } = runAndListFiles(`${root}bin/cb.js`, args);
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  expect(stdout).toMatch(says);
  const loaded = files.flatMap(sourcesOf);
  expect(loaded).toContain('src/main.ts');
  for (const pattern of [...Object.values(costly), /node_modules\/libsql\//]) {
    expect(loaded.filter((source) => pattern.test(source))).toEqual([]);
  }
});
