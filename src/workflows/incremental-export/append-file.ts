/**
 * Adds rows to the end of a file so that each is in it exactly once, whatever stops a run. Rows go to
 * a spool file first; the state then says that they are pending, and they are copied to the file. A
 * run that finds pending rows compares the end of the file with the spool and adds what is missing.
 * Nothing is ever cut off the file.
 */
import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import { type FileHandle, open, rm } from 'node:fs/promises';
import { ApiError } from '../../api/errors.ts';
import { copyTo, hashOf, sizeOf } from './spool.ts';
import type { AppendState } from './state.ts';

const tailBytes = 4096;

/** How the rows of the file are written. */
export type RowLayout = Pick<AppendState, 'output' | 'columns' | 'skeleton'>;

export interface AppendFile {
  /** The file has no bytes: a header belongs at its beginning. */
  readonly isEmpty: boolean;
  /** What happened to the file since the last run, if a user should know. */
  readonly note: string | undefined;
  write(bytes: Uint8Array): Promise<void>;
  /** Adds what was written since the last call. */
  commit(layout: RowLayout): Promise<void>;
  /** Drops what was not committed. */
  close(): Promise<void>;
}

export interface AppendOptions {
  readonly path: string;
  readonly spoolPath: string;
  readonly state: AppendState | undefined;
  /** Saves the state of the file and, in the same step, all rows that were taken so far. */
  commit(state: AppendState): Promise<void>;
  /** Saves the state of the file alone. */
  keep(state: AppendState): Promise<void>;
}

/** Adds pending rows of an earlier run first. Throws an ApiError of kind `request` if that is unsafe. */
export async function openAppendFile(options: AppendOptions): Promise<AppendFile> {
  const { path, state } = options;
  const { O_RDWR, O_APPEND, O_CREAT, O_NOFOLLOW = 0 } = constants;
  const isThere = await open(path, 'r').then(closed, () => false);
  if (!isThere && state?.pending && state.length > 0) throw changed(options);
  const file = await open(path, O_RDWR | O_APPEND | O_CREAT | O_NOFOLLOW).catch(cannotAdd(path));
  try {
    const isSame = state !== undefined && isThere && (await hasTail(file, state));
    if (state?.pending) await recover(options, file, isSame);
    const size = await sizeOf(file);
    const note = state && state.length > 0 && !isSame ? changeNote(path, size) : undefined;
    return appendFileOn(options, file, { size, note });
  } catch (error) {
    await file.close();
    throw error;
  }
}

async function closed(file: FileHandle): Promise<true> {
  await file.close();
  return true;
}

function changeNote(path: string, size: number): string {
  if (size === 0) return `${path} is new; earlier rows are in the file that was there before.`;
  return `${path} was changed since the last run; new rows are added to its end.`;
}

/** The file goes on as it was when it had the length of the state. */
async function hasTail(file: FileHandle, { length, tail }: AppendState): Promise<boolean> {
  return (await sizeOf(file)) >= length && (await tailOf(file, length)) === tail;
}

function tailOf(file: FileHandle, length: number): Promise<string> {
  const bytes = Math.min(length, tailBytes);
  return hashOf(file, length - bytes, bytes);
}

/** Finishes what a run that was stopped had begun. */
async function recover(options: AppendOptions, file: FileHandle, isSame: boolean): Promise<void> {
  const { path, spoolPath, state } = options;
  const { length = 0, pending = { length: 0, sha256: '' } } = state ?? {};
  const there = (await sizeOf(file)) - length;
  const isAdded =
    isSame &&
    there >= pending.length &&
    (await hashOf(file, length, pending.length)) === pending.sha256;
  const spool = isAdded ? undefined : await open(spoolPath, 'r').catch(() => undefined);
  // A user who has compared the two files deletes the spool.
  if (!spool) return keep(options, file, await sizeOf(file));
  try {
    const isWhole = (await hashOf(spool, 0, pending.length)) === pending.sha256;
    const isBegun =
      there < pending.length &&
      (await hashOf(file, length, there)) === (await hashOf(spool, 0, there));
    if (!isSame || !isWhole || !isBegun) throw changed(options);
    await copyTo(file, spool, there, pending.length - there).catch(cannotAdd(path));
    await file.datasync().catch(cannotAdd(path));
  } finally {
    await spool.close();
  }
  await keep(options, file, length + pending.length);
}

async function keep(options: AppendOptions, file: FileHandle, length: number): Promise<void> {
  if (!options.state) return;
  const { pending, ...state } = options.state;
  await options.keep({ ...state, length, tail: await tailOf(file, length) });
}

function changed({ path, spoolPath }: AppendOptions): ApiError {
  const message = `${path} was changed or moved after a run was stopped while adding rows to it.`;
  return new ApiError('request', message, {
    hint: `Compare it with ${spoolPath}, add the lines that are missing, and delete ${spoolPath}.`,
  });
}

function cannotAdd(path: string) {
  return (cause: NodeJS.ErrnoException): never => {
    throw new ApiError('incomplete', `Cannot add rows to ${path} (${cause.code}).`, {
      hint: 'No row is lost: the next run adds those that are missing.',
      cause,
    });
  };
}

interface Opened {
  readonly size: number;
  readonly note: string | undefined;
}

function appendFileOn(
  options: AppendOptions,
  file: FileHandle,
  { size, note }: Opened,
): AppendFile {
  const { path, spoolPath } = options;
  let spool: Spool | undefined;
  let length = size;
  /** What is in the file for sure, where the state on the disk says that it is pending. */
  let settled: AppendState | undefined;
  /** No state needs the spool any more. */
  let isSpoolDone = false;
  const stateAt = async (layout: RowLayout): Promise<AppendState> => {
    return { path, length, tail: await tailOf(file, length), ...layout };
  };
  return {
    isEmpty: size === 0,
    note,
    async write(bytes) {
      spool ??= await openSpool(spoolPath, (await endsLine(file, length)) ? '' : '\n');
      await spool.write(bytes);
    },
    async commit(layout) {
      // Bytes that others have added meanwhile stay where they are.
      length = await sizeOf(file);
      const before = await stateAt(layout);
      settled = undefined;
      if (!spool) {
        await options.commit(before);
        isSpoolDone = true;
        return;
      }
      isSpoolDone = false;
      const pending = await spool.pending();
      await options.commit({ ...before, pending });
      await copyTo(file, spool.file, 0, pending.length).catch(cannotAdd(path));
      await file.datasync().catch(cannotAdd(path));
      length += pending.length;
      await spool.file.close();
      spool = undefined;
      settled = await stateAt(layout);
    },
    async close() {
      await spool?.file.close();
      await file.close();
      if (settled) {
        await options.keep(settled);
        isSpoolDone = true;
      }
      if (isSpoolDone) await rm(spoolPath, { force: true });
    },
  };
}

type Spool = Awaited<ReturnType<typeof openSpool>>;

async function openSpool(path: string, start: string) {
  const hash = createHash('sha256');
  let length = 0;
  const file = await open(path, 'w+', 0o600).catch(cannotAdd(path));
  const write = async (bytes: Uint8Array) => {
    await file.appendFile(bytes).catch(cannotAdd(path));
    hash.update(bytes);
    length += bytes.length;
  };
  await write(Buffer.from(start));
  return {
    file,
    write,
    /** What stands in the spool, which is on the disk now. */
    async pending() {
      await file.datasync().catch(cannotAdd(path));
      return { length, sha256: hash.digest('hex') };
    },
  };
}

async function endsLine(file: FileHandle, length: number): Promise<boolean> {
  if (length === 0) return true;
  const end = Buffer.alloc(1);
  await file.read(end, 0, 1, length - 1);
  return end[0] === 0x0a;
}
