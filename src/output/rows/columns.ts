/** The columns of a list, from its known shape and the rows of its first page. */
import { TooManyColumns, UnknownField } from '../errors.ts';
import { headings } from '../table/heading.ts';
import { pathNamed, spelledPath } from './field-names.ts';
import { compileReader, hasPath, type Reader } from './path.ts';
import {
  type DerivedField,
  type FieldShape,
  fieldOf,
  isList,
  isNumeral,
  isRow,
  type Row,
  type Shape,
  type Value,
} from './rows.ts';

export type ColumnKind = 'text' | 'number' | 'boolean' | 'time' | 'day' | 'nested';

export interface Column {
  /** Dotted: `commission.purchase`. */
  readonly path: string;
  /** The path in its correct spelling, which is the header in csv and tsv. */
  readonly name: string;
  readonly heading: string;
  readonly kind: ColumnKind;
  /** Values must not be cut: numbers, times, IDs. */
  readonly isWhole: boolean;
  readonly isRight: boolean;
  /** The minimum width of text that is cut, if the field has one. */
  readonly least?: number | undefined;
  /** Usual maximum length of a value, in characters. */
  readonly room: number;
  readonly read: Reader;
  /** Values to sort by, if others than the ones that are shown. */
  readonly order?: Reader | undefined;
}

/** Whether a value may be cut. Text in a column of numbers, times or booleans may be cut like any other text. */
export function mayBeCut({ isWhole, kind }: Column, value: Value): boolean {
  if (!isWhole) return true;
  if (typeof value !== 'string' || kind === 'text') return false;
  if (kind === 'day') return !isoDay.test(value);
  return kind !== 'time' || !isoTime.test(value);
}

/** More columns than this are an error: they would take minutes to write. */
const mostColumns = 20_000;
const tooMany = `The rows of one page have more than ${mostColumns} different fields.`;

interface Spot {
  readonly keys: readonly string[];
  readonly kind: ColumnKind;
  /** The field in the shape, if the column shows it alone. */
  readonly field?: FieldShape;
  readonly derived?: DerivedField;
}

const kinds: Readonly<Record<string, ColumnKind>> = {
  integer: 'number',
  decimal: 'number',
  number: 'number',
  boolean: 'boolean',
  time: 'time',
  day: 'day',
  object: 'nested',
  list: 'nested',
};

const wholeKinds: readonly ColumnKind[] = ['number', 'time', 'day', 'boolean'];

function kindOf(kind: string): ColumnKind {
  return kinds[kind] ?? 'text';
}

export function knownPaths(shape: Shape): string[] {
  const sent = Object.entries(shape.fields).flatMap(([name, { resource }]) => [
    name,
    ...(resource ? knownPaths(resource).map((path) => `${name}.${path}`) : []),
  ]);
  return [...sent, ...Object.keys(shape.derived ?? {})];
}

/**
 * Returns all columns in the order of the shape: one for each field of objects with known fields, and one for each
 * list and other object. Unknown fields of the rows follow in their order of appearance.
 */
export function allColumns(shape: Shape | undefined, rows: readonly Row[]): Column[] {
  return compile(allSpots(shape, rows), shape);
}

function allSpots(shape: Shape | undefined, rows: readonly Row[]): Spot[] {
  const unknown = unknownFields(shape, rows);
  return [
    ...(shape ? leaves(shape) : []),
    ...unknown.map((keys) => ({ keys, kind: kindSeen(rows, keys) })),
  ];
}

function leaves(shape: Shape, above: readonly string[] = []): Spot[] {
  return Object.entries(shape.fields).flatMap(([name, field]) => {
    const keys = [...above, name];
    const inside = field.kind === 'object' ? knownInside(field) : undefined;
    return inside ? leaves(inside, keys) : [{ keys, kind: kindOf(field.kind), field }];
  });
}

function knownInside({ resource }: FieldShape): Shape | undefined {
  return resource && Object.keys(resource.fields).length > 0 ? resource : undefined;
}

/** The columns of the headline; without a headline, all columns. */
export function headlineColumns(shape: Shape | undefined, rows: readonly Row[]): Column[] {
  const table = shape?.columns?.(rows);
  const shown = table?.shown ?? shape?.headline ?? [];
  if (shown.length === 0) return allColumns(shape, rows);
  return chosenColumns(shown, shape, rows).map((column) => ({
    ...column,
    heading: table?.headings?.[column.path] ?? column.heading,
  }));
}

/** The columns of the derived fields. */
export function derivedColumns(shape: Shape | undefined): Column[] {
  return chosenColumns(Object.keys(shape?.derived ?? {}), shape, []);
}

export function chosenColumns(
  fields: readonly string[],
  shape: Shape | undefined,
  rows: readonly Row[],
): Column[] {
  const all = [...allSpots(shape, rows), ...derivedSpots(shape)];
  const byPath = new Map(all.map((spot) => [spot.keys.join('.'), spot]));
  const spotAt = (path: string) => byPath.get(path) ?? locate(path, shape, rows);
  const spots = fields.map((field) => spotAt(field) ?? spotNamed(field, shape, rows, spotAt));
  return compile(spots, shape);
}

function derivedSpots(shape: Shape | undefined): Spot[] {
  return Object.entries(shape?.derived ?? {}).map(([name, derived]) => ({
    keys: [name],
    kind: kindOf(derived.kind),
    field: derived,
    derived,
  }));
}

function locate(path: string, shape: Shape | undefined, rows: readonly Row[]): Spot | undefined {
  const keys = path.split('.');
  const kind = kindKnown(shape, keys);
  if (kind) return { keys, kind };
  return rows.some((row) => hasPath(row, keys)) ? { keys, kind: kindSeen(rows, keys) } : undefined;
}

/** Finds a field that was not typed as its path. */
function spotNamed(
  typed: string,
  shape: Shape | undefined,
  rows: readonly Row[],
  spotAt: (path: string) => Spot | undefined,
): Spot {
  const seen = unknownFields(shape, rows).map((unknown) => unknown.join('.'));
  const known = [...(shape ? knownPaths(shape) : []), ...seen];
  const path = pathNamed(typed, known, shape);
  const spot = path === undefined ? undefined : spotAt(path);
  if (spot) return spot;
  // Without rows, nothing tells whether ClickBank has the field.
  if (rows.length === 0) return { keys: typed.split('.'), kind: 'text' };
  throw new UnknownField(
    typed,
    known.map((path) => spelledPath(path, shape)),
  );
}

/** The kind of a path by the shape; anything inside an object without known fields is text. */
function kindKnown(shape: Shape | undefined, keys: readonly string[]): ColumnKind | undefined {
  const [key = '', ...others] = keys;
  const field = fieldOf(shape, key);
  if (!field || others.length === 0) return field && kindOf(field.kind);
  if (!field.resource) return undefined;
  const inside = knownInside(field);
  const kind = inside ? kindKnown(inside, others) : 'text';
  return kind && field.kind === 'list' ? 'nested' : kind;
}

/** The keys of fields that are not in the shape, in their order of appearance; lists are not searched. */
export function unknownFields(
  shape: Shape | undefined,
  rows: readonly Row[],
): (readonly string[])[] {
  const found = new Map<string, readonly string[]>();
  for (const row of rows) collectUnknown(row, shape, [], found);
  return [...found.values()];
}

function collectUnknown(
  row: Row,
  shape: Shape | undefined,
  above: readonly string[],
  found: Map<string, readonly string[]>,
): void {
  for (const key of Object.keys(row)) {
    const field = fieldOf(shape, key);
    const value = row[key];
    if (!field && value !== undefined) {
      const keys = [...above, key];
      found.set(keys.join('.'), keys);
      if (found.size > mostColumns) throw new TooManyColumns(tooMany);
    }
    if (field?.kind !== 'object' || !isRow(value)) continue;
    const inside = knownInside(field);
    if (inside) collectUnknown(value, inside, [...above, key], found);
  }
}

const isoTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d/;
const isoDay = /^\d{4}-\d\d-\d\d(?:$|T\d\d:\d\d)/;

/** The kind of the first value that is present; values of mixed kinds are formatted one by one. */
function kindSeen(rows: readonly Row[], keys: readonly string[]): ColumnKind {
  const read = compileReader(keys);
  const value = rows.map(read).find((seen) => seen !== null && seen !== undefined);
  if (typeof value === 'boolean') return 'boolean';
  if (typeof value === 'number' || isNumeral(value)) return 'number';
  if (typeof value === 'string') return isoTime.test(value) ? 'time' : 'text';
  return isList(value) || isRow(value) ? 'nested' : 'text';
}

function compile(spots: readonly Spot[], shape: Shape | undefined): Column[] {
  const paths = spots.map(({ keys }) => keys.join('.'));
  const names = paths.map((path) => spelledPath(path, shape));
  const named = headings(
    names,
    spots.map(({ field }) => field?.heading),
  );
  return spots.map(({ keys, kind, field, derived }, index) => ({
    path: paths[index] ?? '',
    name: names[index] ?? '',
    heading: named[index] ?? '',
    kind,
    isWhole: field?.names !== undefined || wholeKinds.includes(kind) || !!derived?.isAmount,
    isRight: kind === 'number' || !!derived?.isAmount,
    least: field?.least,
    room: field?.room ?? 0,
    read: derived?.from ?? compileReader(keys),
    order: derived?.order,
  }));
}
