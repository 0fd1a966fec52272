/** A disk of a few kilobytes or megabytes, or one that nobody can write to: a tmpfs, which only root may mount. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

function run(program: 'mount' | 'umount', ...args: readonly string[]): boolean {
  return spawnSync(program, args).status === 0;
}

/** Why there can be no such disk here; undefined where there can be one. */
export const noSmallDisk = problem();

function problem(): string | undefined {
  const folder = mkdtempSync(join(tmpdir(), 'cb-mount-'));
  const isMounted = run('mount', '-t', 'tmpfs', '-o', 'size=64k', 'tmpfs', folder);
  if (isMounted) run('umount', folder);
  rmSync(folder, { recursive: true });
  return isMounted ? undefined : 'a tmpfs can be mounted by root only';
}

export interface SmallDisk {
  readonly folder: string;
  /** Nothing can be written from here on. */
  close(): void;
  /** Makes room for 64 MB. */
  grow(): void;
}

/** A disk of 64 kB or another size below a folder; it goes when the test ends. */
export function smallDisk(below: string, size = '64k'): SmallDisk {
  const folder = join(below, 'disk');
  mkdirSync(folder);
  const options = `size=${size}`;
  if (!run('mount', '-t', 'tmpfs', '-o', options, 'tmpfs', folder)) throw new Error(noSmallDisk);
  onTestFinished(() => {
    run('umount', '--lazy', folder);
  });
  return {
    folder,
    close() {
      if (!run('mount', '-o', 'remount,ro', folder)) throw new Error('it stays open to writes');
    },
    grow() {
      if (!run('mount', '-o', 'remount,size=64m', folder)) throw new Error('it stays small');
    },
  };
}
