/** Turns responses that are not a success into errors. */
import { STATUS_CODES } from 'node:http';
import { ApiError } from '../errors.ts';
import { retryAfterSeconds } from '../limits/retry.ts';
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

/** How long to hold requests back, and the evidence that a 403 means a rate limit. */
interface Limited {
  /** Milliseconds. */
  readonly wait: number;
  /** Seconds since the same was allowed; undefined for a 429, which needs no evidence. */
  readonly allowedAgo: number | undefined;
}

/** The error for a 429, or for a 403 that means a rate limit. */
export function tooManyRequests(
  response: ReceivedResponse,
  { wait, allowedAgo }: Limited,
): ApiError {
  const said = statusAndWords(response);
  const maybeDone = isForeign(response);
  const passing = {
    code: 'rate-limit',
    passing: true,
    retryAfter: wait / 1000,
    maybeDone,
  } as const;
  const hint = 'ClickBank allows 10 requests a second and 25,000 a day. Try again later.';
  if (allowedAgo === undefined) {
    const { status } = response;
    return new ApiError('rate-limit', `Rate limit exceeded: ClickBank returned ${said}`, {
      ...{ ...passing, status, hint },
    });
  }
  // Without the status 403, which callers would take for a refusal.
  const message = `Probably rate limited: ClickBank allowed this ${allowedAgo} s ago and now returned ${said}`;
  return new ApiError('rate-limit', message, {
    ...{ ...passing, hint: `${hint} If this persists, check the permissions of the key.` },
  });
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
    return new ApiError('refused', `ClickBank returned ${said}`, {
      ...{ status, hint: hintOn403(meaning) },
    });
  }
  if (status >= 500) {
    const retryAfter = retryAfterSeconds(headers['retry-after'], Date.now());
    return new ApiError('failed', `ClickBank failed: it returned ${said}`, {
      ...{ status, passing: true, maybeDone: true, hint: 'Try again later.' },
      ...(retryAfter !== undefined && { retryAfter }),
    });
  }
  if (status >= 300 && status < 400 && status !== 304) return redirected(response);
  return new ApiError('refused', `ClickBank returned ${said}`, {
    ...{ status, maybeDone: status < 400 },
    ...(meaning && { hint: sentenceFrom(capitalized(meaning)) }),
  });
}

function hintOn403(meaning = 'the resource does not exist, or is not yours'): string {
  const usual = meaning.charAt(0).toLowerCase() + meaning.slice(1).replace(/\.$/, '');
  return `This usually means that ${usual}. The key may also lack permission, or requests may be too frequent.`;
}

function redirected({ status, headers }: ReceivedResponse): ApiError {
  const to = placeNamed(headers.location);
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
  return sentenceFrom([name ? `${status} ${name}` : `${status}`, words].filter(Boolean).join(': '));
}

function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
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

/** The target of a redirect, without a query or credentials, which may be secret. */
function placeNamed(location: string | undefined): string {
  const place = location?.replace(/[?#].*$/s, '').replace(/\/\/[^/]*@/, '//');
  return place ? ` to ${firstWords(place)}` : '';
}
