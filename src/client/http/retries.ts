/** Retries of reads, how long to wait before another attempt, and responses that mean too many requests. */
import { isWrite, type Method } from '../../operations/operation.ts';
import type { Clock } from '../clock.ts';
import { ApiError, type ErrorKind } from '../errors.ts';
import type { HttpResponse } from './http-client.ts';
import { retryAfterSeconds, tooManyRequests } from './http-errors.ts';

interface RetryOptions {
  /** Maximum total time to wait, in milliseconds. */
  readonly maxWait: number;
  readonly clock: Clock;
  hasAnswered(): boolean;
  onWait(why: string, milliseconds: number): void;
}

interface Attempts {
  readonly retries?: boolean | undefined;
  /** In milliseconds, instead of that of the client. */
  readonly maxWait?: number | undefined;
}

/** The first and the longest wait, in milliseconds. */
const afterFailure = { first: 500, longest: 30_000 };

/** Attempts after failures; fewer if the service never responded: a person who is offline wants to know soon. */
const mostFailures = 6;
const mostUnreached = 3;

/** Sends a read until it succeeds, fails for good, or would wait beyond `maxWait`. A write is sent once. */
export function openRetries({ maxWait, clock, hasAnswered, onWait }: RetryOptions) {
  let waitingUntil = Number.NEGATIVE_INFINITY;
  return async <T>(
    method: Method,
    send: (attempt: number) => Promise<T>,
    signal: AbortSignal,
    { retries = true, maxWait: most = maxWait }: Attempts = {},
  ): Promise<T> => {
    if (isWrite({ method })) return send(1).catch(inDoubt);
    let waited = 0;
    const failures: Partial<Record<ErrorKind, number>> = {};
    for (let attempt = 1; ; attempt++) {
      try {
        return await send(attempt);
      } catch (error) {
        if (!(error instanceof ApiError)) throw error;
        // A read changes nothing, so it can always be repeated.
        Object.assign(error, { maybeDone: false });
        const { kind, message, passing, retryAfter = 0 } = error;
        const isLimited = kind === 'rate-limit';
        // Backs off at least exponentially, also if the service keeps sending `Retry-After: 0`.
        const wait = Math.max(backOff(attempt, afterFailure, clock), retryAfter * 1000);
        const times = (failures[kind] ?? 0) + 1;
        failures[kind] = times;
        const mostTimes = kind === 'network' && !hasAnswered() ? mostUnreached : mostFailures;
        const isOver = (!isLimited && times >= mostTimes) || waited + wait > most;
        if (!retries || !passing || isOver) throw error;
        waited += wait;
        // Concurrent requests that exceed the limit wait together, and the wait is reported once.
        const isReported = isLimited && clock.now() < waitingUntil;
        if (isLimited && !isReported) waitingUntil = clock.now() + wait;
        if (!isReported) onWait(message, wait);
        await clock.sleep(wait, signal);
      }
    }
  };
}

/** To try again is no advice on a write that may be done. */
function inDoubt(error: unknown): never {
  if (!(error instanceof ApiError && error.maybeDone)) throw error;
  const check = 'Check whether it was done before you send it again.';
  const { hint = 'Try again.' } = error;
  throw Object.assign(error, { hint: hint.startsWith('Try again') ? check : `${check} ${hint}` });
}

/** Milliseconds before the next attempt: doubles each time, with jitter. */
function backOff(attempt: number, { first, longest }: typeof waits, clock: Clock): number {
  const most = Math.min(longest, first * 2 ** (attempt - 1));
  return most / 2 + (most / 2) * clock.random();
}

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
    const { searchParams } = new URL(url);
    // A key may read some accounts and not others.
    const account = searchParams.get('site') ?? searchParams.get('account') ?? '';
    const name = general ? `${path} ${account}` : url;
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
      // `Retry-After: 0` must not be taken literally.
      wait =
        retryAfter === undefined
          ? backOff(refusals, waits, clock)
          : Math.max(retryAfter * 1000, backOff(refusals, afterFailure, clock));
      since = now;
      until = Math.max(until, now + wait);
    }
    hold(wait);
    // Stays recent beyond the wait for the rate limit that it revealed.
    if (before) allowed.set(name, { ...before, until: now + wait + recent });
    throw tooManyRequests(response, wait, allowedAgo);
  };
}
