/**
 * From the wire to typed rows. The wire is Jersey's mapped JSON (or XML brought into its form):
 * scalars are texts, nil is an object, a list of one is the bare element, an empty list is null.
 */
import { LosslessNumber } from 'lossless-json';
import type { Field, Resource, Row } from '../operations/resource.ts';

/** What a decoded field can be. */
export type Value = string | boolean | null | LosslessNumber | Value[] | { [name: string]: Value };

type WireObject = Record<string, unknown>;

/** A number of the document is a double, whose digits may be others than those that were sent. */
export class BareNumber extends Error {
  override readonly name = 'BareNumber';
}

/** An unknown part of an answer nested deeper than this is not read. */
const deepest = 100;

/**
 * The rows of a list answer: `{"orderData": […] or {…}}`, a bare list, a bare row, or nothing. They may be
 * made of the body's own objects. Throws a BareNumber for a number that is no LosslessNumber.
 */
export function decodeRows<T extends Resource>(resource: T, body: unknown): Row<T>[] {
  return elementsOf(resource, body).map((element) => decodeRow(resource, element));
}

/** The elements of an answer; throws a SyntaxError when it holds something else. */
function elementsOf(resource: Resource, body: unknown): readonly WireObject[] {
  if (Array.isArray(body)) return rowsAmong(resource, body);
  const found = findElements(resource, body, 0);
  if (found) return found;
  if (holdsNothing(body)) return [];
  throw new SyntaxError(`it holds no ${resource.element}`);
}

/** A wrapper's name is not documented everywhere: the elements may stand up to two levels deep. */
function findElements(
  resource: Resource,
  body: unknown,
  depth: number,
): readonly WireObject[] | undefined {
  if (!isObject(body) || isNil(body)) return undefined;
  const named = body[resource.element];
  if (named !== undefined) return rowsAmong(resource, listOf(named));
  if (Object.keys(body).some((key) => Object.hasOwn(resource.fields, nameOf(key)))) return [body];
  if (depth === 2) return undefined;
  for (const inner of Object.values(body)) {
    const found = findElements(resource, inner, depth + 1);
    if (found) return found;
  }
  return undefined;
}

/** Nothing among them is no row; anything else that is none can't be left out. */
function rowsAmong({ element }: Resource, elements: readonly unknown[]): readonly WireObject[] {
  const rows = elements.filter((one): one is WireObject => isObject(one) && !isNil(one));
  const isNone = (one: unknown) => isNil(one) || (typeof one === 'string' && one.trim() === '');
  if (rows.length === elements.length) return rows;
  if (elements.every((one) => isObject(one) || isNone(one))) return rows;
  throw new SyntaxError(`something in the place of a row is no ${element}`);
}

/** Nothing, or a wrapper around nothing but scalars such as a total. */
function holdsNothing(body: unknown): boolean {
  if (isNil(body)) return true;
  if (typeof body === 'string') return body.trim() === '';
  if (!isObject(body)) return false;
  const values = Object.entries(body).flatMap(([key, value]) => (isMarkup(key) ? [] : [value]));
  const hollow = values.filter((value) => isNil(value) || value === '' || isEmpty(value));
  return hollow.length > 0
    ? !values.some((value) => isObject(value) && !hollow.includes(value))
    : values.length === 0;
}

function isEmpty(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.keys(value).length === 0;
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

/** The text of a scalar, also of `{"@type":"xs:long","$":"31"}`. */
function scalarText(raw: unknown): string | undefined {
  if (typeof raw === 'string') return raw;
  if (typeof raw === 'number') throw new BareNumber();
  if (typeof raw === 'boolean') return String(raw);
  if (raw instanceof LosslessNumber) return raw.value;
  if (!isObject(raw) || !('$' in raw)) return undefined;
  if (Object.keys(raw).some((key) => key !== '$' && !key.startsWith('@'))) return undefined;
  return scalarText(raw.$) ?? String(raw.$);
}

/** What the writers of XML and JSON add around the data, and a name that no object may carry. */
function isMarkup(key: string): boolean {
  return /^@(?:nil|type|xmlns.*|xs|xsi|schemaLocation)$|^\$$|^@?__proto__$/.test(key);
}

function nameOf(key: string): string {
  return key.startsWith('@') ? key.slice(1) : key;
}

function isNil(raw: unknown): boolean {
  if (typeof raw !== 'object') return false;
  return raw === null || String((raw as WireObject)['@nil']) === 'true';
}

function isObject(raw: unknown): raw is WireObject {
  if (typeof raw !== 'object' || raw === null) return false;
  return !Array.isArray(raw) && !(raw instanceof LosslessNumber);
}

function listOf(raw: unknown): readonly unknown[] {
  if (raw === undefined || raw === null) return [];
  return Array.isArray(raw) ? raw : [raw];
}
