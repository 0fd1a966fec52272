/** Decrypts notifications, and encrypts them for tests of receivers. */

import { createCipheriv, randomBytes } from 'node:crypto';
import type { NotificationEvent } from './event.ts';
import { eventText, typedEvent } from './event-text.ts';
import type { NotificationBody } from './notification-error.ts';
import { algorithm, blockSize, keyOf, openNotification } from './open-notification.ts';

/**
 * Decrypts the body of an instant notification and types its fields.
 *
 * @param body the body as received (a text or bytes), or the object that a web framework made of it
 * @param secret the secret key of the account, or several: the first that fits is used
 * @throws NotificationError whose message is the same for every reason. Answer every failure alike, and log
 *   `error.detail`: answers that differ let strangers decrypt notifications.
 *
 * A notification carries no signature. One that decrypts was written by somebody who knows the secret, but anybody who has
 * seen the notification can send it again and change its first 16 bytes.
 */
export function decryptNotification(
  body: NotificationBody,
  secret: string | readonly string[],
): NotificationEvent {
  const secrets = Array.isArray(secret) ? secret : [secret];
  return typedEvent(openNotification(body, secrets).exact);
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
  // 16 hexadecimal digits in ASCII, as the service sends them.
  { iv = Buffer.from(randomBytes(8).toString('hex')) }: { readonly iv?: Uint8Array } = {},
): string {
  if (!secret) throw new RangeError('The secret is empty.');
  if (iv.length !== blockSize) throw new RangeError(`The IV must have ${blockSize} bytes.`);
  const text = typeof event === 'string' ? event : eventText(event);
  const cipher = createCipheriv(algorithm, keyOf(secret), iv);
  const encrypted = cipher.update(text, 'utf8', 'base64') + cipher.final('base64');
  return JSON.stringify({ notification: encrypted, iv: Buffer.from(iv).toString('base64') });
}
