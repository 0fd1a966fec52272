/**
 * `npm run release:pack -- REPOSITORY`: packs dist/binary/cb for this system into dist/release/: archives, and on Linux a .deb
 * and a .rpm where their tools are installed.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Target } from '../binary/node.ts';
import { root } from '../compile.ts';
import { archivesOf, commonValues, fillTemplate, systems, version } from './description.ts';

const target = `${process.platform}-${process.arch}` as Target;
const release = join(root, 'dist/release');
mkdirSync(release, { recursive: true });
const work = mkdtempSync(join(release, '.work-'));
const values = commonValues(process.argv[2] ?? '');
if (!values.HOMEPAGE) throw new Error('Name the address of the repository.');

/** Copies files into a new folder, each to a path in it. */
function stage(name: string, files: Readonly<Record<string, string>>): string {
  const folder = join(work, name);
  for (const [to, from] of Object.entries(files)) {
    cpSync(join(root, from), join(folder, to), { recursive: true });
  }
  return folder;
}

const program = process.platform === 'win32' ? 'cb.exe' : 'cb';
const licenses = {
  LICENSE: 'LICENSE',
  'LICENSE-node.txt': 'dist/binary/LICENSE-node.txt',
  'THIRD-PARTY-LICENSES.txt': 'dist/THIRD-PARTY-LICENSES.txt',
};

function packArchives(): void {
  const files = { [program]: `dist/binary/${program}`, completions: 'completions', ...licenses };
  const folder = stage('archive', files);
  const names = [program, 'completions', ...Object.keys(licenses)];
  const { SystemRoot } = process.env;
  // Windows' own tar writes zip files; that of Git, which may come first in PATH, does not.
  const tar = SystemRoot ? join(SystemRoot, 'System32/tar.exe') : 'tar';
  for (const name of archivesOf(target)) {
    // -a takes the compression from the name of the file.
    execFileSync(tar, ['-a', '-cf', join(release, name), '-C', folder, ...names]);
  }
}

/** The files of a package for Linux, below /. */
function stagePackage(name: string): string {
  const doc = `usr/share/doc/${values.NAME}`;
  const folder = stage(name, {
    'usr/bin/cb': 'dist/binary/cb',
    'usr/share/man/man1': 'completions/man',
    'usr/share/bash-completion/completions/cb': 'completions/cb.bash',
    'usr/share/zsh/vendor-completions/_cb': 'completions/cb.zsh',
    'usr/share/fish/vendor_completions.d/cb.fish': 'completions/cb.fish',
    [`${doc}/copyright`]: 'LICENSE',
    [`${doc}/LICENSE-node.txt`]: licenses['LICENSE-node.txt'],
    [`${doc}/THIRD-PARTY-LICENSES.txt`]: licenses['THIRD-PARTY-LICENSES.txt'],
  });
  execFileSync('chmod', ['-R', 'u=rwX,go=rX', folder]);
  chmodSync(join(folder, 'usr/bin/cb'), 0o755);
  return folder;
}

function packDeb(architecture: string): void {
  const folder = stagePackage('deb');
  const control = fillTemplate('control', { ...values, DEB_ARCH: architecture });
  mkdirSync(join(folder, 'DEBIAN'));
  writeFileSync(join(folder, 'DEBIAN/control'), control);
  const file = join(release, `${values.NAME}_${version}_${architecture}.deb`);
  execFileSync('dpkg-deb', ['--build', '--root-owner-group', '-Zxz', folder, file]);
}

function packRpm(architecture: string): void {
  const spec = join(work, 'cb.spec');
  writeFileSync(spec, fillTemplate('cb.spec', values));
  const folder = stagePackage('rpm');
  const defines = [`_rpmdir ${release}`, `_topdir ${join(work, 'top')}`, '_build_id_links none'];
  const name = `_rpmfilename ${values.NAME}-${version}.${architecture}.rpm`;
  const flags = [...defines, name].flatMap((define) => ['--define', define]);
  execFileSync('rpmbuild', ['-bb', '--quiet', '--buildroot', folder, ...flags, spec]);
}

function isInstalled(tool: string): boolean {
  return spawnSync(tool, ['--version']).status === 0;
}

try {
  packArchives();
  const { deb, rpm } = systems[target];
  if (deb && isInstalled('dpkg-deb')) packDeb(deb);
  if (rpm && isInstalled('rpmbuild')) packRpm(rpm);
} finally {
  rmSync(work, { recursive: true, force: true });
}
