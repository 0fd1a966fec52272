/**
 * The journal of an import: what is known of each row, on disk before and after it is sent. It holds JSON
 * lines and is only ever appended to. A last line without its end was cut off by a crash and is dropped.
 */
import { type FileHandle, open, readFile, rename, truncate } from 'node:fs/promises';
import { dirname } from 'node:path';
import { badInput, WorkflowError } from '../errors.ts';
import type { Snapshot } from '../safe-write/verifier.ts';

/** The first line: what the journal belongs to. */
export interface JournalHeader {
  readonly version: 2;
  readonly command: string;
  /** SHA-256 of the input. */
  readonly input: string;
  /** SHA-256 of the columns and of the flags that fill them. */
  readonly settings: string;
  /** Fingerprint of the service and the key. */
  readonly account: string;
  /** The profile or the base URL, for messages. */
  readonly service: string;
  /** The day that words like `today` are counted from, on every run. */
  readonly day: string;
}

/** The header of earlier versions, which recorded the service by name only. */
export interface LegacyJournalHeader extends Omit<JournalHeader, 'version' | 'account'> {
  readonly version: 1;
}

/** The state of a row. `row` is its line in the input; `at` is milliseconds since 1970. */
export type JournalEntry = { readonly row: number; readonly at?: number } & (
  | { readonly state: 'sending'; readonly snapshot: Snapshot }
  | { readonly state: 'done' | 'existing' }
  | { readonly state: 'failed' | 'unknown'; readonly why: string }
);

/** What the journal says about one row. */
export interface RowHistory {
  readonly last: JournalEntry;
  /** What existed before the row was last sent; undefined where it never was. */
  readonly snapshot: Snapshot | undefined;
  /** When the row was last sent; undefined where that is not known. */
  readonly sentAt: number | undefined;
}

export interface JournalContent {
  readonly header: JournalHeader | LegacyJournalHeader;
  readonly rows: ReadonlyMap<number, RowHistory>;
  /** Bytes up to the end of the last whole line. */
  readonly length: number;
}

/** Undefined where no journal exists, or only part of a header. */
export async function readJournal(path: string): Promise<JournalContent | undefined> {
  const text = await readFile(path, 'utf8').catch((cause: NodeJS.ErrnoException) => {
    if (cause.code === 'ENOENT') return '';
    throw badInput(`The journal ${path} can't be read (${cause.code}).`, { cause });
  });
  const whole = text.slice(0, text.lastIndexOf('\n') + 1);
  const [first, ...lines] = whole.split('\n').filter(Boolean);
  if (first === undefined) return undefined;
  try {
    const header = readHeader(first);
    const rows = new Map<number, RowHistory>();
    for (const line of lines) {
      const last = readEntry(line);
      const before = rows.get(last.row);
      const sent = last.state === 'sending';
      rows.set(last.row, {
        last,
        snapshot: sent ? last.snapshot : before?.snapshot,
        sentAt: sent ? last.at : before?.sentAt,
      });
    }
    return { header, rows, length: Buffer.byteLength(whole) };
  } catch (cause) {
    throw badInput(`${path} is not a journal of cb: ${(cause as Error).message}.`, {
      hint: 'Move it away, or use --restart.',
      cause,
    });
  }
}

function readHeader(line: string): JournalContent['header'] {
  const header = JSON.parse(line) as JournalContent['header'];
  if (header.version === 1 || header.version === 2) return header;
  throw new Error(`unknown version ${(header as { version: unknown }).version}`);
}

const states: readonly JournalEntry['state'][] = [
  'sending',
  'done',
  'existing',
  'failed',
  'unknown',
];

/** Version 1 wrote `mark` for `snapshot` and `already` for `existing`, and no times. */
function readEntry(line: string): JournalEntry {
  const entry = JSON.parse(line) as JournalEntry & { readonly mark?: Snapshot };
  if ((entry?.state as string) === 'already') return { row: entry.row, state: 'existing' };
  if (!Number.isSafeInteger(entry?.row) || !states.includes(entry.state)) {
    // A row whose state is not understood must not be taken for one that was never sent.
    throw new Error(`it has a line that is no state of a row: ${line.slice(0, 60)}`);
  }
  if (entry.state !== 'sending' || entry.snapshot !== undefined) return entry;
  return { row: entry.row, state: 'sending', snapshot: entry.mark ?? null };
}

export interface Journal {
  /** Resolves when the entry is on disk. */
  add(entry: JournalEntry): Promise<void>;
  close(): Promise<void>;
}

/** Opens a journal behind its last whole line, or creates it. */
export async function openJournal(
  path: string,
  header: JournalHeader,
  before: JournalContent | undefined,
): Promise<Journal> {
  try {
    const file = await open(path, 'a', 0o600);
    await truncate(path, before?.length ?? 0);
    const journal = journalOn(path, file, before?.length ?? 0);
    if (!before) await journal.write(header);
    await syncFolder(dirname(path));
    return { add: journal.write, close: () => file.close() };
  } catch (thrown) {
    const cause = thrown instanceof WorkflowError ? thrown.cause : thrown;
    const { code } = cause as NodeJS.ErrnoException;
    throw badInput(`The journal ${path} can't be written (${code}).`, {
      hint: 'Name another file with --journal.',
      cause,
    });
  }
}

/** Renames a journal to a free name and returns that; undefined where there is no journal. */
export async function retireJournal(path: string): Promise<string | undefined> {
  for (let i = 1; ; i++) {
    const name = `${path}.old${i === 1 ? '' : i}`;
    const isTaken = await readFile(name).then(
      () => true,
      () => false,
    );
    if (isTaken) continue;
    return rename(path, name).then(
      () => name,
      (cause: NodeJS.ErrnoException) => {
        if (cause.code === 'ENOENT') return undefined;
        throw badInput(`The journal ${path} can't be renamed (${cause.code}).`, { cause });
      },
    );
  }
}

/** Entries that wait at the same time are written and synced together. */
function journalOn(path: string, file: FileHandle, length: number) {
  let size = length;
  let waiting: string[] = [];
  let flushing: Promise<void> = Promise.resolve();
  /** The flush that will write what is waiting. */
  let next: Promise<void> | undefined;
  const flush = async () => {
    next = undefined;
    const lines = waiting.join('');
    waiting = [];
    try {
      await file.appendFile(lines);
      await file.datasync();
      size += Buffer.byteLength(lines);
    } catch (cause) {
      // What was about to be sent is not sent now, so it must not be in the journal either.
      await file.truncate(size).catch(() => undefined);
      const { code } = cause as NodeJS.ErrnoException;
      throw new WorkflowError('journal', `The journal ${path} can't be written (${code}).`, {
        hint: 'Every row that was sent is in it. Run the same command again to continue.',
        cause,
      });
    }
  };
  return {
    write(value: unknown): Promise<void> {
      waiting.push(`${JSON.stringify(value)}\n`);
      // After a failure nothing more is written: a whole line must not follow a torn one.
      next ??= flushing.then(flush);
      flushing = next;
      return next;
    },
  };
}

/** A new name survives a crash once its folder is synced; not every platform can do that. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r').catch(() => undefined);
  await handle?.sync().catch(() => undefined);
  await handle?.close();
}
