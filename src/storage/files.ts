/** Codes of system errors, folders that cb creates, canonical paths of files, and names for the files beside them. */
import { createHash } from 'node:crypto';
import { lstatSync, mkdirSync, readlinkSync, realpathSync, statSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';

/** The code of a system error, such as `ENOENT`; undefined for any other error. */
export function codeOf(error: unknown): string | undefined {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return typeof code === 'string' ? code : undefined;
}

export function isFullDisk(error: unknown): boolean {
  const code = codeOf(error);
  return code === 'ENOSPC' || code === 'EDQUOT';
}

/** What is wrong, by the code of the system. */
export const systemReasons: Readonly<Record<string, string>> = {
  ENOENT: 'no such file or folder',
  ENOTDIR: 'a part of the path is not a folder',
  EISDIR: 'it is a folder',
  EACCES: 'permission denied',
  EROFS: 'the disk is read-only',
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk is full',
};

/** The code for a message, in words where they help, as in `EIO` or `ENOSPC: the disk is full`. */
export function shownCode(error: unknown): string {
  const code = codeOf(error) ?? 'unknown reason';
  const reason = systemReasons[code];
  return reason === undefined ? code : `${code}: ${reason}`;
}

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

/**
 * Creates a folder and its parents; an existing folder is unchanged. Throws file system errors.
 * `mkdir` with `recursive` is not used: below /proc, where the kernel reports ENOENT for a new entry of an
 * existing folder, it retries forever.
 */
export function makeFolder(folder: string, mode = 0o700): void {
  if (isFolder(folder)) return;
  const parent = dirname(folder);
  if (parent !== folder) makeFolder(parent, mode);
  try {
    mkdirSync(folder, mode);
  } catch (error) {
    // Another process may have created it in the meantime.
    if (codeOf(error) !== 'EEXIST' || !isFolder(folder)) throw error;
  }
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}

/** Makes new names in a folder survive a crash, on platforms that support it. */
export async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r').catch(() => undefined);
  await handle?.sync().catch(() => undefined);
  await handle?.close();
}
