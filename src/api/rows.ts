/**
 * Decodes elements of the wire into typed rows. The wire is Jersey's mapped JSON (or XML brought into
 * its form): scalars are texts, nil is an object, a list of one is the bare element, an empty list is null.
 */
import { LosslessNumber } from 'lossless-json';
import type { Field, Resource, Row } from '../operations/resource.ts';
import {
  isMarkup,
  isNil,
  isObject,
  listOf,
  nameOf,
  scalarText,
  type WireObject,
} from './wire-value.ts';

/** What a decoded field can be. */
export type Value = string | boolean | null | LosslessNumber | Value[] | { [name: string]: Value };

/** An unknown part of an answer nested deeper than this is not read. */
const deepest = 100;

/** A row with more fields than this is not read: columns for them would take minutes. */
const mostFields = 10_000;

/**
 * Decodes the elements of a list into rows, which may be the same objects. Throws a BareNumber for a
 * number that is no LosslessNumber, and a SyntaxError for an element that is too large or too deep.
 */
export function decodeRows<T extends Resource>(
  resource: T,
  elements: readonly WireObject[],
): Row<T>[] {
  return elements.map((element) => decodeRow(resource, element));
}

/** Known fields in the order of the resource, then unknown ones as they came. */
function decodeRow<T extends Resource>(resource: T, element: WireObject): Row<T> {
  const { blank, steps, isRow } = formOf(resource, element);
  if (isRow) return decodeInPlace(steps, element) as Row<T>;
  const row: Record<string, Value> = { ...blank };
  for (const { name, key, decode } of steps) row[name] = decode(element[key]);
  return row as Row<T>;
}

/** To copy an object takes longer than to decode it. */
function decodeInPlace(steps: readonly Step[], element: WireObject): WireObject {
  for (const { key, decode } of steps) {
    const raw = element[key];
    const value = decode(raw);
    if (value !== raw) element[key] = value;
  }
  return element;
}

/** How a field gets from an element into a row. */
interface Step {
  readonly name: string;
  readonly key: string;
  readonly decode: (raw: unknown) => Value;
}

/** Of elements with the same keys. An object grows slowly, so a row starts as a copy of a whole one. */
interface Form {
  readonly keys: readonly string[];
  readonly blank: Readonly<Record<string, null>>;
  readonly steps: readonly Step[];
  /** The element has the fields of the row, in their order and by their names. */
  readonly isRow: boolean;
}

/** Elements of one kind differ little; so many forms of each are kept. */
const mostForms = 8;

const known = new WeakMap<Resource, Form[]>();

function formOf(resource: Resource, element: WireObject): Form {
  const forms = known.get(resource) ?? [];
  for (const form of forms) if (hasKeys(element, form.keys)) return form;
  const form = makeForm(resource, Object.keys(element));
  known.set(resource, [form, ...forms.slice(0, mostForms - 1)]);
  return form;
}

function hasKeys(element: WireObject, keys: readonly string[]): boolean {
  let next = 0;
  for (const key in element) if (key !== keys[next++]) return false;
  return next === keys.length;
}

function makeForm({ fields }: Resource, keys: readonly string[]): Form {
  if (keys.length > mostFields) {
    throw new SyntaxError(`a row has ${keys.length} fields; cb reads at most ${mostFields}`);
  }
  const places = Object.entries(fields).map(([name, field]) => ({
    name,
    key: field.attribute ? `@${name}` : name,
    field,
  }));
  const steps = places
    .filter(({ key, field }) => field.kind === 'list' || keys.includes(key))
    .map(({ name, key, field }) => ({ name, key, decode: decoderOf(field) }));
  const taken = new Set(places.flatMap(({ name }) => [name, `@${name}`]));
  for (const key of keys.filter((key) => !taken.has(key) && !isMarkup(key)))
    steps.push({ name: nameOf(key), key, decode: decodeStrange });
  const blank = Object.fromEntries(steps.map(({ name }) => [name, null]));
  // Out of JSON: an object with many fields that are put in by name one by one becomes a hash table.
  const isRow =
    steps.length === keys.length &&
    steps.every(({ name, key }, i) => name === key && key === keys[i]);
  return { keys, steps, isRow, blank: JSON.parse(JSON.stringify(blank)) };
}

function decodeStrange(raw: unknown): Value {
  return decodeUnknown(raw, 0);
}

function decoderOf(field: Field): Step['decode'] {
  if (field.kind === 'list') return (raw) => decodeList(field, raw);
  const decodeText = textDecoders[field.kind] ?? asItIs;
  if (field.kind === 'object') return (raw) => decodeObject(field, raw);
  return (raw) => {
    if (typeof raw === 'string') return decodeText(raw);
    if (isNil(raw)) return null;
    const text = scalarText(raw);
    return text === undefined ? decodeUnknown(raw, 0) : decodeText(text);
  };
}

const textDecoders: Readonly<Record<string, (text: string) => Value>> = {
  boolean: (text) => (text === 'true' ? true : text === 'false' ? false : text),
  integer: numeralFrom,
  decimal: numeralFrom,
};

function asItIs(text: string): Value {
  return text;
}

function decodeObject({ resource }: Field, raw: unknown): Value {
  if (isNil(raw)) return null;
  return isObject(raw) && resource ? (decodeRow(resource, raw) as Value) : decodeEmpty(raw);
}

function decodeList({ resource }: Field, raw: unknown): Value[] {
  const shape = resource && Object.keys(resource.fields).length > 0 ? resource : undefined;
  return listOf(raw)
    .filter((element) => !isNil(element) && element !== '')
    .map((element) =>
      shape && isObject(element) ? (decodeRow(shape, element) as Value) : decodeUnknown(element, 0),
    );
}

/** XML writes an object without content as an empty text. */
function decodeEmpty(raw: unknown): Value {
  return typeof raw === 'string' && raw.trim() === '' ? {} : decodeUnknown(raw, 0);
}

function decodeUnknown(raw: unknown, depth: number): Value {
  if (depth > deepest) throw new SyntaxError(`it is nested deeper than ${deepest} levels`);
  if (isNil(raw)) return null;
  const text = scalarText(raw);
  if (text !== undefined) return typeof raw === 'boolean' ? raw : asSent(raw, text);
  if (Array.isArray(raw)) return raw.map((element) => decodeUnknown(element, depth + 1));
  const entries = Object.entries(raw as WireObject).filter(([key]) => !isMarkup(key));
  return Object.fromEntries(
    entries.map(([key, value]) => [nameOf(key), decodeUnknown(value, depth + 1)]),
  );
}

/** Of an unknown field's bare number the digits stay a number; a text stays a text. */
function asSent(raw: unknown, text: string): Value {
  return raw instanceof LosslessNumber ? numeralFrom(text) : text;
}

const jsonNumber = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

/** A number with its digits; what is no number in JSON stays the text that it is. */
function numeralFrom(text: string): Value {
  return jsonNumber.test(text) ? new LosslessNumber(text) : text;
}
