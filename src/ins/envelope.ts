/** The body of a notification: `{"notification":"<base64>","iv":"<base64>"}`. */
import { blockSize } from './cipher.ts';
import type { NotificationBody } from './notification-body.ts';
import { NotificationError } from './notification-error.ts';

export interface Envelope {
  readonly encrypted: Uint8Array;
  readonly iv: Uint8Array;
}

/** Throws a NotificationError that names the first thing that is wrong. */
export function readEnvelope(body: NotificationBody | null | undefined): Envelope {
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
    throw new NotificationError(
      'iv',
      `\`iv\` has ${iv.length} bytes; the cipher needs ${blockSize}.`,
      'Decode `iv` as base64 exactly once; what it contains is used as it is.',
    );
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

export function writeEnvelope({ encrypted, iv }: Envelope): string {
  const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64');
  return JSON.stringify({ notification: base64(encrypted), iv: base64(iv) });
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
