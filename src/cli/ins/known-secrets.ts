/** The secrets that a command tries: that of the environment, and the stored ones. */
import { problemWithSecret } from '../../ins/secret.ts';
import {
  type NotificationSecrets,
  openNotificationSecrets,
} from '../../profiles/notification-secrets.ts';
import type { CommandContext } from '../runtime/command-context.ts';
import { exitCodes } from '../runtime/exit-codes.ts';
import { Failure, usage } from '../runtime/failure.ts';
import { configFolder } from '../runtime/folders.ts';
import { lockInTurn } from '../runtime/lock.ts';

type Asking = Pick<CommandContext, 'context' | 'messages'>;

export interface KnownSecret {
  /** The name it is stored under, or CB_INS_SECRET. */
  readonly name: string;
  readonly secret: string;
}

export function storedSecrets({ context, messages }: Asking): NotificationSecrets {
  const place = {
    folder: configFolder(context),
    user: context.user,
    lock: async (path: string) => lockInTurn(context, path),
    onExposed: (note: string) => messages.say(`warning: ${note}`),
  };
  return openNotificationSecrets(place, (note) => messages.say(`note: ${note}`));
}

/**
 * The secret of CB_INS_SECRET first, then the stored ones in the order of their names. Throws a Failure if there is
 * none, or if CB_INS_SECRET can't be a secret. No message quotes a secret.
 */
export async function knownSecrets(cmd: Asking): Promise<readonly KnownSecret[]> {
  const given = cmd.context.env.CB_INS_SECRET?.trim();
  const problem = given === undefined ? undefined : problemWithSecret(given);
  if (problem) {
    throw usage(`CB_INS_SECRET is invalid. ${problem}`, { hint: secretRule });
  }
  const stored = await storedSecrets(cmd).read();
  const known =
    given === undefined ? stored : [{ name: 'CB_INS_SECRET', secret: given }, ...stored];
  if (known.length > 0) return known;
  throw new Failure(exitCodes.key, 'There is no notification secret yet.', {
    hint: 'Set CB_INS_SECRET, or store the secret of your account.',
    next: 'cb ins secrets add',
  });
}

/** The secret to encrypt with: the named one, or the first. Throws a usage failure for an unknown name. */
export async function secretNamed(cmd: Asking, name: string | undefined): Promise<KnownSecret> {
  const known = await knownSecrets(cmd);
  const found = name === undefined ? known[0] : known.find((secret) => secret.name === name);
  if (found) return found;
  const names = known.map((secret) => secret.name).join(', ');
  // Not quoted, because it may be a secret.
  throw usage('There is no notification secret of that name.', { hint: `Secrets: ${names}.` });
}

export const secretRule =
  'A secret has at most 16 characters, capital letters and digits, as on the ClickBank website.';
