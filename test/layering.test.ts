/** Who may import whom: what keeps each part of src readable, and testable, on its own. */
import { readdirSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { expect, test } from 'vitest';

/** The parts of src, and of which others each may know. */
const mayImport: Readonly<Record<string, readonly string[]>> = {
  operations: [],
  dates: [],
  storage: [],
  output: ['dates'],
  api: ['operations', 'dates', 'storage'],
  profiles: ['storage', 'api'],
  sandbox: ['operations', 'dates', 'storage'],
  workflows: ['operations', 'dates', 'storage', 'api'],
  cli: ['operations', 'dates', 'storage', 'api', 'profiles', 'output', 'workflows'],
  build: ['operations', 'dates', 'storage', 'api', 'profiles', 'output', 'workflows', 'cli'],
  'main.ts': ['cli'],
};

/** These start the sandbox, by import(), so that no other command waits for it to load. */
const startsSandbox = ['src/cli/commands/sandbox.ts', 'src/cli/sandbox-session.ts'];

const files = readdirSync('src', { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts'))
  .map((name) => `src/${name.replaceAll('\\', '/')}`)
  .map((file) => ({ file, layer: file.split('/')[1] ?? '', code: codeOf(file) }));

function codeOf(file: string): string {
  return readFileSync(file, 'utf8').replaceAll(/\/\*[\s\S]*?\*\/|(?<!:)\/\/.*$/gm, '');
}

const importLine = /^(?:import|export) (type )?(?:[\w$*{][\w$*{},\s]*? from )?'([^']+)'/gm;

function importsOf(file: string, code: string) {
  const resolve = (name = '') => (name.startsWith('.') ? posix.join(file, '..', name) : name);
  const lines = [...code.matchAll(importLine)].map(([, type, name]) => ({
    to: resolve(name),
    waits: !type,
  }));
  const calls = [...code.matchAll(/\bimport\(\s*'([^']+)'/g)].map(([, name]) => ({
    to: resolve(name),
    waits: false,
  }));
  return [...lines, ...calls];
}

function isAllowed(from: { file: string; layer: string }, { to, waits }: Import): boolean {
  if (!to.startsWith('src/')) return !['operations', 'dates'].includes(from.layer);
  const layer = to.split('/')[1] ?? '';
  if (layer === 'sandbox' && startsSandbox.includes(from.file)) return !waits;
  return layer === from.layer || (mayImport[from.layer] ?? []).includes(layer);
}

type Import = ReturnType<typeof importsOf>[number];

test('src has the parts that the rules are about, and no others', () => {
  expect([...new Set(files.map(({ layer }) => layer))].sort()).toEqual(
    Object.keys(mayImport).sort(),
  );
  expect(files.flatMap(({ file, code }) => importsOf(file, code)).length).toBeGreaterThan(20);
});

test('every file imports only what its part may know', () => {
  const strays = files.flatMap(({ file, layer, code }) =>
    importsOf(file, code)
      .filter((to) => !isAllowed({ file, layer }, to))
      .map(({ to }) => `${file} imports ${to}`),
  );
  expect(strays).toEqual([]);
});

test('no file has a default export', () => {
  const strays = files.filter(({ code }) => /^export default\b|\bas default\b/m.test(code));
  expect(strays.map(({ file }) => file)).toEqual([]);
});

test('only main.ts, and the programs of the build, touch the process', () => {
  const touched = /\bprocess\s*(\?\.|[.[])|['"](node:)?process['"]/;
  const strays = files.filter(({ layer, code }) => layer !== 'build' && touched.test(code));
  expect(strays.map(({ file }) => file)).toEqual(['src/main.ts']);
});
