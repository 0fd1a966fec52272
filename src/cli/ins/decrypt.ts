/** `cb ins decrypt`: the event in a notification. */

import { NotificationError } from '../../ins/notification-error.ts';
import { openNotification } from '../../ins/open-notification.ts';
import type { Row, Value } from '../../output/rows/rows.ts';
import { onePage } from '../../output/stream.ts';
import { showPages, showValue } from '../display/show.ts';
import type { OutputOptions } from '../flags/show-flags.ts';
import type { CommandContext } from '../runtime/command-context.ts';
import { type ExitCode, exitCodes } from '../runtime/exit-codes.ts';
import { Failure } from '../runtime/failure.ts';
import { eventResource } from './event-resource.ts';
import { knownSecrets } from './known-secrets.ts';
import { readBody } from './read-body.ts';

export async function decryptFile(
  cmd: CommandContext,
  output: OutputOptions,
  file: string | undefined,
): Promise<void> {
  const secrets = await knownSecrets(cmd);
  const { body } = await readBody(cmd, file);
  const { exact, secret } = opened(
    body,
    secrets.map(({ secret }) => secret),
  );
  cmd.messages.tell(`Decrypted with the secret '${secrets[secret]?.name}'.`);
  const isWhole = output.format === 'json' && !hasShape(output);
  if (isWhole) await showValue(cmd, output, exact as Value);
  else await showPages(cmd, output, { resource: eventResource }, onePage([exact as Row]));
}

function hasShape({ fields, query, expand, limit, sort }: OutputOptions): boolean {
  return [fields, query, expand, limit, sort].some((option) => option !== undefined);
}

function opened(body: string, secrets: readonly string[]) {
  try {
    return openNotification(body, secrets);
  } catch (error) {
    if (!(error instanceof NotificationError)) throw error;
    const isOther = error.reason === 'key' && secrets.length > 1;
    const message = isOther
      ? `None of the ${secrets.length} known secrets decrypts the notification.`
      : error.detail;
    throw new Failure(codeOf(error), message, { hint: error.hint, next: 'cb ins verify' });
  }
}

function codeOf({ reason }: NotificationError): ExitCode {
  return reason === 'key' || reason === 'secret' ? exitCodes.key : exitCodes.failed;
}
