/** The state of an incremental export: one JSON file per name, replaced as a whole. */
import { dirname } from 'node:path';
import { shownCode } from '../../storage/error-code.ts';
import { syncFolder } from '../../storage/folder.ts';
import { WorkflowError } from '../errors.ts';
import { readStateFile, writeStateFile } from '../state-file.ts';

/** `yyyy-mm-dd`, Pacific time. */
export type Day = string;

export interface AccountState {
  /** Service and API key. */
  readonly fingerprint: string;
  /** The service, and the accounts that the key could read; absent in the state of earlier versions. */
  readonly baseUrl?: string;
  readonly nicknames?: readonly string[];
  /** First day of the first run. */
  readonly from: Day;
  /** Where the first day began in another time zone, in seconds since 1970; earlier rows are not exported. */
  readonly start?: number;
  /**
   * The last day that is known to be over or to have rows. Derived from rows that were read, not from a clock.
   * Absent until one run is complete.
   */
  readonly through?: Day;
  /** Hashes of exported rows that a later run may read again, by a day on or after their own. */
  readonly seen: Readonly<Record<Day, readonly string[]>>;
}

/** Identifies the end of a file: the hash of up to `tailBytes` bytes before `length`. */
export interface AppendState {
  readonly path: string;
  readonly length: number;
  readonly tail: string;
  /** Rows that are being added after `length`; a copy of them is in the spool file. */
  readonly pending?: { readonly length: number; readonly sha256: string };
  /** A hash of the options with which the rows were written. */
  readonly output: string;
  /** Columns of the first run, which all later runs keep; null for formats without columns. */
  readonly columns: readonly string[] | null;
  /** The structure of the first rows, without their values. */
  readonly skeleton: unknown;
}

export interface ScheduleState {
  readonly version: 2;
  readonly command: string;
  readonly filters: string;
  readonly accounts: Readonly<Record<string, AccountState>>;
  readonly file?: AppendState;
}

/** What deleting a state does to a file of `--append`. */
export const doublesRows =
  'A file that has the rows already then gets them twice, so begin a new file.';

/** Returns undefined if the file does not exist. Throws a WorkflowError of kind `bad-input` for a damaged file. */
export function readState(path: string): Promise<ScheduleState | undefined> {
  const hint = `Delete it to export everything again from the first day. ${doublesRows}`;
  return readStateFile<ScheduleState>(path, 2, { hint });
}

export async function writeState(path: string, state: ScheduleState): Promise<void> {
  try {
    await writeStateFile(path, state);
    await syncFolder(dirname(path));
  } catch (cause) {
    throw new WorkflowError('not-saved', `Cannot write ${path} (${shownCode(cause)}).`, {
      hint: 'The next run may export the latest rows again.',
      cause,
    });
  }
}
