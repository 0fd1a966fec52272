/** Records the writes of a client in a ledger. Loaded only if the program names one. */
import { ApiError } from '../client/errors.ts';
import { serviceIdentity } from '../client/http/origin.ts';
import { reasonOf } from '../client/workflow-error.ts';
import { userName } from '../ledger/entry.ts';
import { sharedLedger } from '../ledger/ledger.ts';
import { recordIn } from '../safe-write/recording.ts';
import type { RecordWrite } from '../safe-write/safe-write.ts';
import { identityOf, processesFrom } from '../storage/lock-owner.ts';
import type { ClientOptions } from './types.ts';

interface Recording extends Pick<ClientOptions, 'onEvent'> {
  readonly ledger: string;
  readonly baseUrl: string;
  readonly key: string;
}

/** A write is not sent if it can't be recorded before; it throws an ApiError. */
export function recorderIn({ ledger, baseUrl, key, onEvent }: Recording): RecordWrite {
  const { env, getuid } = process;
  const processes = processesFrom(process);
  const now = () => new Date();
  const record = recordIn(sharedLedger(ledger, { processes, now }), {
    origin: 'program',
    service: baseUrl,
    by: userName(env, getuid?.()),
    sentFrom: { ...identityOf(processes), machine: undefined },
    account: { baseUrl: serviceIdentity(baseUrl, key), key },
    now,
  });
  return async (...write) => {
    const end = await record(...write).catch((cause) => {
      const message = `The write can't be recorded: ${reasonOf(cause)}`;
      throw new ApiError('request', message, { hint: 'Nothing was sent.', cause });
    });
    return (outcome) =>
      end(outcome).catch((error) => onEvent?.({ type: 'unrecorded', why: reasonOf(error) }));
  };
}
