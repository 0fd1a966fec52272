/**
 * From the wire to typed rows. The wire is Jersey's mapped JSON (or XML brought into its form):
 * scalars are texts, nil is an object, a list of one is the bare element, an empty list is null.
 */
import { LosslessNumber } from 'lossless-json';
import type { Field, Resource, Row } from '../operations/resource.ts';

/** What a decoded field can be. */
export type Value = string | boolean | null | LosslessNumber | Value[] | { [name: string]: Value };

type WireObject = Record<string, unknown>;

/** An unknown part of an answer nested deeper than this is not read. */
const deepest = 100;

/** The rows of a list answer: `{"orderData": […] or {…}}`, a bare list, a bare row, or nothing. */
export function decodeRows<T extends Resource>(resource: T, body: unknown): Row<T>[] {
  return elementsOf(resource, body).map((element) => decodeRow(resource, element));
}

/** A single answer, bare or wrapped in its element's name; undefined for nothing. */
export function decodeOne<T extends Resource>(resource: T, body: unknown): Row<T> | undefined {
  return decodeRows(resource, body)[0];
}

function elementsOf(resource: Resource, body: unknown): readonly WireObject[] {
  if (Array.isArray(body)) return body.filter(isObject);
  if (!isObject(body) || isNil(body)) return [];
  const named = body[resource.element];
  if (named !== undefined) return listOf(named).filter(isObject);
  const known = Object.keys(body).some((key) => Object.hasOwn(resource.fields, nameOf(key)));
  if (known) return [body];
  // The wrapper's name is not documented everywhere: take what it holds.
  const held = Object.entries(body).filter(([key]) => !key.startsWith('@'));
  const inner = held.flatMap(([, value]) => listOf(value)).filter(isObject);
  return held.length === 1 ? inner : inner.length > 0 ? [body] : [];
}

/** Known fields in the order of the resource, then unknown ones as they came. */
function decodeRow<T extends Resource>(resource: T, element: WireObject): Row<T> {
  const row: Record<string, Value> = {};
  for (const [name, field] of Object.entries(resource.fields)) {
    const raw = element[field.attribute ? `@${name}` : name];
    if (raw !== undefined) row[name] = decodeField(field, raw);
    else if (field.kind === 'list') row[name] = [];
  }
  for (const [key, raw] of Object.entries(element)) {
    const name = nameOf(key);
    if (!Object.hasOwn(resource.fields, name) && !isMarkup(key)) row[name] = decodeUnknown(raw, 0);
  }
  return row as Row<T>;
}

function decodeField(field: Field, raw: unknown): Value {
  if (field.kind === 'list') return decodeList(field, raw);
  if (isNil(raw)) return null;
  if (field.kind === 'object') {
    return isObject(raw) && field.resource
      ? (decodeRow(field.resource, raw) as Value)
      : decodeEmpty(raw);
  }
  const text = scalarText(raw);
  if (text === undefined) return decodeUnknown(raw, 0);
  if (field.kind === 'boolean') return text === 'true' ? true : text === 'false' ? false : text;
  if (field.kind === 'integer' || field.kind === 'decimal') return numeralFrom(text);
  return text;
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
  return typeof raw === 'number' || raw instanceof LosslessNumber ? numeralFrom(text) : text;
}

const jsonNumber = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

/** A number with its digits; what is no number in JSON stays the text that it is. */
function numeralFrom(text: string): Value {
  return jsonNumber.test(text) ? new LosslessNumber(text) : text;
}

/** The text of a scalar, also of `{"@type":"xs:long","$":"31"}`. */
function scalarText(raw: unknown): string | undefined {
  if (typeof raw === 'string') return raw;
  if (typeof raw === 'number' || typeof raw === 'boolean') return String(raw);
  if (raw instanceof LosslessNumber) return raw.value;
  if (!isObject(raw) || !('$' in raw)) return undefined;
  const others = Object.keys(raw).some((key) => key !== '$' && !key.startsWith('@'));
  return others ? undefined : String(raw.$);
}

/** What the writers of XML and JSON add around the data, and a name that no object may carry. */
function isMarkup(key: string): boolean {
  return /^@(?:nil|type|xmlns.*|xs|xsi|schemaLocation)$|^\$$|^__proto__$/.test(key);
}

function nameOf(key: string): string {
  return key.startsWith('@') ? key.slice(1) : key;
}

function isNil(raw: unknown): boolean {
  if (raw === null) return true;
  return isObject(raw) && String(raw['@nil']) === 'true';
}

function isObject(raw: unknown): raw is WireObject {
  return (
    typeof raw === 'object' &&
    raw !== null &&
    !Array.isArray(raw) &&
    !(raw instanceof LosslessNumber)
  );
}

function listOf(raw: unknown): readonly unknown[] {
  if (raw === undefined || raw === null) return [];
  return Array.isArray(raw) ? raw : [raw];
}
