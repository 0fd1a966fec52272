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
  linkSync,
  openSync,
  readdirSync,
  renameSync,
  unlinkSync,
  writeSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { type LockFile, type LockRecord, nonceForm, readLockFile } from './lock-record.ts';

/** A lock file that this process has created, open for its heartbeat. */
export interface OwnFile {
  readonly nonce: string;
  readonly descriptor: number;
}

/** What a new lock file says; each gets a nonce of its own. */
export type Content = Omit<LockRecord, 'nonce'>;

export function claimPath(lockFile: string, nonce: string): string {
  return `${lockFile}.${nonce}`;
}

/** The longest text that a claim or an unfinished file adds to the name of the lock file. */
export const longestEnding = '.0123456789abcdef.new'.length;

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
  const own = create(lockFile, lockFile, content);
  if (own) sweep(lockFile, own.nonce);
  return own;
}

/** Takes over from the last one of a chain, who has ended. Undefined if another process was faster. */
export function takeOver(
  lockFile: string,
  chain: readonly LockFile[],
  content: Content,
): OwnFile | undefined {
  const claim = claimPath(lockFile, chain.at(-1)?.nonce ?? '');
  const own = create(lockFile, claim, content);
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
    if (!isTaken) withdraw(claim, own);
  }
  sweep(lockFile, own.nonce);
  return own;
}

function withdraw(claim: string, { descriptor }: OwnFile): void {
  closeSync(descriptor);
  removeQuietly(claim);
}

/** Creates a file with its content at once. Undefined if there is one. */
function create(lockFile: string, target: string, content: Content): OwnFile | undefined {
  const nonce = randomBytes(8).toString('hex');
  const text = `${JSON.stringify({ nonce, ...content })}\n`;
  const draft = `${claimPath(lockFile, nonce)}.new`;
  const descriptor = openSync(draft, 'wx', 0o644);
  try {
    writeSync(descriptor, text);
    linkSync(draft, target);
    return { nonce, descriptor };
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    // A network file system may repeat a request whose reply was lost.
    if (code === 'EEXIST' && readLockFile(target)?.nonce === nonce) return { nonce, descriptor };
    closeSync(descriptor);
    // ENOENT: the process that holds the lock now has swept this draft away.
    if (code === 'EEXIST' || code === 'ENOENT') return undefined;
    if (hasNoLinks.has(code)) return createWithoutLinks(target, nonce, text);
    throw error;
  } finally {
    removeQuietly(draft);
  }
}

/** Errors of file systems without hard links. */
const hasNoLinks = new Set(['EPERM', 'ENOSYS', 'ENOTSUP', 'EOPNOTSUPP', 'EINVAL', 'EMLINK']);

/** Here others can see the file before it is whole; they then wait as for a process elsewhere. */
function createWithoutLinks(target: string, nonce: string, text: string): OwnFile | undefined {
  let descriptor: number;
  try {
    descriptor = openSync(target, 'wx', 0o644);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return undefined;
    throw error;
  }
  try {
    writeSync(descriptor, text);
    return { nonce, descriptor };
  } catch (error) {
    closeSync(descriptor);
    removeQuietly(target);
    throw error;
  }
}

/** Removes the claims and drafts of processes that were killed. Leftover files do no harm. */
function sweep(lockFile: string, own: string): void {
  const start = `${basename(lockFile)}.`;
  const others = namesIn(dirname(lockFile))
    .filter((name) => name.startsWith(start))
    .map((name) => name.slice(start.length));
  // A claim on this process's own lock: others hold it to have ended.
  if (others.includes(own)) return;
  for (const ending of others.filter((one) => isClaim(one.replace(/\.new$/, '')))) {
    removeQuietly(join(dirname(lockFile), `${start}${ending}`));
  }
}

/** Empty for a folder whose names this user may not read. */
function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function isClaim(ending: string): boolean {
  return nonceForm.test(ending) || /^damaged\d+$/.test(ending);
}

export function removeQuietly(file: string): void {
  try {
    unlinkSync(file);
  } catch {
    // What is left over is swept away by the next process that gets the lock.
  }
}
