/**
 * Incremental export: each run exports the rows that are new since the last one. A run starts with the day before
 * the last day with rows, because some rows arrive late, and omits rows that were exported before. Its state
 * advances by rows that were read and never by a clock alone, so that a wrong clock in one run neither loses nor
 * repeats rows.
 */
import { access, constants } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { badInput, WorkflowError } from '../../client/workflow-error.ts';
import type { Arguments } from '../../operations/operation.ts';
import { makeFolder, shownCode, syncFolder } from '../../storage/files.ts';
import { digestOf } from '../../storage/fingerprint.ts';
import {
  type AccountRun,
  type AccountState,
  continuedAccounts,
  dailyFrom,
  type OpenedAccount,
  type RunOptions,
  runOf,
} from './account-run.ts';
import { readStateFile, writeStateFile } from './state-file.ts';

export type Schedule = Awaited<ReturnType<typeof openSchedule>>;

interface ScheduleOptions extends RunOptions {
  readonly folder: string;
  readonly name: string;
  readonly args: Arguments;
  /** The file to which rows are added. */
  readonly append: string | undefined;
  /** Called before the state is written: throws if another process took over the lock. */
  assertHeld(): void;
}

export interface ScheduleState {
  readonly version: 2;
  readonly command: string;
  readonly filters: string;
  readonly accounts: Readonly<Record<string, AccountState>>;
  readonly file?: AppendState;
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

export function statePath(folder: string, name: string): string {
  return join(folder, `${name}.json`);
}

/**
 * Creates the folder of the state and the locks. Throws a WorkflowError of kind `bad-input` if it can't be written:
 * every run would export the same rows again.
 */
export async function prepareFolder(folder: string): Promise<void> {
  try {
    makeFolder(folder);
    await access(folder, constants.W_OK);
  } catch (cause) {
    const why = `can't be written (${shownCode(cause)})`;
    throw badInput(`The folder of incremental exports, ${folder}, ${why}.`, {
      hint: 'Nothing was sent. Set XDG_DATA_HOME to another folder.',
      cause,
    });
  }
}

/**
 * Opens the state of a name, which the caller has locked. Throws a WorkflowError of kind `bad-input` if the name
 * belongs to another export.
 */
export async function openSchedule(options: ScheduleOptions) {
  const { name, operation, args, range, append, assertHeld } = options;
  const path = statePath(options.folder, name);
  const withoutDays = Object.entries(args).filter(
    ([param]) => param !== range.first && param !== range.last,
  );
  const filters = digestOf(JSON.stringify(withoutDays.sort()));
  const { command } = operation;
  const stored = await readState(path);
  if (stored) {
    const owners = [
      stored.command !== command && `cb ${stored.command}`,
      stored.filters !== filters && 'other filters',
      stored.file && stored.file.path !== append && `the file ${stored.file.path}`,
    ];
    const owner = owners.find(Boolean);
    if (owner) {
      throw badInput(`The incremental export '${name}' belongs to ${owner}.`, {
        hint: `Use another name, or delete ${path} to export everything again. ${doublesRows}`,
      });
    }
  }
  let saved: ScheduleState = stored ?? { version: 2, command, filters, accounts: {} };
  const runs = new Map<string, AccountRun>();
  /** The accounts of the state, without those that a run continues, perhaps under another name. */
  const others = new Map(Object.entries(saved.accounts));
  const save = async (next: ScheduleState) => {
    assertHeld();
    try {
      await writeStateFile(path, next);
      await syncFolder(dirname(path));
    } catch (cause) {
      throw new WorkflowError('not-saved', `Cannot write ${path} (${shownCode(cause)}).`, {
        hint: 'The next run may export the latest rows again.',
        cause,
      });
    }
    saved = next;
  };
  return {
    /** From this day on, each day is read separately. */
    dailyFrom: dailyFrom(options.today),
    spoolPath: `${path}.rows`,
    file: saved.file,
    /**
     * Opens the accounts of a run, in their order. Throws a WorkflowError of kind `other-account` if the state belongs
     * to other ones.
     */
    openAccounts(opened: readonly OpenedAccount[], args: Arguments): AccountRun[] {
      const continued = continuedAccounts(name, saved.accounts, opened);
      return opened.map((account) => {
        const known = continued.get(account);
        if (known) others.delete(known.name);
        const run = runOf(known?.state, account, options, args);
        runs.set(account.name, run);
        return run;
      });
    },
    /** Records the rows that were taken so far as exported, and the file that contains them. */
    async commit(file?: AppendState) {
      const accounts = Object.fromEntries(others);
      for (const [account, run] of runs) accounts[account] = run.state();
      await save({ ...saved, accounts, ...(file && { file }) });
    },
    keep: (file: AppendState) => save({ ...saved, file }),
  };
}

/** What deleting a state does to a file of `--append`. */
const doublesRows = 'A file that has the rows already then gets them twice, so begin a new file.';

/** Returns undefined if the file does not exist. Throws a WorkflowError of kind `bad-input` for a damaged file. */
export function readState(path: string): Promise<ScheduleState | undefined> {
  const hint = `Delete it to export everything again from the first day. ${doublesRows}`;
  return readStateFile<ScheduleState>(path, 2, hint);
}
