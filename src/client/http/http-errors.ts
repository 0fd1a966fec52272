/** Turns responses that are not a success into errors. */
import { STATUS_CODES } from 'node:http';
import { ApiError } from '../errors.ts';
import type { HttpResponse } from './http-client.ts';

export type ReceivedResponse = Pick<HttpResponse, 'status' | 'headers' | 'body'>;

const pageHint = 'Check for a proxy or a login page on the network.';

/** A declaration or a comment may precede the page. The service itself never sends one. */
export function isWebPage(body: string): boolean {
  const start = body.trimStart().slice(0, 4096);
  return start.startsWith('<') && /<(?:!doctype\s+html|html)[\s>]/i.test(start);
}

export function unreadable(
  { status, body }: ReceivedResponse,
  why: string,
  cause?: unknown,
): ApiError {
  return new ApiError('failed', `The response can't be read: ${sentenceFrom(firstWords(why))}`, {
    ...{ status, cause, passing: true, maybeDone: true },
    ...(isWebPage(body)
      ? { hint: `It is a web page. ${pageHint}` }
      : { hint: 'Try again.', code: 'unreadable' }),
  });
}

/**
 * The error for a 429, or for a 403 that means a rate limit. `wait` is in milliseconds, and `allowedAgo` the seconds since
 * the same was allowed: the evidence that a 403 means a rate limit.
 */
export function tooManyRequests(
  response: ReceivedResponse,
  wait: number,
  allowedAgo: number | undefined,
): ApiError {
  const { status } = response;
  const said = statusAndWords(response);
  const details = {
    ...({ code: 'rate-limit', passing: true } as const),
    ...{ retryAfter: wait / 1000, maybeDone: isForeign(response) },
  };
  const hint = 'ClickBank allows 10 requests a second and 25,000 a day. Try again later.';
  if (allowedAgo === undefined) {
    const message = `Rate limit exceeded: ClickBank returned ${said}`;
    return new ApiError('rate-limit', message, { ...details, status, hint });
  }
  // Without the status 403, which callers would take for a refusal.
  const message = `Probably rate limited: ClickBank allowed this ${allowedAgo} s ago and now returned ${said}`;
  const check = 'If this persists, check the permissions of the key.';
  return new ApiError('rate-limit', message, { ...details, hint: `${hint} ${check}` });
}

/** A response of a gateway, which may have passed the request on: ClickBank's own errors are plain text. */
function isForeign({ status, body }: ReceivedResponse): boolean {
  return status === 408 || status === 499 || isWebPage(body);
}

/** The error for a status other than 2xx. `meanings` are those of the operation, by status. */
export function refusal(
  response: ReceivedResponse,
  meanings: Readonly<Record<number, string>> = {},
): ApiError {
  const { status, headers } = response;
  const said = statusAndWords(response);
  const meaning = meanings[status];
  if (isForeign(response) && status >= 400 && status < 500) {
    return new ApiError('failed', `A proxy or gateway returned ${said}`, {
      ...{ status, maybeDone: true, hint: pageHint },
    });
  }
  if (status === 401) {
    return new ApiError('key', `ClickBank does not recognize this API key: it returned ${said}`, {
      ...{ status, code: 'unknown-key' },
    });
  }
  if (status === 403) {
    const reason = meaning ?? 'the resource does not exist, or is not yours';
    const usual = reason.charAt(0).toLowerCase() + reason.slice(1).replace(/\.$/, '');
    const isSaid = [said, usual].every((text) => text.includes('does not exist'));
    const meant = isSaid ? '' : `This usually means that ${usual}. `;
    const hint = `${meant}The key may also lack permission, or requests may be too frequent.`;
    return new ApiError('refused', `ClickBank returned ${said}`, {
      ...{ status, hint: /\bpermission\b/i.test(said) ? undefined : hint },
    });
  }
  if (status >= 500) {
    const retryAfter = retryAfterSeconds(headers['retry-after'], Date.now());
    return new ApiError('failed', `ClickBank failed: it returned ${said}`, {
      ...{ status, retryAfter, passing: true, maybeDone: true, hint: 'Try again later.' },
    });
  }
  if (status >= 300 && status < 400 && status !== 304) return redirected(response);
  return new ApiError('refused', `ClickBank returned ${said}`, {
    ...{ status, maybeDone: status < 400 },
    ...(meaning && { hint: sentenceFrom(meaning.charAt(0).toUpperCase() + meaning.slice(1)) }),
  });
}

/** Names the target without a query or credentials, which may be secret. */
function redirected({ status, headers }: ReceivedResponse): ApiError {
  const place = headers.location?.replace(/[?#].*$/s, '').replace(/\/\/[^/]*@/, '//');
  const to = place ? ` to ${firstWords(place)}` : '';
  const message = `The service redirects${to} (${status}). Redirects are never followed.`;
  return new ApiError('refused', message, {
    ...{ status, code: 'redirect', maybeDone: true },
    hint: 'A key is sent only to its own base URL. Check the base URL.',
  });
}

/** As in `403 Forbidden: Access is denied.` */
function statusAndWords({ status, body }: ReceivedResponse): string {
  const name = STATUS_CODES[status];
  const words = firstWords(body);
  const said = words === name ? '' : words;
  return sentenceFrom([name ? `${status} ${name}` : `${status}`, said].filter(Boolean).join(': '));
}

function sentenceFrom(text: string): string {
  return /[.!?…]$/.test(text) ? text : `${text}.`;
}

/** The start of the body, on one line and without HTML tags. */
function firstWords(body: string): string {
  const text = /<html|<!doctype html/i.test(body) ? body.replace(/<[^>]*>/g, ' ') : body;
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length > 200 ? `${line.slice(0, 199)}…` : line;
}

/** The forms of a date in HTTP: `Wed, 18 Mar 2026 ...`, `Wednesday, 18-Mar-26 ...`, `Wed Mar 18 ... 2026`. */
const httpDate =
  /^[A-Z][a-z]{2,8}(?:, \d{2}[ -][A-Z][a-z]{2}[ -](?:\d{2}){1,2} [\d:]{8} GMT| [A-Z][a-z]{2} [ \d]\d [\d:]{8} \d{4})$/;

/** Seconds of a Retry-After header (RFC 9110): a number, or a date relative to `now`, 0 if past; else undefined. */
export function retryAfterSeconds(header: string | undefined, now: number): number | undefined {
  const text = header?.trim() ?? '';
  if (/^\d+$/.test(text)) return Number(text);
  if (!httpDate.test(text)) return undefined;
  // The last form names no zone; it is GMT too.
  const date = Date.parse(text.endsWith('GMT') ? text : `${text} GMT`);
  return Number.isNaN(date) ? undefined : Math.max(0, Math.ceil((date - now) / 1000));
}
