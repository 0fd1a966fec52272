/** The checkpoint of an export, in a file beside the partial file: where a later run continues. */
import type { SeenRows } from '../incremental-export/account-run.ts';
import { readStateFile } from '../state-file.ts';

export interface Progress {
  /** SHA-256 of the arguments and the output options. */
  readonly settings: string;
  /** Service and API key of each account. */
  readonly fingerprints: readonly string[];
  /**
   * Today in the time zone of the user, from which words such as `today` are counted, and at the service. Every run
   * uses these.
   */
  readonly day: string;
  readonly serviceDay: string;
  /** Number of days in a window, for each account; null if the period is not split by days. */
  readonly windowDays: readonly (number | null)[];
  /** The number of finished accounts, and of finished windows of the next one. */
  readonly account: number;
  readonly windows: number;
  /** The last window of the last account is finished. */
  readonly isComplete: boolean;
  readonly rows: number;
  /** The first page with rows, as JSON. It determines the columns. */
  readonly first: string | null;
  /** The rows written so far that an incremental export must remember, for each account. */
  readonly seen: readonly SeenRows[];
}

export interface Checkpoint extends Progress {
  readonly version: 3;
  /** The number of bytes in the partial file that this progress covers, and their SHA-256. */
  readonly bytes: number;
  readonly sha256: string;
  /** The partial file was complete and only had to be renamed. */
  readonly isWhole: boolean;
}

/**
 * Returns undefined if the file does not exist. Throws a WorkflowError (`bad-input`) for a damaged file or another
 * version.
 */
export function readCheckpoint(path: string): Promise<Checkpoint | undefined> {
  return readStateFile<Checkpoint>(path, 3, { code: 'not-resumable' });
}
