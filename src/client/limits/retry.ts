/** Retries of reads: exponential backoff with jitter, or longer if the service asks for it. */
import type { Clock } from '../clock.ts';
import { ApiError, type ErrorKind } from '../errors.ts';

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
      const wait = waitBefore(error, attempt, clock);
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

/** Backs off at least exponentially, also if the service keeps sending `Retry-After: 0`. */
function waitBefore({ retryAfter }: ApiError, attempt: number, clock: Clock): number {
  const least = backOff(attempt, afterFailure, clock);
  return retryAfter === undefined ? least : Math.max(least, retryAfter * 1000);
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
