/** The package as a program finds it, and the compiler on a program that uses it. */
import { execFile } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { emptyHome } from '../support/binary.ts';

/** A folder in which the package is installed; removed when the test ends. */
export function project(files: Readonly<Record<string, string>>): string {
  const folder = emptyHome();
  mkdirSync(join(folder, 'node_modules'));
  symlinkSync(resolve('.'), join(folder, 'node_modules/clickbank-cli'));
  for (const name of ['vitest', '@types']) {
    symlinkSync(resolve('node_modules', name), join(folder, 'node_modules', name));
  }
  const manifest = { name: 'shop', private: true, type: 'module' };
  const all = { 'package.json': JSON.stringify(manifest), ...files };
  for (const [name, text] of Object.entries(all)) writeFileSync(join(folder, name), text);
  return folder;
}

/** Runs a program with Node, in an environment that has nothing else of this one than what guards tests. */
export function runNode(
  args: readonly string[],
  { node = process.execPath, env = {}, ...options }: { node?: string; cwd?: string; env?: object },
) {
  const { NODE_OPTIONS = '', PATH = '' } = process.env;
  return promisify(execFile)(node, args, { ...options, env: { NODE_OPTIONS, PATH, ...env } });
}

/** Returns the errors of the compiler about the TypeScript files of a folder; empty if there are none. */
export async function typeErrors(folder: string, options: object = {}): Promise<string> {
  const compilerOptions = {
    ...{ target: 'es2023', lib: ['es2023'], module: 'nodenext', types: ['node'] },
    ...{ strict: true, exactOptionalPropertyTypes: true, noEmit: true, skipLibCheck: false },
    ...options,
  };
  const file = join(folder, 'tsconfig.json');
  writeFileSync(file, JSON.stringify({ compilerOptions, include: ['*.ts'] }));
  const compiler = resolve('node_modules/typescript/bin/tsc');
  const { stdout } = await promisify(execFile)(process.execPath, [compiler, '--project', file], {
    cwd: folder,
  }).catch((error: { stdout: string }) => error);
  return stdout;
}
