/** Builds the entries of the package, such as `clickbank-cli/sandbox`, as ES modules in dist/library/, with their types. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { bundle, bundledPackages, licensesOf, root, without, writeFolder } from '../compile.ts';
import { declarations } from './declarations.ts';

/**
 * CommonJS packages call `require` for modules of Node. ES modules don't have it. `createRequire(import.meta.url)` would
 * fail in a program that is bundled as CommonJS.
 */
function withRequire(text: string): string {
  if (!/\btypeof require\b/.test(text)) return text;
  return `const require=(name)=>process.getBuiltinModule(name);\n${text}`;
}

/**
 * Imports optional packages so that bundlers of programs leave them alone: they have native parts, which can't be bundled,
 * and may be missing.
 */
function withLateImports(text: string, packages: readonly string[]): string {
  const names = packages.map((name) => name.replaceAll('/', '\\/')).join('|');
  const changed = text.replaceAll(
    new RegExp(`\\bimport\\("(${names})"\\)`, 'g'),
    '_optional("$1")',
  );
  if (changed === text) return text;
  return `const _optional=(name)=>import(/* webpackIgnore: true */ name);\n${changed}`;
}

process.chdir(root);
const optional = Object.keys(JSON.parse(readFileSync('package.json', 'utf8')).optionalDependencies);
const { files, metafile } = await bundle({
  entryPoints: {
    index: 'src/library/index.ts',
    ins: 'src/features/ins/index.ts',
    sandbox: 'src/sandbox/index.ts',
  },
  external: optional,
  minifyWhitespace: true,
  // Node prints the whole line of an uncaught error.
  lineLimit: 120,
  // undici asks for variables of the environment, which the library reads only if a program says so.
  define: {
    // An ES module has none, but webpack would write one that fails.
    __filename: 'undefined',
    'process.env.JEST_WORKER_ID': 'undefined',
    'process.env.UNDICI_NO_WASM_SIMD': 'undefined',
  },
  // The library reads profiles and never changes them.
  plugins: [without(/^conf$/)],
});

writeFolder(join(root, 'dist/library'), [
  ...files.map(({ name, text }) => ({ name, text: withRequire(withLateImports(text, optional)) })),
  ...declarations(),
  // The files of the program, in the folder above, are CommonJS.
  { name: 'package.json', text: `${JSON.stringify({ type: 'module' })}\n` },
  { name: 'THIRD-PARTY-LICENSES.txt', text: licensesOf(bundledPackages(metafile)) },
]);
