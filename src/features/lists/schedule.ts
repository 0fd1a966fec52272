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
import { shownCode } from '../../storage/error-code.ts';
import { digestOf } from '../../storage/fingerprint.ts';
import { makeFolder, syncFolder } from '../../storage/folder.ts';
import {
  type AccountRun,
  type AccountState,
  continuedAccounts,
  type Day,
  dailyFrom,
  type OpenedAccount,
  type RunOptions,
  runOf,
} from './account-run.ts';
import { readStateFile, writeStateFile } from './state-file.ts';

export interface Schedule {
  /** From this day on, each day is read separately. */
  readonly dailyFrom: Day;
  readonly spoolPath: string;
  readonly file: AppendState | undefined;
  /**
   * Opens the accounts of a run, in their order. Throws a WorkflowError of kind `other-account` if the state belongs to
   * other ones.
   */
  openAccounts(accounts: readonly OpenedAccount[], args: Arguments): readonly AccountRun[];
  /** Records the rows that were taken so far as exported, and the file that contains them. */
  commit(file?: AppendState): Promise<void>;
  keep(file: AppendState): Promise<void>;
}

export interface ScheduleOptions extends RunOptions {
  readonly folder: string;
  readonly name: string;
  readonly args: Arguments;
  /** The file to which rows are added. */
  readonly append: string | undefined;
  /** Called before the state is written: throws if another process took over the lock. */
  assertHeld(): void;
}

export function statePath({ folder, name }: Pick<ScheduleOptions, 'folder' | 'name'>): string {
  return join(folder, `${name}.json`);
}

/**
 * Opens the state of a name, which the caller has locked. Throws a WorkflowError of kind `bad-input` if the name
 * belongs to another export.
 */
export async function openSchedule(options: ScheduleOptions): Promise<Schedule> {
  const path = statePath(options);
  const filters = filtersOf(options);
  const stored = await readState(path);
  if (stored) requireSame(stored, options, filters);
  const { command } = options.operation;
  return scheduleOn(stored ?? { version: 2, command, filters, accounts: {} }, path, options);
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
    throw badInput(
      `The folder of incremental exports, ${folder}, can't be written (${shownCode(cause)}).`,
      {
        hint: 'Nothing was sent. Set XDG_DATA_HOME to another folder.',
        cause,
      },
    );
  }
}

function requireSame(stored: ScheduleState, options: ScheduleOptions, filters: string): void {
  const { name, operation, append } = options;
  const hint = `Use another name, or delete ${statePath(options)} to export everything again. ${doublesRows}`;
  const refuse = (owner: string): never => {
    throw badInput(`The incremental export '${name}' belongs to ${owner}.`, { hint });
  };
  if (stored.command !== operation.command) refuse(`cb ${stored.command}`);
  if (stored.filters !== filters) refuse('other filters');
  if (stored.file && stored.file.path !== append) refuse(`the file ${stored.file.path}`);
}

function scheduleOn(before: ScheduleState, path: string, options: ScheduleOptions): Schedule {
  const { today, name, assertHeld } = options;
  const runs = new Map<string, AccountRun>();
  /** The names of these accounts in the state so far. */
  const continuedNames = new Set<string>();
  let saved = before;
  const save = async (next: ScheduleState) => {
    assertHeld();
    await writeState(path, next);
    saved = next;
  };
  return {
    dailyFrom: dailyFrom(today),
    spoolPath: `${path}.rows`,
    file: before.file,
    openAccounts(opened, args) {
      const stored = Object.entries(before.accounts).map(([name, state]) => ({ name, state }));
      const continued = continuedAccounts(name, stored, opened);
      return opened.map((account) => {
        const known = continued.get(account);
        if (known) continuedNames.add(known.name);
        const run = runOf(known?.state, account, options, args);
        runs.set(account.name, run);
        return run;
      });
    },
    async commit(file) {
      const stored = Object.entries(saved.accounts);
      const others = stored.filter(([account]) => !continuedNames.has(account));
      const accounts = Object.fromEntries(others);
      for (const [account, run] of runs) accounts[account] = run.state();
      await save({ ...saved, accounts, ...(file && { file }) });
    },
    keep: (file) => save({ ...saved, file }),
  };
}

/** Returns a digest of the filters without the days. */
function filtersOf({ args, range }: ScheduleOptions): string {
  const filters = Object.entries(args).filter(
    ([name]) => name !== range.first && name !== range.last,
  );
  return digestOf(JSON.stringify(filters.sort()));
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
const doublesRows = 'A file that has the rows already then gets them twice, so begin a new file.';

/** Returns undefined if the file does not exist. Throws a WorkflowError of kind `bad-input` for a damaged file. */
export function readState(path: string): Promise<ScheduleState | undefined> {
  const hint = `Delete it to export everything again from the first day. ${doublesRows}`;
  return readStateFile<ScheduleState>(path, 2, hint);
}

async function writeState(path: string, state: ScheduleState): Promise<void> {
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
