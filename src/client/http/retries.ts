/** Retries of reads, and how long to wait before another attempt. */
import { isWrite, type Method } from '../../operations/operation.ts';
import type { Clock } from '../clock.ts';
import { ApiError, type ErrorKind } from '../errors.ts';

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
export interface Waits {
  readonly first: number;
  readonly longest: number;
}

const afterFailure: Waits = { first: 500, longest: 30_000 };

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
    if (isWrite({ method })) return send(1);
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

/** Milliseconds before the next attempt: doubles each time, with jitter. */
export function backOff(attempt: number, { first, longest }: Waits, clock: Clock): number {
  const most = Math.min(longest, first * 2 ** (attempt - 1));
  return most / 2 + (most / 2) * clock.random();
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
