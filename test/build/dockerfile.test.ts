/** The Dockerfile as far as it can be checked without Docker: its instructions, paths and commands. */
import { execFile } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { isLong } from '../support/tier.ts';

interface Instruction {
  readonly name: string;
  readonly value: string;
}

const manifest = JSON.parse(readFileSync('package.json', 'utf8'));

const instructions: Instruction[] = readFileSync('Dockerfile', 'utf8')
  .replaceAll(/^\s*#.*\n/gm, '')
  .replaceAll(/\\\n/g, ' ')
  .split('\n')
  .filter((line) => line.trim() !== '')
  .map((line) => {
    const [, name = '', value = ''] = /^(\S+)\s+(.+)$/.exec(line) ?? [];
    return { name, value };
  });

const valuesOf = (wanted: string) =>
  instructions.filter(({ name }) => name === wanted).map(({ value }) => value);

/** The paths that the first stage copies from the repository. */
const copied = valuesOf('COPY')
  .filter((value) => !value.startsWith('--from=build '))
  .flatMap((value) => value.split(/\s+/).slice(0, -1));

const stages = valuesOf('FROM');
const finalStage = instructions.slice(instructions.findLastIndex(({ name }) => name === 'FROM'));

test('uses only instructions that these tests check', () => {
  const known = ['FROM', 'WORKDIR', 'COPY', 'RUN', 'USER', 'ENTRYPOINT'];
  expect(instructions.filter(({ name }) => !known.includes(name))).toEqual([]);
});

test('builds in one stage and runs in another, on the same slim image of a supported Node', () => {
  expect(stages).toHaveLength(2);
  const images = new Set(stages.map((stage) => stage.split(' ')[0]));
  expect(images.size).toBe(1);
  const [, major] = /^node:(\d+)-bookworm-slim$/.exec([...images][0] ?? '') ?? [];
  const [, least] = /^>=(\d+)/.exec(manifest.engines.node) ?? [];
  expect(Number(major)).toBeGreaterThanOrEqual(Number(least));
  expect(Number(major) % 2, 'only even releases get long-term support').toBe(0);
});

test('copies only paths that exist, and everything that the package contains', () => {
  expect(copied.filter((path) => !existsSync(path))).toEqual([]);
  const ignored = readFileSync('.dockerignore', 'utf8').trim().split('\n');
  expect(copied.filter((path) => ignored.includes(path))).toEqual([]);
  // The build makes dist; npm always packs the manifest, the README and the license.
  const packed = manifest.files
    .filter((path: string) => !path.startsWith('!') && path !== 'dist')
    .map((path: string) => path.split('/')[0]);
  for (const path of [...packed, 'package.json', 'README.md', 'LICENSE', 'src']) {
    expect(copied).toContain(path);
  }
});

// .ci/run also packs, and tests the package.
test.skipIf(!isLong)(
  'builds and packs in a folder that holds only the paths that it copies',
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'cb-docker-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    for (const path of copied) cpSync(path, join(folder, path), { recursive: true });
    symlinkSync(resolve('node_modules'), join(folder, 'node_modules'));
    const inFolder = { cwd: folder, env: { ...process.env, npm_config_update_notifier: 'false' } };
    await promisify(execFile)('npm', ['run', 'build'], inFolder);
    const pack = ['pack', '--ignore-scripts', '--dry-run', '--json'];
    const { stdout } = await promisify(execFile)('npm', pack, inFolder);
    const [{ files }] = JSON.parse(stdout);
    const packed = files.map(({ path }: { readonly path: string }) => path);
    const built = ['index', 'ins', 'sandbox'].map((name) => `dist/library/${name}`);
    const entries = built.flatMap((path) => [`${path}.js`, `${path}.d.ts`]);
    expect(packed).toEqual(expect.arrayContaining([...entries, 'dist/main.js', 'bin/cb.js']));
  },
);

test('installs the packed package, and starts cb as a user other than root', () => {
  expect(finalStage.map(({ name }) => name)).not.toContain('ADD');
  const user = finalStage.findIndex(({ name }) => name === 'USER');
  const install = finalStage.findIndex(({ value }) => value.includes('npm install --global'));
  expect(finalStage[user]?.value).toBe('node');
  expect(install).toBeLessThan(user);
  expect(finalStage.at(-1)).toEqual({ name: 'ENTRYPOINT', value: '["cb"]' });
  expect(manifest.bin).toHaveProperty('cb');
  const scripts = valuesOf('RUN').flatMap((line) => [...line.matchAll(/npm run ([\w:-]+)/g)]);
  expect(scripts.map(([, script]) => script)).toEqual(['build']);
});
