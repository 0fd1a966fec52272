/**
 * Files that appear under their names whole or not at all: written beside the name, synced, then renamed.
 * A file that is replaced hands on its mode, and its owner where this user may set it.
 */
import { randomUUID } from 'node:crypto';
import type { Stats } from 'node:fs';
import { type FileHandle, lstat, open, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { startOf } from './path.ts';

export interface ReplacementOptions {
  /** The mode of the file, whether it exists or not; otherwise the one it has, or that of new files. */
  readonly mode?: number;
  /**
   * Where the file is written before it gets its name. Give one only under a lock: what a killed process
   * left there is removed. Otherwise the name is different each time.
   */
  readonly draft?: string;
}

export interface Replacement {
  readonly file: FileHandle;
  /** Gives the file its name. If that fails, the draft is removed and the old file stays. */
  commit(): Promise<void>;
  discard(): Promise<void>;
}

/** Opens a new file that is to replace `path`. Throws what the file system throws. */
export async function openReplacement(
  path: string,
  options: ReplacementOptions = {},
): Promise<Replacement> {
  const draft = options.draft ?? draftFor(path);
  if (options.draft !== undefined) await rm(draft, { force: true });
  const file = await openLike(path, draft, options.mode);
  const discard = async () => {
    await file.close().catch(() => undefined);
    await rm(draft, { force: true });
  };
  const commit = async () => {
    try {
      await file.sync();
      await file.close();
      await rename(draft, path);
    } catch (error) {
      await discard();
      throw error;
    }
  };
  return { file, commit, discard };
}

/** A name that is as long as a name may be leaves room for its beginning only. */
function draftFor(path: string): string {
  const name = `.${startOf(basename(path), 60)}.${randomUUID().slice(0, 8)}.part`;
  return join(dirname(path), name);
}

/** Writes a whole file. Throws what the file system throws; the old file then is as it was. */
export async function writeAtomic(
  path: string,
  content: string | Uint8Array,
  options: ReplacementOptions = {},
): Promise<void> {
  const { file, commit, discard } = await openReplacement(path, options);
  try {
    await file.writeFile(content);
  } catch (error) {
    await discard();
    throw error;
  }
  await commit();
}

/** Creates `draft` with the mode and owner of `path`, or with the given mode. */
export async function openLike(path: string, draft: string, mode?: number): Promise<FileHandle> {
  const old = await lstat(path).catch(() => undefined);
  // A link is replaced itself: what it names may be somebody else's.
  if (!old?.isFile()) return open(draft, 'wx', mode ?? 0o666);
  // Private at first, since the mode says nothing about another owner or group.
  const file = await open(draft, 'wx', 0o600);
  try {
    const kept = await keepOwner(file, old);
    await file.chmod(mode ?? old.mode & (kept ? 0o777 : 0o707));
    return file;
  } catch (error) {
    await file.close();
    await rm(draft, { force: true });
    throw error;
  }
}

/** False if the file has another group than the old one. Only root may give a file to another user. */
async function keepOwner(file: FileHandle, { uid, gid }: Stats): Promise<boolean> {
  const own = await file.stat();
  if (own.uid === uid && own.gid === gid) return true;
  for (const user of new Set([uid, own.uid])) {
    const isDone = await file.chown(user, gid).then(
      () => true,
      () => false,
    );
    if (isDone) return true;
  }
  return own.gid === gid;
}
