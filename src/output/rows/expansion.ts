/** `--expand`: one row per element of a list, with the element in place of the list. */
import { UnknownField } from '../errors.ts';
import {
  isList,
  isRow,
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

/**
 * Returns the shape of the expanded rows: the list becomes an object, and its headline follows the first field of
 * the row.
 */
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
  const keys = path.split('.');
  if (page.some((row) => isList(valueAt(row, keys)))) return;
  const seen = page.flatMap((row) => Object.keys(row).filter((key) => isList(row[key])));
  const known = new Set([...(shape ? listPaths(shape) : []), ...seen]);
  throw new UnknownField(path, [...known], '--expand');
}

function valueAt(value: Value, keys: readonly string[]): Value {
  return keys.reduce<Value>((inner, key) => (isRow(inner) ? inner[key] : undefined), value);
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
