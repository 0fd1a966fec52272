/** Settings of the store: one text per name. */
import type { Database } from '../../storage/sqlite.ts';

/**
 * `orders` and `randomSeed` are the parameters of the seed, `orderAmounts` is `customer` if orders are in the currency of the
 * customer instead of US dollars, `clockOffset` is the number of seconds that the
 * clock is ahead, `salesPerDay` the rate of sales after the seed, `nextSale` the next one (0 for none),
 * `faults` the list of faults, and `faultProgress` their counters; `insFaults` and `insFaultProgress` are those of
 * notifications.
 */
type Setting =
  | 'orders'
  | 'randomSeed'
  | 'orderAmounts'
  | 'clockOffset'
  | 'salesPerDay'
  | 'nextSale'
  | 'faults'
  | 'faultProgress'
  | 'insFaults'
  | 'insFaultProgress';

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

/** The currency of the amounts of orders2: US dollars, as recorded, or that of the customer. */
export type OrderAmounts = 'dollars' | 'customer';

export function orderAmountsIn(db: Database): OrderAmounts {
  return readText(db, 'orderAmounts') === 'customer' ? 'customer' : 'dollars';
}
