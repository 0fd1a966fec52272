/** A page of a list, and the identity of its rows. */
import type { Arguments } from '../../operations/operation.ts';
import type { FetchedPage } from './prefetch.ts';

/** A page of a list, without the rows of pages before it. */
export interface RowPage<Row> extends FetchedPage<Row> {
  /** Number of its window, from 0. */
  readonly window: number;
  /** The window is complete. */
  readonly endsWindow: boolean;
  /** The list continues, in this window or in the next. */
  readonly more: boolean;
  /** The arguments of its window. */
  readonly args: Arguments;
}

/** Returns the identity of a row: its key fields or, if one of them is absent, the whole row. */
export function keyOf(row: unknown, key: readonly string[]): string {
  const fields = row as Readonly<Record<string, unknown>>;
  const values = key.map((name) => fields[name]);
  return values.includes(undefined) ? JSON.stringify(row) : values.map(String).join('\u0000');
}

/**
 * The rows of a page without those of earlier pages of the same window or of the one before, for example of another
 * list that is read with this one. New rows shift the others to the next page, and a row that changes may move from
 * window to window. A row without its first key field never counts as a duplicate.
 */
export function newRowFilter(key: readonly string[]) {
  let window = 0;
  let before = new Set<string>();
  let seen = new Set<string>();
  return <R>(rows: readonly R[], current: number): readonly R[] => {
    if (current !== window) {
      before = current === window + 1 ? seen : new Set();
      seen = new Set();
      window = current;
    }
    const keyed = rows.map((row) => (hasKey(row, key) ? keyOf(row, key) : undefined));
    // The service repeats no row within a page.
    const fresh = rows.filter((_, i) => {
      const one = keyed[i];
      return one === undefined || !(seen.has(one) || before.has(one));
    });
    for (const one of keyed) if (one !== undefined) seen.add(one);
    return fresh;
  };
}

export function hasKey(row: unknown, [first = '']: readonly string[]): boolean {
  return ((row as Readonly<Record<string, unknown>>)[first] ?? null) !== null;
}
