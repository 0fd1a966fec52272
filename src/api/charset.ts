/** The text of a body: UTF-8, unless its headers or its beginning tell another charset. */
import { isAscii, isUtf8, transcode } from 'node:buffer';

/** Undefined for UTF-8. */
export function charsetOf(body: Buffer, contentType: string): string | undefined {
  const charset = /;\s*charset\s*=\s*"?([^\s";]+)/i.exec(contentType)?.[1] ?? charsetWithin(body);
  return charset === undefined || /^(?:utf-?8|us-ascii)$/i.test(charset) ? undefined : charset;
}

/** Without a byte order mark. Throws a RangeError for a charset that there is none of. */
export function textIn(body: Buffer, charset?: string): string {
  const text = charset === undefined ? utf8(body) : new TextDecoder(charset).decode(body);
  return text.charCodeAt(0) === 0xfeff ? text.slice(1) : text;
}

/** Of a byte order mark, or of the first line of XML. */
function charsetWithin(body: Buffer): string | undefined {
  if (body[0] === 0xff && body[1] === 0xfe) return 'utf-16le';
  if (body[0] === 0xfe && body[1] === 0xff) return 'utf-16be';
  if (body[0] !== 0x3c) return undefined;
  return /^<\?xml\s[^>]*?encoding\s*=\s*["']([\w.-]+)/.exec(body.toString('latin1', 0, 200))?.[1];
}

/** What `toString('utf8')` gives, sooner: it takes one character after the other. */
function utf8(body: Buffer): string {
  if (isAscii(body)) return body.toString('latin1');
  if (isUtf8(body)) return transcode(body, 'utf8', 'utf16le').toString('utf16le');
  return body.toString('utf8');
}
