/** What every way of installing is generated from. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Target } from '../binary/node.ts';
import { root } from '../compile.ts';

const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

export const version: string = manifest.version;

/** How `uname -sm` and packages call the systems. */
export const systems: Readonly<
  Record<Target, { uname?: string; deb?: string; rpm?: string; brew?: string }>
> = {
  'linux-x64': { uname: 'Linux-x86_64', deb: 'amd64', rpm: 'x86_64', brew: 'on_linux on_intel' },
  'linux-arm64': { uname: 'Linux-aarch64', deb: 'arm64', rpm: 'aarch64', brew: 'on_linux on_arm' },
  'darwin-arm64': { uname: 'Darwin-arm64', brew: 'on_macos on_arm' },
  'darwin-x64': { uname: 'Darwin-x86_64', brew: 'on_macos on_intel' },
  'win32-x64': {},
};

/** The first extension is the smaller one, which not every system can unpack. */
export function archivesOf(target: Target): string[] {
  const extensions = target === 'win32-x64' ? ['zip'] : ['tar.xz', 'tar.gz'];
  return extensions.map((extension) => `cb-${version}-${target}.${extension}`);
}

export type Values = Readonly<Record<string, string>>;

/** `repository` is the address of the project, as in https://github.com/OWNER/REPOSITORY. */
export function commonValues(repository: string): Values {
  return {
    NAME: manifest.name,
    VERSION: version,
    SUMMARY: 'Command line for ClickBank vendors and affiliates',
    LICENSE: manifest.license,
    MAINTAINER: `The ${manifest.name} maintainers <${repository}/issues>`,
    HOMEPAGE: repository,
    URL: `${repository}/releases/download/v${version}`,
  };
}

/** Replaces `@NAME@`. Throws for a name without a value. */
export function fillTemplate(name: string, values: Values): string {
  const template = readFileSync(join(root, 'src/build/release/templates', name), 'utf8');
  return template.replace(/@([A-Z][A-Z0-9_]+)@/g, (_, key: string) => {
    const value = values[key];
    if (value === undefined) throw new Error(`${name}: @${key}@ has no value`);
    return value;
  });
}
