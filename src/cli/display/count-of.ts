/** Counts in sentences. */
import { grouped } from '../../decimals/decimals.ts';

/** As in `1 row` and `12 rows`. */
export function countOf(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

/** As in `1 row` and `12,000 rows`. */
export function groupedCount(count: number, noun: string): string {
  return `${grouped(String(count))} ${noun}${count === 1 ? '' : 's'}`;
}
