/** The sandbox's clock: the real one and an offset that is kept with the store. */
import type { Database } from './store/driver.ts';
import { readSetting, writeSetting } from './store/store.ts';

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

/** Moves the clock forward by whole seconds; several processes at once add up. */
export function moveClock(db: Database, seconds: number): void {
  db.immediately(() => {
    writeSetting(db, 'clockOffset', readSetting(db, 'clockOffset') + seconds);
  });
}

/** Seconds since 1970, as everything in the store is timed. */
export function instantOn(clock: Clock): number {
  return Math.floor(clock.now().getTime() / 1000);
}
