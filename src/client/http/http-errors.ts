/** Turns responses that are not a success into errors. */
import { STATUS_CODES } from 'node:http';
import type { Clock } from '../clock.ts';
import { ApiError, type ErrorKind } from '../errors.ts';
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
    const reason = meaning ?? 'the resource does not exist, or is not yours';
    const usual = reason.charAt(0).toLowerCase() + reason.slice(1).replace(/\.$/, '');
    return new ApiError('refused', `ClickBank returned ${said}`, {
      status,
      hint: `This usually means that ${usual}. The key may also lack permission, or requests may be too frequent.`,
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
    ...(meaning && { hint: sentenceFrom(meaning.charAt(0).toUpperCase() + meaning.slice(1)) }),
  });
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

export interface RetryOptions {
  /** Maximum total time to wait, in milliseconds. */
  readonly maxWait: number;
  readonly clock: Clock;
  readonly signal?: AbortSignal | undefined;
  hasAnswered(): boolean;
  onWait(error: ApiError, milliseconds: number): void;
}

/** The first and the longest wait, in milliseconds. */
export interface Waits {
  readonly first: number;
  readonly longest: number;
}

const afterFailure: Waits = { first: 500, longest: 30_000 };

/**
 * Maximum attempts by kind of error; a rate limit is retried until `maxWait` is used up. Fewer if the service
 * has never responded, since a person who is offline wants to know soon.
 */
const mostFailures: Partial<Record<ErrorKind, number>> = { network: 6, failed: 6 };
const mostUnreached = 3;

/** Runs a read until it succeeds, fails for good, or the next wait would go beyond `maxWait`. */
export async function withRetries<T>(
  read: () => Promise<T>,
  { maxWait, clock, signal, hasAnswered, onWait }: RetryOptions,
): Promise<T> {
  let waited = 0;
  const failures: Partial<Record<ErrorKind, number>> = {};
  for (let attempt = 1; ; attempt++) {
    try {
      return await read();
    } catch (error) {
      if (!(error instanceof ApiError) || !error.passing) throw error;
      // Backs off at least exponentially, also if the service keeps sending `Retry-After: 0`.
      const least = backOff(attempt, afterFailure, clock);
      const wait = Math.max(least, (error.retryAfter ?? 0) * 1000);
      const times = (failures[error.kind] ?? 0) + 1;
      failures[error.kind] = times;
      const most =
        !hasAnswered() && error.kind === 'network' ? mostUnreached : mostFailures[error.kind];
      if (times >= (most ?? Number.POSITIVE_INFINITY) || waited + wait > maxWait) throw error;
      waited += wait;
      onWait(error, wait);
      await clock.sleep(wait, signal);
    }
  }
}

/** Milliseconds before the next attempt: doubles each time, with jitter. */
export function backOff(attempt: number, { first, longest }: Waits, clock: Clock): number {
  const most = Math.min(longest, first * 2 ** (attempt - 1));
  return most / 2 + (most / 2) * clock.random();
}

/** The forms of a date in HTTP: `Wed, 18 Mar 2026 ...`, `Wednesday, 18-Mar-26 ...`, `Wed Mar 18 ... 2026`. */
const httpDate =
  /^[A-Z][a-z]{2,8}(?:, \d{2}[ -][A-Z][a-z]{2}[ -](?:\d{2}){1,2} [\d:]{8} GMT| [A-Z][a-z]{2} [ \d]\d [\d:]{8} \d{4})$/;

/**
 * Seconds of a Retry-After header, by RFC 9110: a number without sign or fraction, or a date, relative
 * to `now`; 0 for a date in the past. Undefined for anything else.
 */
export function retryAfterSeconds(header: string | undefined, now: number): number | undefined {
  const text = header?.trim() ?? '';
  if (/^\d+$/.test(text)) return Number(text);
  if (!httpDate.test(text)) return undefined;
  // The last form names no zone; it is GMT too.
  const date = Date.parse(text.endsWith('GMT') ? text : `${text} GMT`);
  return Number.isNaN(date) ? undefined : Math.max(0, Math.ceil((date - now) / 1000));
}
