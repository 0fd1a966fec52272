/**
 * Decodes elements of a response into rows. The format is Jersey's mapped JSON (or XML converted to its form):
 * scalars are texts, nil is an object, a list of one is the bare element, an empty list is null.
 */
import { LosslessNumber } from 'lossless-json';
import { alike, type Field, type Resource, text } from '../../operations/resource.ts';

/**
 * How numbers are decoded:
 *
 * - `plain`: decimals are strings with the digits as sent, integers are numbers or, beyond the safe range,
 *   strings of digits
 * - `exact`: all numbers are lossless-json objects with the digits as sent, to be printed as numbers
 */
export type Numbers = 'plain' | 'exact';

/** What a decoded field can be; a LosslessNumber only where numbers are exact. */
export type Value =
  | string
  | number
  | boolean
  | null
  | LosslessNumber
  | readonly Value[]
  | DecodedRow;

export interface DecodedRow {
  readonly [name: string]: Value;
}

/** Maximum nesting depth of unknown parts of a response. */
const deepest = 100;

/** Maximum number of fields of a row: columns for more would take minutes. */
const mostFields = 10_000;

type Decode = (raw: unknown) => Value;

/** Makes a decoder of rows. It throws a SyntaxError for an element that is too large or too deep. */
export function rowDecoder(
  { fields }: Resource,
  numbers: Numbers,
): (element: WireObject) => DecodedRow {
  const known = Object.entries(fields).map(([name, field]) => {
    const key = field.attribute ? `@${name}` : name;
    const { kind, alias = key } = field;
    return { name, key, alias, isList: kind === 'list', decode: fieldDecoder(field, numbers) };
  });
  const knownKeys = new Set(known.flatMap(({ name, alias }) => [name, `@${name}`, alias]));
  const decodeUnknown = unknownDecoder(numbers);
  // Known fields in the order of the resource, then unknown ones in the order received.
  return (element) => {
    const row: Record<string, Value> = {};
    for (const { name, key, alias, isList, decode } of known) {
      const raw = element[key] ?? element[alias];
      if (raw !== undefined || isList) row[name] = decode(raw);
    }
    const keys = Object.keys(element);
    if (keys.length > mostFields) {
      throw new SyntaxError(`a row has ${keys.length} fields; at most ${mostFields} are read`);
    }
    for (const key of keys) {
      if (!knownKeys.has(key) && !isMarkup(key)) row[nameOf(key)] = decodeUnknown(element[key]);
    }
    return row;
  };
}

function fieldDecoder(field: Field, numbers: Numbers): Decode {
  const decodeUnknown = unknownDecoder(numbers);
  if (field.kind === 'list') return listDecoder(field, numbers);
  if (field.kind === 'object') {
    const { resource, pairs = [] } = field;
    const fields = { ...resource?.fields, ...alike(text, ...pairs) };
    const decodeRow = resource && rowDecoder({ ...resource, fields }, numbers);
    return (raw) => {
      if (isNil(raw)) return null;
      if (isObject(raw) && decodeRow) return decodeRow(raw);
      // XML writes an object without content as an empty text.
      return typeof raw === 'string' && raw.trim() === '' ? {} : decodeUnknown(raw);
    };
  }
  const decodeText = (text: string): Value => {
    if (field.kind === 'boolean' && (text === 'true' || text === 'false')) return text === 'true';
    if (field.kind !== 'integer' && field.kind !== 'decimal') return text;
    if (numbers === 'exact') return exactNumber(text);
    return field.kind === 'integer' ? plainInteger(text) : text;
  };
  return (raw) => {
    if (typeof raw === 'string') return decodeText(raw);
    if (isNil(raw)) return null;
    const text = scalarText(raw);
    return text === undefined ? decodeUnknown(raw) : decodeText(text);
  };
}

function listDecoder({ resource }: Field, numbers: Numbers): Decode {
  const isShaped = resource && Object.keys(resource.fields).length > 0;
  const decodeRow = isShaped ? rowDecoder(resource, numbers) : undefined;
  const decodeUnknown = unknownDecoder(numbers);
  return (raw) =>
    listOf(raw)
      .filter((element) => !isNil(element) && element !== '')
      .map((element) =>
        decodeRow && isObject(element) ? decodeRow(element) : decodeUnknown(element),
      );
}

function unknownDecoder(numbers: Numbers, depth = 0): Decode {
  return (raw) => {
    if (depth > deepest) throw new SyntaxError(`it is nested deeper than ${deepest} levels`);
    if (isNil(raw)) return null;
    if (typeof raw === 'boolean') return raw;
    const text = scalarText(raw);
    if (text !== undefined) {
      const isNumber = typeof raw === 'number' || raw instanceof LosslessNumber;
      if (!isNumber) return text;
      return numbers === 'exact' ? exactNumber(text) : plainInteger(text);
    }
    const decode = unknownDecoder(numbers, depth + 1);
    if (Array.isArray(raw)) return raw.map(decode);
    if (!isObject(raw)) return null;
    const entries = Object.entries(raw).filter(([key]) => !isMarkup(key));
    return Object.fromEntries(entries.map(([key, value]) => [nameOf(key), decode(value)]));
  };
}

const jsonNumber = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

/** A number with its digits as sent; text that is not a JSON number stays text. */
function exactNumber(text: string): Value {
  return jsonNumber.test(text) ? new LosslessNumber(text) : text;
}

/** A number if that loses no digits; the text otherwise. */
export function plainInteger(text: string): Value {
  const number = Number(text);
  return Number.isSafeInteger(number) && String(number) === text ? number : text;
}

/*
 * The values of a parsed response, JSON or XML in the same form: a scalar is a text, nil is
 * `{"@nil":"true"}`, an attribute is `@name`, text beside attributes is `$`.
 */

export type WireObject = Record<string, unknown>;

/** The text of a scalar, also of `{"@type":"xs:long","$":"31"}`. */
export function scalarText(raw: unknown): string | undefined {
  if (typeof raw === 'string') return raw;
  if (typeof raw === 'number' || typeof raw === 'boolean') return String(raw);
  if (raw instanceof LosslessNumber) return raw.value;
  if (!isObject(raw) || !('$' in raw)) return undefined;
  if (Object.keys(raw).some((key) => key !== '$' && !key.startsWith('@'))) return undefined;
  return scalarText(raw.$) ?? String(raw.$);
}

/** Whether a key is XML or JSON markup, or `__proto__`, which no object may have. */
export function isMarkup(key: string): boolean {
  return /^@(?:nil|type|xmlns.*|xs|xsi|schemaLocation)$|^\$$|^@?__proto__$/.test(key);
}

export function nameOf(key: string): string {
  return key.startsWith('@') ? key.slice(1) : key;
}

export function isNil(raw: unknown): boolean {
  if (raw === null) return true;
  return typeof raw === 'object' && '@nil' in raw && String(raw['@nil']) === 'true';
}

export function isObject(raw: unknown): raw is WireObject {
  if (typeof raw !== 'object' || raw === null) return false;
  return !Array.isArray(raw) && !(raw instanceof LosslessNumber);
}

/** A list of one is sent without an array, an empty list as null. */
export function listOf(raw: unknown): readonly unknown[] {
  if (raw === undefined || raw === null) return [];
  return Array.isArray(raw) ? raw : [raw];
}
