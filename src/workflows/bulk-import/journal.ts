/**
 * The journal of an import: the state of each row, written to disk before and after it is sent. It contains JSON
 * lines and is append-only.
 */
import { existsSync } from 'node:fs';
import { type FileHandle, open, readFile, rename } from 'node:fs/promises';
import { dirname } from 'node:path';
import { shownCode } from '../../storage/error-code.ts';
import { syncFolder } from '../../storage/folder.ts';
import { badInput, reasonOf, WorkflowError } from '../errors.ts';
import type { Snapshot } from '../safe-write/verifier.ts';

export interface JournalHeader {
  readonly version: 2;
  readonly command: string;
  /** SHA-256 of the input. */
  readonly input: string;
  /** SHA-256 of the columns and of the options that fill them. */
  readonly settings: string;
  /** Fingerprint of the service and the key. */
  readonly account: string;
  /** The profile or the base URL, for messages. */
  readonly service: string;
  /** The day that words such as `today` refer to, the same on every run. */
  readonly day: string;
}

export type RowOutcome =
  | { readonly state: 'done' | 'existing' }
  | { readonly state: 'failed' | 'unknown'; readonly why: string };

/** `row` is the line of the row in the input; `at` is milliseconds since 1970. */
interface Stamp {
  readonly row: number;
  readonly at?: number;
}

export type RowState = Stamp & RowOutcome;

export type JournalEntry =
  | RowState
  | (Stamp & { readonly state: 'sending'; readonly snapshot: Snapshot });

export interface RowHistory {
  readonly last: JournalEntry;
  /** What existed before the row was last sent; undefined if it was never sent. */
  readonly snapshot: Snapshot | undefined;
  /** When the row was last sent; undefined if unknown. */
  readonly sentAt: number | undefined;
}

/** Whether a row is done. */
export function isFinished(history: RowHistory | undefined): boolean {
  return history?.last.state === 'done' || history?.last.state === 'existing';
}

/** Whether the outcome of a row is unknown. */
export function isOpen(history: RowHistory | undefined): history is RowHistory {
  return history?.last.state === 'sending' || history?.last.state === 'unknown';
}

export interface JournalContent {
  readonly header: JournalHeader;
  readonly rows: ReadonlyMap<number, RowHistory>;
  /** Bytes up to the end of the last complete line. */
  readonly length: number;
  /** The entry of an incomplete last line; it is in `rows` too. */
  readonly torn: JournalEntry | undefined;
}

/** Returns undefined if there is no journal, or only an incomplete header. */
export async function readJournal(path: string): Promise<JournalContent | undefined> {
  const text = await readFile(path, 'utf8').catch((cause: NodeJS.ErrnoException) => {
    if (cause.code === 'ENOENT') return '';
    throw badInput(`The journal ${path} can't be read (${cause.code}).`, { cause });
  });
  const length = text.lastIndexOf('\n') + 1;
  const [first, ...lines] = text.slice(0, length).split('\n').filter(Boolean);
  if (first === undefined) return undefined;
  try {
    const header = readHeader(first);
    const torn = readTornEntry(text.slice(length));
    const rows = new Map<number, RowHistory>();
    for (const last of [...lines.map(readEntry), ...(torn ? [torn] : [])]) {
      const before = rows.get(last.row);
      const sent = last.state === 'sending';
      rows.set(last.row, {
        last,
        snapshot: sent ? last.snapshot : before?.snapshot,
        sentAt: sent ? last.at : before?.sentAt,
      });
    }
    return { header, rows, length: Buffer.byteLength(text.slice(0, length)), torn };
  } catch (cause) {
    throw badInput(`${path} is not a valid journal: ${reasonOf(cause).replace(/\.$/, '')}.`, {
      code: 'damaged-journal',
      cause,
    });
  }
}

/**
 * Reads an incomplete last line, left by a crash or by a program that edited or copied the journal. A row that
 * it names may have been sent. Without a row number, nothing was sent: a row is sent after its line is on disk.
 */
function readTornEntry(line: string): JournalEntry | undefined {
  const row = /^\{"row":(\d+),/.exec(line)?.[1];
  if (row === undefined) return undefined;
  try {
    return readEntry(line);
  } catch {
    return {
      row: Number(row),
      state: 'unknown',
      why: 'the journal entry of the row is incomplete',
    };
  }
}

function readHeader(line: string): JournalHeader {
  const header = JSON.parse(line) as JournalHeader;
  if (header.version === 2) return header;
  throw new Error(`unknown version ${(header as { version: unknown }).version}`);
}

const states: readonly unknown[] = ['sending', 'done', 'existing', 'failed', 'unknown'];

function readEntry(line: string): JournalEntry {
  const entry = JSON.parse(line) as JournalEntry | null;
  if (entry && Number.isSafeInteger(entry.row) && states.includes(entry.state)) return entry;
  // A row with an unknown state must not be treated as never sent.
  throw new Error(`it has an invalid line: ${line.slice(0, 60)}`);
}

export interface Journal {
  /** Resolves when the entry is on disk. */
  add(entry: JournalEntry): Promise<void>;
  close(): Promise<void>;
}

export async function openJournal(
  path: string,
  header: JournalHeader,
  before: JournalContent | undefined,
): Promise<Journal> {
  try {
    const length = before?.length ?? 0;
    const file = await open(path, 'a', 0o600);
    await file.truncate(length);
    const add = appenderTo(path, file, length);
    if (!before) await add(header);
    if (before?.torn) await add(before.torn);
    await syncFolder(dirname(path));
    return { add, close: () => file.close() };
  } catch (thrown) {
    const cause = thrown instanceof WorkflowError ? thrown.cause : thrown;
    const { code } = cause as NodeJS.ErrnoException;
    throw badInput(`The journal ${path} can't be written (${code}).`, {
      code: 'unwritable-journal',
      cause,
    });
  }
}

/** Appends lines in order. After a failure, nothing more is written. */
function appenderTo(path: string, file: FileHandle, length: number) {
  let size = length;
  let last: Promise<void> = Promise.resolve();
  const append = async (line: string) => {
    try {
      await file.appendFile(line);
      await file.datasync();
      size += Buffer.byteLength(line);
    } catch (cause) {
      // What was about to be sent is not sent now, so it must not be in the journal either.
      await file.truncate(size).catch(() => undefined);
      throw new WorkflowError(
        'not-saved',
        `The journal ${path} can't be written (${shownCode(cause)}).`,
        {
          hint: 'It contains every row that was sent. Run the same command again to continue.',
          cause,
        },
      );
    }
  };
  return (value: object): Promise<void> => {
    last = last.then(() => append(`${JSON.stringify(value)}\n`));
    return last;
  };
}

/** Renames a journal to an unused name and returns it; undefined if there is no journal. */
export async function retireJournal(path: string): Promise<string | undefined> {
  let name = `${path}.old`;
  for (let i = 2; existsSync(name); i++) name = `${path}.old${i}`;
  try {
    await rename(path, name);
    return name;
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    if (code === 'ENOENT') return undefined;
    throw badInput(`The journal ${path} can't be renamed (${code}).`, { cause });
  }
}
