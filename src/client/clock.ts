/** The clock of the client, which tests replace so that they need not wait; and what ends waits and requests. */
import { setMaxListeners } from 'node:events';
import { setTimeout } from 'node:timers/promises';
import { ApiError } from './errors.ts';

export interface Clock {
  /** Milliseconds; only differences count. */
  now(): number;
  /** Milliseconds since 1970 by the system clock, which may be set back. */
  wall(): number;
  /** Rejects with an ApiError of kind `cancelled` if the signal is aborted first. */
  sleep(milliseconds: number, signal?: AbortSignal): Promise<void>;
  /** From 0 (inclusive) to 1 (exclusive). */
  random(): number;
}

/** In milliseconds: Node ends a longer timer at once. */
export const longestTimer = 2 ** 31 - 1;

export const realClock: Clock = {
  now: () => performance.now(),
  wall: () => Date.now(),
  async sleep(milliseconds, signal) {
    // Node warns of more than ten listeners.
    if (signal) setMaxListeners(0, signal);
    await setTimeout(Math.min(milliseconds, longestTimer), undefined, { ...(signal && { signal }) })
      // Only the signal can end the wait early.
      .catch((cause) => {
        throw signal ? cancelledBy(signal) : cause;
      });
  },
  random: Math.random,
};

/** Calls `action` when the signal is aborted, or at once if it is. Returns a function that forgets the action. */
export function onAbort(signal: AbortSignal, action: () => void): () => void {
  if (signal.aborted) {
    action();
    return () => undefined;
  }
  // Node warns of more than ten listeners.
  setMaxListeners(0, signal);
  signal.addEventListener('abort', action);
  // Node keeps a combined signal in memory as long as it has a listener.
  return () => signal.removeEventListener('abort', action);
}

/** What the work returns; undefined if it takes longer than these milliseconds. It gets a signal for its end. */
export async function within<T>(
  clock: Clock,
  milliseconds: number,
  work: (until: AbortSignal) => Promise<T>,
  signal?: AbortSignal,
): Promise<T | undefined> {
  const stop = new AbortController();
  const until = signal ? AbortSignal.any([signal, stop.signal]) : stop.signal;
  const tooLate = clock.sleep(milliseconds, until).catch(() => undefined);
  try {
    return await Promise.race([work(until), tooLate.then(() => undefined)]);
  } finally {
    stop.abort(new ApiError('cancelled', 'The result is no longer needed.'));
  }
}

/** The reason of the signal is the cause: a timeout and a person can be told apart. */
export function cancelledBy({ reason }: AbortSignal, { maybeDone = false } = {}): ApiError {
  return new ApiError('cancelled', 'Canceled.', { cause: reason, maybeDone });
}
