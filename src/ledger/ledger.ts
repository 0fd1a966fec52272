/**
 * Ledgers: files of JSON lines that record each write before and after it is sent. The first line is a header; each
 * other line is a state of an entry, and the last one of an entry counts. Lines are appended, and on the disk before
 * anything is sent. The ledger in the data folder is locked for each change, the ledger of an import while the import
 * runs.
 */
import { type FileHandle, open, readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { writeAtomic } from '../storage/atomic-file.ts';
import { existingPath, makeFolder, shownCode, siblingPath, syncFolder } from '../storage/files.ts';
import { acquireLock, inTurn, LockError, type LockOptions } from '../storage/lock.ts';
import type { Processes } from '../storage/lock-owner.ts';
import {
  applyLine,
  type Entry,
  keptEntry,
  type Line,
  mayFollow,
  type SharedFacts,
  states,
  trimmedEntry,
} from './entry.ts';

/**
 * - `damaged`: it can't be understood, so a write in it could seem never sent
 * - `old`: an earlier version of cb wrote it
 * - `unreadable`, `unwritable`: the system says no, or another process keeps it locked
 */
export type LedgerProblem = 'damaged' | 'old' | 'unreadable' | 'unwritable';

export class LedgerError extends Error {
  override readonly name = 'LedgerError';
  readonly problem: LedgerProblem;
  readonly path: string;

  constructor(problem: LedgerProblem, { path, noun }: LedgerFile, says: string, cause?: unknown) {
    super(`The ${noun} ${path} ${says}.`, { cause });
    this.problem = problem;
    this.path = path;
  }
}

/** A file, and what messages call it: an import's ledger is its journal. */
export interface LedgerFile {
  /** Without symbolic links. */
  readonly path: string;
  readonly noun: 'ledger' | 'journal';
}

export interface LedgerHeader {
  readonly ledger: 1;
  /** Facts of all entries. */
  readonly facts?: SharedFacts;
}

/** The ledger of an import that cb has run. */
export interface KnownImport {
  readonly import: string;
  /** When it last began. */
  readonly at: string;
}

export interface LedgerContent<H extends LedgerHeader = LedgerHeader> {
  readonly header: H;
  /** Without the facts in the header. The longest known first. */
  readonly entries: Map<string, Entry>;
  /** By their paths. */
  readonly imports: Map<string, KnownImport>;
  /** The last line is incomplete; what could be read of it counts. */
  readonly isTorn: boolean;
}

/** Returns undefined if there is no file, or only the beginning of a header. Throws a LedgerError. */
export async function readLedger<H extends LedgerHeader = LedgerHeader>(
  file: LedgerFile,
): Promise<LedgerContent<H> | undefined> {
  const text = await readFile(file.path, 'utf8').catch((cause: NodeJS.ErrnoException) => {
    if (cause.code === 'ENOENT') return '';
    throw new LedgerError('unreadable', file, `can't be read (${shownCode(cause)})`, cause);
  });
  const end = text.lastIndexOf('\n') + 1;
  const [first, ...lines] = text.slice(0, end).split('\n').filter(Boolean);
  const isBegun = headerStart.startsWith(text.slice(0, headerStart.length));
  if (first === undefined && isBegun) return undefined;
  const header = parsed(first ?? '') as { ledger?: unknown; version?: unknown } | undefined;
  if (header?.version === 2) {
    throw new LedgerError('old', file, 'was written by an older version of cb');
  }
  if (header?.ledger !== 1) {
    throw new LedgerError('damaged', file, `is not a ${file.noun} of this version of cb`);
  }
  const content = {
    header: header as unknown as H,
    entries: new Map<string, Entry>(),
    imports: new Map<string, KnownImport>(),
    isTorn: end < text.length,
  };
  for (const line of lines) {
    const read = readLine(line);
    // An entry with an unknown state must not seem never sent.
    if (!read) throw new LedgerError('damaged', file, `has an invalid line: ${line.slice(0, 60)}`);
    keep(content, read);
  }
  const torn = tornLine(text.slice(end));
  if (torn) keep(content, torn);
  return content;
}

const headerStart = '{"ledger":1';

function readLine(text: string): Line | KnownImport | undefined {
  const line = parsed(text) as Partial<Line & KnownImport> | undefined;
  if (!Number.isFinite(Date.parse(line?.at ?? ''))) return undefined;
  if (typeof line?.import === 'string') return line as KnownImport;
  const isState = states.some((state) => state === line?.state);
  return typeof line?.id === 'string' && isState ? (line as Line) : undefined;
}

/**
 * Reads an incomplete last line, left by a crash or by a program that copied the file. The write that it names may have
 * been sent. Without an ID, nothing was sent: a write is sent after its line is on the disk.
 */
function tornLine(text: string): Line | KnownImport | undefined {
  const whole = readLine(text);
  const [, id, at = ''] = /^\{"id":"([^"\\]+)","at":"([^"\\]+)"/.exec(text) ?? [];
  if (whole || id === undefined) return whole;
  const time = Number.isFinite(Date.parse(at)) ? at : new Date(0).toISOString();
  return { id, at: time, state: 'unknown', why: 'its entry is incomplete' };
}

function keep({ entries, imports }: LedgerContent, line: Line | KnownImport): void {
  if ('import' in line) imports.set(line.import, line);
  else entries.set(line.id, applyLine(entries.get(line.id), line));
}

function parsed(text: string): object | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}

/** A ledger that this process has locked. */
export interface OpenLedger {
  readonly entries: ReadonlyMap<string, Entry>;
  /** Resolves when the line is on the disk, or to false if its state can't follow. Nothing is written after a failure. */
  add(line: Line | KnownImport): Promise<boolean>;
  close(): Promise<void>;
}

/** Opens a locked ledger, and creates it if `before`, what was read of it, is undefined. Throws a LedgerError. */
export async function openLedger(
  file: LedgerFile,
  header: LedgerHeader,
  before: LedgerContent | undefined,
): Promise<OpenLedger> {
  const content = before ?? { header, entries: new Map(), imports: new Map(), isTorn: false };
  let handle: FileHandle | undefined;
  try {
    if (before?.isTorn) await rewrite(file, before, [...before.entries.values()]);
    handle = await open(file.path, 'a', 0o600);
    // A copied one may be readable by others. A journal may be shared on purpose.
    if (file.noun === 'ledger') await handle.chmod(0o600).catch(() => undefined);
    // The beginning of a header.
    if (!before) await handle.truncate(0);
    const append = appender(file, handle, (await handle.stat()).size);
    if (!before) {
      await append(header);
      await syncFolder(dirname(file.path));
    }
    const opened = handle;
    return {
      entries: content.entries,
      async add(line) {
        const isState = 'state' in line;
        if (isState && !mayFollow(content.entries.get(line.id), line.state)) return false;
        await append(line);
        keep(content, line);
        return true;
      },
      close: () => opened.close(),
    };
  } catch (thrown) {
    await handle?.close();
    throw unwritable(file, thrown);
  }
}

function unwritable(file: LedgerFile, cause: unknown): LedgerError {
  if (cause instanceof LedgerError) return cause;
  return new LedgerError('unwritable', file, `can't be written (${shownCode(cause)})`, cause);
}

/** Appends values one after the other. */
function appender(file: LedgerFile, handle: FileHandle, length: number) {
  let size = length;
  let last: Promise<void> = Promise.resolve();
  const append = async (text: string) => {
    try {
      await handle.appendFile(text);
      await handle.datasync();
      size += Buffer.byteLength(text);
    } catch (cause) {
      // What was about to be sent is not sent now, so it must not be in the ledger either.
      await handle.truncate(size).catch(() => undefined);
      throw unwritable(file, cause);
    }
  };
  return (value: object): Promise<void> => {
    last = last.then(() => append(`${JSON.stringify(value)}\n`));
    return last;
  };
}

/** Replaces the file, one line for each entry. After a crash, it is the old one or the new one. */
async function rewrite(
  { path }: LedgerFile,
  { header, imports }: LedgerContent,
  entries: readonly Entry[],
): Promise<void> {
  const lines = [header, ...imports.values(), ...entries].map((one) => `${JSON.stringify(one)}\n`);
  await writeAtomic(path, lines.join(''), { draft: siblingPath(path, '.next') });
  await syncFolder(dirname(path));
}

export type Ledger = ReturnType<typeof sharedLedger>;

export interface SharedLedgerOptions {
  readonly processes: Processes;
  readonly command?: string | undefined;
  /** The time of this machine. */
  now(): Date;
}

/** The ledger of this user, which all processes share. */
export function sharedLedger(path: string, options: SharedLedgerOptions) {
  const { now, ...holder } = options;
  const header: LedgerHeader = { ledger: 1 };
  const time = () => now().getTime();
  const fileAt = () => ({ path: existingPath(path), noun: 'ledger' }) as const;
  const locked = async <T>(
    work: (file: LedgerFile, assertHeld: () => void) => Promise<T>,
    turn: Pick<LockOptions, 'patience' | 'patienceElsewhere'> = inTurn,
  ): Promise<T> => {
    const file = fileAt();
    try {
      makeFolder(dirname(file.path));
    } catch (cause) {
      throw unwritable(file, cause);
    }
    try {
      const lock = await acquireLock(path, { ...holder, ...turn });
      try {
        return await work(file, lock.assertHeld);
      } finally {
        lock.release();
      }
    } catch (cause) {
      throw cause instanceof LockError ? lockFailure(file, cause) : cause;
    }
  };
  /** Locks the ledger for a decision that depends on its entries. Throws a LedgerError, and what `work` throws. */
  const change = <T>(work: (open: OpenLedger) => Promise<T>) =>
    locked(async (file, assertHeld) => {
      const before = await readLedger(file);
      const ledger = await openLedger(file, header, before);
      const add: OpenLedger['add'] = async (line) => {
        assertHeld();
        return ledger.add(line);
      };
      try {
        return await work({ ...ledger, add });
      } finally {
        await ledger.close();
        // What can't be removed now is removed after the next write.
        await tidy(file, ledger.entries, (one) => keptEntry(one, time()), assertHeld).catch(
          () => undefined,
        );
      }
    });
  return {
    path,
    /** Empty if there is none. Removes texts that are no longer needed. Throws a LedgerError. */
    async read() {
      const { entries, imports = new Map() } = (await readLedger(fileAt())) ?? {};
      // A clock that is wrong must not delete an entry that is only read.
      const trim = (entry: Entry) => trimmedEntry(entry, time());
      const trimmed = new Map([...(entries ?? [])].map(([id, entry]) => [id, trim(entry)]));
      if (entries && [...entries].some(([id, entry]) => trimmed.get(id) !== entry)) {
        await locked((file, held) => tidy(file, entries, trim, held), { patience: 0 }).catch(
          () => undefined,
        );
      }
      return { entries: trimmed, imports };
    },
    change,
    record: (line: Line | KnownImport) => change((ledger) => ledger.add(line)),
    /** Replaces entries by what `alter` returns. */
    alter: (alter: (entry: Entry) => Entry) =>
      locked(async (file, assertHeld) => {
        const content = await readLedger(file);
        if (!content) return;
        const entries = [...content.entries.values()].map(alter);
        assertHeld();
        await rewrite(file, content, entries).catch((cause) => {
          throw unwritable(file, cause);
        });
      }),
  };
}

/** Removes what is no longer needed. */
async function tidy(
  file: LedgerFile,
  entries: OpenLedger['entries'],
  tidied: (entry: Entry) => Entry | undefined,
  assertHeld: () => void,
): Promise<void> {
  if ([...entries.values()].every((entry) => tidied(entry) === entry)) return;
  const content = await readLedger(file);
  const kept = [...(content?.entries.values() ?? [])].flatMap((one) => tidied(one) ?? []);
  assertHeld();
  if (content) await rewrite(file, content, kept);
}

function lockFailure(file: LedgerFile, cause: LockError): LedgerError {
  const locked = cause.problem === 'lost' ? 'is no longer locked' : 'is locked';
  const says =
    cause.problem === 'unusable'
      ? `can't be locked (${shownCode(cause.cause)})`
      : `${locked}. ${cause.message} ${cause.hint.replace(/\.$/, '')}`;
  return new LedgerError('unwritable', file, says, cause.cause);
}
