/** Moves the sandbox's clock forward in steps that can be interrupted. */
import { setImmediate } from 'node:timers/promises';
import type { Database } from '../store/driver.ts';
import { settleAtLength } from './billing.ts';
import { type Clock, instantOn, moveClock } from './clock.ts';

export interface AdvanceOptions {
  /** Stops after the current step. */
  readonly signal?: AbortSignal;
  /** Called after each step with the seconds advanced so far. */
  readonly onStep?: (done: number) => void;
}

/** In seconds. A step is never interrupted, so all events up to the clock's time have happened. */
const STEP = 86_400;

/**
 * Moves the clock forward and carries out what falls due, one day after the other. Returns the new
 * now. When `signal` is aborted, the clock stays where the last whole step ended.
 */
export async function advance(
  db: Database,
  clock: Clock,
  seconds: number,
  { signal, onStep }: AdvanceOptions = {},
): Promise<Date> {
  if (!Number.isSafeInteger(seconds) || seconds < 0) {
    throw new RangeError(`the clock goes forward by whole seconds, not by ${seconds}`);
  }
  for (let done = 0; done < seconds && !signal?.aborted; ) {
    const step = Math.min(STEP, seconds - done);
    moveClock(db, step);
    await settleAtLength(db, instantOn(clock));
    done += step;
    onStep?.(done);
    await setImmediate();
  }
  return clock.now();
}
