/**
 * The lock file `NAME.lock` and who may replace it.
 *
 * Each lock file has a nonce N. Taking over from a process that has ended begins with creating
 * `NAME.lock.N`, which only one process can do; that file then replaces the lock file. If its creator ends
 * before that, its own nonce is claimed in the same way. So the holder is the last one of a chain: the lock
 * file, the claim on its nonce, the claim on that claim's nonce, and so on.
 */
import { randomBytes } from 'node:crypto';
import {
  closeSync,
  constants,
  copyFileSync,
  fstatSync,
  linkSync,
  openSync,
  readdirSync,
  readSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { codeOf } from './error-code.ts';
import type { Identity } from './lock-owner.ts';

/** The content of a lock file. It never holds arguments, which may contain a key. */
export interface LockRecord extends Identity {
  /** Different each time a lock is acquired. */
  readonly nonce: string;
  /** As in `orders list`. */
  readonly command?: string | undefined;
  /** An ISO 8601 timestamp. */
  readonly since: string;
}

/** A lock file as it was read. */
export interface LockFile {
  readonly nonce: string;
  /** Undefined for a damaged file, or a copy that is still being written. */
  readonly record: LockRecord | undefined;
  /** The modification time, which each heartbeat changes. */
  readonly modifiedAt: number;
}

/** The start of every lock file; after a power failure, it may be empty. */
const start = '{"nonce":"';
const nonceForm = /^[0-9a-f]{16}$/;
/** The suffixes of claims and drafts. */
const endingForm = /^\.(?:[0-9a-f]{16}(?:\.new)?|damaged\d+)$/;
export const longestEnding = '.damaged01234567890123456789'.length;
const longestRecord = 4096;

function claimPath(lockFile: string, nonce: string): string {
  return `${lockFile}.${nonce}`;
}

/** The lock file and the claims on it; the last one is the holder. Empty if the lock is free. */
export function readChain(lockFile: string): readonly LockFile[] {
  const chain: LockFile[] = [];
  let next = readLockFile(lockFile);
  // Each nonce has at most one claim, so the chain ends.
  while (next) {
    chain.push(next);
    next = readLockFile(claimPath(lockFile, next.nonce));
  }
  return chain;
}

/**
 * Takes a free lock, or one whose holder, the last one of the chain, has ended. Returns the nonce of
 * the new lock file; undefined if another process was faster.
 */
export function takeLock(
  lockFile: string,
  chain: readonly LockFile[],
  content: Omit<LockRecord, 'nonce'>,
): string | undefined {
  const holder = chain.at(-1);
  const claim = holder && claimPath(lockFile, holder.nonce);
  const nonce = randomBytes(8).toString('hex');
  if (!create(claim ?? lockFile, `${lockFile}.${nonce}.new`, { nonce, ...content }))
    return undefined;
  if (claim) {
    let isTaken = false;
    try {
      // If the chain was replaced after it was read, this claim is on an old nonce.
      const expected = [...chain.map((one) => one.nonce), nonce].join();
      const found = readChain(lockFile).map((one) => one.nonce);
      if (found.join() !== expected) return undefined;
      renameSync(claim, lockFile);
      isTaken = true;
    } finally {
      if (!isTaken) removeQuietly(claim);
    }
  }
  removeLeftovers(lockFile, nonce);
  return nonce;
}

/** Returns false if the file exists. Created atomically, so a killed process leaves no empty lock file. */
function create(file: string, draft: string, record: LockRecord): boolean {
  try {
    writeFileSync(draft, `${JSON.stringify(record)}\n`, { flag: 'wx', mode: 0o644 });
    return publish(draft, file);
  } finally {
    removeQuietly(draft);
  }
}

function publish(draft: string, file: string): boolean {
  try {
    linkSync(draft, file);
    return true;
  } catch {
    // The file exists, or the file system has no hard links.
  }
  try {
    copyFileSync(draft, file, constants.COPYFILE_EXCL);
    return true;
  } catch (error) {
    const code = codeOf(error);
    // The draft is missing if another process acquired the lock and removed leftovers.
    if (code === 'EEXIST' || code === 'ENOENT') return false;
    throw error;
  }
}

/** Whether the lock file has this nonce and no process is taking it over. */
export function isHeldBy(lockFile: string, nonce: string): boolean {
  return readLockFile(lockFile)?.nonce === nonce && !readLockFile(claimPath(lockFile, nonce));
}

/** Removes claims and drafts of killed processes. Remaining ones do no harm. */
function removeLeftovers(lockFile: string, own: string): void {
  const name = basename(lockFile);
  const leftovers = namesIn(dirname(lockFile)).filter(
    (one) => one.startsWith(name) && endingForm.test(one.slice(name.length)),
  );
  // There is a claim on this process's own lock: another process considers this one to have ended.
  if (leftovers.includes(claimPath(name, own))) return;
  for (const one of leftovers) removeQuietly(join(dirname(lockFile), one));
}

/** Returns an empty list for a folder that this user may not read. */
function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

export function removeQuietly(file: string): void {
  try {
    rmSync(file, { force: true });
  } catch {
    // The next process that acquires the lock removes the file.
  }
}

/** Returns undefined if there is no lock file. Does not follow symbolic links. Throws file system errors. */
function readLockFile(file: string): LockFile | undefined {
  const { O_RDONLY, O_NOFOLLOW = 0, O_NONBLOCK = 0 } = constants;
  let opened: number;
  try {
    opened = openSync(file, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw error;
  }
  try {
    // After opening, so that a network file system returns the current time and not a cached one.
    const { ino, mtimeMs } = fstatSync(opened);
    const buffer = Buffer.alloc(longestRecord);
    const text = buffer.toString('utf8', 0, readSync(opened, buffer));
    // A file that cb did not create must not be replaced.
    if (text !== '' && !text.startsWith(start)) {
      throw Object.assign(new Error(`${file} is not a lock file.`), {
        code: 'not a lock file of cb',
      });
    }
    const record = parseRecord(text);
    return { nonce: record?.nonce ?? `damaged${ino}`, record, modifiedAt: mtimeMs };
  } finally {
    closeSync(opened);
  }
}

/** Validates the record, since its texts are used in messages and file names. */
function parseRecord(text: string): LockRecord | undefined {
  try {
    const record: LockRecord = JSON.parse(text);
    const { nonce, pid, host, since, command = '' } = record;
    const areTexts = [host, since, command].every((one) => typeof one === 'string');
    return nonceForm.test(nonce) && Number.isSafeInteger(pid) && areTexts ? record : undefined;
  } catch {
    return undefined;
  }
}
