/** What the build leaves out, includes and refuses; the tour of `npm run demo`; and the Dockerfile as far as it can be checked without Docker. */
import { execFile } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { Metafile } from 'esbuild';
import { expect, onTestFinished, test } from 'vitest';
import { bundledPackages, compile, licensesOf } from '../../src/build/compile.ts';
import { runOnScreen, type Screen } from '../../src/build/screen.ts';
import { secondsToRead, stops, tour } from '../../src/build/tour.ts';
import { displayWidth } from '../../src/output/table/display-width.ts';
import { sandboxHome } from '../support/cb.ts';
import { isLong, tier } from '../support/tier.ts';

const packages = bundledPackages(JSON.parse(readFileSync('dist/meta.json', 'utf8')) as Metafile);
const names = packages.map(({ name }) => name);

test('bundles conf without its schema validation and migrations, and only the prompts that cb uses', () => {
  expect(names).toEqual(expect.arrayContaining(['conf', 'commander', '@inquirer/confirm']));
  const unused = ['ajv', 'ajv-formats', 'semver', '@inquirer/editor', 'iconv-lite'];
  expect(names.filter((name) => unused.includes(name))).toEqual([]);
});

test('includes every file that another one loads', () => {
  const texts = readdirSync('dist', { withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.js'))
    .map(({ name }) => readFileSync(`dist/${name}`, 'utf8'));
  const loaded = texts.flatMap((text) => [...text.matchAll(/\brequire\("\.\/([^"]+)"\)/g)]);
  expect(loaded.length).toBeGreaterThan(100);
  expect(loaded.map(([, name]) => name).filter((name) => !existsSync(`dist/${name}`))).toEqual([]);
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

async function tourParts(columns: number): Promise<string[]> {
  const { folder } = await sandboxHome(5000);
  const now = () => new Date('2026-03-18T18:30:00Z');
  const screen: Screen = { home: folder, columns, now, env: { NO_COLOR: '1' } };
  await runOnScreen(screen, 'cb sandbox status');
  const parts: string[] = [];
  for await (const part of tour(screen)) parts.push(part);
  return parts;
}

/** What each part must show, by its title. */
const shows: Readonly<Record<string, RegExp>> = {
  'A list': /\n.*Receipt +.*\n(.+ (SALE|BILL|RFND|CGBK) .+\n){5}/,
  'A chart': /\n(\w.* +[\d,]+\.\d\d +[█▏▎▍▌▋▊▉]+\n){5}/,
  'A receipt': /\nReceipt +DIGITAL1\n[\s\S]*37\.00[\s\S]*ada\.sample@example\.com/,
  'An export': /\ntransactionTime,receipt,[\s\S]*\n\d{3,} orders\.csv\n/,
  'A refund, tried out': /Refund 37\.00 USD to "Ada Sample"[\s\S]*\nPOST .*\/tickets\/DIGITAL1\n/,
  'A mistake': /\ncb: .*[Uu]nknown command 'ordres'[\s\S]*orders/,
};

test.each(tier([80], [80, 100]))('explains and shows each stop in %i columns', async (columns) => {
  expect(stops.map(({ title }) => title)).toEqual(Object.keys(shows));
  const parts = await tourParts(columns);
  const seconds = parts.map(secondsToRead).reduce((sum, one) => sum + one);
  expect(seconds).toBeGreaterThan(40);
  expect(seconds).toBeLessThan(70);
  const lines = parts.join('').split('\n');
  // `npm run demo` prints one more line first.
  expect(lines.length).toBeLessThan(80);
  expect(lines.filter((line) => displayWidth(line) > columns)).toEqual([]);
  const text = lines.join('\n');
  for (const [index, { title, why }] of stops.entries()) {
    const start = text.indexOf(`\n${index + 1}. ${title}\n${why}\n`);
    const end = text.indexOf(`\n${index + 2}. `);
    const part = text.slice(start, end < 0 ? undefined : end);
    expect(start, title).toBeGreaterThanOrEqual(0);
    expect(part).toMatch(shows[title] ?? /^never/);
  }
  expect(text).toMatch(/\nNext: .*\n$/);
});

const manifest = JSON.parse(readFileSync('package.json', 'utf8'));

const instructions = readFileSync('Dockerfile', 'utf8')
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
test.skipIf(!isLong)('builds and packs in a folder with only what it copies', async () => {
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
});

test('installs the packed package, and starts cb as a user other than root, with no other instructions', () => {
  const known = ['FROM', 'WORKDIR', 'COPY', 'RUN', 'USER', 'ENTRYPOINT'];
  expect(instructions.filter(({ name }) => !known.includes(name))).toEqual([]);
  const user = finalStage.findIndex(({ name }) => name === 'USER');
  const install = finalStage.findIndex(({ value }) => value.includes('npm install --global'));
  expect(finalStage[user]?.value).toBe('node');
  expect(install).toBeLessThan(user);
  expect(finalStage.at(-1)).toEqual({ name: 'ENTRYPOINT', value: '["cb"]' });
  expect(manifest.bin).toHaveProperty('cb');
  const scripts = valuesOf('RUN').flatMap((line) => [...line.matchAll(/npm run ([\w:-]+)/g)]);
  expect(scripts.map(([, script]) => script)).toEqual(['build']);
});
