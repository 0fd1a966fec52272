/** The structure of rows without their values: enough to find the same columns again. */
import { isList, isRow, type Row, type Value } from './rows.ts';

/** One row with all fields of the rows; what is neither an object nor a list of objects is null. */
export function skeletonOf(rows: readonly Row[]): Row {
  const fields: Record<string, Value> = {};
  for (const row of rows) {
    for (const [name, value] of Object.entries(row)) {
      if (value !== undefined) fields[name] = merged(fields[name], value);
    }
  }
  return fields;
}

function merged(known: Value | undefined, value: Value): Value {
  if (isRow(value)) return skeletonOf(isRow(known) ? [known, value] : [value]);
  if (!isList(value)) return known ?? null;
  const before = isList(known) ? known : [];
  const elements = [...before, ...value].filter(isRow);
  return elements.length > 0 ? [skeletonOf(elements)] : (known ?? null);
}
