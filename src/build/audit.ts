/**
 * The program of `npm run audit`: lists known vulnerabilities of the packages inside the bundle and of those
 * installed with it. Development tools are only counted. Exits with 1 if there are any; if the registry does not
 * respond, there is no finding. Requires dist/.
 */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import type { Metafile } from 'esbuild';
import { bundledPackages } from './compile.ts';

interface Finding {
  readonly name: string;
  readonly severity: string;
  readonly range: string;
  /** Folders of the vulnerable copies. */
  readonly nodes: readonly string[];
}

const readJson = (file: string) => JSON.parse(readFileSync(file, 'utf8'));

function shippedFolders(): Set<string> {
  const lock: Record<string, { readonly dev?: boolean }> = readJson('package-lock.json').packages;
  const installed = Object.entries(lock).filter(([folder, { dev }]) => folder && !dev);
  const bundled = bundledPackages(readJson('dist/meta.json') as Metafile);
  return new Set([...installed.map(([folder]) => folder), ...bundled.map(({ folder }) => folder)]);
}

function findings(): Finding[] | undefined {
  const { stdout } = spawnSync('npm', ['audit', '--json'], { encoding: 'utf8' });
  const vulnerabilities = (JSON.parse(stdout || '{}') as { vulnerabilities?: object })
    .vulnerabilities;
  return vulnerabilities && Object.values(vulnerabilities);
}

function audit(): number {
  const found = findings();
  if (!found) {
    console.log('audit: not available');
    return 0;
  }
  const shipped = shippedFolders();
  const reaching = found.filter(({ nodes }) => nodes.some((folder) => shipped.has(folder)));
  for (const { name, range, severity } of reaching) console.log(`${severity}: ${name} ${range}`);
  console.log(
    `audit: ${reaching.length} in what ships, ${found.length - reaching.length} elsewhere`,
  );
  return reaching.length > 0 ? 1 : 0;
}

process.exitCode = audit();
