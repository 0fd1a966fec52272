/**
 * A file that is written over hours, perhaps by several runs: `NAME.part` beside it grows, with a
 * checkpoint, and gets the name when it is whole.
 */
import { constants } from 'node:fs';
import { type FileHandle, open, rename, rm, truncate } from 'node:fs/promises';
import { openLike } from '../../storage/atomic-file.ts';
import { siblingPath } from '../../storage/path.ts';
import type { Context } from '../context.ts';
import { usage } from '../failure.ts';
import { lock, type Release } from '../lock.ts';
import { cannotWrite, type Sink } from '../sink.ts';
import {
  type Checkpoint,
  readCheckpoint,
  removeCheckpoint,
  writeCheckpoint,
} from './checkpoint.ts';

export interface PartFile extends Sink {
  readonly part: string;
  /** Where an earlier run stopped; undefined when this one begins. */
  readonly held: Checkpoint | undefined;
  /** What is written so far can be gone on from. */
  readonly isKept: boolean;
  /** What is written so far is safe on the disk, and so is the state. */
  save(state: Omit<Checkpoint, 'bytes'>): Promise<void>;
}

/** Locks the part file; it is opened when something is written, behind its last checkpoint with `resume`. */
export async function openPartFile(
  context: Context,
  path: string,
  { resume }: { readonly resume: boolean },
): Promise<PartFile> {
  const part = siblingPath(path, '.part');
  const unlock = await lock(context, part);
  try {
    const held = resume ? await readCheckpoint(checkpointOf(part)) : undefined;
    return partFileOn({ path, part, held, unlock });
  } catch (error) {
    await unlock();
    throw error;
  }
}

function checkpointOf(part: string): string {
  return siblingPath(part, '.json');
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

async function goOn(part: string, { bytes }: Checkpoint): Promise<FileHandle> {
  const { O_WRONLY, O_APPEND, O_NOFOLLOW = 0 } = constants;
  try {
    const file = await open(part, O_WRONLY | O_APPEND | O_NOFOLLOW);
    const { size } = await file.stat();
    if (size < bytes) {
      await file.close();
      throw new Error(`it is shorter than its checkpoint says (${size} of ${bytes} bytes)`);
    }
    await truncate(part, bytes);
    return file;
  } catch (cause) {
    throw usage(`${part} can't be gone on with: ${(cause as Error).message}`, {
      hint: 'leave --resume away to begin again',
      cause,
    });
  }
}

interface Opened {
  readonly path: string;
  readonly part: string;
  readonly held: Checkpoint | undefined;
  readonly unlock: Release;
}

function partFileOn({ path, part, held, unlock }: Opened): PartFile {
  let bytes = held?.bytes ?? 0;
  let isKept = held !== undefined;
  let isOpen = true;
  let opened: Promise<FileHandle> | undefined;
  const file = () => {
    opened ??= held ? goOn(part, held) : begin(path, part);
    return opened;
  };
  const failed = (cause: NodeJS.ErrnoException) => {
    throw cannotWrite(path, cause);
  };
  const close = async () => {
    isOpen = false;
    await (await opened?.catch(() => undefined))?.close().catch(() => undefined);
    await unlock();
  };
  const forget = async () => {
    await rm(part, { force: true });
    await removeCheckpoint(checkpointOf(part));
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
      bytes += chunk.length;
    },
    async save(state) {
      unlock.assertHeld();
      await (await file()).datasync().catch(failed);
      await writeCheckpoint(checkpointOf(part), { ...state, bytes }).catch(failed);
      isKept = true;
    },
    async commit() {
      unlock.assertHeld();
      await (await file()).sync().catch(failed);
      await rename(part, path).catch(failed);
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
