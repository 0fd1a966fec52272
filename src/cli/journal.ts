/**
 * What became of each row of many writes, on disk before and after each is sent: JSON lines, only
 * ever added to. A line without its end is a write that was cut, and counts for nothing.
 */
import { type FileHandle, open, readFile, rename, truncate } from 'node:fs/promises';
import { dirname } from 'node:path';
import { siblingPath } from '../storage/path.ts';
import type { Mark } from './care.ts';
import { exitCodes } from './exit-codes.ts';
import { Failure, usage } from './failure.ts';

/** What a journal is about: the first line of it. */
export interface JournalHeader {
  readonly version: 1;
  readonly command: string;
  /** SHA-256 of the input. */
  readonly input: string;
  /** SHA-256 of the columns and defaults. */
  readonly settings: string;
  readonly service: string;
  /** The day that words like `today` are counted from, on every run. */
  readonly day: string;
}

/** `sending` is written before, the others after. `row` is the line in the input. */
export type JournalEntry =
  | { readonly row: number; readonly state: 'sending'; readonly mark: Mark }
  | { readonly row: number; readonly state: 'done' | 'already' }
  | { readonly row: number; readonly state: 'failed' | 'unknown'; readonly why: string };

export interface Fate {
  /** The last that is known. */
  readonly last: JournalEntry;
  /** What was there before the request that may have gone out. */
  readonly mark: Mark | undefined;
}

export interface JournalContent {
  readonly header: JournalHeader;
  readonly fates: ReadonlyMap<number, Fate>;
  /** Bytes up to the end of the last whole line. */
  readonly length: number;
}

/** Undefined where there is none, or only the beginning of a header. */
export async function readJournal(path: string): Promise<JournalContent | undefined> {
  const text = await readFile(path, 'utf8').catch((cause: NodeJS.ErrnoException) => {
    if (cause.code === 'ENOENT') return '';
    throw usage(`the journal ${path} can't be read (${cause.code})`, { cause });
  });
  const whole = text.slice(0, text.lastIndexOf('\n') + 1);
  const [first, ...lines] = whole.split('\n').filter(Boolean);
  if (first === undefined) return undefined;
  try {
    const header = JSON.parse(first) as JournalHeader;
    if (header.version !== 1) throw new Error(`version ${header.version}`);
    const fates = new Map<number, Fate>();
    for (const line of lines) {
      const last = JSON.parse(line) as JournalEntry;
      const mark = last.state === 'sending' ? last.mark : fates.get(last.row)?.mark;
      fates.set(last.row, { last, mark });
    }
    return { header, fates, length: Buffer.byteLength(whole) };
  } catch (cause) {
    throw usage(`${path} is not a journal of cb: ${(cause as Error).message}`, {
      hint: 'move it away, or --restart does',
      cause,
    });
  }
}

export interface Journal {
  /** Resolves when the entry is on the disk. */
  add(entry: JournalEntry): Promise<void>;
  close(): Promise<void>;
}

/** Opens it behind its last whole line, or begins it. */
export async function openJournal(
  path: string,
  header: JournalHeader,
  before: JournalContent | undefined,
): Promise<Journal> {
  try {
    const file = await open(path, 'a', 0o600);
    await truncate(path, before?.length ?? 0);
    const journal = journalOn(path, file);
    if (!before) await journal.write(header);
    await syncFolder(dirname(path));
    return { add: journal.write, close: () => file.close() };
  } catch (thrown) {
    const cause = thrown instanceof Failure ? thrown.cause : thrown;
    const { code } = cause as NodeJS.ErrnoException;
    throw usage(`the journal ${path} can't be written (${code})`, {
      hint: 'name another place with --journal',
      cause,
    });
  }
}

/** Moves a journal out of the way, to a name that is free. */
export async function retireJournal(path: string): Promise<string | undefined> {
  for (let i = 1; ; i++) {
    const name = siblingPath(path, `.old${i === 1 ? '' : i}`);
    const isTaken = await readFile(name).then(
      () => true,
      () => false,
    );
    if (isTaken) continue;
    return rename(path, name).then(
      () => name,
      (cause: NodeJS.ErrnoException) => {
        if (cause.code === 'ENOENT') return undefined;
        throw new Failure(2, `the journal ${path} can't be moved (${cause.code})`, { cause });
      },
    );
  }
}

/** Lines that wait together go to the disk together. */
function journalOn(path: string, file: FileHandle) {
  let waiting: string[] = [];
  let flushing: Promise<void> = Promise.resolve();
  const flush = async () => {
    if (waiting.length === 0) return;
    const lines = waiting.join('');
    waiting = [];
    try {
      await file.appendFile(lines);
      await file.datasync();
    } catch (cause) {
      const { code } = cause as NodeJS.ErrnoException;
      throw new Failure(exitCodes.incomplete, `the journal ${path} can't be written (${code})`, {
        hint: 'nothing was sent that is not in it; the same command goes on',
        cause,
      });
    }
  };
  return {
    write(value: unknown): Promise<void> {
      waiting.push(`${JSON.stringify(value)}\n`);
      // After a failure nothing more is written: a torn line would be followed by a whole one.
      flushing = flushing.then(flush);
      return flushing;
    },
  };
}

/** A new name is safe when its folder is; not every platform can sync one. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r').catch(() => undefined);
  await handle?.sync().catch(() => undefined);
  await handle?.close();
}
