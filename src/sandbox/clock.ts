/** The sandbox's clock: the real one and an offset that is kept with the store. */
import type { Database } from './store/driver.ts';
import { readSetting } from './store/store.ts';

export interface Clock {
  now(): Date;
  /** How far ahead of the real clock. */
  offsetSeconds(): number;
}

/** Reads the offset anew every time: another process may have moved the clock. */
export function storedClock(db: Database, realNow: () => Date): Clock {
  const offsetSeconds = () => readSetting(db, 'clockOffset');
  return {
    offsetSeconds,
    now: () => new Date(realNow().getTime() + offsetSeconds() * 1000),
  };
}
