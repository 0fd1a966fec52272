/** Fields that appear when the header of a table of text is already written. */
import { unknownFields } from './columns.ts';
import { compileReader } from './path.ts';
import type { RenderOptions } from './render-options.ts';
import { isRow, type Row, type Shape, shapeAt } from './rows.ts';

type Watch = (page: readonly Row[]) => void;

/**
 * Watches pages for fields that neither the shape nor the first page knew, also in the elements of a spread
 * list, and tells each once. Nothing is watched when nobody listens or the user chose the fields.
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
  tell: (paths: readonly string[]) => void,
): Watch {
  const told = new Set(pathsOf(shape, first));
  const holdsUnknown = compileCheck(shape);
  return (page) => {
    const late = pathsOf(shape, page.filter(holdsUnknown)).filter((path) => !told.has(path));
    for (const path of late) told.add(path);
    if (late.length > 0) tell(late);
  };
}

function pathsOf(shape: Shape | undefined, rows: readonly Row[]): string[] {
  return unknownFields(shape, rows).map((keys) => keys.join('.'));
}

/** Compiles a quick check, since nearly every row holds known fields alone: whether to look at a row closely. */
function compileCheck(shape: Shape | undefined): (row: Row) => boolean {
  const known = new Set(Object.keys(shape?.fields ?? {}));
  const inner = Object.entries(shape?.fields ?? {}).flatMap(([key, { kind, resource }]) => {
    const isOpen = !resource || Object.keys(resource.fields).length === 0;
    return kind === 'object' && !isOpen ? [{ key, check: compileCheck(resource) }] : [];
  });
  return (row) => {
    for (const key in row) if (!known.has(key)) return true;
    return inner.some(({ key, check }) => {
      const value = row[key];
      return isRow(value) && check(value);
    });
  };
}
