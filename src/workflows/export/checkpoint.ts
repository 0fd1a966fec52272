/** The checkpoint of an export, in a file beside the part: where a later run continues. */
import type { SeenRows } from '../incremental-export/account-run.ts';
import { readStateFile } from '../state-file.ts';

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
export function readCheckpoint(path: string): Promise<Checkpoint | undefined> {
  return readStateFile<Checkpoint>(path, 3, { code: 'not-resumable' });
}
