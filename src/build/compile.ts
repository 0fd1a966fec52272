/**
 * Compiles TypeScript to small CommonJS files, one for each separately loaded part of the program, so that a
 * command reads only what it needs. esbuild splits only ES modules, and Node starts fastest from CommonJS, so there
 * are two steps: split, then convert each file to CommonJS.
 */

import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  type BuildOptions,
  build,
  type Message,
  type Metafile,
  type Plugin,
  transform,
} from 'esbuild';

export const root = fileURLToPath(new URL('../../', import.meta.url));

const target = 'node20.18';

export interface CompiledFile {
  /** The path relative to the output folder. */
  readonly name: string;
  readonly text: string;
}

export interface Compiled {
  readonly files: readonly CompiledFile[];
  /** The inputs of each file, by the names in `files`. */
  readonly metafile: Metafile;
}

interface CompileOptions extends Pick<BuildOptions, 'external' | 'define'> {
  readonly entry: string;
  /** Modules that get separate files, because they load much and are seldom needed. */
  readonly apart?: readonly string[];
}

/** Rejects for anything that esbuild only warns about: top-level await, `import.meta`, and so on. */
export async function bundle(options: BuildOptions): Promise<Compiled> {
  const { outputFiles, metafile, warnings } = await build({
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target,
    // ES modules first: esbuild can remove unused code from them, but not from CommonJS.
    mainFields: ['module', 'main'],
    // Makes the metafile name the files as they are named in the folder.
    outdir: '.',
    chunkNames: '[name]-[hash]',
    minifySyntax: true,
    // The licenses are in a separate file.
    legalComments: 'none',
    logLevel: 'silent',
    ...options,
    ...{ write: false, metafile: true },
  });
  refuse(warnings);
  return { files: outputFiles.map(({ path, text }) => ({ name: basename(path), text })), metafile };
}

export async function compile({
  entry,
  apart = [],
  ...options
}: CompileOptions): Promise<Compiled> {
  const { files, metafile } = await bundle({
    entryPoints: [entry, ...apart],
    entryNames: '[name]',
    plugins: unused,
    ...options,
  });
  // esbuild creates a file for each entry; those of separate modules are loaded only by an import of the module itself.
  const loading = Object.values(metafile.outputs).flatMap(({ imports }) => imports);
  const imported = new Set(loading.map(({ path }) => path));
  for (const path of apart) {
    const name = basename(path).replace('.ts', '.js');
    if (!imported.has(name)) delete metafile.outputs[name];
  }
  const loaded = files.filter(({ name }) => name in metafile.outputs);
  const converted = loaded.map(async ({ name, text }) => ({ name, text: await toCommonJs(text) }));
  return { files: await Promise.all(converted), metafile };
}

/** Leaves out modules that `by` imports; default: whatever imports them. */
export function without(filter: RegExp, by?: string): Plugin {
  return {
    name: `without ${filter}`,
    setup({ onResolve, onLoad }) {
      onResolve({ filter }, ({ path, importer }) =>
        by === undefined || packageOf(importer)?.name === by
          ? { path, namespace: 'left-out' }
          : undefined,
      );
      onLoad({ filter: /.*/, namespace: 'left-out' }, () => ({
        contents: 'export const Ajv2020 = undefined; export default undefined;',
      }));
    },
  };
}

/**
 * Dependencies of packages for features that cb does not use. conf loads ajv only to check its data against a JSON
 * Schema and semver only for migrations; commander loads node:child_process only for commands that are separate
 * programs.
 */
const unused = [
  without(/^(ajv|ajv-formats|semver)(\/|$)/),
  without(/^node:child_process$/, 'commander'),
];

/**
 * Converts `import()` to a `require` that runs when it is reached. White space is removed, because Node then parses
 * the code faster; names stay, for stack traces.
 */
async function toCommonJs(text: string): Promise<string> {
  const { code, warnings } = await transform(text, {
    format: 'cjs',
    platform: 'node',
    target,
    supported: { 'dynamic-import': false },
    minifyWhitespace: true,
  });
  refuse(warnings);
  return requireLate(code);
}

function refuse([warning]: readonly Message[]): void {
  if (!warning) return;
  const { text, location } = warning;
  throw new Error(`${location?.file ?? 'bundle'}:${location?.line ?? ''} ${text}`);
}

const importStatement =
  /\bvar (import_\w+)=(require\("[^"]+"\)|__toESM\(require\("[^"]+"\)(?:,1)?\));/g;

/** Three dots before a name spread it; one dot means that it is a member of something else. */
const importUse = /(?<!\bvar |[^.]\.)\b(import_\w+)\b(\.?)/g;

/** Throws if an import is used other than through its members. */
function requireLate(text: string): string {
  const imports = new Map([...text.matchAll(importStatement)].map(([, name, to]) => [name, to]));
  return text
    .replace(importStatement, 'var $1;')
    .replace(importUse, (use: string, name: string, dot: string) => {
      const value = imports.get(name);
      if (value === undefined) return use;
      if (!dot) throw new Error(`${name} is used by itself`);
      return `(${name}??=${value}).`;
    });
}

interface BundledPackage {
  readonly name: string;
  readonly folder: string;
}

/** Returns the package of a file; undefined for a file of cb. */
function packageOf(path: string): BundledPackage | undefined {
  const match = /^(.*node_modules\/((?:@[^/]+\/)?[^/]+))\//.exec(path);
  return match?.[1] && match[2] ? { name: match[2], folder: match[1] } : undefined;
}

/**
 * Returns the packages of which at least one byte was kept, by folder, because a name can occur in several
 * versions.
 */
export function bundledPackages({ outputs }: Metafile): BundledPackage[] {
  const found = new Map<string, BundledPackage>();
  for (const { inputs } of Object.values(outputs)) {
    for (const [path, { bytesInOutput }] of Object.entries(inputs)) {
      const from = bytesInOutput > 0 ? packageOf(path) : undefined;
      if (from) found.set(from.folder, from);
    }
  }
  return [...found.values()].sort((a, b) => (a.folder < b.folder ? -1 : 1));
}

/** Returns the license texts that must be distributed with the bundle. Throws for a package without a license. */
export function licensesOf(packages: readonly BundledPackage[]): string {
  const intro = 'cb contains the following packages, each under its own license.\n';
  return [intro, ...packages.map(licenseOf)].join(`\n${'-'.repeat(80)}\n\n`);
}

function licenseOf({ name, folder }: BundledPackage): string {
  const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const texts = readdirSync(folder)
    .filter((file) => /^(licen[cs]e|copying|notice)/i.test(file))
    .sort()
    .map((file) => readFileSync(join(folder, file), 'utf8').trim());
  if (!manifest.license) throw new Error(`${name} names no license`);
  const author = manifest.author?.name ?? manifest.author ?? 'its authors';
  // A few packages name their license without including its text.
  if (texts.length === 0) texts.push(`Copyright ${author}. License: ${manifest.license}.`);
  return `${name} ${manifest.version} (${manifest.license})\n\n${texts.join('\n\n')}\n`;
}

/**
 * Changed files have new names and stale files are removed last, so that a running cb finds its files. A file that
 * keeps its name is replaced atomically. Subfolders stay.
 */
export function writeFolder(folder: string, outputs: readonly CompiledFile[]): void {
  mkdirSync(folder, { recursive: true });
  for (const { name, text } of outputs) {
    const part = join(folder, `.${name}.${process.pid}`);
    writeFileSync(part, text);
    renameSync(part, join(folder, name));
  }
  const names = new Set(outputs.map(({ name }) => name));
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const isStale = entry.isFile() && !names.has(entry.name) && !entry.name.startsWith('.');
    if (isStale) rmSync(join(folder, entry.name));
  }
}
