/** The npm packages inside the bundle and their licenses. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Metafile } from 'esbuild';

export interface BundledPackage {
  readonly name: string;
  readonly folder: string;
}

/** Returns the package of a file; undefined for a file of cb. */
export function packageOf(path: string): BundledPackage | undefined {
  const match = /^(.*node_modules\/((?:@[^/]+\/)?[^/]+))\//.exec(path);
  return match?.[1] && match[2] ? { name: match[2], folder: match[1] } : undefined;
}

/**
 * Returns the packages of which at least one byte was kept, by folder, because a name can occur in several
 * versions.
 */
export function bundledPackages({ outputs }: Metafile): BundledPackage[] {
  const found = new Map<string, BundledPackage>();
  for (const { inputs } of Object.values(outputs)) {
    for (const [path, { bytesInOutput }] of Object.entries(inputs)) {
      const from = bytesInOutput > 0 ? packageOf(path) : undefined;
      if (from) found.set(from.folder, from);
    }
  }
  return [...found.values()].sort((a, b) => (a.folder < b.folder ? -1 : 1));
}

/** Returns the license texts that must be distributed with the bundle. Throws for a package without a license. */
export function licensesOf(packages: readonly BundledPackage[]): string {
  const intro = 'cb contains the following packages, each under its own license.\n';
  return [intro, ...packages.map(licenseOf)].join(`\n${'-'.repeat(80)}\n\n`);
}

function licenseOf({ name, folder }: BundledPackage): string {
  const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const texts = readdirSync(folder)
    .filter((file) => /^(licen[cs]e|copying|notice)/i.test(file))
    .sort()
    .map((file) => readFileSync(join(folder, file), 'utf8').trim());
  if (!manifest.license) throw new Error(`${name} names no license`);
  const author = manifest.author?.name ?? manifest.author ?? 'its authors';
  // A few packages name their license without including its text.
  if (texts.length === 0) texts.push(`Copyright ${author}. License: ${manifest.license}.`);
  return `${name} ${manifest.version} (${manifest.license})\n\n${texts.join('\n\n')}\n`;
}
