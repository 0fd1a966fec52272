/**
 * The lock file `NAME.lock` and who may replace it.
 *
 * Each lock file has a nonce N. Taking over from a process that has ended begins with creating
 * `NAME.lock.N`, which only one process can do; that file then replaces the lock file. If its creator ends
 * in between, its own nonce is claimed in the same way. So the holder is the last one of a chain: the lock
 * file, the claim on its nonce, the claim on that claim's nonce, and so on.
 */
import { randomBytes } from 'node:crypto';
import {
  closeSync,
  constants,
  fstatSync,
  openSync,
  readdirSync,
  readSync,
  renameSync,
  unlinkSync,
  writeSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { codeOf } from './error-code.ts';
import type { Identity } from './lock-owner.ts';

/** The content of a lock file. It never holds arguments, which may contain a key. */
export interface LockRecord extends Identity {
  /** Different each time that a lock is acquired. */
  readonly nonce: string;
  /** As in `orders list`. */
  readonly command?: string | undefined;
  /** An ISO 8601 timestamp. */
  readonly since: string;
}

/** What a new lock file says; each gets a nonce of its own. */
export type Content = Omit<LockRecord, 'nonce'>;

/** A lock file as it was read. `record` is undefined while it is being written, or when it is damaged. */
export interface LockFile {
  readonly nonce: string;
  readonly record: LockRecord | undefined;
  /** The modification time; each heartbeat changes it. */
  readonly beat: number;
}

/** A lock file that this process has created, open for its heartbeat. */
export interface OwnFile {
  readonly nonce: string;
  readonly descriptor: number;
}

/** How every lock file begins; one that is being written may still be empty. */
const start = '{"nonce":"';
const nonceForm = /^[0-9a-f]{16}$/;
const claimForm = /^([0-9a-f]{16}|damaged\d+)$/;
const longestRecord = 4096;

/** The longest text that a claim adds to the name of the lock file. */
export const longestEnding = '.damaged01234567890123456789'.length;

function claimPath(lockFile: string, nonce: string): string {
  return `${lockFile}.${nonce}`;
}

/** The lock file and the claims on it; the last one is the holder. Empty when nobody holds the lock. */
export function readChain(lockFile: string): readonly LockFile[] {
  const chain: LockFile[] = [];
  let next = readLockFile(lockFile);
  // A claim is created once for each nonce, so a chain has an end.
  while (next) {
    chain.push(next);
    next = readLockFile(claimPath(lockFile, next.nonce));
  }
  return chain;
}

/** Takes a lock that nobody holds. Undefined if another process was faster. */
export function takeFree(lockFile: string, content: Content): OwnFile | undefined {
  const own = create(lockFile, content);
  if (own) removeClaims(lockFile, own.nonce);
  return own;
}

/** Takes over from the last one of a chain, who has ended. Undefined if another process was faster. */
export function takeOver(
  lockFile: string,
  chain: readonly LockFile[],
  content: Content,
): OwnFile | undefined {
  const claim = claimPath(lockFile, chain.at(-1)?.nonce ?? '');
  const own = create(claim, content);
  if (!own) return undefined;
  let isTaken = false;
  try {
    // The chain may have been replaced after it was read: then this claim is on a nonce of the past.
    const expected = [...chain, own].map(({ nonce }) => nonce).join();
    const found = readChain(lockFile).map(({ nonce }) => nonce);
    if (found.join() !== expected) return undefined;
    renameSync(claim, lockFile);
    isTaken = true;
  } finally {
    if (!isTaken) discard(claim, own);
  }
  removeClaims(lockFile, own.nonce);
  return own;
}

/** Undefined if the file exists. Others can see it before it is whole; they then wait until it is. */
function create(file: string, content: Content): OwnFile | undefined {
  const nonce = randomBytes(8).toString('hex');
  let descriptor: number;
  try {
    descriptor = openSync(file, 'wx', 0o644);
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return undefined;
    throw error;
  }
  try {
    writeSync(descriptor, `${JSON.stringify({ nonce, ...content })}\n`);
    return { nonce, descriptor };
  } catch (error) {
    discard(file, { nonce, descriptor });
    throw error;
  }
}

function discard(file: string, { descriptor }: OwnFile): void {
  closeSync(descriptor);
  removeQuietly(file);
}

/** Whether this process still has the lock, and nobody is taking it over. */
export function isHeldBy(lockFile: string, { nonce }: OwnFile): boolean {
  return readLockFile(lockFile)?.nonce === nonce && !readLockFile(claimPath(lockFile, nonce));
}

/** Removes the claims of processes that were killed. Leftover files do no harm. */
function removeClaims(lockFile: string, own: string): void {
  const prefix = `${basename(lockFile)}.`;
  const claims = namesIn(dirname(lockFile)).filter(
    (name) => name.startsWith(prefix) && claimForm.test(name.slice(prefix.length)),
  );
  // A claim on this process's own lock: others hold it to have ended.
  if (claims.includes(`${prefix}${own}`)) return;
  for (const claim of claims) removeQuietly(join(dirname(lockFile), claim));
}

/** Empty for a folder whose names this user may not read. */
function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

export function removeQuietly(file: string): void {
  try {
    unlinkSync(file);
  } catch {
    // What is left over is removed by the next process that gets the lock.
  }
}

/** Undefined where there is no lock file. Follows no link. Throws what the file system throws. */
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
    // Only now, so that a network file system gives the current time and not a cached one.
    const { ino, mtimeMs } = fstatSync(opened);
    const buffer = Buffer.alloc(longestRecord);
    const text = buffer.toString('utf8', 0, readSync(opened, buffer));
    if (text !== '' && !text.startsWith(start)) throw foreign(file);
    const record = parseRecord(text);
    return { nonce: record?.nonce ?? `damaged${ino}`, record, beat: mtimeMs };
  } finally {
    closeSync(opened);
  }
}

/** A file of the user's own, which must not be replaced. */
function foreign(file: string): Error {
  return Object.assign(new Error(`${file} is no lock file`), { code: 'not a lock file of cb' });
}

/** Only texts of the expected form become part of messages and file names. */
function parseRecord(text: string): LockRecord | undefined {
  try {
    const record: unknown = JSON.parse(text);
    return isRecord(record) ? record : undefined;
  } catch {
    return undefined;
  }
}

function isRecord(value: unknown): value is LockRecord {
  if (typeof value !== 'object' || value === null) return false;
  const {
    nonce,
    pid,
    host,
    since,
    command = '',
  }: Partial<Record<keyof LockRecord, unknown>> = value;
  return (
    nonceForm.test(String(nonce)) &&
    Number.isSafeInteger(pid) &&
    [host, since, command].every((text) => typeof text === 'string')
  );
}
