/** Decrypts notifications, and encrypts them for tests of receivers. */
import { blockSize, decrypt, encrypt, randomIv } from './cipher.ts';
import { type Envelope, type NotificationBody, readEnvelope, writeEnvelope } from './envelope.ts';
import type { NotificationEvent } from './event.ts';
import { type ExactObject, eventText, parseEvent, typedEvent } from './event-text.ts';
import { NotificationError } from './notification-error.ts';

export interface OpenedNotification {
  /** The decrypted text, as the service wrote it. */
  readonly text: string;
  /** The same text parsed; numbers keep their digits as LosslessNumber objects. */
  readonly exact: ExactObject;
  /** The position of the secret that fits. */
  readonly secret: number;
}

/**
 * Decrypts the body of an instant notification and types its fields.
 *
 * @param body the body as received (a text or bytes), or the object that a web framework made of it
 * @param secret the secret key of the account, or several: the first that fits is used
 * @throws NotificationError whose message is the same for every reason. Answer every failure alike, and log
 *   `error.detail`: answers that differ let strangers decrypt notifications.
 *
 * A notification carries no signature. One that decrypts comes from somebody who knows the secret.
 */
export function decryptNotification(
  body: NotificationBody,
  secret: string | readonly string[],
): NotificationEvent {
  return typedEvent(openNotification(body, typeof secret === 'string' ? [secret] : secret).exact);
}

/** As decryptNotification, for programs that need the text and the secret that fits. */
export function openNotification(
  body: NotificationBody,
  secrets: readonly string[],
): OpenedNotification {
  if (secrets.every((secret) => secret === '')) {
    throw new NotificationError('secret', 'No secret was given.', 'Store one, or pass one.');
  }
  const envelope = readEnvelope(body);
  // Every secret is tried, so that the time does not tell which one fits.
  const attempts = secrets.map((secret, index) =>
    secret === '' ? undefined : attempt(envelope, secret, index),
  );
  const tried = attempts.filter((one) => one !== undefined);
  const opened = tried.find(({ opened }) => opened)?.opened;
  if (opened) return opened;
  const withRightKey = tried.find(({ isKeyRight }) => isKeyRight);
  const beyondPadding = tried.find(({ failure }) => failure?.reason !== 'key');
  throw (withRightKey ?? beyondPadding ?? tried[0])?.failure;
}

/**
 * Encrypts an event as the service does, and returns the body to send. Use it in tests of your receiver.
 *
 * @param event an event, whose decimals can be texts such as `'1.00'`, or the exact text to encrypt
 * @param options.iv 16 bytes, to get the same body every time
 */
export function encryptNotification(
  event: object | string,
  secret: string,
  { iv = randomIv() }: { readonly iv?: Uint8Array } = {},
): string {
  if (secret === '') throw new RangeError('The secret is empty.');
  if (iv.length !== blockSize) throw new RangeError(`The IV must have ${blockSize} bytes.`);
  const text = typeof event === 'string' ? event : eventText(event);
  return writeEnvelope({ encrypted: encrypt(text, secret, iv), iv });
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
  const reason = text === undefined ? 'utf-8' : 'json';
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
