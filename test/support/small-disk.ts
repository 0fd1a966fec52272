/** A disk of a few kilobytes or megabytes, or one that nobody can write to: a tmpfs, which only root may mount. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

const run = (program: 'mount' | 'umount', ...args: readonly string[]) =>
  spawnSync(program, args).status === 0;

/** Why there can be no such disk here; undefined where there can be one. */
export const noSmallDisk = problem();

function problem(): string | undefined {
  const folder = mkdtempSync(join(tmpdir(), 'cb-mount-'));
  const isMounted = run('mount', '-t', 'tmpfs', '-o', 'size=64k', 'tmpfs', folder);
  if (isMounted) run('umount', folder);
  rmSync(folder, { recursive: true });
  return isMounted ? undefined : 'a tmpfs can be mounted by root only';
}

/** A disk of 64 kB or another size below a folder; it goes when the test ends. */
export function smallDisk(below: string, size = '64k') {
  const folder = join(below, 'disk');
  mkdirSync(folder);
  const mount = (options: string) => {
    if (run('mount', '-t', 'tmpfs', '-o', options, 'tmpfs', folder)) return;
    throw new Error(noSmallDisk ?? `can't mount with ${options}`);
  };
  mount(`size=${size}`);
  onTestFinished(() => void run('umount', '--lazy', folder));
  return {
    folder,
    /** Nothing can be written from here on. */
    close: () => mount('remount,ro'),
    /** Makes room for 64 MB. */
    grow: () => mount('remount,size=64m'),
  };
}
