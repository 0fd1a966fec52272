/**
 * Adds rows to the end of a file so that each is in it exactly once, even if a run is interrupted. Rows go to a
 * spool file first; the state then says that they are pending, and they are copied to the file. A run that finds
 * pending rows compares the end of the file with the spool and adds the missing ones. The file is never truncated.
 */
import { constants, existsSync } from 'node:fs';
import { type FileHandle, open, readFile, rm } from 'node:fs/promises';
import { badInput, WorkflowError } from '../../client/workflow-error.ts';
import { shownCode } from '../../storage/files.ts';
import { digestOf } from '../../storage/fingerprint.ts';
import type { AppendState, Schedule } from './schedule.ts';

const tailBytes = 4096;

export type AppendFile = Awaited<ReturnType<typeof openAppendFile>>;

/** Adds pending rows of an earlier run first. Throws a WorkflowError of kind `bad-input` if that is unsafe. */
export async function openAppendFile(
  path: string,
  schedule: Pick<Schedule, 'file' | 'spoolPath' | 'commit' | 'keep'>,
) {
  const { file: state, spoolPath } = schedule;
  const changed = badInput(
    `${path} was changed or moved after a run was stopped while adding rows to it.`,
    {
      hint: `Compare it with ${spoolPath}, add the lines that are missing, and delete ${spoolPath}.`,
    },
  );
  const cannotAdd = (cause: NodeJS.ErrnoException): never => {
    throw new WorkflowError('not-saved', `Cannot add rows to ${path} (${shownCode(cause)}).`, {
      hint: 'No row is lost: the next run adds those that are missing.',
      cause,
    });
  };
  const { O_RDWR, O_APPEND, O_CREAT, O_NOFOLLOW = 0 } = constants;
  const isThere = existsSync(path);
  if (!isThere && state?.pending && state.length > 0) throw changed;
  const file = await open(path, O_RDWR | O_APPEND | O_CREAT | O_NOFOLLOW).catch(cannotAdd);
  const sizeOf = async () => (await file.stat()).size;

  /** Adds the pending rows that are not in the file yet; `isSame` if nothing before them has changed. */
  const recover = async ({ pending, ...before }: AppendState, isSame: boolean): Promise<void> => {
    if (!pending) return;
    const { length } = before;
    const there = await bytesAt(file, length, pending.length);
    const isAdded = isSame && digestOf(there) === pending.sha256;
    // A user who has compared the two files deletes the spool.
    const rows = isAdded ? undefined : await readFile(spoolPath).catch(() => undefined);
    if (rows) {
      const isBegun = there.length < rows.length && rows.subarray(0, there.length).equals(there);
      if (!isSame || !isBegun || digestOf(rows) !== pending.sha256) throw changed;
      await add(file, rows.subarray(there.length)).catch(cannotAdd);
    }
    const now = rows ? length + pending.length : await sizeOf();
    await schedule.keep({ ...before, length: now, tail: await tailOf(file, now) });
  };

  let size: number;
  let note: string | undefined;
  try {
    const isLong = isThere && (await sizeOf()) >= (state?.length ?? 0);
    const isSame = !!state && isLong && (await tailOf(file, state.length)) === state.tail;
    if (state) await recover(state, isSame);
    size = await sizeOf();
    if (state && state.length > 0 && !isSame) {
      note =
        size === 0
          ? `${path} is new; earlier rows are in the file that was there before.`
          : `${path} was changed since the last run; new rows are added to its end.`;
    }
  } catch (error) {
    await file.close();
    throw error;
  }

  let waiting: Uint8Array[] = [];
  /** The confirmed content of the file, if the state on the disk says that rows are pending. */
  let settled: AppendState | undefined;
  let needsSpool = true;
  return {
    /** The file is empty, so it needs a header. */
    isEmpty: size === 0,
    /** What happened to the file since the last run, if the user should know. */
    note,
    /** Whether the first line is this one, with any line end. */
    async beginsWith(line: string) {
      const bytes = await bytesAt(file, 0, Buffer.byteLength(line) + 4);
      const text = `${bytes}\n`.replace(/^\ufeff/, '').replaceAll('\r\n', '\n');
      return text.startsWith(line.replace('\r\n', '\n'));
    },
    write: (bytes: Uint8Array) => void waiting.push(bytes),
    /** Adds the rows that were written since the last call, in this format and with these columns. */
    async commit(layout: Pick<AppendState, 'output' | 'columns' | 'skeleton'>) {
      // Bytes that other programs have added meanwhile are kept.
      const length = await sizeOf();
      const before = { path, length, tail: await tailOf(file, length), ...layout };
      settled = undefined;
      needsSpool = true;
      if (waiting.length === 0) {
        await schedule.commit(before);
        needsSpool = false;
        return;
      }
      const end = await bytesAt(file, Math.max(0, length - 1), Math.min(length, 1));
      const lineEnd = length === 0 || end[0] === 0x0a ? '' : '\n';
      const rows = Buffer.concat([Buffer.from(lineEnd), ...waiting]);
      waiting = [];
      const spool = await open(spoolPath, 'w', 0o600).catch(cannotAdd);
      await add(spool, rows)
        .finally(() => spool.close())
        .catch(cannotAdd);
      await schedule.commit({
        ...before,
        pending: { length: rows.length, sha256: digestOf(rows) },
      });
      await add(file, rows).catch(cannotAdd);
      const now = length + rows.length;
      settled = { ...before, length: now, tail: await tailOf(file, now) };
    },
    async close() {
      await file.close();
      if (settled) await schedule.keep(settled);
      if (settled || !needsSpool) await rm(spoolPath, { force: true });
    },
  };
}

async function bytesAt(file: FileHandle, from: number, length: number): Promise<Buffer> {
  const bytes = Buffer.alloc(length);
  if (length === 0) return bytes;
  const { bytesRead } = await file.read(bytes, 0, length, from);
  return bytes.subarray(0, bytesRead);
}

async function tailOf(file: FileHandle, length: number): Promise<string> {
  const bytes = Math.min(length, tailBytes);
  return digestOf(await bytesAt(file, length - bytes, bytes));
}

async function add(file: FileHandle, bytes: Uint8Array): Promise<void> {
  await file.appendFile(bytes);
  await file.datasync();
}
