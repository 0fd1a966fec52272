/** Who may import whom: what keeps each part of src readable, and testable, on its own. */
import { readdirSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { expect, test } from 'vitest';

/** Source text by path, such as `src/client/client.ts`. */
type Sources = ReadonlyMap<string, string>;

interface Import {
  readonly from: string;
  /** A path of src, or the name of a package. */
  readonly to: string;
  /** Loaded together with the file: neither `import type` nor `import()`. */
  readonly isLoaded: boolean;
}

/** The layers of src, and the other layers that each may import. */
const mayImport: Readonly<Record<string, readonly string[]>> = {
  operations: [],
  dates: [],
  storage: [],
  output: ['dates'],
  client: ['operations', 'dates', 'storage'],
  profiles: ['client', 'storage'],
  workflows: ['operations', 'dates', 'storage', 'client'],
  sandbox: ['operations', 'dates', 'storage'],
  cli: ['operations', 'dates', 'storage', 'output', 'client', 'profiles', 'workflows'],
  build: ['operations', 'dates', 'storage', 'output', 'client', 'profiles', 'workflows', 'cli'],
  'main.ts': ['cli'],
};

/** The most files of one folder. */
const largestFolder = 16;

/** The layer of a path: the folder below src, or the name of a file there. */
function layerOf(path: string): string {
  return path.split('/')[1] ?? '';
}

function withoutComments(code: string): string {
  return code.replaceAll(/\/\*[\s\S]*?\*\/|(?<!:)\/\/.*$/gm, '');
}

const importLine = /^(?:import|export) (type )?(?:[\w$*{][\w$*{},\s]*? from )?'([^']+)'/gm;

function importsOf(sources: Sources): Import[] {
  return [...sources].flatMap(([from, text]) => {
    const code = withoutComments(text);
    const resolve = (name = '') => (name.startsWith('.') ? posix.join(from, '..', name) : name);
    const lines = [...code.matchAll(importLine)].map(([, type, name]) => ({
      from,
      to: resolve(name),
      isLoaded: !type,
    }));
    const calls = [...code.matchAll(/\bimport\(\s*'([^']+)'/g)].map(([, name]) => ({
      from,
      to: resolve(name),
      isLoaded: false,
    }));
    return [...lines, ...calls];
  });
}

/** These start the sandbox, by `import()`, so that no other command waits for it to load. */
const startsSandbox = /^src\/cli\/(commands\/sandbox|session)\//;

/** Imports of a layer that the importing one may not know. Operations import no package either. */
function layerViolations(sources: Sources): string[] {
  const isAllowed = ({ from, to, isLoaded }: Import) => {
    const layer = layerOf(from);
    if (!to.startsWith('src/')) return layer !== 'operations';
    if (layerOf(to) === 'sandbox' && startsSandbox.test(from)) return !isLoaded;
    return layerOf(to) === layer || (mayImport[layer] ?? []).includes(layerOf(to));
  };
  return importsOf(sources)
    .filter((found) => !isAllowed(found))
    .map(({ from, to }) => `${from} imports ${to}`);
}

/** Files that import each other, directly or through others, types and `import()` included. */
function cycles(sources: Sources): string[] {
  const targets = new Map<string, string[]>([...sources.keys()].map((file) => [file, []]));
  for (const { from, to } of importsOf(sources)) if (sources.has(to)) targets.get(from)?.push(to);
  // What imports nothing that is left is in no cycle; what remains is in one, or leads to one.
  for (let size = -1; size !== targets.size; ) {
    size = targets.size;
    for (const [file, imported] of targets) {
      if (!imported.some((other) => targets.has(other))) targets.delete(file);
    }
  }
  const reaches = (from: string, to: string, seen = new Set<string>()): boolean =>
    (targets.get(from) ?? []).some((next) => {
      if (next === to) return true;
      if (seen.has(next)) return false;
      seen.add(next);
      return reaches(next, to, seen);
    });
  return [...targets.keys()].filter((file) => reaches(file, file)).sort();
}

/** Folders with more files than `largestFolder`. */
function crowdedFolders(sources: Sources): string[] {
  const counts = new Map<string, number>();
  for (const file of sources.keys()) {
    const folder = posix.dirname(file);
    counts.set(folder, (counts.get(folder) ?? 0) + 1);
  }
  return [...counts]
    .filter(([, count]) => count > largestFolder)
    .map(([folder, count]) => `${folder} has ${count} files`);
}

const sources = new Map(
  readdirSync('src', { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => `src/${name.replaceAll('\\', '/')}`)
    .map((file) => [file, readFileSync(file, 'utf8')]),
);
const code = [...sources].map(([file, text]) => ({ file, code: withoutComments(text) }));

test('src has the layers that the rules are about, and no others', () => {
  const layers = new Set([...sources.keys()].map(layerOf));
  expect([...layers].sort()).toEqual(Object.keys(mayImport).sort());
  expect(importsOf(sources).length).toBeGreaterThan(500);
});

test('every file imports only what its layer may know', () => {
  expect(layerViolations(sources)).toEqual([]);
});

test('no two files import each other, directly or through others', () => {
  expect(cycles(sources)).toEqual([]);
});

test(`no folder has more than ${largestFolder} files`, () => {
  expect(crowdedFolders(sources)).toEqual([]);
});

test.each([
  ['src/client/a.ts', "import { run } from '../cli/run.ts';"],
  ['src/workflows/a.ts', "import type { Run } from '../cli/run.ts';"],
  ['src/workflows/a.ts', "await import('../cli/run.ts');"],
  ['src/client/http/a.ts', "import { profiles } from '../../profiles/profiles.ts';"],
  ['src/sandbox/a.ts', "export { b } from '../client/b.ts';"],
  ['src/cli/run.ts', "await import('../sandbox/http/server.ts');"],
  ['src/operations/a.ts', "import { join } from 'node:path';"],
])('the rules refuse an import in %s: %s', (file, text) => {
  expect(layerViolations(new Map([[file, text]]))).toHaveLength(1);
});

test('the rules allow an import of a lower layer', () => {
  const text = "import { client } from '../client/client.ts';\nimport { x } from 'chalk';";
  expect(layerViolations(new Map([['src/cli/a.ts', text]]))).toEqual([]);
});

test('the rules refuse two files that import each other, and a longer cycle', () => {
  const two = new Map([
    ['src/client/a.ts', "import { b } from './b.ts';"],
    ['src/client/b.ts', "import type { A } from './a.ts';"],
    ['src/client/user.ts', "import { a } from './a.ts';"],
  ]);
  expect(cycles(two)).toEqual(['src/client/a.ts', 'src/client/b.ts']);
  const three = new Map([...two, ['src/client/b.ts', "await import('./c.ts');"]]);
  three.set('src/client/c.ts', "import { a } from './a.ts';");
  expect(cycles(three)).toEqual(['src/client/a.ts', 'src/client/b.ts', 'src/client/c.ts']);
  three.delete('src/client/c.ts');
  expect(cycles(three)).toEqual([]);
});

test('the rules refuse a folder that outgrows its bound', () => {
  const files = Array.from({ length: largestFolder }, (_, i) => `src/client/http/${i}.ts`);
  const folder = new Map(files.map((file) => [file, '']));
  expect(crowdedFolders(folder)).toEqual([]);
  folder.set('src/client/http/more.ts', '');
  expect(crowdedFolders(folder)).toEqual([`src/client/http has ${largestFolder + 1} files`]);
});

test('no file has a default export', () => {
  const strays = code.filter(({ code }) => /^export default\b|\bas default\b/m.test(code));
  expect(strays.map(({ file }) => file)).toEqual([]);
});

test('only main.ts, and the programs of the build, touch the process', () => {
  const touched = /\bprocess\s*(\?\.|[.[])|['"](node:)?process['"]/;
  const strays = code.filter(({ file, code }) => layerOf(file) !== 'build' && touched.test(code));
  expect(strays.map(({ file }) => file)).toEqual(['src/main.ts']);
});
