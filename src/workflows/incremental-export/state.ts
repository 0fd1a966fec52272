/** The state of an incremental export: one JSON file per name, replaced as a whole. */
import { readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { writeAtomic } from '../../storage/atomic-file.ts';
import { syncFolder } from '../../storage/folder.ts';
import { siblingPath } from '../../storage/path.ts';
import { badInput, reasonOf, WorkflowError } from '../errors.ts';

/** `yyyy-mm-dd`, Pacific time. */
export type Day = string;

export interface AccountState {
  /** Service and API key. */
  readonly fingerprint: string;
  /** First day of the first run. */
  readonly from: Day;
  /**
   * The last day that is known to be over or to have rows. Taken from rows that were read, not from a
   * clock. Absent until one run is complete.
   */
  readonly through?: Day;
  /** Hashes of exported rows that a later run may read again, by a day that is not before theirs. */
  readonly seen: Readonly<Record<Day, readonly string[]>>;
}

/** The end of a file, to recognize it: the hash of up to `tailBytes` bytes before `length`. */
export interface AppendState {
  readonly path: string;
  readonly length: number;
  readonly tail: string;
  /** Rows that are being added behind `length`; a copy of them is in the spool file. */
  readonly pending?: { readonly length: number; readonly sha256: string };
  /** A hash of the flags that the rows were written with. */
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

/** Undefined if there is no such file. Throws a WorkflowError of kind `bad-input` for a damaged one. */
export async function readState(path: string): Promise<ScheduleState | undefined> {
  const text = await readFile(path, 'utf8').catch((cause: NodeJS.ErrnoException) => {
    if (cause.code === 'ENOENT') return undefined;
    throw badInput(`Cannot read ${path} (${cause.code}).`, { cause });
  });
  if (text === undefined) return undefined;
  try {
    return checked(JSON.parse(text) as ScheduleState);
  } catch (cause) {
    throw badInput(`${path} is damaged: ${reasonOf(cause)}.`, {
      hint: 'Delete it to export everything again from the first day.',
      cause,
    });
  }
}

function checked(state: ScheduleState): ScheduleState {
  if (state.version !== 2) throw new Error(`unknown version ${(state as ScheduleState).version}`);
  if (typeof state.accounts !== 'object' || state.accounts === null) throw new Error('no accounts');
  return state;
}

/** Replaces the file; after a crash it is the old one or the new one. */
export async function writeState(path: string, state: ScheduleState): Promise<void> {
  try {
    await writeAtomic(path, JSON.stringify(state), {
      mode: 0o600,
      draft: siblingPath(path, '.next'),
    });
    await syncFolder(dirname(path));
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    throw new WorkflowError('not-saved', `Cannot write ${path} (${code}).`, {
      hint: 'The next run may export the latest rows again.',
      cause,
    });
  }
}
