/** Locks files for commands, and opens the ledger of this user. */
import { join } from 'node:path';
import { type Ledger, sharedLedger } from '../ledger/ledger.ts';
import { acquireLock, inTurn, LockError, type LockOptions } from '../storage/lock.ts';
import { type Identity, identityOf } from '../storage/lock-owner.ts';
import type { Context } from './context.ts';
import { type ExitCode, exitCodes, Failure, failureFrom } from './failure.ts';
import { dataFolder } from './folders.ts';

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
