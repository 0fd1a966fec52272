/** What is kept with the store beside its tables: one text under each name. */
import type { Database } from './driver.ts';

/**
 * `orders` and `randomSeed` say what the store was seeded with, `clockOffset` how many seconds its
 * clock is ahead, `salesPerDay` how much is sold after the seed, `nextSale` when (0 for never),
 * `faults` which faults are set, `faultProgress` what came of them.
 */
type Setting =
  | 'orders'
  | 'randomSeed'
  | 'clockOffset'
  | 'salesPerDay'
  | 'nextSale'
  | 'faults'
  | 'faultProgress';

export function readText(db: Database, name: Setting): string | undefined {
  return db.first<{ value: string }>('SELECT value FROM setting WHERE name = ?', [name])?.value;
}

/** Returns 0 for a setting that was never written. */
export function readSetting(db: Database, name: Setting): number {
  return Number(readText(db, name) ?? 0);
}

export function writeSetting(db: Database, name: Setting, value: number | string): void {
  db.run('INSERT OR REPLACE INTO setting (name, value) VALUES (?, ?)', [name, String(value)]);
}

export function deleteSetting(db: Database, name: Setting): void {
  db.run('DELETE FROM setting WHERE name = ?', [name]);
}
