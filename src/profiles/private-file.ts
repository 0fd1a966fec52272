/** Reads a private file and its folder after checking type, owner, and mode. */
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
import { codeOf, makeFolder } from '../storage/files.ts';

export interface Owner {
  /** The user ID; undefined if files have neither owners nor modes, as on Windows. */
  readonly user: number | undefined;
  /** Receives a sentence about a file that other users could access, and what was done. */
  onExposed?(note: string): void;
}

/** Where a private file is, and how it is locked while it is changed. */
export interface Place extends Owner {
  readonly folder: string;
  /** Resolves to a function that unlocks the file. */
  lock(path: string): Promise<() => Promise<void>>;
}

/** Makes the folder private, and runs `work` while the file in it is locked. */
export async function whileLocked<T>(place: Place, file: string, work: () => Promise<T>) {
  makePrivateFolder(place.folder, place);
  const unlock = await place.lock(file);
  try {
    return await work();
  } finally {
    await unlock();
  }
}

/** The JSON in a private file: `none` if the file does not exist, undefined if it is damaged. Throws as readPrivate does. */
export function jsonIn(file: string, owner: Owner, none: unknown): unknown {
  const text = readPrivate(file, owner);
  if (text === undefined) return none;
  try {
    return JSON.parse(text);
  } catch {
    // The parser's message would quote the text, which may contain a key.
    return undefined;
  }
}

/** Returns undefined if the file does not exist. Throws an ApiError unless it is a regular file of this user. */
function readPrivate(file: string, owner: Owner): string | undefined {
  if (!checkFolder(dirname(file), owner)) return undefined;
  const opened = openPlain(file);
  if (opened === undefined) return undefined;
  try {
    const stats = fstatSync(opened);
    if (!stats.isFile()) throw refused(file, 'is not a regular file');
    checkOwner(file, stats, owner);
    makePrivate(file, stats, 0o077, owner, () => fchmodSync(opened, 0o600));
    // Some editors begin a file with a byte order mark.
    return readFileSync(opened, 'utf8').replace(/^\uFEFF/, '');
  } finally {
    closeSync(opened);
  }
}

function makePrivateFolder(folder: string, owner: Owner): void {
  makeFolder(folder);
  checkFolder(folder, owner);
  chmodSync(folder, 0o700);
}

/** Returns false if the folder does not exist. A user who may write to it could replace the file. */
function checkFolder(folder: string, owner: Owner): boolean {
  const stats = statsOf(folder);
  if (!stats) return false;
  if (stats.isSymbolicLink()) throw linked(folder);
  checkOwner(folder, stats, owner);
  makePrivate(folder, stats, 0o022, owner, () => chmodSync(folder, 0o700));
  return true;
}

/** Returns undefined if the path does not exist, also if one of its parents is a file. */
export function statsOf(path: string): Stats | undefined {
  try {
    return lstatSync(path);
  } catch (error) {
    const code = codeOf(error);
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    throw error;
  }
}

/** Does not follow symbolic links or wait for a pipe. */
function openPlain(file: string): number | undefined {
  const { O_RDONLY, O_NOFOLLOW = 0, O_NONBLOCK = 0 } = constants;
  // Windows has no O_NOFOLLOW.
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
  throw refused(path, `belongs to another user (ID ${uid})`);
}

/** Removes the permissions `bits` of other users. */
function makePrivate(
  path: string,
  { mode }: Stats,
  bits: number,
  { user, onExposed }: Owner,
  close: () => void,
): void {
  if (user === undefined || (mode & bits) === 0) return;
  const found = `${path} was accessible to other users (mode ${(mode & 0o777).toString(8).padStart(4, '0')})`;
  try {
    close();
    onExposed?.(`${found}. It is private now, but other users may have read the keys.`);
  } catch (error) {
    onExposed?.(
      `${found}, and the mode can't be changed (${codeOf(error)}). Move it, or change its mode.`,
    );
  }
}

function linked(path: string): ApiError {
  return new ApiError(
    'key',
    `${path} is a symbolic link. Symbolic links are not followed for keys.`,
    { hint: 'Replace the link with its target, or set XDG_CONFIG_HOME to another folder.' },
  );
}

function refused(path: string, why: string): ApiError {
  return new ApiError('key', `The profiles can't be used: ${path} ${why}.`, {
    hint: 'Move it away and run `cb login` again, or set XDG_CONFIG_HOME to another folder.',
  });
}
