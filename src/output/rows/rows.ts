/** The types of output data: rows of values, and what is known about them in advance. */
import { isLosslessNumber, type LosslessNumber } from 'lossless-json';

/** A number with the digits as sent: `11.90` stays `11.90`. */
export type Numeral = LosslessNumber;

export type Value = string | number | boolean | null | undefined | Numeral | readonly Value[] | Row;

/** A decoded row, or an object inside one: null where the service sent nil, undefined where it sent nothing. */
export type Row = { readonly [field: string]: Value };

/**
 * What is known about the rows before the first one arrives: ordered fields with their kinds, and the most
 * important fields.
 */
export interface Shape {
  readonly headline: readonly string[];
  readonly fields: Readonly<Record<string, FieldShape>>;
}

export interface FieldShape {
  readonly kind: string;
  readonly resource?: Shape;
  /** What a value identifies, such as a receipt: it must not be cut. */
  readonly names?: string;
  /** Usual maximum length of a value, in characters. */
  readonly room?: number;
  /** The column heading, where the name is longer than the values. */
  readonly heading?: string;
  /** The correct spelling of a name that the service misspells. */
  readonly spelling?: string;
}

export type Pages = AsyncIterable<readonly Row[]>;

/** Recognized by the marker of the library's class, so that a service can't forge a numeral with a plain object. */
export function isNumeral(value: Value): value is Numeral {
  return isLosslessNumber(value);
}

export function isList(value: Value): value is readonly Value[] {
  return Array.isArray(value);
}

/** Whether the value is a plain object: not null, a list or a numeral. */
export function isRow(value: Value): value is Row {
  return typeof value === 'object' && value !== null && !isList(value) && !isNumeral(value);
}

/** Returns the shape of the object at a path, or of each element of the list at the path. */
export function shapeAt(shape: Shape | undefined, keys: readonly string[]): Shape | undefined {
  return keys.reduce<Shape | undefined>((outer, key) => fieldOf(outer, key)?.resource, shape);
}

/** Returns a field of a shape; own fields only, so `constructor` is not one by default. */
export function fieldOf(shape: Shape | undefined, key: string): FieldShape | undefined {
  return shape && Object.hasOwn(shape.fields, key) ? shape.fields[key] : undefined;
}
