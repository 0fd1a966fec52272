/** The build, tested with a small program that uses everything that the build must handle. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { bundledPackages, type Compiled, compile, licensesOf } from '../../src/build/compile.ts';
import { runAndListFiles } from '../support/loaded-files.ts';

const fixture = fileURLToPath(new URL('fixture/', import.meta.url));
const packages = fileURLToPath(new URL('../../node_modules/', import.meta.url));

const compileFixture = (entry: string) =>
  compile({
    entry: join(fixture, entry),
    external: ['libsql', 'a-package-that-is-absent'],
    define: { CB_VERSION: JSON.stringify('1.2.3') },
  });

let folder: string;
let compiled: Compiled;
const nodePath = process.env.NODE_PATH;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'cb-build-'));
  compiled = await compileFixture('main.ts');
  for (const { name, text } of compiled.files) writeFileSync(join(folder, name), text);
  // The program runs outside the repository, so NODE_PATH leads to the packages that are not bundled.
  process.env.NODE_PATH = packages;
});

afterAll(() => {
  if (nodePath === undefined) delete process.env.NODE_PATH;
  else process.env.NODE_PATH = nodePath;
  rmSync(folder, { recursive: true, force: true });
});

/** What the built program prints, and the files of the bundle that it loaded, without hashes. */
async function run(...args: string[]) {
  const { status, stdout, stderr, files } = await runAndListFiles(join(folder, 'main.js'), args);
  const own = files.map((file) => basename(file)).filter((name) => names().includes(name));
  const parts = own.map((name) => name.replace(/-[A-Z0-9]{8}(?=\.js$)/, ''));
  return { status, said: stdout.trim(), stderr, parts };
}

const names = () => compiled.files.map(({ name }) => name);
const packageNames = () => bundledPackages(compiled.metafile).map(({ name }) => name);

describe('a built program', () => {
  test('prints its version', async () => {
    expect(await run('version')).toMatchObject({ status: 0, said: '1.2.3' });
  });

  test('uses built-in modules of Node', async () => {
    expect(await run('builtin')).toMatchObject({ status: 0, said: 'true' });
  });

  test('loads only its main file at first', async () => {
    expect((await run('version')).parts).toEqual(['main.js']);
  });

  test('loads a chunk when it is imported', async () => {
    const { said, parts } = await run('lazy');
    expect(said).toBe('hello you');
    expect(parts).toContain('greeting.js');
    const { said: loaded, parts: others } = await run('undici');
    expect(loaded).toBe('function');
    expect(others).not.toContain('greeting.js');
  });

  test('loads the imports of a chunk when they are first used', async () => {
    expect(await run('quiet')).toMatchObject({ said: 'hush', parts: ['main.js', 'late.js'] });
    const { said, parts } = await run('loud');
    expect(said).toBe('hello,ssh,late');
    expect(parts).toHaveLength(3);
  });

  test('loads an optional package that is installed, and reports one that is not', async () => {
    expect(await run('sqlite')).toMatchObject({ status: 0, said: 'true' });
    expect((await run('absent')).said).toBe("Cannot find module 'a-package-that-is-absent'");
  });

  test('stores settings without bundling the schema validation and migrations of conf', async () => {
    expect(await run('store', folder)).toMatchObject({ status: 0, said: 'shop', stderr: '' });
    expect(packageNames()).toContain('conf');
    expect(packageNames()).not.toContain('ajv');
    expect(packageNames()).not.toContain('ajv-formats');
    expect(packageNames()).not.toContain('semver');
  });

  test('bundles only the prompts that it uses', async () => {
    expect((await run('prompts')).said).toBe('function,function,function,function,function');
    expect(packageNames()).toContain('@inquirer/confirm');
    expect(packageNames()).not.toContain('@inquirer/editor');
    expect(packageNames()).not.toContain('iconv-lite');
  });

  test('includes the license of every bundled package', () => {
    const licences = licensesOf(bundledPackages(compiled.metafile));
    for (const name of packageNames()) expect(licences).toMatch(new RegExp(`^${name} \\d`, 'm'));
    expect(licences).toContain('Permission is hereby granted');
  });
});

describe('the build fails', () => {
  test('on a top-level await, which would prevent a chunk from loading synchronously', async () => {
    await expect(compileFixture('refused/top-level-await.ts')).rejects.toThrow(
      /[Tt]op-level await/,
    );
  });

  test('on import.meta, which has no meaning in a built file', async () => {
    await expect(compileFixture('refused/import-meta.ts')).rejects.toThrow(/import\.meta/);
  });
});
