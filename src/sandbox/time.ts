/** What time it is in a store, without serving it. */
import { existsSync } from 'node:fs';
import { storedClock } from './clock.ts';
import { openDatabase } from './store/driver.ts';

/** The sandbox's clock; the real one where there is no store yet, or none that can be read. */
export async function timeIn(file: string, realNow: () => Date): Promise<Date> {
  if (!existsSync(file)) return realNow();
  try {
    const db = await openDatabase(file);
    try {
      return storedClock(db, realNow).now();
    } finally {
      db.close();
    }
  } catch {
    // Whoever serves the store next says what is wrong with it.
    return realNow();
  }
}
