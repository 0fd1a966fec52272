/**
 * Writes files atomically: to a draft beside the target, synced, then renamed.
 * A replaced file keeps its mode, and its owner if this user may set it.
 */
import { randomUUID } from 'node:crypto';
import type { Stats } from 'node:fs';
import { type FileHandle, lstat, open, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { startOf } from './files.ts';

export interface ReplacementOptions {
  /** The mode of the file. By default, that of the existing file or of new files. */
  readonly mode?: number;
  /**
   * The path of the draft. Pass one only under a lock: a draft left by a killed process is
   * removed. By default, the name is different each time.
   */
  readonly draft?: string;
}

/** Opens a new file to replace `path`. Throws file system errors. */
export async function openReplacement(path: string, options: ReplacementOptions = {}) {
  const draft = options.draft ?? draftFor(path);
  if (options.draft !== undefined) await rm(draft, { force: true });
  const file = await openLike(path, draft, options.mode);
  const discard = async () => {
    await file.close().catch(() => undefined);
    await rm(draft, { force: true });
  };
  /** Renames the draft to the target. If that fails, the draft is removed and the old file stays. */
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

/** Uses only the start of the name, since a file name has a maximum length. */
function draftFor(path: string): string {
  const name = `.${startOf(basename(path), 60)}.${randomUUID().slice(0, 8)}.part`;
  return join(dirname(path), name);
}

/** Writes a whole file. Throws file system errors; the old file is then unchanged. */
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
  // A symbolic link itself is replaced: its target may belong to another user.
  if (!old?.isFile()) return open(draft, 'wx', mode ?? 0o666);
  // Private at first, since the mode was meant for the old owner and group.
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

/** Returns false if the group differs from that of the old file. Only root may change the owner. */
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
