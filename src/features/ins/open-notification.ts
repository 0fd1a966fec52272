/** Decrypts a notification with the first secret that fits. */

import { createDecipheriv, createHash } from 'node:crypto';
import { type ExactObject, parseEvent } from './event-text.ts';
import type { NotificationBody } from './notification-error.ts';
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
  const { encrypted, iv } = readEnvelope(body);
  // Every secret is tried, so that the time does not tell which one fits.
  const attempts = secrets.flatMap((secret, index) =>
    isGiven(secret) ? [attempt(decrypt(encrypted, secret, iv), index)] : [],
  );
  const opened = attempts.find((one) => 'exact' in one);
  if (opened) return opened;
  const failures = attempts.filter((one) => one instanceof NotificationError);
  const withRightKey = failures.find(({ hint }) => hint === rightKey);
  throw withRightKey ?? failures.find(({ reason }) => reason !== 'key') ?? failures[0];
}

function attempt(
  bytes: Buffer | undefined,
  secret: number,
): OpenedNotification | NotificationError {
  if (!bytes)
    return new NotificationError('key', 'The padding is wrong after decryption.', otherKey);
  const text = utf8(bytes);
  const exact = text === undefined ? undefined : parseEvent(text);
  if (text !== undefined && exact) return { text, exact, secret };
  // Only the first block depends on the IV: if the rest is readable, the key is right.
  const isKeyRight = /"[\w-]+"\s*:/.test(bytes.subarray(blockSize).toString('latin1'));
  const detail = `The decrypted text is not ${text === undefined ? 'UTF-8' : 'a JSON object'}.`;
  // One in 256 wrong keys leaves a padding that looks right.
  const reason = text !== undefined ? 'json' : isKeyRight ? 'utf-8' : 'key';
  return new NotificationError(reason, detail, isKeyRight ? rightKey : otherKey);
}

function utf8(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

const otherKey =
  'The secret probably belongs to another account, or the body was changed in transit.';
const rightKey =
  'The secret is right, but `iv` is not the one used for encryption, or the text is not an event.';

interface Envelope {
  readonly encrypted: Uint8Array;
  readonly iv: Uint8Array;
}

/** Throws a NotificationError that names the first thing that is wrong. */
function readEnvelope(body: NotificationBody | null | undefined): Envelope {
  if (body === undefined || body === null) {
    throw new NotificationError(
      'body',
      'There is no body.',
      "Read it whatever its content type is: in Express, with `express.text({ type: '*/*' })`.",
    );
  }
  const fields = typeof body === 'string' || body instanceof Uint8Array ? parse(body) : body;
  const encrypted = bytesOf(fields, 'notification');
  const iv = bytesOf(fields, 'iv');
  if (iv.length !== blockSize) {
    const detail = `\`iv\` has ${iv.length} bytes; the cipher needs ${blockSize}.`;
    const hint = 'Decode `iv` as base64 exactly once; what it contains is used as it is.';
    throw new NotificationError('iv', detail, hint);
  }
  if (encrypted.length === 0 || encrypted.length % blockSize !== 0) {
    throw new NotificationError(
      'length',
      `\`notification\` has ${encrypted.length} bytes, which is not a multiple of ${blockSize}.`,
      'A part of the body is missing. Compare its length with Content-Length.',
    );
  }
  return { encrypted, iv };
}

function parse(body: string | Uint8Array): { readonly [field: string]: unknown } {
  const text = (typeof body === 'string' ? body : Buffer.from(body).toString('utf8')).trim();
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    // The message of the parser would quote the body.
  }
  if (typeof json === 'object' && json !== null && !Array.isArray(json)) {
    return json as { readonly [field: string]: unknown };
  }
  throw new NotificationError(
    'body',
    text === '' ? 'The body is empty.' : 'The body is not a JSON object.',
    'Use the body as received, before a web framework changes it, whatever its content type is.',
  );
}

function bytesOf(fields: { readonly [field: string]: unknown }, name: string): Uint8Array {
  const value = Object.hasOwn(fields, name) ? fields[name] : undefined;
  if (typeof value !== 'string') {
    const found =
      value === undefined ? `has no \`${name}\`` : `has a \`${name}\` that is not a text`;
    throw new NotificationError(
      'fields',
      `The body ${found}.`,
      'A notification has exactly the fields `notification` and `iv`. Something else sent this body.',
    );
  }
  if (value.includes(' ')) {
    throw new NotificationError(
      'base64',
      `\`${name}\` has spaces, so it is not base64.`,
      'The body was decoded as a form, which turns each `+` into a space. Use it as received.',
    );
  }
  const text = value.replaceAll(/[\r\n]/g, '');
  if (/^[A-Za-z0-9+/]*={0,2}$/.test(text) && text.replaceAll('=', '').length % 4 !== 1) {
    return Buffer.from(text, 'base64');
  }
  throw new NotificationError(
    'base64',
    `\`${name}\` is not base64.`,
    'Use the body as received: `%2B` in place of `+` means that it was encoded as a form.',
  );
}

export const algorithm = 'aes-256-cbc';

/** The size of a block of the cipher, and so of the initialization vector, in bytes. */
export const blockSize = 16;

/** The service uses the hexadecimal digits of a SHA-1 hash as 32 characters, not as bytes. */
export function keyOf(secret: string): Buffer {
  return Buffer.from(createHash('sha1').update(secret, 'utf8').digest('hex').slice(0, 32), 'ascii');
}

/** Returns undefined if the padding is wrong, as it is with about 249 of 250 other secrets. */
function decrypt(encrypted: Uint8Array, secret: string, iv: Uint8Array): Buffer | undefined {
  const decipher = createDecipheriv(algorithm, keyOf(secret), iv);
  try {
    return Buffer.concat([decipher.update(encrypted), decipher.final()]);
  } catch {
    return undefined;
  }
}
