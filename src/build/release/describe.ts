/**
 * `npm run release:describe -- REPOSITORY [--partial]`: writes what names the archives of dist/release/ with their SHA-256: the
 * install scripts, the formula for Homebrew, the manifest for Scoop, and SHA256SUMS. Every system must have its
 * archives, except with --partial.
 */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { digestOf } from '../../storage/fingerprint.ts';
import { type Target, targets } from '../binary/node.ts';
import { root } from '../compile.ts';
import { archivesOf, commonValues, fillTemplate, systems, type Values } from './description.ts';

const release = join(root, 'dist/release');
const [repository, flag] = process.argv.slice(2);
if (!repository) throw new Error('Name the address of the repository.');

const hashOf = (name: string) => digestOf(readFileSync(join(release, name)));

const archives = (Object.keys(targets) as Target[]).flatMap((target) =>
  archivesOf(target).map((name) => ({ target, name })),
);
const found = archives.filter(({ name }) => existsSync(join(release, name)));
const missing = archives.filter((archive) => !found.includes(archive)).map(({ name }) => name);
if (missing.length > 0 && flag !== '--partial') throw new Error(`Missing: ${missing.join(', ')}`);

const [windows = ''] = archivesOf('win32-x64');
const common = commonValues(repository);
const values: Values = {
  ...common,
  ARCHIVES: found
    .filter(({ target }) => systems[target].uname)
    .map(({ target, name }) => {
      const kind = name.endsWith('.xz') ? 'xz' : 'gz';
      return `  ${systems[target].uname}-${kind}) echo '${name} ${hashOf(name)}' ;;`;
    })
    .join('\n'),
  FORMULA_URLS: found
    .filter(({ target, name }) => systems[target].brew && name.endsWith('.xz'))
    .map(({ target, name }) => {
      const [system, processor] = systems[target].brew?.split(' ') ?? [];
      const lines = [`url "${common.URL}/${name}"`, `sha256 "${hashOf(name)}"`];
      const inner = lines.map((line) => `      ${line}`).join('\n');
      return `  ${system} do\n    ${processor} do\n${inner}\n    end\n  end`;
    })
    .join('\n'),
  WINDOWS_ARCHIVE: windows,
  WINDOWS_SHA256: missing.includes(windows) ? '' : hashOf(windows),
};

for (const name of ['install.sh', 'install.ps1', 'cb.rb', 'cb.json']) {
  writeFileSync(join(release, name), fillTemplate(name, values));
}
const files = readdirSync(release).filter((name) => name !== 'SHA256SUMS' && !name.startsWith('.'));
const sums = files.sort().map((name) => `${hashOf(name)}  ${name}\n`);
writeFileSync(join(release, 'SHA256SUMS'), sums.join(''));
