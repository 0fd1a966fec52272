/** Recognizes responses that mean too many requests, and decides how long to send nothing. */
import { isWrite, type Method } from '../../operations/operation.ts';
import type { Clock } from '../clock.ts';
import type { HttpResponse } from './http-client.ts';
import { tooManyRequests } from './http-errors.ts';
import { backOff, retryAfterSeconds } from './retries.ts';

interface Attempt {
  readonly method: Method;
  readonly path: string;
  readonly url: string;
  /** The path names no single resource, so a 403 depends on the key alone. */
  readonly general: boolean;
  /** When it was sent, by the clock's `now`. */
  readonly at: number;
}

/** Longer than after a failure: each attempt counts too, and only the limit of ten a second ends at once. */
const waits = { first: 2000, longest: 60_000 };

/** The minimum wait if the service sends Retry-After: `Retry-After: 0` must not be taken literally. */
const leastWaits = { first: 500, longest: 30_000 };

/**
 * Milliseconds in which the same request was allowed. Long enough for a list of slow pages; short enough that a 403 is
 * rarely a permission that was revoked in the meantime.
 */
const recent = 60_000;

/**
 * Returns a function that takes each response, and throws an ApiError of kind `rate-limit` if it means too many requests: a
 * 429, or a 403 to what the key was allowed recently. Calls `hold` with the milliseconds for which nothing should be sent.
 */
export function openRateLimit(clock: Clock, hold: (milliseconds: number) => void) {
  const allowed = new Map<string, { readonly at: number; readonly until: number }>();
  // Consecutive refusals; refusals of concurrent requests count as one.
  let refusals = 0;
  let since = Number.NEGATIVE_INFINITY;
  let until = Number.NEGATIVE_INFINITY;

  return ({ method, path, url, general, at }: Attempt, response: HttpResponse): void => {
    const { status, headers } = response;
    const now = clock.now();
    const name = general ? path : url;
    if (isWrite({ method })) {
      // It may change the response for single resources, which are stored by URL.
      for (const known of allowed.keys()) if (!known.startsWith('/')) allowed.delete(known);
    }
    if (status >= 200 && status < 300) {
      if (method === 'GET') allowed.set(name, { at: now, until: now + recent });
      if (at > since) refusals = 0;
    }
    const before = allowed.get(name);
    // A 403 to a HEAD is a regular response, and to a write often a business rule.
    const isKnown = before && now <= before.until && method === 'GET';
    const allowedAgo = isKnown && status === 403 ? Math.round((now - before.at) / 1000) : undefined;
    if (status !== 429 && allowedAgo === undefined) return;
    const isNext = at > since;
    if (isNext) refusals += 1;
    const retryAfter = retryAfterSeconds(headers['retry-after'], clock.wall());
    let wait = Math.max(0, until - now);
    if (isNext || retryAfter !== undefined) {
      wait =
        retryAfter === undefined
          ? backOff(refusals, waits, clock)
          : Math.max(retryAfter * 1000, backOff(refusals, leastWaits, clock));
      since = now;
      until = Math.max(until, now + wait);
    }
    hold(wait);
    // Stays recent beyond the wait for the rate limit that it revealed.
    if (before) allowed.set(name, { ...before, until: now + wait + recent });
    throw tooManyRequests(response, wait, allowedAgo);
  };
}
