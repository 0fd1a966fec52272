/** The clock of the client, which tests replace so that they need not wait. */
import { cancelledBy, onAbort } from './abort.ts';

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
  sleep: (milliseconds, signal) =>
    new Promise((done, fail) => {
      const timer = setTimeout(
        () => {
          forget?.();
          done();
        },
        Math.min(milliseconds, longestTimer),
      );
      const forget =
        signal &&
        onAbort(signal, () => {
          clearTimeout(timer);
          fail(cancelledBy(signal));
        });
    }),
  random: Math.random,
};
