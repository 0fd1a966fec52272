/** Time as the client sees it, so that tests need not wait. */
import { setTimeout as sleep } from 'node:timers/promises';
import { ApiError } from './errors.ts';

export interface Clock {
  /** Milliseconds; only differences count. */
  now(): number;
  /** Milliseconds since 1970, as every process of the machine tells them; it may be set back. */
  wall(): number;
  /** Rejects with an ApiError of kind `cancelled` when the signal comes first. */
  sleep(milliseconds: number, signal?: AbortSignal): Promise<void>;
  /** From 0 up to 1. */
  random(): number;
}

export const realClock: Clock = {
  now: () => performance.now(),
  wall: () => Date.now(),
  sleep: async (milliseconds, signal) => {
    try {
      await sleep(milliseconds, undefined, signal ? { signal } : {});
    } catch (cause) {
      throw new ApiError('cancelled', 'cancelled', { cause });
    }
  },
  random: Math.random,
};
