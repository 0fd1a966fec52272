/**
 * A file that is written over hours, perhaps by several runs: `NAME.part` beside it grows, with a
 * checkpoint, and gets the name when it is whole.
 */
import { createHash, type Hash } from 'node:crypto';
import { constants } from 'node:fs';
import { type FileHandle, open, rename, rm } from 'node:fs/promises';
import { openLike } from '../../storage/atomic-file.ts';
import { siblingPath } from '../../storage/path.ts';
import type { Context } from '../context.ts';
import { usage } from '../failure.ts';
import { lock, type Release } from '../lock.ts';
import { cannotWrite, type Sink } from '../sink.ts';
import {
  type Checkpoint,
  type Progress,
  readCheckpoint,
  removeCheckpoint,
  writeCheckpoint,
} from './checkpoint.ts';

export interface PartFile extends Sink {
  readonly part: string;
  /** Where an earlier run stopped; undefined when this one begins. */
  readonly held: Checkpoint | undefined;
  /** A later run can continue from what is written so far. */
  readonly isKept: boolean;
  /** What is written so far is safe on the disk, and so is the progress. */
  save(progress: Progress): Promise<void>;
}

/** What an earlier run has left. */
interface Left {
  readonly held: Checkpoint;
  /** The part, open for appending; absent if it has its name already. */
  readonly file?: FileHandle;
  readonly hash: Hash;
}

/** Locks the part file. With `resume` it continues behind the last checkpoint, if there is one. */
export async function openPartFile(
  context: Context,
  path: string,
  { resume }: { readonly resume: boolean },
): Promise<PartFile> {
  const part = siblingPath(path, '.part');
  const unlock = await lock(context, part);
  try {
    const left = resume ? await leftBehind(path, part) : undefined;
    return partFileOn({ path, part, left, unlock });
  } catch (error) {
    await unlock();
    throw error;
  }
}

function checkpointOf(part: string): string {
  return siblingPath(part, '.json');
}

/** Undefined where the export has to start over, because nothing is left of the part. */
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
    const isSame = size === held.bytes && hash.copy().digest('hex') === held.sha256;
    return isSame ? { held, hash } : undefined;
  } finally {
    await whole.close();
  }
}

async function openIfThere(path: string, flags: number): Promise<FileHandle | undefined> {
  return open(path, flags).catch((cause: NodeJS.ErrnoException) => {
    if (cause.code === 'ENOENT') return undefined;
    throw usage(`Cannot open ${path} (${cause.code}).`, { hint: startOver, cause });
  });
}

const startOver = 'Omit --resume to start over.';

/** The part as the checkpoint describes it, perhaps with more bytes behind. */
async function verified(part: string, file: FileHandle, held: Checkpoint): Promise<Left> {
  try {
    const { size } = await file.stat();
    if (size < held.bytes) {
      throw usage(`${part} has ${size} bytes, but its checkpoint says ${held.bytes}.`, {
        hint: startOver,
      });
    }
    const hash = await hashOf(file, held.bytes);
    if (hash.copy().digest('hex') !== held.sha256) {
      throw usage(`${part} was changed since the export was stopped.`, { hint: startOver });
    }
    return { held, file, hash };
  } catch (error) {
    await file.close();
    throw error;
  }
}

async function hashOf(file: FileHandle, length: number): Promise<Hash> {
  const hash = createHash('sha256');
  if (length === 0) return hash;
  const pieces = file.createReadStream({ start: 0, end: length - 1, autoClose: false });
  for await (const piece of pieces) hash.update(piece as Buffer);
  return hash;
}

async function begin(path: string, part: string): Promise<FileHandle> {
  try {
    await removeCheckpoint(checkpointOf(part));
    await rm(part, { force: true });
    // Never through a link that somebody else has put there.
    return await openLike(path, part);
  } catch (cause) {
    throw cannotWrite(path, cause as NodeJS.ErrnoException);
  }
}

/** Without what was written behind the last checkpoint. */
async function cutTo(file: FileHandle, bytes: number): Promise<FileHandle> {
  await file.truncate(bytes);
  return file;
}

interface Opened {
  readonly path: string;
  readonly part: string;
  readonly left: Left | undefined;
  readonly unlock: Release;
}

function partFileOn({ path, part, left, unlock }: Opened): PartFile {
  const { held, hash } = left ?? { held: undefined, hash: createHash('sha256') };
  let bytes = held?.bytes ?? 0;
  let progress: Progress | undefined = held;
  let isKept = held !== undefined;
  let isOpen = true;
  let opened: Promise<FileHandle> | undefined;
  const file = () => {
    opened ??= left?.file ? cutTo(left.file, bytes) : begin(path, part);
    return opened;
  };
  const failed = (cause: NodeJS.ErrnoException) => {
    throw cannotWrite(path, cause);
  };
  const close = async () => {
    isOpen = false;
    const file = (await opened?.catch(() => undefined)) ?? left?.file;
    await file?.close().catch(() => undefined);
    await unlock();
  };
  const forget = async () => {
    await rm(part, { force: true });
    await removeCheckpoint(checkpointOf(part));
  };
  const write = async (state: Progress, isWhole: boolean) => {
    const sha256 = hash.copy().digest('hex');
    const checkpoint = { ...state, version: 2, bytes, sha256, isWhole } as const;
    await writeCheckpoint(checkpointOf(part), checkpoint).catch(failed);
  };
  return {
    shown: false,
    part,
    held,
    get isKept() {
      return isKept;
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
      await write(state, false);
      progress = state;
      isKept = true;
    },
    async commit() {
      unlock.assertHeld();
      const isNamed = held?.isWhole === true && left?.file === undefined;
      if (!isNamed) {
        await (await file()).sync().catch(failed);
        // A run that is stopped from here on leaves what the next one recognizes as finished.
        if (progress?.isComplete) await write(progress, true);
        await rename(part, path).catch(failed);
      }
      await removeCheckpoint(checkpointOf(part));
      await close();
    },
    async discard() {
      if (!isOpen) return;
      if (opened && !isKept) await forget();
      await close();
    },
  };
}
