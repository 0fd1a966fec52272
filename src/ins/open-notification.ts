/** Decrypts a notification with the first secret that fits. */
import { blockSize, decrypt } from './cipher.ts';
import { type Envelope, readEnvelope } from './envelope.ts';
import { type ExactObject, parseEvent } from './event-text.ts';
import type { NotificationBody } from './notification-body.ts';
import { NotificationError } from './notification-error.ts';

export interface OpenedNotification {
  /** The decrypted text, as the service wrote it. */
  readonly text: string;
  /** The same text parsed; numbers keep their digits as LosslessNumber objects. */
  readonly exact: ExactObject;
  /** The position of the secret that fits. */
  readonly secret: number;
}

/** As decryptNotification, for programs that need the text and the secret that fits. */
export function openNotification(
  body: NotificationBody | null | undefined,
  secrets: readonly string[],
): OpenedNotification {
  // In JavaScript, a variable that is not set is undefined.
  const isGiven = (secret: unknown) => typeof secret === 'string' && secret !== '';
  if (!secrets.some(isGiven)) {
    throw new NotificationError('secret', 'No secret was given.', 'Store one, or pass one.');
  }
  const envelope = readEnvelope(body);
  // Every secret is tried, so that the time does not tell which one fits.
  const attempts = secrets.map((secret, index) =>
    isGiven(secret) ? attempt(envelope, secret, index) : undefined,
  );
  const tried = attempts.filter((one) => one !== undefined);
  const opened = tried.find(({ opened }) => opened)?.opened;
  if (opened) return opened;
  const withRightKey = tried.find(({ isKeyRight }) => isKeyRight);
  const beyondPadding = tried.find(({ failure }) => failure?.reason !== 'key');
  throw (withRightKey ?? beyondPadding ?? tried[0])?.failure;
}

interface Attempt {
  readonly opened?: OpenedNotification;
  readonly failure?: NotificationError;
  /** The decrypted bytes look like an event, though something is wrong with them. */
  readonly isKeyRight: boolean;
}

function attempt({ encrypted, iv }: Envelope, secret: string, index: number): Attempt {
  const bytes = decrypt(encrypted, secret, iv);
  if (!bytes) {
    const failure = new NotificationError(
      'key',
      'The padding is wrong after decryption.',
      otherKey,
    );
    return { failure, isKeyRight: false };
  }
  const text = utf8(bytes);
  const exact = text === undefined ? undefined : parseEvent(text);
  if (text !== undefined && exact) {
    return { opened: { text, exact, secret: index }, isKeyRight: true };
  }
  // Only the first block depends on the IV: if the rest is readable, the key is right.
  const isKeyRight = /"[\w-]+"\s*:/.test(bytes.subarray(blockSize).toString('latin1'));
  const detail = `The decrypted text is not ${text === undefined ? 'UTF-8' : 'a JSON object'}.`;
  const hint = isKeyRight ? rightKey : otherKey;
  // One in 256 wrong keys leaves a padding that looks right.
  const reason = text !== undefined ? 'json' : isKeyRight ? 'utf-8' : 'key';
  return { failure: new NotificationError(reason, detail, hint), isKeyRight };
}

const otherKey =
  'The secret is probably that of another account, or the body was changed on its way.';
const rightKey =
  'The secret is right, but `iv` is not the one used for encryption, or the text is not an event.';

function utf8(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
