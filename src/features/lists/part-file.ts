/**
 * Writes a large file, perhaps in several runs. Rows go to the partial file `NAME.part` beside it, with a
 * checkpoint. The partial file is renamed when it is complete.
 */
import { createHash, type Hash } from 'node:crypto';
import { constants } from 'node:fs';
import { type FileHandle, open, rename, rm } from 'node:fs/promises';
import { badInput, WorkflowError } from '../../client/workflow-error.ts';
import { openLike } from '../../storage/atomic-file.ts';
import { shownCode } from '../../storage/error-code.ts';
import { siblingPath } from '../../storage/path.ts';
import type { SeenRows } from './account-run.ts';
import { readStateFile, removeStateFile, writeStateFile } from './state-file.ts';

export interface PartFile {
  readonly part: string;
  /** The checkpoint of an earlier run; undefined for a new export. */
  readonly held: Checkpoint | undefined;
  /** A later run can continue the partial file. */
  readonly isKept: boolean;
  /** Nothing is visible to readers before the commit. */
  readonly shown: false;
  write(text: string | Uint8Array): Promise<void>;
  /** Flushes the rows to the disk and saves the progress. */
  save(progress: Progress): Promise<void>;
  commit(): Promise<void>;
  /** Keeps files that a later run can continue, and removes the others. */
  discard(): Promise<void>;
}

export interface PartLock {
  (): Promise<void>;
  /** Throws if another process took over the lock. */
  assertHeld(): void;
}

/** Returns the name of the partial file, which the caller locks. */
export function partOf(path: string): string {
  return siblingPath(path, '.part');
}

const startOver = 'Omit --resume to start over.';

function checkpointOf(part: string): string {
  return siblingPath(part, '.json');
}

interface Left {
  readonly held: Checkpoint;
  /** The partial file, open for appending; absent if it has been renamed. */
  readonly file?: FileHandle;
  readonly hash: Hash;
}

/**
 * Opens a partial file. With `resume`, continues after the last checkpoint, if there is one. Releases the lock at
 * the end.
 */
export async function openPartFile(
  path: string,
  unlock: PartLock,
  { resume }: { readonly resume: boolean },
): Promise<PartFile> {
  const part = partOf(path);
  try {
    const left = resume ? await leftBehind(path, part) : undefined;
    return partFileOn(path, part, left, unlock);
  } catch (error) {
    await unlock();
    throw error;
  }
}

/** Returns undefined if the export must start over because the partial file is missing. */
async function leftBehind(path: string, part: string): Promise<Left | undefined> {
  const held = await readCheckpoint(checkpointOf(part));
  if (!held) return undefined;
  const { O_RDWR, O_APPEND, O_NOFOLLOW = 0 } = constants;
  const file = await openIfThere(part, O_RDWR | O_APPEND | O_NOFOLLOW);
  if (file) return verified(part, file, held);
  const whole = held.isWhole ? await openIfThere(path, constants.O_RDONLY) : undefined;
  if (!whole) return undefined;
  try {
    const { size } = await whole.stat();
    const hash = await hashOf(whole, held.bytes);
    return size === held.bytes && isSame(hash, held) ? { held, hash } : undefined;
  } finally {
    await whole.close();
  }
}

async function openIfThere(path: string, flags: number): Promise<FileHandle | undefined> {
  return open(path, flags).catch((cause: NodeJS.ErrnoException) => {
    if (cause.code === 'ENOENT') return undefined;
    throw badInput(`Cannot open ${path} (${cause.code}).`, { hint: startOver, cause });
  });
}

/** Verifies that the partial file matches the checkpoint; more bytes may follow. */
async function verified(part: string, file: FileHandle, held: Checkpoint): Promise<Left> {
  const { size } = await file.stat();
  const hash = size < held.bytes ? undefined : await hashOf(file, held.bytes);
  if (hash && isSame(hash, held)) return { held, file, hash };
  await file.close();
  const problem = hash
    ? 'was changed since the export was stopped'
    : `has ${size} bytes, but its checkpoint says ${held.bytes}`;
  throw badInput(`${part} ${problem}.`, { hint: startOver });
}

function isSame(hash: Hash, { sha256 }: Checkpoint): boolean {
  return hash.copy().digest('hex') === sha256;
}

async function hashOf(file: FileHandle, length: number): Promise<Hash> {
  const hash = createHash('sha256');
  if (length === 0) return hash;
  const pieces = file.createReadStream({ start: 0, end: length - 1, autoClose: false });
  for await (const piece of pieces) hash.update(piece);
  return hash;
}

async function begin(path: string, part: string): Promise<FileHandle> {
  await removeStateFile(checkpointOf(part));
  await rm(part, { force: true });
  // Never follows a link that another user created.
  return openLike(path, part);
}

function partFileOn(
  path: string,
  part: string,
  left: Left | undefined,
  unlock: PartLock,
): PartFile {
  const { held, hash } = left ?? { held: undefined, hash: createHash('sha256') };
  let bytes = held?.bytes ?? 0;
  let progress: Progress | undefined = held;
  let isOpen = true;
  let opened: Promise<FileHandle> | undefined;
  const failed = (cause: NodeJS.ErrnoException) => {
    throw new WorkflowError('not-saved', `${path} can't be written (${shownCode(cause)}).`, {
      hint: 'The file is unchanged.',
      cause,
    });
  };
  const continued = async (file: FileHandle) => {
    // Rows after the last checkpoint are written again.
    await file.truncate(bytes);
    return file;
  };
  const file = () => {
    opened ??= (left?.file ? continued(left.file) : begin(path, part)).catch(failed);
    return opened;
  };
  const close = async () => {
    isOpen = false;
    const file = (await opened?.catch(() => undefined)) ?? left?.file;
    await file?.close().catch(() => undefined);
    await unlock();
  };
  const record = async (state: Progress, isWhole: boolean) => {
    const sha256 = hash.copy().digest('hex');
    const checkpoint: Checkpoint = { ...state, version: 3, bytes, sha256, isWhole };
    await writeStateFile(checkpointOf(part), checkpoint).catch(failed);
  };
  return {
    part,
    held,
    shown: false,
    get isKept() {
      return progress !== undefined;
    },
    async write(text) {
      const chunk = typeof text === 'string' ? Buffer.from(text) : text;
      await (await file()).appendFile(chunk).catch(failed);
      hash.update(chunk);
      bytes += chunk.length;
    },
    async save(state) {
      unlock.assertHeld();
      await (await file()).datasync().catch(failed);
      await record(state, false);
      progress = state;
    },
    async commit() {
      unlock.assertHeld();
      const isNamed = held?.isWhole === true && left?.file === undefined;
      if (!isNamed) {
        await (await file()).sync().catch(failed);
        // If this run is interrupted from here on, the next one recognizes the partial file as complete.
        if (progress?.isComplete) await record(progress, true);
        await rename(part, path).catch(failed);
      }
      await removeStateFile(checkpointOf(part));
      await close();
    },
    async discard() {
      if (!isOpen) return;
      if (opened && !progress) {
        await rm(part, { force: true });
        await removeStateFile(checkpointOf(part));
      }
      await close();
    },
  };
}

export interface Progress {
  /** SHA-256 of the arguments and the output options. */
  readonly settings: string;
  /** Service and API key of each account. */
  readonly fingerprints: readonly string[];
  /**
   * Today in the time zone of the user, from which words such as `today` are counted, and at the service. Every run
   * uses these.
   */
  readonly day: string;
  readonly serviceDay: string;
  /** Number of days in a window, for each account; null if the period is not split by days. */
  readonly windowDays: readonly (number | null)[];
  /** The number of finished accounts, and of finished windows of the next one. */
  readonly account: number;
  readonly windows: number;
  /** The last window of the last account is finished. */
  readonly isComplete: boolean;
  readonly rows: number;
  /** The first page with rows, as JSON. It determines the columns. */
  readonly first: string | null;
  /** The rows written so far that an incremental export must remember, for each account. */
  readonly seen: readonly SeenRows[];
}

export interface Checkpoint extends Progress {
  readonly version: 3;
  /** The number of bytes in the partial file that this progress covers, and their SHA-256. */
  readonly bytes: number;
  readonly sha256: string;
  /** The partial file was complete and only had to be renamed. */
  readonly isWhole: boolean;
}

/**
 * Returns undefined if the file does not exist. Throws a WorkflowError (`bad-input`) for a damaged file or another
 * version.
 */
export function readCheckpoint(path: string): Promise<Checkpoint | undefined> {
  return readStateFile<Checkpoint>(path, 3, startOver);
}
