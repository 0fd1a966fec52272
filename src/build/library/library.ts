/** Builds the entries of the package, such as `clickbank-cli/sandbox`, as ES modules in dist/library/, with their types. */
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundledPackages, licensesOf } from '../bundled-packages.ts';
import { writeFolder } from '../write-folder.ts';
import { declarations } from './declarations.ts';
import { compileLibrary } from './modules.ts';

const root = dirname(dirname(dirname(dirname(fileURLToPath(import.meta.url)))));
process.chdir(root);
const { files, metafile } = await compileLibrary();

writeFolder(join(root, 'dist/library'), [
  ...files,
  ...declarations(),
  // The files of the program, in the folder above, are CommonJS.
  { name: 'package.json', text: `${JSON.stringify({ type: 'module' })}\n` },
  { name: 'THIRD-PARTY-LICENSES.txt', text: licensesOf(bundledPackages(metafile)) },
]);
