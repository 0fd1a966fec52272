/**
 * JSON as the service writes it, which is its XML written as JSON: every scalar is a string, nil
 * is an object, a list of one is that one, and an empty list is absent (as a whole body: `null`).
 */
import type { Field, Resource } from '../operations/resource.ts';
import { typeOf } from './typed-value.ts';

type Row = Readonly<Record<string, unknown>>;

const NIL = { '@nil': 'true' };

function fieldValue(field: Field, value: unknown): unknown {
  if (value === null) return NIL;
  if (field.kind === 'list') return unlist((value as unknown[]).map((v) => nested(field, v)));
  if (field.kind === 'object') return nested(field, value);
  return field.typed ? { '@type': typeOf(value), $: String(value) } : String(value);
}

function nested(field: Field, value: unknown): unknown {
  return field.resource ? jsonOf(field.resource, value as Row) : String(value);
}

/** What stands for a list: nothing, the only element, or all of them. */
function unlist(elements: readonly unknown[]): unknown {
  return elements.length > 1 ? elements : elements[0];
}

const entries = new WeakMap<Resource, readonly [string, Field][]>();

/** The fields of a resource, listed once: every row asks for them. */
function fieldsOf(resource: Resource): readonly [string, Field][] {
  const known = entries.get(resource);
  if (known) return known;
  const fields = Object.entries(resource.fields);
  entries.set(resource, fields);
  return fields;
}

function jsonOf(resource: Resource, row: Row): Record<string, unknown> {
  const fields = fieldsOf(resource);
  // A resource without fields is open: its names are the sender's.
  if (fields.length === 0) return mapValues(row, String);
  const json: Record<string, unknown> = {};
  for (const [name, field] of fields) {
    const value = row[name];
    if (value === undefined) continue;
    // A wrapper around nothing but an empty list says so: {"row":null}.
    const written = fieldValue(field, value) ?? (fields.length === 1 ? null : undefined);
    if (written !== undefined) json[field.attribute ? `@${name}` : name] = written;
  }
  return json;
}

function mapValues(row: Row, write: (value: unknown) => unknown): Record<string, unknown> {
  return Object.fromEntries(Object.entries(row).map(([name, value]) => [name, write(value)]));
}

/** One row: its root element is left out. */
export function writeJson(resource: Resource, row: Row): string {
  return JSON.stringify(jsonOf(resource, row));
}

/** Rows below their element's name. */
export function writeJsonList(resource: Resource, rows: readonly Row[]): string {
  if (rows.length === 0) return 'null';
  return JSON.stringify({ [resource.element]: unlist(rows.map((row) => jsonOf(resource, row))) });
}
