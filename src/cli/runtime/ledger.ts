/** The ledger of this user, in the data folder. */
import { join } from 'node:path';
import { serviceIdentity } from '../../client/http/origin.ts';
import { type Origin, withoutPerson } from '../../ledger/entry.ts';
import { type Ledger, sharedLedger } from '../../ledger/ledger.ts';
import { catalogue } from '../../operations/index.ts';
import type { Account } from '../../storage/fingerprint.ts';
import { reasonOf } from '../../workflows/errors.ts';
import { recordIn, type Sender } from '../../workflows/safe-write/recording.ts';
import type { RecordWrite } from '../../workflows/safe-write/safe-write.ts';
import type { CommandContext, Session } from './command-context.ts';
import type { Context } from './context.ts';
import { dataFolder } from './folders.ts';

/** Throws a Failure if there is no home folder. */
export function ledgerOf(context: Context): Ledger {
  const { processes, command } = context;
  const path = join(dataFolder(context), 'ledger.ndjson');
  return sharedLedger(path, { processes, command, now: () => context.now() });
}

/** What the ledger says about who sends a write. */
export function senderOf(
  { context }: Pick<CommandContext, 'context'>,
  session: Pick<Session, 'profile' | 'baseUrl' | 'key'>,
  origin: Origin,
  { yes = false }: { readonly yes?: boolean | undefined } = {},
): Sender {
  const { profile, baseUrl } = session;
  return {
    origin,
    service: profile ?? baseUrl,
    by: `${userOf(context)}${yes ? ' (--yes)' : ''}`,
    account: accountOf(session),
    now: () => context.now(),
  };
}

function accountOf({ baseUrl, key }: Pick<Session, 'baseUrl' | 'key'>): Account {
  return { baseUrl: serviceIdentity(baseUrl, key), key };
}

/** The name of the user. */
export function userOf({ env, user }: Context): string {
  return env.USER ?? env.LOGNAME ?? env.USERNAME ?? `user ${user ?? 'unknown'}`;
}

/** Removes what names a person from the entries about these orders, by their first receipt, and tickets. */
export async function blankWrites(context: Context, subjects: ReadonlySet<string>): Promise<void> {
  const isAbout = (subject = '') => subjects.has(subject.toUpperCase().split('-')[0] ?? '');
  await ledgerOf(context).alter((entry) => {
    if (!isAbout(entry.about) && !isAbout(entry.ticket)) return entry;
    const operation = catalogue.find(({ command }) => command === entry.operation);
    return withoutPerson(entry, operation?.params ?? {});
  });
}

/** Records single writes. If that fails, says so, and the write goes on. */
export function recorderFor(
  cmd: CommandContext,
  session: Session,
  flags: { readonly yes?: boolean | undefined } = {},
): RecordWrite {
  const warn = (error: unknown) =>
    cmd.messages.say(`warning: cb log will not show this write: ${reasonOf(error)}`);
  return async (...write) => {
    try {
      const record = recordIn(ledgerOf(cmd.context), senderOf(cmd, session, 'command', flags));
      const end = await record(...write);
      return (outcome) =>
        end(outcome).catch((error: unknown) =>
          cmd.messages.say(`warning: cb log will show no outcome: ${reasonOf(error)}`),
        );
    } catch (error) {
      warn(error);
      return async () => undefined;
    }
  };
}
