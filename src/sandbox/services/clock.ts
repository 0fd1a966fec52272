/** The sandbox's clock: the real clock plus an offset in the store. */
import { existsSync } from 'node:fs';
import { type Database, openDatabase } from '../../storage/sqlite.ts';
import { readSetting } from '../store/store.ts';

export type Clock = ReturnType<typeof storedClock>;

/** Reads the seconds ahead of the real clock every time, since another process may have advanced the clock. */
export function storedClock(db: Database, realNow: () => Date) {
  const offsetSeconds = () => readSetting(db, 'clockOffset');
  return { offsetSeconds, now: () => new Date(realNow().getTime() + offsetSeconds() * 1000) };
}

/** Seconds since 1970, as for all times in the store. */
export function instantOn(clock: Clock): number {
  return Math.floor(clock.now().getTime() / 1000);
}

/** An open store that is not served. */
export interface OpenStore {
  readonly db: Database;
  now(): Date;
}

/** Returns undefined if there is no readable store; serving it reports why. */
export async function openForTime(
  file: string,
  realNow: () => Date,
): Promise<OpenStore | undefined> {
  if (!existsSync(file)) return undefined;
  const db = await openDatabase(file).catch(() => undefined);
  if (!db) return undefined;
  const { now } = storedClock(db, realNow);
  try {
    now();
    return { db, now };
  } catch {
    db.close();
    return undefined;
  }
}
