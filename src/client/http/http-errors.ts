/** The errors that responses of the service mean. */
import { ApiError } from '../errors.ts';
import { retryAfterSeconds } from '../limits/retry.ts';
import type { HttpResponse } from './http-client.ts';

export type Answer = Pick<HttpResponse, 'status' | 'headers' | 'body'>;

export function unreadable({ status, body }: Answer, why: string, cause?: unknown): ApiError {
  const isWebPage = /^\s*<(?:!doctype )?html/i.test(body);
  return new ApiError('failed', `the answer can't be read: ${firstWords(why)}`, {
    ...{ status, cause, passing: true, maybeDone: true },
    ...(isWebPage
      ? { hint: 'a web page came back: is a proxy or a login page in between?' }
      : { hint: 'try again', code: 'unreadable' }),
  });
}

/** How long nothing should go out, and what tells that a 403 is no refusal of another kind. */
interface Limited {
  /** Milliseconds. */
  readonly wait: number;
  /** Seconds since the same was allowed; undefined for a 429, which needs no evidence. */
  readonly allowedAgo: number | undefined;
}

/** The error of a 429, or of a 403 that is taken for one. */
export function tooManyRequests(answer: Answer, { wait, allowedAgo }: Limited): ApiError {
  const said = statusAndWords(answer);
  const passing = { code: 'rate-limit', passing: true, retryAfter: wait / 1000 } as const;
  const hint = 'the limits are 10 a second and 25,000 a day: try again later';
  if (allowedAgo === undefined) {
    const { status } = answer;
    return new ApiError('rate-limit', `too many requests (${said})`, { ...passing, status, hint });
  }
  // Without the status 403, which callers would take for a refusal.
  return new ApiError(
    'rate-limit',
    `too many requests, it seems: the service refused what it allowed ${allowedAgo} s ago (${said})`,
    { ...passing, hint: `${hint}; if it never ends, the key may have lost the permission` },
  );
}

/** The error that a status beyond 2xx means. `meanings` are those of the operation. */
export function refusal(answer: Answer, meanings: Readonly<Record<number, string>> = {}): ApiError {
  const { status, headers } = answer;
  const said = statusAndWords(answer);
  const meaning = meanings[status];
  if (status === 401) {
    return new ApiError('key', `the service does not know this key (${said})`, {
      ...{ status, code: 'unknown-key' },
    });
  }
  if (status === 403) {
    return new ApiError('refused', `the service refused (${said})`, {
      status,
      hint: `it can mean: ${meaning ?? 'not found, or not of your account'}; the key lacks the permission; or too many requests`,
    });
  }
  if (status >= 500) {
    const retryAfter = retryAfterSeconds(headers['retry-after'], Date.now());
    return new ApiError('failed', `the service failed (${said})`, {
      ...{ status, passing: true, maybeDone: true, hint: 'try again later' },
      ...(retryAfter !== undefined && { retryAfter }),
    });
  }
  if (status >= 300 && status < 400 && status !== 304) {
    const to = placeNamed(headers.location);
    return new ApiError(
      'refused',
      `the service redirects${to} (${status}); redirects are not followed`,
      {
        ...{ status, code: 'redirect', maybeDone: true },
        hint: 'the key goes to its own service only; check the base URL',
      },
    );
  }
  return new ApiError('refused', `the service refused (${said})`, {
    status,
    // A gateway that ran out of time may have passed the request on.
    maybeDone: status < 400 || status === 408,
    ...(meaning && { hint: meaning }),
  });
}

function statusAndWords({ status, body }: Answer): string {
  const words = firstWords(body);
  return words ? `${status}: ${words}` : `${status}`;
}

/** The service's own words, or the start of what stands in their place, on one line. */
function firstWords(body: string): string {
  const text = /<html|<!doctype html/i.test(body) ? body.replace(/<[^>]*>/g, ' ') : body;
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length > 200 ? `${line.slice(0, 199)}…` : line;
}

/** Where a redirect leads, without what may be secret in it. */
function placeNamed(location: string | undefined): string {
  const place = location?.replace(/[?#].*$/s, '').replace(/\/\/[^/]*@/, '//');
  return place ? ` to ${firstWords(place)}` : '';
}
