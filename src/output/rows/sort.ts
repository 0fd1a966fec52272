/** `--sort`: sorts rows by some of their fields. */
import { type Column, chosenColumns } from './columns.ts';
import { cellText, isList, isNumeral, type Row, type Shape, type Value } from './rows.ts';

export interface SortKey {
  /** As typed: a path in any case, or a heading. */
  readonly field: string;
  readonly descending: boolean;
}

/**
 * Returns a stable sorter: numbers by value, times by moment, text in natural order (`item 9` before `item 10`),
 * missing values last in both directions. A list counts as its first value. Throws `UnknownField` for a field that
 * is neither in the shape nor in these first rows.
 */
export function sorterFor(
  keys: readonly SortKey[],
  shape: Shape | undefined,
  first: readonly Row[],
): (rows: readonly Row[]) => Row[] {
  const fields = keys.map(({ field }) => field);
  const columns = chosenColumns(fields, shape, first, '--sort');
  const compareText = new Intl.Collator('en', { numeric: true }).compare;
  const compare = (a: SortValue, b: SortValue) => {
    if (typeof a === 'number' && typeof b === 'number') return a - b;
    if (typeof a === 'number' || typeof b === 'number') return typeof a === 'number' ? -1 : 1;
    return compareText(a, b);
  };
  return (rows) => {
    const keyed = rows.map((row) => ({ row, values: columns.map((one) => sortValue(one, row)) }));
    keyed.sort((one, other) => {
      for (const [i, { descending }] of keys.entries()) {
        const [a, b] = [one.values[i], other.values[i]];
        const isMissing = a === undefined || b === undefined;
        const order = isMissing
          ? Number(a === undefined) - Number(b === undefined)
          : descending
            ? compare(b, a)
            : compare(a, b);
        if (order !== 0) return order;
      }
      return 0;
    });
    return keyed.map(({ row }) => row);
  };
}

type SortValue = number | string;

function sortValue({ read, order, kind }: Column, row: Row): SortValue | undefined {
  const value = firstOf((order ?? read)(row));
  if (value === null || value === undefined || value === '') return undefined;
  if (isNumeral(value)) return Number(value.value);
  if (typeof value === 'number' || typeof value === 'boolean') return Number(value);
  const text = cellText(value);
  const moment = kind === 'time' || kind === 'day' ? Date.parse(text) : Number.NaN;
  return Number.isNaN(moment) ? text : moment;
}

function firstOf(value: Value): Value {
  return isList(value) ? firstOf(value.find((one) => one !== null && one !== undefined)) : value;
}
