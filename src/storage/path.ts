/** Names of files: the one true path of a file, and names for the files beside it. */
import { createHash } from 'node:crypto';
import { readlinkSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { codeOf } from './error-code.ts';

/** The longest file name, in bytes, that the usual file systems accept. */
const longestName = 255;

/** As many links in a row as Linux follows. */
const mostLinks = 40;

/**
 * The path of a file without symbolic links, whether the file exists or not: all names of a file lead to
 * the same path. Hard links are different files here. Throws what the file system throws.
 */
export function canonicalPath(path: string, links = 0): string {
  try {
    return realpathSync.native(path);
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') throw error;
  }
  const target = linkTarget(path);
  if (target !== undefined && links < mostLinks) {
    return canonicalPath(resolve(dirname(path), target), links + 1);
  }
  return join(realpathSync.native(dirname(path)), basename(path));
}

/** Undefined for a file that does not exist or is no symbolic link. */
function linkTarget(path: string): string | undefined {
  try {
    return readlinkSync(path);
  } catch {
    return undefined;
  }
}

/** Whether an existing file has several names that are not symbolic links. */
export function hasHardLinks(file: string): boolean {
  const stats = statSync(file, { throwIfNoEntry: false });
  return stats !== undefined && stats.nlink > 1;
}

/**
 * The path with a suffix, for a file beside it. A name that would be too long is cut and gets a hash
 * instead, always the same one. `room` is the number of bytes to leave free for further suffixes.
 */
export function siblingPath(path: string, suffix: string, room = 0): string {
  const name = basename(path);
  const most = longestName - Buffer.byteLength(suffix) - room;
  if (Buffer.byteLength(name) <= most) return `${path}${suffix}`;
  const hash = createHash('sha256').update(name).digest('hex').slice(0, 12);
  return join(dirname(path), `${startOf(name, most - hash.length - 1)}~${hash}${suffix}`);
}

/** As much of the beginning of a text as fits into so many bytes of UTF-8. */
export function startOf(text: string, bytes: number): string {
  let start = '';
  let used = 0;
  for (const character of text) {
    used += Buffer.byteLength(character);
    if (used > bytes) return start;
    start += character;
  }
  return start;
}
