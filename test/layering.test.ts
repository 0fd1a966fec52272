/** Checks the layers of src; .biome.json forbids import cycles and default exports. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import {
  importsOf,
  layerOf,
  layerViolations,
  mayImport,
  reachShell,
  withoutComments,
} from './support/structure.ts';

const sources = new Map(
  readdirSync('src', { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => `src/${name.replaceAll('\\', '/')}`)
    .map((file) => [file, readFileSync(file, 'utf8')]),
);

test('has exactly the layers of the rules in src', () => {
  const layers = new Set([...sources.keys()].map(layerOf));
  expect([...layers].sort()).toEqual(Object.keys(mayImport).sort());
  expect(importsOf(sources).length).toBeGreaterThan(500);
});

test('imports only from allowed layers', () => {
  expect(layerViolations(sources)).toEqual([]);
});

test('loads no streams and prompts with the library, the sandbox and clickbank-cli/ins', () => {
  expect(reachShell(sources)).toEqual([]);
});

test('names only folders and files that exist in src/README.md', () => {
  const map = readFileSync('src/README.md', 'utf8');
  const paths = [...map.matchAll(/`([\w-]+(?:\/[\w.-]+)*\/?)`/g)].map(([, path]) => path ?? '');
  const isOurs = (path: string) => path.includes('/') && layerOf(`src/${path}`) in mayImport;
  expect(paths.filter(isOurs).length).toBeGreaterThan(10);
  expect(paths.filter((path) => isOurs(path) && !existsSync(`src/${path}`))).toEqual([]);
});

test.each([
  ['src/safe-write/a.ts', "import type { Run } from '../shell/run.ts';"],
  ['src/ledger/a.ts', "await import('../shell/run.ts');"],
  ['src/shell/a.ts', "import { sync } from '../features/sync.ts';"],
  ['src/client/http/a.ts', "import { profiles } from '../../profiles/profiles.ts';"],
  ['src/sandbox/a.ts', "export { b } from '../client/b.ts';"],
  ['src/shell/run.ts', "await import('../sandbox/http/server.ts');"],
  ['src/operations/a.ts', "import { join } from 'node:path';"],
])('rejects an import in %s: %s', (file, text) => {
  expect(layerViolations(new Map([[file, text]]))).toHaveLength(1);
});

test('rejects an import path from the library to the shell', () => {
  const ways = new Map([
    ['src/library/a.ts', "import { b } from '../client/b.ts';"],
    ['src/client/b.ts', "import { c } from '../shell/c.ts';"],
  ]);
  expect(reachShell(ways)).toEqual(['src/library/a.ts']);
});

test('uses process only in main.ts, the build programs, and what a program asks the library to read', () => {
  const touched = /\bprocess\s*(\?\.|[.[])|['"](node:)?process['"]/;
  const strays = [...sources].filter(([file, text]) => {
    return layerOf(file) !== 'build' && touched.test(withoutComments(text));
  });
  const files = strays.map(([file]) => file).sort();
  expect(files).toEqual(['src/library/stored-credentials.ts', 'src/main.ts']);
});
