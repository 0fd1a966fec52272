/** The progress of an export as its checkpoint holds it, and whether a later run may continue it. */
import { isBuiltIn } from '../../profiles/find-service.ts';
import { createFingerprint, digestOf, matchesFingerprint } from '../../storage/fingerprint.ts';
import type { Progress } from '../../workflows/export/checkpoint.ts';
import type { PartFile } from '../../workflows/export/part-file.ts';
import { usage } from '../runtime/failure.ts';
import type { Account } from './accounts.ts';
import type { ListRun } from './list-pages.ts';

/** What does not change from one checkpoint of a run to the next. */
export type Basis = Pick<Progress, 'settings' | 'fingerprints' | 'day' | 'serviceDay'>;

/** Throws a usage failure if the file was begun by another command or for another account. */
export function basisOf(run: ListRun, file: PartFile, accounts: readonly Account[]): Basis {
  const settings = settingsOf(run, accounts);
  const { held, part } = file;
  const { day, serviceDay } = run;
  if (!held) {
    const fingerprints = accounts.map(({ identity }) => createFingerprint(identity));
    return { settings, fingerprints, day, serviceDay };
  }
  const hint = 'Nothing was sent. Omit --resume to start over, or choose another file.';
  if (held.settings !== settings) throw usage(`${part} was begun by another command.`, { hint });
  const isSame = accounts.every(({ identity }, i) =>
    matchesFingerprint(held.fingerprints[i] ?? '', identity),
  );
  if (!isSame) throw usage(`${part} was begun with another API key or service.`, { hint });
  return { settings, fingerprints: held.fingerprints, day, serviceDay };
}

/** What must be the same for a file to be continued. */
function settingsOf({ operation, args, output, cmd }: ListRun, accounts: readonly Account[]) {
  const { resume, concurrency, maxPages, ...shown } = output;
  const settings = {
    path: operation.path,
    args,
    shown,
    wire: cmd.flags.wire ?? 'json',
    // The base URL is part of the fingerprint.
    accounts: accounts.map(({ profile }) => [profile, isBuiltIn(profile ?? '')]),
  };
  return digestOf(JSON.stringify(settings));
}
