import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { emptyHome } from './binary.ts';
import { preload } from './preload.ts';

const hook = `process.on('exit', () => {
  const files = JSON.stringify(Object.keys(require.cache));
  require('node:fs').writeFileSync(process.env.LOADED_FILES, files);
});`;

/** Runs a Node program to its end and returns the absolute paths of the files it loaded, in order. */
export async function runAndListFiles(
  program: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
  flags: readonly string[] = [],
) {
  const folder = emptyHome();
  const list = join(folder, 'files.json');
  const child = spawn(process.execPath, [...flags, program, ...args], {
    env: { ...process.env, ...env, ...preload(folder, hook), LOADED_FILES: list },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const all = [text(child.stdout), text(child.stderr), once(child, 'close')] as const;
  const [stdout, stderr, [status]] = await Promise.all(all);
  const files = JSON.parse(readFileSync(list, 'utf8')) as string[];
  return { status, stdout, stderr, files };
}
