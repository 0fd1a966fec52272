/** The clock of the client, which tests replace so that they need not wait. */
import { setTimeout as sleep } from 'node:timers/promises';
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

export const realClock: Clock = {
  now: () => performance.now(),
  wall: () => Date.now(),
  sleep: async (milliseconds, signal) => {
    try {
      await sleep(milliseconds, undefined, signal ? { signal } : {});
    } catch (cause) {
      throw new ApiError('cancelled', 'Canceled.', { cause });
    }
  },
  random: Math.random,
};
