/** Rows of values, and their known shape. */
import { isLosslessNumber, type LosslessNumber, stringify } from 'lossless-json';
import { monthYearText } from '../../dates/day-texts.ts';
import { escaped, plain } from '../table/terminal-text.ts';

export type ColumnKind = 'text' | 'number' | 'boolean' | 'time' | 'day' | 'month' | 'nested';

/** A number with the digits as sent: `11.90` stays `11.90`. */
export type Numeral = LosslessNumber;

export type Value = string | number | boolean | null | undefined | Numeral | readonly Value[] | Row;

/** A decoded row, or an object inside one: null if ClickBank sent nil, undefined if it sent nothing. */
export type Row = { readonly [field: string]: Value };

/** What is known before the first row arrives: ordered fields with their kinds, and those to show first. */
export interface Shape {
  readonly headline: readonly string[];
  readonly fields: Readonly<Record<string, FieldShape>>;
  /** Fields for people: tables show them and options can name them, but rows without chosen fields lack them. */
  readonly derived?: Readonly<Record<string, DerivedField>>;
  /** The columns of a table; absent: the headline, of which the last fields are omitted first. */
  readonly columns?: (rows: readonly Row[]) => TableColumns;
}

export interface TableColumns {
  /** In the order in which they are shown. */
  readonly shown: readonly string[];
  /** The fields for which text is cut, the most important first: a narrow terminal omits the last ones. */
  readonly needed: readonly string[];
  /** Fields that follow if text before them keeps a readable length. */
  readonly wanted?: readonly string[];
  /** The other fields, the most important first: each is shown only if text before it need not be cut. */
  readonly more: readonly string[];
  /** Headings that only this table has, by field. */
  readonly headings?: Readonly<Record<string, string>>;
}

export interface FieldShape {
  readonly kind: string;
  readonly isRatio?: boolean;
  readonly resource?: Shape;
  /** What a value identifies, such as a receipt: it must not be cut. */
  readonly names?: string;
  /** Usual maximum length of a value, in characters. */
  readonly room?: number;
  /** Values seen so far. */
  readonly values?: readonly string[];
  /** The column heading, if it is not derived from the name. */
  readonly heading?: string;
  /** The correct spelling of a name that the service misspells. */
  readonly spelling?: string;
  /** Text in a table is cut to no fewer characters; default: 12. */
  readonly least?: number;
}

export interface DerivedField extends FieldShape {
  from(row: Row): Value;
  /** `--sort` compares these values instead. */
  order?(row: Row): Value;
  /** An amount as text, such as `37.00 USD`: aligned to the right and never cut. */
  readonly isAmount?: boolean;
  /** In cards: the field in whose place it is shown, and the unit after the value. */
  readonly card?: { readonly at: string; readonly unit?: string };
  /** The field of an expanded list whose value it shows. */
  readonly replaces?: string;
}

/** Checks the marker of the library's class, so that a response can't forge a numeral with a plain object. */
export function isNumeral(value: Value): value is Numeral {
  return isLosslessNumber(value);
}

export function isList(value: Value): value is readonly Value[] {
  return Array.isArray(value);
}

/** True for plain objects: not null, lists or numerals. */
export function isRow(value: Value): value is Row {
  return typeof value === 'object' && value !== null && !isList(value) && !isNumeral(value);
}

/** Returns the shape of the object at a path, or of each element of the list at the path. */
export function shapeAt(shape: Shape | undefined, keys: readonly string[]): Shape | undefined {
  return keys.reduce<Shape | undefined>((outer, key) => fieldOf(outer, key)?.resource, shape);
}

/** The field of a shape, own fields only. */
export function fieldOf(shape: Shape | undefined, key: string): FieldShape | undefined {
  return shape && Object.hasOwn(shape.fields, key) ? shape.fields[key] : undefined;
}

export type Reader = (row: Row) => Value;

/** Compiles the keys of a path for reading many rows. A list on the path yields the list of the values in it. */
export function compileReader(keys: readonly string[]): Reader {
  const [key = '', second, ...others] = keys;
  // A row has no `constructor` unless ClickBank sent one.
  const read: Reader =
    key in Object.prototype
      ? (row) => (Object.hasOwn(row, key) ? row[key] : undefined)
      : (row) => row[key];
  if (second === undefined) return read;
  const readInside = compileReader([second, ...others]);
  return (row) => readWithin(read(row), readInside);
}

function readWithin(value: Value, read: Reader): Value {
  if (isRow(value)) return read(value);
  if (!isList(value)) return undefined;
  return value.flatMap((element) => readWithin(element, read) ?? null);
}

/** Whether the value, or any element of a list on the path, has the path, even if it is null. */
export function hasPath(value: Value, keys: readonly string[]): boolean {
  const [key, ...others] = keys;
  if (key === undefined) return true;
  if (isList(value)) return value.some((element) => hasPath(element, keys));
  return isRow(value) && Object.hasOwn(value, key) && hasPath(value[key], others);
}

/** What JSON does not escape: DEL, C1 controls, line separators, bidirectional and invisible characters. */
const unsafe =
  /[\u007f-\u009f\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff]/g;

/** JSON on one line, or indented by `indent` spaces a level, with control characters as `\uXXXX`. */
export function toJson(value: Value, indent?: number): string {
  const json = stringify(value, undefined, indent) ?? 'null';
  return json.replace(unsafe, escaped);
}

/** Empty for null and undefined, digits as sent, compact JSON for lists and objects. */
export function cellText(value: Value): string {
  if (typeof value === 'string') return value;
  if (value === null || value === undefined) return '';
  if (isNumeral(value)) return value.value;
  return typeof value === 'object' ? toJson(value) : String(value);
}

const escapes: Readonly<Record<string, string>> = {
  '\\': '\\\\',
  '\t': '\\t',
  '\n': '\\n',
  '\r': '\\r',
};

/** A cell between tabs: backslash, tab, line feed and carriage return are written as `\\`, `\t`, `\n` and `\r`. */
export function escapedCell(text: string): string {
  return text.replace(/[\\\t\n\r]/g, (one) => escapes[one] ?? '');
}

const isoDay = /^\d{4}-\d\d-\d\d$/;
const isoMinutes = /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d)/;

/** On one line, without control characters: times to the minute, days without hours, scalars separated by commas. */
export function tableText(value: Value, kind: ColumnKind): string {
  if (isList(value) && !value.some(isRow)) {
    return value.map((element) => tableText(element, kind)).join(', ');
  }
  const text = plain(cellText(value));
  if (kind === 'month' && isoDay.test(text)) return monthYearText(text);
  const isTimed = (kind === 'time' || kind === 'day') && typeof value === 'string';
  const [whole, day, minute] = (isTimed && isoMinutes.exec(text)) || [];
  if (whole === undefined) return text;
  return kind === 'day' ? `${day}` : `${day} ${minute}`;
}
