/** Asking again, for reads only: exponential back-off with jitter, or what Retry-After says. */
import type { Clock } from './clock.ts';
import { ApiError, type ErrorKind } from './errors.ts';

export interface RetryOptions {
  /** The most milliseconds to wait in all. */
  readonly maxWait: number;
  readonly clock: Clock;
  readonly signal?: AbortSignal | undefined;
  /** The service has answered this run before: what fails now is more likely to pass. */
  hasAnswered?(): boolean;
  onWait?(error: ApiError, milliseconds: number, attempt: number): void;
}

/** Milliseconds of the first wait and of the longest. */
export interface Waits {
  readonly first: number;
  readonly longest: number;
}

const afterFailure: Waits = { first: 500, longest: 30_000 };

/**
 * So many failures of a kind are the end; a rate limit is outwaited as long as the wait allows. Where
 * nothing was ever reached, a person who is offline wants to know soon.
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
      const wait = waitBefore(error, attempt, clock);
      const times = (failures[error.kind] ?? 0) + 1;
      failures[error.kind] = times;
      const most =
        hasAnswered?.() === false && error.kind === 'network'
          ? mostUnreached
          : mostFailures[error.kind];
      if (times >= (most ?? Number.POSITIVE_INFINITY) || waited + wait > maxWait) throw error;
      waited += wait;
      onWait?.(error, wait, attempt);
      await clock.sleep(wait, signal);
    }
  }
}

function waitBefore({ retryAfter }: ApiError, attempt: number, clock: Clock): number {
  return retryAfter === undefined ? backOff(attempt, afterFailure, clock) : retryAfter * 1000;
}

/** Milliseconds before the next attempt: twice as long each time, and never quite the same. */
export function backOff(attempt: number, { first, longest }: Waits, clock: Clock): number {
  const most = Math.min(longest, first * 2 ** (attempt - 1));
  return most / 2 + (most / 2) * clock.random();
}

/** Seconds of a Retry-After header, which is a number or a date. */
export function retryAfterSeconds(header: string | undefined, now: number): number | undefined {
  if (!header) return undefined;
  if (/^\d+$/.test(header.trim())) return Number(header);
  const date = Date.parse(header);
  return Number.isNaN(date) ? undefined : Math.max(0, Math.ceil((date - now) / 1000));
}
