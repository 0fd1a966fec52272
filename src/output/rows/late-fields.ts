/** Fields that first appear after the header of csv or tsv has been written. */
import type { RenderOptions } from '../render-options.ts';
import { unknownFields } from './columns.ts';
import { compileReader } from './path.ts';
import { isList, isRow, type Row, type Shape, shapeAt, type Value } from './rows.ts';

type Watch = (page: readonly Row[]) => void;

/**
 * Reports each field once that is neither in the shape nor in the first page, also in the elements of a spread
 * list. Does nothing without a listener or if the user chose the fields.
 */
export function watchFields(first: readonly Row[], options: RenderOptions): Watch {
  const { shape, fields, spread, onLateFields } = options;
  if (!onLateFields || fields) return () => {};
  const watchRows = watch(first, shape, onLateFields);
  if (!spread) return watchRows;
  const { list } = spread;
  const keys = list.split('.');
  const read = compileReader(keys);
  const elementsOf = (page: readonly Row[]) => page.flatMap(read).filter(isRow);
  const watchElements = watch(elementsOf(first), shapeAt(shape, keys), (paths) =>
    onLateFields(paths.map((path) => `${list}.${path}`)),
  );
  return (page) => {
    watchRows(page);
    watchElements(elementsOf(page));
  };
}

function watch(
  first: readonly Row[],
  shape: Shape | undefined,
  report: (paths: readonly string[]) => void,
): Watch {
  const reported = new Set(pathsOf(shape, first));
  return (page) => {
    const late = pathsOf(shape, page).filter((path) => !reported.has(path));
    for (const path of late) reported.add(path);
    if (late.length > 0) report(late);
  };
}

function pathsOf(shape: Shape | undefined, rows: readonly Row[]): string[] {
  return unknownFields(shape, rows).map((keys) => keys.join('.'));
}

/**
 * The structure of rows without their values, from which the same columns follow: one row with all fields, where
 * every value except objects and lists of objects is null.
 */
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
