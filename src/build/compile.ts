/**
 * TypeScript in, small CommonJS files out: one for every part of the program that is loaded on its
 * own, so that a command reads only what it needs. esbuild splits only ES modules, and Node starts
 * fastest from CommonJS, so this takes two steps: split, then turn each file into CommonJS.
 */
import { basename } from 'node:path';
import {
  type BuildOptions,
  build,
  type Message,
  type Metafile,
  type Plugin,
  transform,
} from 'esbuild';
import { packageOf } from './bundled-packages.ts';
import { requireLate } from './late-requires.ts';

const target = 'node20.18';

export interface CompiledFile {
  /** Relative to the output folder. */
  readonly name: string;
  readonly text: string;
}

export interface Compiled {
  readonly files: readonly CompiledFile[];
  /** What each file was made of, by the names in `files`. */
  readonly metafile: Metafile;
}

export interface CompileOptions {
  readonly entry: string;
  /** Modules that get a file of their own: what they load is much, and seldom needed. */
  readonly apart?: readonly string[];
  /** Packages that are found at run time instead of being bundled. */
  readonly external: readonly string[];
  /** Global names and the JavaScript expressions that replace them. */
  readonly define: Readonly<Record<string, string>>;
}

/** Rejects on anything that esbuild only warns about: top-level await, `import.meta`, and the like. */
export async function compile(options: CompileOptions): Promise<Compiled> {
  const { apart = [] } = options;
  const { outputFiles, metafile, warnings } = await build({
    ...splitting,
    entryPoints: [options.entry, ...apart],
    external: [...options.external],
    define: { ...options.define },
  });
  refuse(warnings);
  // esbuild makes a file for each entry; nothing loads those of modules that are only kept apart.
  for (const path of apart) delete metafile.outputs[basename(path).replace('.ts', '.js')];
  const files = outputFiles
    .filter(({ path }) => basename(path) in metafile.outputs)
    .map(async ({ path, text }) => ({ name: basename(path), text: await toCommonJs(text) }));
  return { files: await Promise.all(files), metafile };
}

/**
 * What packages load for things that cb never asks of them. conf can check what it stores against a
 * JSON Schema, and for that alone loads ajv, and can migrate what older versions stored, and for that
 * alone loads semver; commander can run commands that are programs of their own, and for that alone
 * loads node:child_process.
 */
const withoutUnused: Plugin = {
  name: 'without-unused',
  setup({ onResolve, onLoad }) {
    const leftOut = ({ path }: { readonly path: string }) => ({ path, namespace: 'left-out' });
    onResolve({ filter: /^(ajv|ajv-formats|semver)(\/|$)/ }, leftOut);
    onResolve({ filter: /^node:child_process$/ }, (args) =>
      packageOf(args.importer)?.name === 'commander' ? leftOut(args) : undefined,
    );
    onLoad({ filter: /.*/, namespace: 'left-out' }, () => ({
      contents: 'export const Ajv2020 = undefined; export default undefined;',
    }));
  },
};

const splitting = {
  bundle: true,
  splitting: true,
  write: false,
  metafile: true,
  format: 'esm',
  platform: 'node',
  target,
  // ES modules first: what is not used of them is left out, which esbuild can't do for CommonJS.
  mainFields: ['module', 'main'],
  // So that the metafile names the files as they are named in the folder.
  outdir: '.',
  entryNames: '[name]',
  chunkNames: '[name]-[hash]',
  minifySyntax: true,
  // The licences are in a file of their own.
  legalComments: 'none',
  logLevel: 'silent',
  plugins: [withoutUnused],
} satisfies BuildOptions;

/**
 * `import()` becomes a `require` that runs when it is reached. Without white space, Node reads the code
 * sooner; names stay, for stack traces.
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
