import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const hook = fileURLToPath(new URL('loaded-files.cjs', import.meta.url));

/** Runs a Node program to its end, and tells which files it loaded: absolute paths. */
export function runAndListFiles(program: string, args: readonly string[]) {
  const folder = mkdtempSync(join(tmpdir(), 'cb-loaded-'));
  const list = join(folder, 'files.json');
  try {
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      ['--require', hook, program, ...args],
      { encoding: 'utf8', env: { ...process.env, LOADED_FILES: list } },
    );
    return { status, stdout, stderr, files: JSON.parse(readFileSync(list, 'utf8')) as string[] };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
