/** A file that only its owner may read, in a folder of its own: looked at before it is trusted. */
import {
  chmodSync,
  closeSync,
  constants,
  fchmodSync,
  fstatSync,
  lstatSync,
  openSync,
  readFileSync,
  type Stats,
} from 'node:fs';
import { dirname } from 'node:path';
import { ApiError } from '../client/errors.ts';
import { codeOf } from '../storage/error-code.ts';
import { makeFolder } from '../storage/folder.ts';

export interface Owner {
  /** The user's number; missing where files have neither owners nor modes, as on Windows. */
  readonly user: number | undefined;
  /** Gets a sentence on what others could reach, and what was done about it. */
  onLoose?(note: string): void;
}

/** Undefined where there is none. Throws an ApiError for what is not this user's own plain file. */
export function readPrivate(file: string, owner: Owner): string | undefined {
  if (!checkFolder(dirname(file), owner)) return undefined;
  const opened = openPlain(file);
  if (opened === undefined) return undefined;
  try {
    const stats = fstatSync(opened);
    if (!stats.isFile()) throw refused(file, 'is not a plain file');
    checkOwner(file, stats, owner);
    closeToOthers(file, stats, 0o077, owner, () => fchmodSync(opened, 0o600));
    return readFileSync(opened, 'utf8');
  } finally {
    closeSync(opened);
  }
}

/** Makes the folder, or takes from others what they may do there. */
export function makePrivateFolder(folder: string, owner: Owner): void {
  makeFolder(folder);
  checkFolder(folder, owner);
  chmodSync(folder, 0o700);
}

/** False where there is none. Whoever may write into it could put another file in place of the real one. */
function checkFolder(folder: string, owner: Owner): boolean {
  const stats = statsOf(folder);
  if (!stats) return false;
  if (stats.isSymbolicLink()) throw linked(folder);
  checkOwner(folder, stats, owner);
  closeToOthers(folder, stats, 0o022, owner, () => chmodSync(folder, 0o700));
  return true;
}

/** Undefined where there is none, also where a file stands in place of a folder above it. */
export function statsOf(path: string): Stats | undefined {
  try {
    return lstatSync(path);
  } catch (error) {
    const code = codeOf(error);
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    throw error;
  }
}

/** Links are not followed, and a pipe is not waited for. */
function openPlain(file: string): number | undefined {
  const { O_RDONLY, O_NOFOLLOW = 0, O_NONBLOCK = 0 } = constants;
  // Windows can't be told in the same breath.
  const isLink = O_NOFOLLOW === 0 && lstatSync(file, { throwIfNoEntry: false })?.isSymbolicLink();
  if (isLink) throw linked(file);
  try {
    return openSync(file, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  } catch (error) {
    const code = codeOf(error);
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    if (code === 'ELOOP' || code === 'EMLINK') throw linked(file);
    throw refused(file, `can't be read (${code})`);
  }
}

function checkOwner(path: string, { uid }: Stats, { user }: Owner): void {
  if (user === undefined || uid === user) return;
  throw refused(path, `belongs to another user (number ${uid})`);
}

/** `bits` are what others may not be allowed to do. */
function closeToOthers(
  path: string,
  { mode }: Stats,
  bits: number,
  { user, onLoose }: Owner,
  close: () => void,
): void {
  if (user === undefined || (mode & bits) === 0) return;
  const found = `${path} was open to other users (mode ${(mode & 0o777).toString(8).padStart(4, '0')})`;
  try {
    close();
    onLoose?.(`${found}; it is closed now, but who looked in before may have the keys`);
  } catch (error) {
    onLoose?.(`${found}, and can't be closed (${codeOf(error)}): move it, or change its mode`);
  }
}

function linked(path: string): ApiError {
  return new ApiError('key', `${path} is a symbolic link, which is not followed for keys`, {
    hint: 'put what it points to in its place, or name another folder with XDG_CONFIG_HOME',
  });
}

function refused(path: string, why: string): ApiError {
  return new ApiError('key', `the profiles can't be used: ${path} ${why}`, {
    hint: 'move it away and run `cb login` again, or name another folder with XDG_CONFIG_HOME',
  });
}
