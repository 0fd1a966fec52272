/** The program of `npm run build`: bundles src/main.ts and its packages into dist/. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { glossary } from '../features/agents/resources.ts';
import { commandTree } from '../program.ts';
import { completionFile, shells } from '../shell/completion/shells.ts';
import { completionStore, fullHelpStore, helpStore } from '../shell/help/description.ts';
import { bundledPackages, compile, licensesOf, root, writeFolder } from './compile.ts';

const dist = join(root, 'dist');
const tree = commandTree();
const names = [...Object.values(shells).map(({ file }) => file), 'SKILL.md'];
const scripts = Object.fromEntries(names.map((name) => [name, completionFile(name)]));
const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

process.chdir(root);
// Each command apart, so that a call loads only its own.
const commands = [
  ...readFileSync('src/program.ts', 'utf8').matchAll(/ from '\.\/(features\/.+)';/g),
].map(([, path]) => `src/${path}`);

const { files, metafile } = await compile({
  entry: 'src/main.ts',
  apart: [
    ...commands,
    'src/client/codec/wire-xml.ts',
    'src/client/paging/count.ts',
    'src/client/paging/merge.ts',
    'src/output/query.ts',
    'src/output/rows/nested-lists.ts',
    'src/output/table/display-width.ts',
    // Its table of emoji takes longer to load than Node; most texts are ASCII.
    'node_modules/string-width/index.js',
    'src/features/import/rows.ts',
    'src/features/lists/part-file.ts',
  ],
  external: Object.keys(manifest.optionalDependencies ?? {}),
  define: {
    CB_VERSION: JSON.stringify(manifest.version),
    // A string of JSON, which Node parses faster than an object literal.
    CB_HELP: JSON.stringify(JSON.stringify(helpStore(tree))),
    CB_FULL_HELP: JSON.stringify(JSON.stringify(fullHelpStore(tree))),
    CB_SCRIPTS: JSON.stringify(JSON.stringify(scripts)),
    CB_COMPLETION: JSON.stringify(JSON.stringify(completionStore(tree))),
    CB_GLOSSARY: JSON.stringify(glossary),
  },
});

writeFolder(dist, [
  ...files,
  // The surrounding package uses ES modules.
  { name: 'package.json', text: `${JSON.stringify({ type: 'commonjs' })}\n` },
  { name: 'THIRD-PARTY-LICENSES.txt', text: licensesOf(bundledPackages(metafile)) },
  { name: 'meta.json', text: JSON.stringify(metafile) },
]);
