/** The ledger of this user, in the data folder. */
import { join } from 'node:path';
import { type Ledger, sharedLedger } from '../ledger/ledger.ts';
import { type Identity, identityOf } from '../storage/lock-owner.ts';
import type { Context } from './context.ts';
import { dataFolder } from './folders.ts';

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
