/** Lists that are sorted by figures, which move while their pages are read, can return a row twice. */
import type { ServiceRow } from './table.ts';

/** Creates a function that keeps the rows with a new key, across calls. */
export function distinctBy(keyOf: (row: ServiceRow) => string) {
  const seen = new Set<string>();
  return (rows: readonly ServiceRow[]): ServiceRow[] =>
    rows.filter((row) => {
      const key = keyOf(row);
      if (seen.has(key)) return false;
      seen.add(key);
      return true;
    });
}
