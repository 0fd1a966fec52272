/** Canonical paths of files, and names for the files beside them. */
import { createHash } from 'node:crypto';
import { lstatSync, readlinkSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { codeOf } from './error-code.ts';

/** The longest file name, in bytes, that the usual file systems accept. */
const longestName = 255;

/**
 * The path of a file without symbolic links, whether the file exists or not: all names of a file resolve to
 * the same path. Hard links count as different files. Throws file system errors.
 */
export function canonicalPath(path: string): string {
  try {
    return realpathSync.native(path);
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') throw error;
  }
  // The target of a link may not exist yet.
  if (lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink()) {
    return canonicalPath(resolve(dirname(path), readlinkSync(path)));
  }
  return join(realpathSync.native(dirname(path)), basename(path));
}

/** As `canonicalPath`; the path as it is if its folder does not exist, which opening the file reports. */
export function existingPath(path: string): string {
  try {
    return canonicalPath(path);
  } catch {
    return path;
  }
}

/** Whether an existing file has several names that are not symbolic links. */
export function hasHardLinks(file: string): boolean {
  try {
    const stats = statSync(file);
    return stats.isFile() && stats.nlink > 1;
  } catch {
    // Opening the file reports the error.
    return false;
  }
}

/**
 * The path with a suffix, for a file beside it. A name that would be too long is truncated and gets a hash
 * of the name. `reserved` is the number of bytes to leave free for further suffixes.
 */
export function siblingPath(path: string, suffix: string, reserved = 0): string {
  const name = basename(path);
  const most = longestName - Buffer.byteLength(suffix) - reserved;
  if (Buffer.byteLength(name) <= most) return `${path}${suffix}`;
  const hash = createHash('sha256').update(name).digest('hex').slice(0, 12);
  return join(dirname(path), `${startOf(name, most - hash.length - 1)}~${hash}${suffix}`);
}

/** The longest prefix of a text that fits into `bytes` bytes of UTF-8. */
export function startOf(text: string, bytes: number): string {
  return text.slice(0, new TextEncoder().encodeInto(text, new Uint8Array(bytes)).read);
}
