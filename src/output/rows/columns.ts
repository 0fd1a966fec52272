/** The columns of a list, from its known shape and the rows of its first page. */
import { type FieldFlag, OutputError, UnknownField } from '../errors.ts';
import type { RenderOptions } from '../render-options.ts';
import {
  type ColumnKind,
  compileReader,
  type DerivedField,
  type FieldShape,
  fieldOf,
  hasPath,
  isList,
  isNumeral,
  isRow,
  type Reader,
  type Row,
  type Shape,
  shapeAt,
  type Value,
} from './rows.ts';

export interface Column {
  /** Dotted: `commission.purchase`. */
  readonly path: string;
  /** The path in its correct spelling, which is the header in csv and tsv. */
  readonly name: string;
  readonly heading: string;
  readonly kind: ColumnKind;
  /** The field in the shape, if the column shows it alone. */
  readonly field?: FieldShape | undefined;
  /** Values must not be cut: numbers, times, IDs. */
  readonly isWhole: boolean;
  readonly isRight: boolean;
  /** A table groups the digits: 16,619.04. Numbers that identify something, and unknown ones, stay as they are. */
  readonly isGrouped: boolean;
  /** The minimum width of text that is cut, if the field has one. */
  readonly least?: number | undefined;
  /** Usual maximum length of a value, in characters. */
  readonly room: number;
  /** Known values, such as `REOPENED`, which are never cut. */
  readonly words: readonly string[];
  readonly read: Reader;
  /** Values to sort by, if others than the ones that are shown. */
  readonly order?: Reader | undefined;
}

/** Whether a value may be cut. Text in a column of numbers, times or booleans may be cut like any other text. */
export function mayBeCut({ isWhole, words, kind }: Column, value: Value): boolean {
  if (!isWhole) return typeof value !== 'string' || !words.includes(value);
  if (typeof value !== 'string' || kind === 'text') return false;
  if (kind === 'day') return !isoDay.test(value);
  return kind !== 'time' || !isoTime.test(value);
}

/** More columns than this are an error: they would take minutes to write. */
const mostColumns = 20_000;

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
  month: 'month',
  object: 'nested',
  list: 'nested',
};

const idName = /(?:^|[._])id$|Id$/;

const wholeKinds: readonly ColumnKind[] = ['number', 'time', 'day', 'month', 'boolean'];

export function knownPaths(shape: Shape): string[] {
  const sent = Object.entries(shape.fields).flatMap(([name, { resource }]) => [
    name,
    ...(resource ? knownPaths(resource).map((path) => `${name}.${path}`) : []),
  ]);
  return [...new Set([...sent, ...Object.keys(shape.derived ?? {})])];
}

/** Known fields, lists and other objects in the order of the shape; then unknown ones as they appear. */
export function allColumns(shape: Shape | undefined, rows: readonly Row[]): Column[] {
  return compile(allSpots(shape, rows), shape);
}

function allSpots(shape: Shape | undefined, rows: readonly Row[]): Spot[] {
  const unknown = [...unknownFields(shape, rows).values()];
  const seen = unknown.map((keys) => ({ keys, kind: kindSeen(rows, keys) }));
  return [...(shape ? leaves(shape) : []), ...seen];
}

function leaves(shape: Shape, above: readonly string[] = []): Spot[] {
  return Object.entries(shape.fields).flatMap(([name, field]) => {
    const keys = [...above, name];
    const inside = field.kind === 'object' ? knownInside(field) : undefined;
    return inside ? leaves(inside, keys) : [{ keys, kind: kinds[field.kind] ?? 'text', field }];
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

export function chosenColumns(
  fields: readonly string[],
  shape: Shape | undefined,
  rows: readonly Row[],
  flag: FieldFlag = '--fields',
): Column[] {
  const derived = Object.entries(shape?.derived ?? {}).map(([name, field]) => ({
    ...{ keys: [name], kind: kinds[field.kind] ?? 'text', field, derived: field },
  }));
  const all: Spot[] = [...allSpots(shape, rows), ...derived];
  const byPath = new Map(all.map((spot) => [spot.keys.join('.'), spot]));
  const spotAt = (path: string): Spot | undefined => {
    const known = byPath.get(path);
    if (known) return known;
    const keys = path.split('.');
    const isSent = () => rows.some((row) => hasPath(row, keys));
    const kind = kindKnown(shape, keys) ?? (isSent() ? kindSeen(rows, keys) : undefined);
    return kind && { keys, kind };
  };
  const spots = fields.map((typed) => {
    const exact = spotAt(typed);
    if (exact) return exact;
    const known = [...(shape ? knownPaths(shape) : []), ...unknownFields(shape, rows).keys()];
    const path = pathNamed(typed, known, shape);
    const spot = path === undefined ? undefined : spotAt(path);
    if (spot) return spot;
    // Without rows, nothing tells whether ClickBank has the field.
    if (rows.length === 0) return { keys: typed.split('.'), kind: 'text' as const };
    const names = known.map((path) => spelledPath(path, shape));
    throw new UnknownField(typed, names, flag);
  });
  return compile(spots, shape);
}

/** The kind of a path by the shape; anything inside an object without known fields is text. */
function kindKnown(shape: Shape | undefined, keys: readonly string[]): ColumnKind | undefined {
  const [key = '', ...others] = keys;
  const field = fieldOf(shape, key);
  if (!field || others.length === 0) return field && (kinds[field.kind] ?? 'text');
  if (!field.resource) return undefined;
  const inside = knownInside(field);
  const kind = inside ? kindKnown(inside, others) : 'text';
  return kind && field.kind === 'list' ? 'nested' : kind;
}

/** The keys of fields that are not in the shape by their paths, in their order of appearance; lists are not searched. */
function unknownFields(
  shape: Shape | undefined,
  rows: readonly Row[],
  above: readonly string[] = [],
  found = new Map<string, readonly string[]>(),
): ReadonlyMap<string, readonly string[]> {
  for (const row of rows) {
    for (const key of Object.keys(row)) {
      const field = fieldOf(shape, key);
      const value = row[key];
      if (!field && value !== undefined) {
        const keys = [...above, key];
        found.set(keys.join('.'), keys);
      }
      if (field?.kind !== 'object' || !isRow(value)) continue;
      const inside = knownInside(field);
      if (inside) unknownFields(inside, [value], [...above, key], found);
    }
    if (found.size > mostColumns) {
      const message = `The rows of one page have more than ${mostColumns} different fields.`;
      throw new OutputError('failed', message, 'Choose columns with --fields, or use -o json.');
    }
  }
  return found;
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
  const named = spots.map((spot) => {
    const path = spot.keys.join('.');
    const name = spelledPath(path, shape);
    // `transactionTime` and `transaction_time` become `Transaction time`. Of a path only the last name is used.
    const heading = spot.field?.heading ?? sentence(name.slice(name.lastIndexOf('.') + 1));
    return { ...spot, path, name, heading };
  });
  const counts = new Map<string, number>();
  for (const { heading } of named) counts.set(heading, (counts.get(heading) ?? 0) + 1);
  return named.map(({ path, name, heading, keys, kind, field, derived }) => ({
    path,
    name,
    // Columns that would have the same heading get all names of their path.
    heading: counts.get(heading) === 1 ? heading : sentence(name),
    kind,
    field,
    isWhole: field?.names !== undefined || wholeKinds.includes(kind) || !!derived?.isAmount,
    isRight: kind === 'number' || !!derived?.isAmount,
    // IDs are sent as integers, and an unknown number can be one.
    isGrouped:
      !!derived?.isAmount ||
      (kind === 'number' && !!field && field.names === undefined && !idName.test(name)),
    least: field?.least,
    room: field?.room ?? 0,
    words: field?.values ?? [],
    read: derived?.from ?? compileReader(keys),
    order: derived?.order,
  }));
}

/** Returns the path with the correct spelling of a name that the service misspells. */
export function spelledPath(path: string, shape: Shape | undefined): string {
  const keys = path.split('.');
  const last = keys.pop() ?? '';
  const spelling = fieldOf(shapeAt(shape, keys), last)?.spelling;
  return spelling === undefined ? path : [...keys, spelling].join('.');
}

/** Returns the known path that a typed name stands for; undefined if there is none. */
export function pathNamed(
  typed: string,
  known: readonly string[],
  shape: Shape | undefined,
): string | undefined {
  const asked = typed.trim().toLowerCase();
  const isAsked = (name: string) => name.toLowerCase() === asked;
  const headingAt = (path: string) => {
    const field = fieldOf(shape, path) ?? shape?.derived?.[path];
    const given = path.includes('.') ? undefined : field?.heading;
    return given ?? sentence(spelledPath(path, shape));
  };
  return (
    known.find((path) => path === typed) ??
    known.find((path) => isAsked(path) || isAsked(spelledPath(path, shape))) ??
    known.find((path) => isAsked(headingAt(path)))
  );
}

/** Reports each field once that neither the shape nor the first page has, unless the user chose the fields. */
export function watchFields(first: readonly Row[], options: RenderOptions) {
  const { shape, fields, spread, onLateFields } = options;
  if (!onLateFields || fields) return () => {};
  const watch = (
    inside: Shape | undefined,
    prefix: string,
    rowsOf: (page: readonly Row[]) => readonly Row[],
  ) => {
    const reported = new Set(unknownFields(inside, rowsOf(first)).keys());
    return (page: readonly Row[]) => {
      const paths = [...unknownFields(inside, rowsOf(page)).keys()];
      const late = paths.filter((path) => !reported.has(path));
      for (const path of late) reported.add(path);
      if (late.length > 0) onLateFields(late.map((path) => prefix + path));
    };
  };
  const watchRows = watch(shape, '', (page) => page);
  if (!spread) return watchRows;
  const keys = spread.list.split('.');
  const read = compileReader(keys);
  const elements = (page: readonly Row[]) => page.flatMap(read).filter(isRow);
  const watchElements = watch(shapeAt(shape, keys), `${spread.list}.`, elements);
  return (page: readonly Row[]) => {
    watchRows(page);
    watchElements(page);
  };
}

/** One row from which the same columns follow: every value except objects and lists of objects is null. */
export function skeletonOf(rows: readonly Row[]): Row {
  const fields: Record<string, Value> = {};
  for (const row of rows) {
    for (const [name, value] of Object.entries(row)) {
      const known = fields[name];
      if (isRow(value)) fields[name] = skeletonOf(isRow(known) ? [known, value] : [value]);
      else if (value !== undefined) {
        const elements = [...(isList(known) ? known : []), ...(isList(value) ? value : [])];
        const inside = elements.filter(isRow);
        fields[name] = isList(value) && inside.length > 0 ? [skeletonOf(inside)] : (known ?? null);
      }
    }
  }
  return fields;
}

/** A name that was there before gets a number. `keyOf` returns what must differ. */
export function distinctNames(
  names: readonly string[],
  keyOf: (name: string) => string = (name) => name,
): string[] {
  const taken = new Set<string>();
  return names.map((name) => {
    let distinct = name;
    for (let count = 2; taken.has(keyOf(distinct)); count++) distinct = `${name}_${count}`;
    taken.add(keyOf(distinct));
    return distinct;
  });
}

/** Spelling of words that are not simply in lower case. */
const spellings: Readonly<Record<string, string>> = {
  ...{ id: 'ID', sku: 'SKU', url: 'URL', usd: 'USD', us: 'US', ip: 'IP', mrr: 'MRR', utm: 'UTM' },
  ...{ aff: 'affiliate', pub: 'vendor', amt: 'amount', avg: 'average', cnt: 'count' },
  ...{ txn: 'transaction', sub: 'subscription', max: 'maximum', zip: 'ZIP code' },
  ...{ firstname: 'first name', lastname: 'last name', addr1: 'address 1', addr2: 'address 2' },
  ...{ ticketid: 'ticket ID', imageid: 'image ID' },
  ...{ chargebacked: 'charged back', cancelled: 'canceled' },
};

/** Phrases, after the words are in lower case. */
const phrases: readonly (readonly [RegExp, string])[] = [
  [/^(?:is|has been) (?=.)/, ''],
  [/\bnick name\b/g, 'nickname'],
  // ClickBank's item number is the SKU that the vendor chose.
  [/\b(?:product item|product|item) no\b/g, 'SKU'],
  [/^(pre|post) /, '$1-'],
  [/\baddress(\d)\b/g, 'address $1'],
  [/\bline item (?:ship )?data$/, 'line items'],
  [/\bline item (?:ship )?data\b/g, 'line item'],
];

/** Writes a field name in camel case, snake case or with dots as words in sentence case. */
export function sentence(name: string): string {
  const isCapitals = /^[A-Z\d]+(?:_[A-Z\d]+)+$/.test(name);
  const words = (isCapitals ? name.toLowerCase() : name)
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2')
    .split(/[\s._@-]+/)
    .filter((word) => word !== '')
    .map((word) => {
      const small = word.toLowerCase();
      if (Object.hasOwn(spellings, small)) return spellings[small] ?? small;
      // Abbreviations in capitals stay in capitals.
      return word === word.toUpperCase() ? word : small;
    })
    .join(' ');
  const phrase = phrases.reduce((text, [found, better]) => text.replace(found, better), words);
  return phrase === '' ? name : phrase.charAt(0).toUpperCase() + phrase.slice(1);
}
