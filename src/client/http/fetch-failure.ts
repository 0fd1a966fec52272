/** Gives the errors of `fetch`, which each runtime words differently, the codes of Node's errors. */
import { codeOf } from '../../storage/error-code.ts';
import { ApiError } from '../errors.ts';
import { unusable } from './network-error.ts';

/**
 * What the runtimes without codes say. `(Connect)` is how Deno begins an error before anything is sent; workerd does
 * not tell when a connection failed.
 */
const texts: readonly (readonly [text: RegExp, code: string])[] = [
  [/\(Connect\).*connection refused/i, 'ECONNREFUSED'],
  [/\(Connect\).*dns error/i, 'ENOTFOUND'],
  [/\(Connect\).*certificate/i, 'CERT_UNTRUSTED'],
  [/\(SendRequest\).*connection|reading a body|network connection lost/i, 'ECONNRESET'],
  [/^gzip |^unexpected end of file|^corrupt |^invalid gzip/i, 'Z_DATA_ERROR'],
];

/** An ApiError, or an error with a code and without addresses in its message, which hold what was asked for. */
export function fetchFailure(error: unknown): Error {
  const [first, ...causes] = causesOf(error);
  if (!first || first instanceof ApiError) return first ?? new Error('fetch failed');
  const coded = [first, ...causes].find((one) => codeOf(one) !== undefined);
  const last = causes.at(-1) ?? first;
  const found = texts.find(([text]) => text.test(last.message));
  const code = coded ? codeOf(coded) : found?.[1];
  if (code && /^(?:Z_|Zlib)/.test(code)) return unusable('The response is not valid gzip.', error);
  if (coded && !/https?:/.test(coded.message)) return coded;
  const message = last.message.replaceAll(/https?:\/\/\S+/g, 'the service').replace(/\.$/, '');
  return Object.assign(new Error(message, { cause: error }), code !== undefined && { code });
}

/** The error, its cause, and so on. */
function causesOf(error: unknown): Error[] {
  return error instanceof Error ? [error, ...causesOf(error.cause)] : [];
}
