/** Bundles the library and its packages as ES modules. What is seldom needed is in files of its own. */
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { build, type Plugin } from 'esbuild';
import type { Compiled } from '../compile.ts';

/** Rejects for anything that esbuild only warns about. */
export async function compileLibrary(): Promise<Compiled> {
  const manifest = JSON.parse(readFileSync('package.json', 'utf8'));
  const { outputFiles, metafile, warnings } = await build({
    entryPoints: { index: 'src/library/index.ts', sandbox: 'src/sandbox/index.ts' },
    external: Object.keys(manifest.optionalDependencies),
    bundle: true,
    splitting: true,
    write: false,
    metafile: true,
    format: 'esm',
    platform: 'node',
    target: 'node20.18',
    mainFields: ['module', 'main'],
    outdir: '.',
    chunkNames: '[name]-[hash]',
    minifySyntax: true,
    minifyWhitespace: true,
    legalComments: 'none',
    logLevel: 'silent',
    plugins: [withoutWriters],
  });
  const [warning] = warnings;
  if (warning) throw new Error(`${warning.location?.file}: ${warning.text}`);
  const files = outputFiles.map(({ path, text }) => ({
    name: basename(path),
    text: withRequire(text),
  }));
  return { files, metafile };
}

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
