/** The service's rate limit: told from a refusal, and waited out by all requests of the process at once. */
import type { Clock } from '../clock.ts';
import type { HttpResponse } from '../http/http-client.ts';
import { tooManyRequests } from '../http/http-errors.ts';
import { backOff, retryAfterSeconds } from './retry.ts';

export interface SentRequest {
  readonly method: string;
  readonly path: string;
  readonly url: string;
  /** The path names no single thing, so only the key decides about a 403. */
  readonly general: boolean;
  /** By the clock's `now`. */
  readonly at: number;
}

export interface RateLimit {
  /** Learns from a response. Throws an ApiError of kind `rate-limit` where it means too many requests. */
  judge(sent: SentRequest, response: HttpResponse): void;
}

/**
 * Longer than after a failure, since each attempt counts too: the limit of ten a second is over at once,
 * that of 25,000 a day is not.
 */
const waits = { first: 2000, longest: 60_000 };

/** The least wait where the service tells how long to wait: `Retry-After: 0` must not be taken literally. */
const leastWaits = { first: 500, longest: 30_000 };

/** `hold` is told for how many milliseconds nothing should go out. */
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
      // To a HEAD a 403 is an answer, to a write often a rule.
      const allowedAgo = status === 403 && sent.method === 'GET' ? successes.ago(sent) : undefined;
      if (status !== 429 && allowedAgo === undefined) return;
      const asked = retryAfterSeconds(headers['retry-after'], clock.wall());
      const wait = state.refused(sent.at, asked);
      hold(wait);
      successes.extend(sent, wait);
      throw tooManyRequests(response, { wait, allowedAgo });
    },
  };
}

/**
 * Milliseconds. Long enough for a list of slow pages that are read a few at a time; too short for a
 * permission to be taken away more often than a limit is met.
 */
const recent = 60_000;

/** What the key was allowed a moment ago: it tells a 403 by rate from one that means no. */
function recentSuccesses(clock: Clock) {
  const known = new Map<string, { readonly at: number; readonly until: number }>();
  const nameOf = ({ path, url, general }: SentRequest) => (general ? path : url);
  return {
    add(sent: SentRequest): void {
      known.set(nameOf(sent), { at: clock.now(), until: clock.now() + recent });
    },
    /** Seconds since the same was last allowed; undefined where that is not recent. */
    ago(sent: SentRequest): number | undefined {
      const one = known.get(nameOf(sent));
      if (!one || clock.now() > one.until) return undefined;
      return Math.round((clock.now() - one.at) / 1000);
    },
    /** A success that told of a limit stays recent beyond the wait. */
    extend(sent: SentRequest, wait: number): void {
      const one = known.get(nameOf(sent));
      if (one) known.set(nameOf(sent), { ...one, until: clock.now() + wait + recent });
    },
    /** A write may change what single things answer; these are known by URL, the others by path. */
    written(): void {
      for (const name of known.keys()) if (!name.startsWith('/')) known.delete(name);
    },
  };
}

/** Refusals one after the other; those of requests that were under way together count as one. */
function backoffState(clock: Clock) {
  let refusals = 0;
  let since = Number.NEGATIVE_INFINITY;
  let until = Number.NEGATIVE_INFINITY;
  return {
    /** Milliseconds to wait from now. */
    refused(sentAt: number, asked: number | undefined): number {
      const now = clock.now();
      const isNext = sentAt > since;
      if (isNext) refusals += 1;
      const wait =
        asked === undefined
          ? backOff(refusals, waits, clock)
          : Math.max(asked * 1000, backOff(refusals, leastWaits, clock));
      if (!isNext && asked === undefined) return Math.max(0, until - now);
      since = now;
      until = Math.max(until, now + wait);
      return wait;
    },
    succeeded(sentAt: number): void {
      if (sentAt > since) refusals = 0;
    },
  };
}
