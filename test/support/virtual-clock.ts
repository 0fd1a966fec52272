/** Clocks on which waiting takes no time, or a fraction of it. */
import { setImmediate } from 'node:timers/promises';
import { type Clock, realClock } from '../../src/client/clock.ts';
import { ApiError } from '../../src/client/errors.ts';

export interface VirtualClock extends Clock {
  /** All that was waited for, in milliseconds. */
  readonly waited: number;
  /** Each wait, in milliseconds. */
  readonly waits: readonly number[];
}

/** Each wait moves it on and takes no time. */
export function virtualClock(
  start = Date.parse('2026-03-18T18:30:00Z'),
  random = 0.5,
): VirtualClock {
  const waits: number[] = [];
  let waited = 0;
  return {
    waits,
    get waited() {
      return waited;
    },
    now: () => waited,
    wall: () => start + waited,
    async sleep(milliseconds, signal) {
      if (signal?.aborted) throw new ApiError('cancelled', 'cancelled');
      waits.push(milliseconds);
      waited += milliseconds;
      await setImmediate();
    },
    random: () => random,
  };
}

/** With the longest waits that the jitter allows. */
export function patientClock(): VirtualClock {
  return virtualClock(undefined, 1);
}

/** Runs as many times faster than the real one; each wait takes that fraction of its time. */
export function fastClock(speed: number): Clock {
  return {
    ...realClock,
    now: () => performance.now() * speed,
    sleep: (milliseconds, signal) => realClock.sleep(milliseconds / speed, signal),
  };
}

/** Resolves when `check` returns true. */
export async function until(check: () => boolean): Promise<void> {
  while (!check()) await new Promise((done) => setTimeout(done, 5));
}
