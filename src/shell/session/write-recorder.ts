/** Records the writes of a session in the ledger of this user. */

import { serviceIdentity } from '../../client/http/origin.ts';
import { reasonOf } from '../../client/workflow-error.ts';
import { type Origin, userName } from '../../ledger/entry.ts';
import { recordIn, type Sender } from '../../safe-write/recording.ts';
import type { RecordWrite } from '../../safe-write/safe-write.ts';
import type { CommandContext, Session } from '../context.ts';
import { ledgerOf, processOf } from '../lock.ts';

/** What the ledger says about who sends a write. */
export function senderOf(
  { context }: Pick<CommandContext, 'context'>,
  session: Pick<Session, 'profile' | 'baseUrl' | 'key'>,
  origin: Origin,
  yes = false,
): Sender {
  const { profile, baseUrl, key } = session;
  return {
    origin,
    service: profile ?? baseUrl,
    by: `${userName(context.env, context.user)}${yes ? ' (--yes)' : ''}`,
    sentFrom: processOf(context),
    account: { baseUrl: serviceIdentity(baseUrl, key), key },
    now: () => context.now(),
  };
}

/** Records single writes. If that fails, warns, and the write is sent anyway. */
export function recorderFor(cmd: CommandContext, session: Session, yes?: boolean): RecordWrite {
  return async (...write) => {
    try {
      const record = recordIn(ledgerOf(cmd.context), senderOf(cmd, session, 'command', yes));
      const end = await record(...write);
      return (outcome) =>
        end(outcome).catch((error: unknown) =>
          cmd.messages.say(`warning: cb log will show no outcome: ${reasonOf(error)}`),
        );
    } catch (error) {
      cmd.messages.say(`warning: cb log will not show this write: ${reasonOf(error)}`);
      return async () => undefined;
    }
  };
}
