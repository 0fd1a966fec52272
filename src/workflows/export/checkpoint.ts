/**
 * How far an export to a file has come, in a file beside the part that is written: where a later run
 * continues. It is replaced as a whole, so after a crash it is the last one or the one before.
 */
import { readFile, rm } from 'node:fs/promises';
import { writeAtomic } from '../../storage/atomic-file.ts';
import { digestOf } from '../../storage/fingerprint.ts';
import { siblingPath } from '../../storage/path.ts';
import { badInput, reasonOf } from '../errors.ts';
import type { SeenRows } from '../incremental-export/account-run.ts';

export interface Progress {
  /** SHA-256 of what was asked and how it is written. */
  readonly settings: string;
  /** Service and API key of each account. */
  readonly fingerprints: readonly string[];
  /** The day that words like `today` are counted from, and the service's day, on every run. */
  readonly day: string;
  readonly serviceDay: string;
  /** Days in a window, for each account; null for a period that is not cut by them. */
  readonly windowDays: readonly (number | null)[];
  /** Accounts that are done, and windows of the next one. */
  readonly account: number;
  readonly windows: number;
  /** The last window of the last account is done. */
  readonly isComplete: boolean;
  readonly rows: number;
  /** The first page that had rows, as JSON: it decided the columns. */
  readonly first: string | null;
  /** What an incremental export keeps of the rows written so far, for each account. */
  readonly seen: readonly SeenRows[];
}

export interface Checkpoint extends Progress {
  readonly version: 3;
  /** Bytes of the part that stand for the progress, and their SHA-256. */
  readonly bytes: number;
  readonly sha256: string;
  /** The part was whole and only had to get its name. */
  readonly isWhole: boolean;
}

/** Undefined if no file exists. Throws a WorkflowError (`bad-input`) for a damaged file or another version. */
export async function readCheckpoint(path: string): Promise<Checkpoint | undefined> {
  const text = await readFile(path, 'utf8').catch((cause: NodeJS.ErrnoException) => {
    if (cause.code === 'ENOENT') return undefined;
    throw badInput(`Cannot read ${path} (${cause.code}).`, { cause });
  });
  if (text === undefined) return undefined;
  try {
    return parsed(text);
  } catch (cause) {
    throw badInput(`${path} can't be used: ${reasonOf(cause)}.`, { code: 'not-resumable', cause });
  }
}

/** The first line is the checksum of the second. */
function parsed(text: string): Checkpoint {
  if (text.startsWith('{')) throw new Error('an older version of cb wrote it');
  const [checksum, body = ''] = text.split('\n');
  if (checksum !== digestOf(body)) throw new Error('it is damaged (wrong checksum)');
  const checkpoint = JSON.parse(body) as Checkpoint;
  if (checkpoint.version === 3) return checkpoint;
  throw new Error(`it has the unknown version ${checkpoint.version}`);
}

export async function writeCheckpoint(path: string, checkpoint: Checkpoint): Promise<void> {
  const body = JSON.stringify(checkpoint);
  const text = `${digestOf(body)}\n${body}\n`;
  await writeAtomic(path, text, { mode: 0o600, draft: draftOf(path) });
}

function draftOf(path: string): string {
  return siblingPath(path, '.next');
}

export async function removeCheckpoint(path: string): Promise<void> {
  await rm(path, { force: true });
  await rm(draftOf(path), { force: true });
}
