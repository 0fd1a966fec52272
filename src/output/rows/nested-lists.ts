/** Lists inside rows. `--expand`: one row per element; `--spread`: columns for the first elements. */
import { UnknownField } from '../errors.ts';
import type { RenderOptions, Spread } from '../render-options.ts';
import { allColumns, type Column, chosenColumns } from './columns.ts';
import {
  compileReader,
  hasPath,
  isList,
  isRow,
  type Reader,
  type Row,
  type Shape,
  shapeAt,
  type TableColumns,
  type Value,
} from './rows.ts';

/**
 * Expands the list at a dotted path, page by page; an empty, null or absent list leaves one row without
 * the field. Throws `UnknownField` for a path that is a list neither in the shape nor in the first page with rows.
 */
export function rowExpander(path: string, shape: Shape | undefined) {
  const keys = path.split('.');
  let isChecked = shape !== undefined && listPaths(shape).includes(path);
  return (page: readonly Row[]): readonly Row[] => {
    if (!isChecked && page.length > 0) requireList(page, path, shape);
    isChecked ||= page.length > 0;
    return page.flatMap((row) => expandRow(row, keys));
  };
}

/** The list becomes an object, and its headline follows the first field of the row. */
export function expandShape(shape: Shape, path: string): Shape {
  const keys = path.split('.');
  const { fields, derived, columns } = openList(shape, keys);
  const [first, ...others] = shape.headline;
  if (first === undefined) return { fields, headline: [] };
  const inside = (shapeAt(shape, keys)?.headline ?? []).map((name) => `${path}.${name}`);
  return {
    fields,
    headline: [first, ...inside, ...others],
    ...(derived && { derived }),
    ...(columns && { columns: (rows) => expandColumns(columns(rows), inside, derived ?? {}) }),
  };
}

/** The fields of the element, without those that a derived column shows, stand before that column. */
function expandColumns(
  { shown, needed, wanted = [], more }: TableColumns,
  inside: readonly string[],
  derived: NonNullable<Shape['derived']>,
): TableColumns {
  const replaced = Object.values(derived).map(({ replaces }) => replaces);
  const added = inside.filter((path) => !replaced.includes(path));
  const replaces = (name: string) => inside.includes(derived[name]?.replaces ?? '');
  const before = Math.max(0, shown.findIndex(replaces));
  return {
    shown: [...shown.slice(0, before), ...added, ...shown.slice(before)],
    needed,
    wanted: [...added, ...wanted],
    more,
  };
}

/** Returns the list fields of a shape as dotted paths, without lists inside lists. */
export function listPaths(shape: Shape): string[] {
  return Object.entries(shape.fields).flatMap(([name, { kind, resource }]) => {
    if (kind === 'list') return [name];
    return resource ? listPaths(resource).map((path) => `${name}.${path}`) : [];
  });
}

function requireList(page: readonly Row[], path: string, shape: Shape | undefined): void {
  const inside = (row: Row) =>
    path.split('.').reduce<Value>((inner, key) => (isRow(inner) ? inner[key] : undefined), row);
  if (page.some((row) => isList(inside(row)))) return;
  const seen = page.flatMap((row) => Object.keys(row).filter((key) => isList(row[key])));
  const known = new Set([...(shape ? listPaths(shape) : []), ...seen]);
  throw new UnknownField(path, [...known], '--expand');
}

function expandRow(row: Row, keys: readonly string[]): readonly Row[] {
  const [key = '', ...others] = keys;
  const value = row[key];
  if (others.length > 0) {
    return isRow(value)
      ? expandRow(value, others).map((inner) => ({ ...row, [key]: inner }))
      : [row];
  }
  if (!isList(value)) return [row];
  if (value.length === 0) return [{ ...row, [key]: undefined }];
  return value.map((element) => ({ ...row, [key]: element }));
}

function openList(shape: Shape, keys: readonly string[]): Shape {
  const [key = '', ...others] = keys;
  const field = shape.fields[key];
  if (!field) return shape;
  const { resource } = field;
  const opened =
    others.length > 0 && resource
      ? { resource: openList(resource, others) }
      : { kind: resource ? 'object' : 'text' };
  return { ...shape, fields: { ...shape.fields, [key]: { ...field, ...opened } } };
}

/**
 * All columns, or the chosen ones, with a group of columns in place of the list: `list.count`, `list.1.field`
 * and so on. The group has the fields of the list's shape, then unknown ones of the first page; or the
 * chosen fields of the list, at the place of the first of them. Throws `UnknownField` for a list that is in
 * neither the shape nor the rows.
 */
export function spreadColumns(
  page: readonly Row[],
  { fields, shape }: RenderOptions,
  { list, size }: Spread,
): Column[] {
  const columns = fields ? chosenColumns(fields, shape, page) : allColumns(shape, page);
  const isOfList = ({ path }: Column) => path === list || path.startsWith(`${list}.`);
  const found = columns.findIndex(isOfList);
  const isSeen = page.length === 0 || page.some((row) => hasPath(row, list.split('.')));
  const lists = shape ? listPaths(shape) : [];
  if (found < 0 && !isSeen && !lists.includes(list))
    throw new UnknownField(list, lists, '--spread');
  const place = found < 0 ? columns.length : found;
  const chosen = columns.filter(isOfList).map(({ path }) => path.slice(list.length + 1));

  const readList = listReader(list);
  const inside = shapeAt(shape, list.split('.'));
  const elements = page.flatMap(readList).filter(isRow);
  const each = chosen.includes('')
    ? allColumns(inside, elements)
    : chosenColumns(chosen, inside, elements);
  const groups = Array.from({ length: size }, (_, index) => {
    const element = (row: Row) => readList(row)[index];
    return elementColumns(`${list}.${index + 1}`, element, each);
  });
  const count = columnOf(`${list}.count`, 'number', (row) => readList(row).length);
  const others = columns.filter((column) => !isOfList(column));
  return others.toSpliced(place, 0, count, ...groups.flat());
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
  const plain = { isWhole: false, isRight: false, isGrouped: false, room: 0, words: [] };
  return { ...plain, path, name: path, heading: path, kind, read };
}

function listReader(list: string): (row: Row) => readonly Value[] {
  const read = compileReader(list.split('.'));
  return (row) => {
    const value = read(row);
    return isList(value) ? value : [];
  };
}

/** Counts the rows whose list has more elements than columns. */
export function watchSpread({ list, size }: Spread, { onSpreadShort }: RenderOptions) {
  const read = listReader(list);
  let rows = 0;
  let most = 0;
  return {
    add(page: readonly Row[]) {
      const lengths = page.map((row) => read(row).length).filter((length) => length > size);
      rows += lengths.length;
      most = Math.max(most, ...lengths);
    },
    tell() {
      if (rows > 0) onSpreadShort?.(rows, most);
    },
  };
}
