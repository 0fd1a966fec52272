/** A clock on which waiting takes no time: each wait moves it on. */
import { setImmediate } from 'node:timers/promises';
import type { Clock } from '../../src/api/clock.ts';
import { ApiError } from '../../src/api/errors.ts';

export interface VirtualClock extends Clock {
  /** All that was waited for, in milliseconds. */
  readonly waited: number;
}

export function virtualClock(start = Date.parse('2026-03-18T18:30:00Z')): VirtualClock {
  let waited = 0;
  return {
    get waited() {
      return waited;
    },
    now: () => waited,
    wall: () => start + waited,
    async sleep(milliseconds, signal) {
      if (signal?.aborted) throw new ApiError('cancelled', 'cancelled');
      waited += milliseconds;
      await setImmediate();
    },
    random: () => 0.5,
  };
}
