/** Counts in sentences. */

/** As in `1 row` and `12 rows`. */
export function countOf(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
