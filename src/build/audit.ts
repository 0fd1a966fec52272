/**
 * The program of `npm run audit`: lists known vulnerabilities of the packages inside the bundle and of those
 * installed with it. Development tools are only counted. Exits with 1 if there are any; if the registry does not
 * respond, there is no finding. Requires dist/.
 */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { bundledPackages } from './compile.ts';

interface Finding {
  readonly name: string;
  readonly severity: string;
  readonly range: string;
  /** Folders of the vulnerable copies. */
  readonly nodes: readonly string[];
}

const readJson = (file: string) => JSON.parse(readFileSync(file, 'utf8'));

const lock: Record<string, { readonly dev?: boolean }> = readJson('package-lock.json').packages;
const installed = Object.keys(lock).filter((folder) => folder && !lock[folder]?.dev);
const bundled = bundledPackages(readJson('dist/meta.json')).map(({ folder }) => folder);
const shipped = new Set([...installed, ...bundled]);

const { stdout } = spawnSync('npm', ['audit', '--json'], { encoding: 'utf8' });
const { vulnerabilities }: { vulnerabilities?: Record<string, Finding> } = JSON.parse(
  stdout || '{}',
);
if (vulnerabilities) {
  const found = Object.values(vulnerabilities);
  const reaching = found.filter(({ nodes }) => nodes.some((folder) => shipped.has(folder)));
  for (const { name, range, severity } of reaching) console.log(`${severity}: ${name} ${range}`);
  const others = found.length - reaching.length;
  console.log(`audit: ${reaching.length} in what ships, ${others} elsewhere`);
  process.exitCode = reaching.length > 0 ? 1 : 0;
} else console.log('audit: not available');
