/** Which columns there are, out of what is known of the rows and what the first page shows. */
import { TooManyColumns, UnknownField } from './errors.ts';
import { headings } from './heading.ts';
import { compileReader, hasPath, type Reader } from './path.ts';
import { isList, isNumeral, isRow, type Row, type Shape, type Value } from './rows.ts';

export type ColumnKind = 'text' | 'number' | 'boolean' | 'time' | 'day' | 'nested';

export interface Column {
  /** Dotted: `commission.purchase`. */
  readonly path: string;
  readonly heading: string;
  readonly kind: ColumnKind;
  /** A value that is cut would say something else: a number, a time, an id. */
  readonly isWhole: boolean;
  /** Characters that a value may well have, though no row has shown it yet. */
  readonly room: number;
  readonly read: Reader;
}

/** Text where a number, a time or a yes was due says no more than other text, and may be as long. */
export function mayBeCut({ isWhole, kind }: Column, value: Value): boolean {
  if (!isWhole) return true;
  if (typeof value !== 'string' || kind === 'text') return false;
  return (kind !== 'time' && kind !== 'day') || !isoTime.test(value);
}

/** More columns than this are refused: they would take minutes, and no program reads them. */
const mostColumns = 20_000;

/** A column before it is compiled. */
interface Spot {
  readonly keys: readonly string[];
  readonly kind: ColumnKind;
  readonly isName?: boolean;
  readonly room?: number;
  readonly heading?: string | undefined;
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

/** Every path that a shape allows, objects and lists before what is inside them. */
export function knownPaths(shape: Shape): string[] {
  return Object.entries(shape.fields).flatMap(([name, { resource }]) => [
    name,
    ...(resource ? knownPaths(resource).map((path) => `${name}.${path}`) : []),
  ]);
}

/**
 * All columns in the order of the shape: objects with known fields give a column for each, lists and
 * other objects one. Fields that only the rows know follow in their order of appearance.
 */
export function allColumns(shape: Shape | undefined, rows: readonly Row[]): Column[] {
  return compile(allSpots(shape, rows));
}

function allSpots(shape: Shape | undefined, rows: readonly Row[]): Spot[] {
  const unknown = [...collectAll(shape, rows).values()];
  return [...(shape ? leaves(shape) : []), ...unknown];
}

function leaves(shape: Shape, above: readonly string[] = []): Spot[] {
  return Object.entries(shape.fields).flatMap(
    ([name, { kind, resource, names, room = 0, heading }]) => {
      const keys = [...above, name];
      const opens = kind === 'object' && resource && Object.keys(resource.fields).length > 0;
      const isName = names !== undefined;
      return opens ? leaves(resource, keys) : [{ keys, kind: kindOf(kind), isName, room, heading }];
    },
  );
}

/** The columns that a person wants to see first; without a headline, all of them. */
export function headlineColumns(shape: Shape | undefined, rows: readonly Row[]): Column[] {
  if (!shape || shape.headline.length === 0) return allColumns(shape, rows);
  return chosenColumns(shape.headline, shape, rows);
}

/** The columns that the user chose, in the order chosen. */
export function chosenColumns(
  fields: readonly string[],
  shape: Shape | undefined,
  rows: readonly Row[],
): Column[] {
  const spots = allSpots(shape, rows);
  const byPath = new Map(spots.map((spot) => [spot.keys.join('.'), spot]));
  return compile(fields.map((field) => byPath.get(field) ?? locate(field, shape, rows)));
}

function locate(field: string, shape: Shape | undefined, rows: readonly Row[]): Spot {
  const keys = field.split('.');
  const kind = kindKnown(shape, keys);
  if (kind) return { keys, kind };
  // Without rows there is nothing that could tell whether the service has the field.
  if (rows.length === 0 || rows.some((row) => hasPath(row, keys))) {
    return { keys, kind: kindSeen(rows, keys) };
  }
  const seen = unknownFields(shape, rows).map((unknown) => unknown.join('.'));
  throw new UnknownField(field, [...(shape ? knownPaths(shape) : []), ...seen]);
}

/** What the shape says of a path; whatever lies inside an object without known fields is text. */
function kindKnown(shape: Shape | undefined, keys: readonly string[]): ColumnKind | undefined {
  const [key = '', ...others] = keys;
  const field = shape && Object.hasOwn(shape.fields, key) ? shape.fields[key] : undefined;
  if (!field) return undefined;
  if (others.length === 0) return kindOf(field.kind);
  if (!field.resource) return undefined;
  const isOpen = Object.keys(field.resource.fields).length === 0;
  const kind = isOpen ? 'text' : kindKnown(field.resource, others);
  return kind && field.kind === 'list' ? 'nested' : kind;
}

/** The keys of the fields that the shape does not know, in their order of appearance; lists are not looked into. */
export function unknownFields(
  shape: Shape | undefined,
  rows: readonly Row[],
): (readonly string[])[] {
  return [...collectAll(shape, rows).values()].map(({ keys }) => keys);
}

type Found = Map<string, { readonly keys: readonly string[]; kind: ColumnKind; isSeen: boolean }>;

/** By path, each with the kind of the first value that is there; mixed columns are shown value by value. */
function collectAll(shape: Shape | undefined, rows: readonly Row[]): Found {
  const found: Found = new Map();
  for (const row of rows) collectUnknown(row, shape, [], found);
  return found;
}

function collectUnknown(
  row: Row,
  shape: Shape | undefined,
  above: readonly string[],
  found: Found,
): void {
  for (const key in row) {
    const field = shape && Object.hasOwn(shape.fields, key) ? shape.fields[key] : undefined;
    if (!field) {
      collect([...above, key], row[key], found);
      continue;
    }
    const value = field.kind === 'object' && field.resource ? row[key] : undefined;
    const isOpen = field.resource && Object.keys(field.resource.fields).length === 0;
    if (isRow(value) && !isOpen) collectUnknown(value, field.resource, [...above, key], found);
  }
}

function collect(keys: readonly string[], value: Value, found: Found): void {
  if (value === undefined) return;
  const path = keys.join('.');
  const known = found.get(path);
  const isSeen = value !== null;
  if (!known) {
    if (found.size === mostColumns)
      throw new TooManyColumns(
        `the rows of one page have more than ${mostColumns} different fields`,
      );
    found.set(path, { keys, kind: kindOfValue(value), isSeen });
  } else if (isSeen && !known.isSeen) {
    known.kind = kindOfValue(value);
    known.isSeen = true;
  }
}

const isoTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d/;

/** The kind of the first value that is there. */
function kindSeen(rows: readonly Row[], keys: readonly string[]): ColumnKind {
  const read = compileReader(keys);
  const value = rows.map(read).find((seen) => seen !== null && seen !== undefined);
  return kindOfValue(value);
}

function kindOfValue(value: Value): ColumnKind {
  if (typeof value === 'boolean') return 'boolean';
  if (typeof value === 'number' || isNumeral(value)) return 'number';
  if (typeof value === 'string') return isoTime.test(value) ? 'time' : 'text';
  return isList(value) || isRow(value) ? 'nested' : 'text';
}

function compile(spots: readonly Spot[]): Column[] {
  const paths = spots.map(({ keys }) => keys.join('.'));
  const named = headings(
    paths,
    spots.map(({ heading }) => heading),
  );
  return spots.map(({ keys, kind, isName = false, room = 0 }, index) => ({
    path: paths[index] ?? '',
    heading: named[index] ?? '',
    kind,
    isWhole: isName || wholeKinds.includes(kind),
    room,
    read: compileReader(keys),
  }));
}
