/** Recognizes the rate limit, also in a 403, and holds back all requests of the process. */
import type { Clock } from '../clock.ts';
import type { HttpResponse } from '../http/http-client.ts';
import { tooManyRequests } from '../http/http-errors.ts';
import { backOff, retryAfterSeconds } from './retry.ts';

export interface SentRequest {
  readonly method: string;
  readonly path: string;
  readonly url: string;
  /** The path names no single resource, so a 403 depends on the key alone. */
  readonly general: boolean;
  /** By the clock's `now`. */
  readonly at: number;
}

export interface RateLimit {
  /** Records a response. Throws an ApiError of kind `rate-limit` if it means too many requests. */
  judge(sent: SentRequest, response: HttpResponse): void;
}

/**
 * Longer than after a failure, since each attempt counts too: the limit of ten a second ends at once,
 * that of 25,000 a day does not.
 */
const waits = { first: 2000, longest: 60_000 };

/** The minimum wait if the service sends Retry-After: `Retry-After: 0` must not be taken literally. */
const leastWaits = { first: 500, longest: 30_000 };

/** Calls `hold` with the milliseconds for which nothing should be sent. */
export function rateLimitOf(clock: Clock, hold: (milliseconds: number) => void): RateLimit {
  const successes = recentSuccesses(clock);
  const state = backoffState(clock);
  return {
    judge(sent, response) {
      const { status, headers } = response;
      const isRead = sent.method === 'GET' || sent.method === 'HEAD';
      if (!isRead) successes.written();
      if (status >= 200 && status < 300) {
        if (sent.method === 'GET') successes.add(sent);
        state.succeeded(sent.at);
      }
      // A 403 to a HEAD is a regular response, and to a write often a business rule.
      const allowedAgo = status === 403 && sent.method === 'GET' ? successes.ago(sent) : undefined;
      if (status !== 429 && allowedAgo === undefined) return;
      const retryAfter = retryAfterSeconds(headers['retry-after'], clock.wall());
      const wait = state.refused(sent.at, retryAfter);
      hold(wait);
      successes.extend(sent, wait);
      throw tooManyRequests(response, { wait, allowedAgo });
    },
  };
}

/**
 * Milliseconds. Long enough for a list of slow pages; short enough that a 403 is rarely a
 * permission that was revoked in the meantime.
 */
const recent = 60_000;

/** What the key was allowed recently, to distinguish a rate limit from missing permission in a 403. */
function recentSuccesses(clock: Clock) {
  const known = new Map<string, { readonly at: number; readonly until: number }>();
  const nameOf = ({ path, url, general }: SentRequest) => (general ? path : url);
  return {
    add(sent: SentRequest): void {
      known.set(nameOf(sent), { at: clock.now(), until: clock.now() + recent });
    },
    /** Seconds since the same request was last allowed; undefined if that is not recent. */
    ago(sent: SentRequest): number | undefined {
      const one = known.get(nameOf(sent));
      if (!one || clock.now() > one.until) return undefined;
      return Math.round((clock.now() - one.at) / 1000);
    },
    /** Keeps a success recent beyond the wait for the rate limit that it revealed. */
    extend(sent: SentRequest, wait: number): void {
      const one = known.get(nameOf(sent));
      if (one) known.set(nameOf(sent), { ...one, until: clock.now() + wait + recent });
    },
    /** A write may change the response for single resources; these are stored by URL, the others by path. */
    written(): void {
      for (const name of known.keys()) if (!name.startsWith('/')) known.delete(name);
    },
  };
}

/** Counts consecutive refusals; refusals of concurrent requests count as one. */
function backoffState(clock: Clock) {
  let refusals = 0;
  let since = Number.NEGATIVE_INFINITY;
  let until = Number.NEGATIVE_INFINITY;
  return {
    /** Milliseconds to wait from now. */
    refused(sentAt: number, retryAfter: number | undefined): number {
      const now = clock.now();
      const isNext = sentAt > since;
      if (isNext) refusals += 1;
      const wait =
        retryAfter === undefined
          ? backOff(refusals, waits, clock)
          : Math.max(retryAfter * 1000, backOff(refusals, leastWaits, clock));
      if (!isNext && retryAfter === undefined) return Math.max(0, until - now);
      since = now;
      until = Math.max(until, now + wait);
      return wait;
    },
    succeeded(sentAt: number): void {
      if (sentAt > since) refusals = 0;
    },
  };
}
