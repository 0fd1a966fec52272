/** `--spread`: a list as columns with the number of its elements and the fields of the first ones. */
import { UnknownField } from '../errors.ts';
import type { RenderOptions, Spread } from '../render-options.ts';
import { allColumns, type Column, chosenColumns } from './columns.ts';
import { listPaths } from './expansion.ts';
import { compileReader, hasPath, type Reader } from './path.ts';
import { isList, isRow, type Row, type Shape, shapeAt, type Value } from './rows.ts';

/**
 * All columns, or the chosen ones, with a group of columns in place of the list: `list.count`, `list.1.field`
 * and so on. The group has the fields of the list's shape, then unknown ones of the first page; or the
 * chosen fields of the list, at the place of the first of them. Throws `UnknownField` for a list that is in
 * neither the shape nor the rows.
 */
export function spreadColumns(
  page: readonly Row[],
  { fields, shape }: RenderOptions,
  spread: Spread,
): Column[] {
  const columns = fields ? chosenColumns(fields, shape, page) : allColumns(shape, page);
  const isOfList = ({ path }: Column) => isWithin(path, spread.list);
  const found = columns.findIndex(isOfList);
  if (found < 0 && page.length > 0) requireList(page, shape, spread.list);
  const place = found < 0 ? columns.length : found;
  const chosen = columns.filter(isOfList).map(({ path }) => path.slice(spread.list.length + 1));
  const group = countedColumns(page, shape, spread, chosen.includes('') ? undefined : chosen);
  const others = columns.filter((column) => !isOfList(column));
  return [...others.slice(0, place), ...group, ...others.slice(place)];
}

function requireList(page: readonly Row[], shape: Shape | undefined, list: string): void {
  const known = shape ? listPaths(shape) : [];
  if (known.includes(list) || page.some((row) => hasPath(row, list.split('.')))) return;
  throw new UnknownField(list, known, '--spread');
}

function isWithin(path: string, list: string): boolean {
  return path === list || path.startsWith(`${list}.`);
}

function countedColumns(
  page: readonly Row[],
  shape: Shape | undefined,
  { list, size }: Spread,
  chosen: readonly string[] | undefined,
): Column[] {
  const readList = listReader(list);
  const inside = shapeAt(shape, list.split('.'));
  const elements = page.flatMap(readList).filter(isRow);
  const columns = chosen ? chosenColumns(chosen, inside, elements) : allColumns(inside, elements);
  const count = columnOf(`${list}.count`, 'number', (row) => readList(row).length);
  const groups = Array.from({ length: size }, (_, index) => {
    const element = (row: Row) => readList(row)[index];
    return elementColumns(`${list}.${index + 1}`, element, columns);
  });
  return [count, ...groups.flat()];
}

/** A column for each field of an element, or for the element itself if it has no known fields. */
function elementColumns(path: string, element: Reader, columns: readonly Column[]): Column[] {
  if (columns.length === 0) return [columnOf(path, 'nested', element)];
  return columns.map(({ path: field, kind, read }) =>
    columnOf(`${path}.${field}`, kind, (row) => {
      const value = element(row);
      return isRow(value) ? read(value) : undefined;
    }),
  );
}

function columnOf(path: string, kind: Column['kind'], read: Reader): Column {
  return { path, name: path, heading: path, kind, isWhole: false, isRight: false, room: 0, read };
}

function listReader(list: string): (row: Row) => readonly Value[] {
  const read = compileReader(list.split('.'));
  return (row) => {
    const value = read(row);
    return isList(value) ? value : [];
  };
}

/** Counts the rows whose list has more elements than columns. */
export function watchSpread({ spread, onSpreadShort }: RenderOptions): {
  add(page: readonly Row[]): void;
  tell(): void;
} {
  if (!spread || !onSpreadShort) return { add: () => {}, tell: () => {} };
  const read = listReader(spread.list);
  let rows = 0;
  let most = 0;
  return {
    add(page) {
      const lengths = page.map((row) => read(row).length).filter((length) => length > spread.size);
      rows += lengths.length;
      most = Math.max(most, ...lengths);
    },
    tell() {
      if (rows > 0) onSpreadShort(rows, most);
    },
  };
}
