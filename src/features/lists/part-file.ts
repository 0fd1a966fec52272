/**
 * Writes a large file, perhaps in several runs. Rows go to the partial file `NAME.part` beside it, with a
 * checkpoint. The partial file is renamed when it is complete.
 */
import { createHash, type Hash } from 'node:crypto';
import { constants } from 'node:fs';
import { type FileHandle, open, rename, rm } from 'node:fs/promises';
import { badInput, WorkflowError } from '../../client/workflow-error.ts';
import type { Sink } from '../../shell/display/sink.ts';
import type { Release } from '../../shell/lock.ts';
import { openLike } from '../../storage/atomic-file.ts';
import { shownCode, siblingPath } from '../../storage/files.ts';
import type { SeenRows } from './account-run.ts';
import { readStateFile, removeStateFile, writeStateFile } from './state-file.ts';

export type PartFile = Awaited<ReturnType<typeof openPartFile>>;

interface Progress {
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
}

/** Returns the name of the partial file, which the caller locks. */
export function partOf(path: string): string {
  return siblingPath(path, '.part');
}

const startOver = 'Omit --resume to start over.';

/**
 * Opens a partial file. With `resume`, continues after the last checkpoint, if there is one. Releases the lock at
 * the end.
 */
export async function openPartFile(path: string, unlock: Release, resume: boolean) {
  const part = partOf(path);
  const checkpoint = siblingPath(part, '.json');
  let left: Left | undefined;
  try {
    left = resume ? await leftBehind(part, checkpoint) : undefined;
  } catch (error) {
    await unlock();
    throw error;
  }
  const hash = left?.hash ?? createHash('sha256');
  let bytes = left?.held.bytes ?? 0;
  let isKept = left !== undefined;
  let isOpen = true;
  let opened: Promise<FileHandle> | undefined;
  const failed = (cause: NodeJS.ErrnoException) => {
    throw new WorkflowError('not-saved', `${path} can't be written (${shownCode(cause)}).`, {
      hint: 'The file is unchanged.',
      cause,
    });
  };
  const begin = async () => {
    if (left) {
      // Rows after the last checkpoint are written again.
      await left.file.truncate(bytes);
      return left.file;
    }
    await removeStateFile(checkpoint);
    await rm(part, { force: true });
    // Never follows a link that another user created.
    return openLike(path, part);
  };
  const file = () => {
    opened ??= begin().catch(failed);
    return opened;
  };
  const close = async () => {
    isOpen = false;
    const file = (await opened?.catch(() => undefined)) ?? left?.file;
    await file?.close().catch(() => undefined);
    await unlock();
  };
  const sink: Sink = {
    // Nothing is visible to readers before the commit.
    shown: false,
    async write(text) {
      const chunk = typeof text === 'string' ? Buffer.from(text) : text;
      await (await file()).appendFile(chunk).catch(failed);
      hash.update(chunk);
      bytes += chunk.length;
    },
    async commit() {
      unlock.assertHeld();
      await (await file()).sync().catch(failed);
      await rename(part, path).catch(failed);
      await removeStateFile(checkpoint);
      await close();
    },
    /** Keeps files that a later run can continue, and removes the others. */
    async discard() {
      if (!isOpen) return;
      if (opened && !isKept) {
        await rm(part, { force: true });
        await removeStateFile(checkpoint);
      }
      await close();
    },
  };
  return {
    ...sink,
    part,
    /** The checkpoint of an earlier run; undefined for a new export. */
    held: left?.held,
    /** A later run can continue the partial file. */
    get isKept() {
      return isKept;
    },
    /** Flushes the rows to the disk and saves the progress. */
    async save(progress: Progress) {
      unlock.assertHeld();
      await (await file()).datasync().catch(failed);
      const sha256 = hash.copy().digest('hex');
      const saved: Checkpoint = { ...progress, version: 3, bytes, sha256 };
      await writeStateFile(checkpoint, saved).catch(failed);
      isKept = true;
    },
  };
}

interface Left {
  readonly held: Checkpoint;
  /** Open for appending. */
  readonly file: FileHandle;
  readonly hash: Hash;
}

/**
 * Opens what an earlier run has left behind, and verifies that it matches its checkpoint; more bytes may follow.
 * Returns undefined if a file is missing: the export starts over.
 */
async function leftBehind(part: string, checkpoint: string): Promise<Left | undefined> {
  const held = await readStateFile<Checkpoint>(checkpoint, 3, startOver);
  if (!held) return undefined;
  const { O_RDWR, O_APPEND, O_NOFOLLOW = 0 } = constants;
  const opening = open(part, O_RDWR | O_APPEND | O_NOFOLLOW);
  const file = await opening.catch((cause: NodeJS.ErrnoException) => {
    if (cause.code === 'ENOENT') return undefined;
    throw badInput(`Cannot open ${part} (${cause.code}).`, { hint: startOver, cause });
  });
  if (!file) return undefined;
  const { size } = await file.stat();
  const hash = createHash('sha256');
  if (held.bytes > 0) {
    const pieces = file.createReadStream({ start: 0, end: held.bytes - 1, autoClose: false });
    for await (const piece of pieces) hash.update(piece);
  }
  if (size >= held.bytes && hash.copy().digest('hex') === held.sha256) return { held, file, hash };
  await file.close();
  throw badInput(`${part} was changed since the export was stopped.`, { hint: startOver });
}
