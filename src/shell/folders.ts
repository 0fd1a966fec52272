/** The folders and files in which cb keeps its own data, and their locks. */
import { isAbsolute, join, resolve } from 'node:path';
import { type Ledger, sharedLedger } from '../ledger/ledger.ts';
import { acquireLock, inTurn, LockError, type LockOptions } from '../storage/lock.ts';
import { type Identity, identityOf } from '../storage/lock-owner.ts';
import { type FolderKind, isAbsoluteOn, standardFolder } from '../storage/standard-folder.ts';
import type { Context } from './context.ts';
import { type ExitCode, exitCodes, Failure, failureFrom } from './failure.ts';

/** The folder of profiles and keys. All folder functions throw a Failure if there is no home folder. */
export const configFolder = folderOf('config');

/** The folder of files that processes share; it may be deleted. */
export const stateFolder = folderOf('state');

/** The folder of the built-in sandbox and of the states of `--since-last`. */
export const dataFolder = folderOf('data');

/** The private folder of the log of agents. */
export const mcpFolder = (context: Context) => join(dataFolder(context), 'mcp');

/** The folder of the states of `--since-last`. */
export const sinceFolder = (context: Context) => join(dataFolder(context), 'since');

function folderOf(kind: FolderKind) {
  return (context: Context) => standardFolder(kind, context) ?? homeOf(context);
}

/** Returns the home folder of the user. Throws a Failure if the user has none. */
export function homeOf({ home, platform }: Context): string {
  if (isAbsoluteOn(platform, home)) return home;
  const message =
    'There is no home folder: HOME is not an absolute path, and the user has no account.';
  throw new Failure(exitCodes.key, message, { hint: 'Set HOME to the path of a folder.' });
}

/** Returns the absolute path of a file that the user named. Only a relative path needs the current folder. */
export function pathOf(context: Context, typed: string): string {
  return isAbsolute(typed) ? resolve(typed) : resolve(context.folder, typed);
}

export interface Release {
  (): Promise<void>;
  /** Throws a LockError (exit code 8) if somebody deleted the lock file while this process was suspended. */
  assertHeld(): void;
}

/** For a file that is changed in place. Throws a Failure if it is locked already, or has several hard links. */
export function lock(
  context: Context,
  path: string,
  unusable: ExitCode = exitCodes.usage,
): Promise<Release> {
  return acquire(context, path, { patience: 0, singleName: true }, unusable);
}

/** Locks a file that is read and replaced at once: waits its turn, see `inTurn`. */
export function lockInTurn(context: Context, path: string): Promise<Release> {
  return acquire(context, path, inTurn, exitCodes.key);
}

/** `unusable` is the exit code for a lock file that cannot be created. */
async function acquire(
  { processes, command }: Context,
  path: string,
  wishes: Omit<LockOptions, 'processes' | 'command'>,
  unusable: ExitCode,
): Promise<Release> {
  const held = await acquireLock(path, { ...wishes, processes, command }).catch((error) => {
    if (!(error instanceof LockError) || error.problem !== 'unusable') throw failureFrom(error);
    throw new Failure(unusable, error.message, { hint: error.hint, cause: error });
  });
  return Object.assign(async () => held.release(), { assertHeld: held.assertHeld });
}

/** Throws a Failure if there is no home folder. */
export function ledgerOf(context: Context): Ledger {
  const { processes, command } = context;
  const path = join(dataFolder(context), 'ledger.ndjson');
  return sharedLedger(path, { processes, command, now: () => context.now() });
}

/** This process, without what identifies the machine for ever. */
export function processOf({ processes }: Context): Identity {
  return { ...identityOf(processes), machine: undefined };
}
