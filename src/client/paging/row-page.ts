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
