/** Dotted paths into rows: `commission.purchase`, and through lists `lineItemData.itemNo`. */
import { isList, isRow, type Row, type Value } from './rows.ts';

export type Reader = (row: Row) => Value;

/**
 * Compiles the keys of a path, to read many rows. For a list on the way, the result is the list of the values found
 * in it.
 */
export function compileReader(keys: readonly string[]): Reader {
  const [key = '', second, ...others] = keys;
  const read = ownReader(key);
  if (second === undefined) return read;
  const readInside = compileReader([second, ...others]);
  return (row) => readWithin(read(row), readInside);
}

function readWithin(value: Value, read: Reader): Value {
  if (isRow(value)) return read(value);
  if (!isList(value)) return undefined;
  return value.flatMap((element) => readWithin(element, read) ?? null);
}

/** Reads own fields only: a row has no `constructor` unless the service sent one. */
function ownReader(key: string): Reader {
  if (key in Object.prototype) return (row) => (Object.hasOwn(row, key) ? row[key] : undefined);
  return (row) => row[key];
}

/** Whether the value, or any element of a list on the way, has the path, even if it is null. */
export function hasPath(value: Value, keys: readonly string[]): boolean {
  const [key, ...others] = keys;
  if (key === undefined) return true;
  if (isList(value)) return value.some((element) => hasPath(element, keys));
  return isRow(value) && Object.hasOwn(value, key) && hasPath(value[key], others);
}
