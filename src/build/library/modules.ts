/** Bundles the library and its packages as ES modules. What is seldom needed is in files of its own. */
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { type BuildOptions, build, type Plugin } from 'esbuild';
import type { Compiled } from '../compile.ts';

/** Rejects for anything that esbuild only warns about. */
export async function compileLibrary(): Promise<Compiled> {
  const manifest = JSON.parse(readFileSync('package.json', 'utf8'));
  const { files, metafile } = await bundle({
    entryPoints: {
      index: 'src/library/index.ts',
      ins: 'src/ins/index.ts',
      sandbox: 'src/sandbox/index.ts',
    },
    external: Object.keys(manifest.optionalDependencies),
    splitting: true,
    platform: 'node',
    target: 'node20.18',
    chunkNames: '[name]-[hash]',
    // undici asks for variables of the environment, which the library reads only if a program says so.
    define: {
      'process.env.JEST_WORKER_ID': 'undefined',
      'process.env.UNDICI_NO_WASM_SIMD': 'undefined',
    },
    plugins: [withoutWriters],
  });
  return { files: files.map(({ name, text }) => ({ name, text: withRequire(text) })), metafile };
}

/**
 * Bundles the library without the modules of Node and what needs them, as one file for workerd. Rejects if a module of
 * Node is needed to load it.
 */
export function compileForWorkers(): Promise<Compiled> {
  return bundle({
    entryPoints: { workerd: 'src/library/index.ts' },
    platform: 'neutral',
    target: 'es2023',
    plugins: [withoutNode],
  });
}

async function bundle(options: BuildOptions): Promise<Compiled> {
  const { outputFiles, metafile, warnings } = await build({
    bundle: true,
    format: 'esm',
    mainFields: ['module', 'main'],
    outdir: '.',
    minifySyntax: true,
    minifyWhitespace: true,
    // Node prints the whole line of an uncaught error.
    lineLimit: 120,
    legalComments: 'none',
    logLevel: 'silent',
    ...options,
    ...{ write: false, metafile: true },
  });
  const [warning] = warnings;
  if (warning) throw new Error(`${warning.location?.file}: ${warning.text}`);
  const files = outputFiles.map(({ path, text }) => ({ name: basename(path), text }));
  return { files, metafile };
}

/** Modules that need Node and are loaded when they are used; importing them then fails. */
const needNode = /\/(?:node-connections|slots|machine|stored-credentials)\.ts$/;

const withoutNode: Plugin = {
  name: 'without-node',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: needNode }, ({ path, kind }) =>
      kind === 'dynamic-import' ? { path, namespace: 'needs-node' } : undefined,
    );
    onLoad({ filter: /.*/, namespace: 'needs-node' }, () => ({
      contents: "module.exports = (() => { throw new Error('This needs Node.'); })();",
    }));
  },
};

/** The library reads profiles and never changes them, so it doesn't need conf. */
const withoutWriters: Plugin = {
  name: 'without-writers',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^conf$/ }, ({ path }) => ({ path, namespace: 'left-out' }));
    onLoad({ filter: /.*/, namespace: 'left-out' }, () => ({
      contents: 'export default undefined;',
    }));
  },
};

/** CommonJS packages call `require` for modules of Node. ES modules don't have it. */
function withRequire(text: string): string {
  if (!/\brequire\b/.test(text)) return text;
  const head =
    "import{createRequire as _createRequire}from'node:module';const require=_createRequire(import.meta.url);\n";
  return head + text;
}
