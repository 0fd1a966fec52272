/**
 * JSON as the service writes it, which is its XML written as JSON: every scalar is a string, nil is an
 * object, a list of one is that one, and an empty list is absent (as a whole body: `null`).
 */

import { pacificTime } from '../../dates/pacific.ts';
import type { Field, Resource } from '../../operations/resource.ts';
import { moneyText } from '../money.ts';

export type Row = Readonly<Record<string, unknown>>;

/** `@name` is an attribute, `$` the text beside attributes. */
export type Json = string | null | readonly Json[] | JsonObject;

interface JsonObject {
  readonly [name: string]: Json;
}

const NIL = { '@nil': 'true' };

/** A text where numbers are expected: it may look like a number and still is none. */
export interface PlainText {
  readonly text: string;
}

function isPlainText(value: unknown): value is PlainText {
  return typeof value === 'object' && value !== null && 'text' in value;
}

/** What the store keeps as a number: an instant, hundredths, 0 or 1. Other values are texts already. */
function scalarText({ kind }: Field, value: unknown): string {
  if (typeof value === 'number') {
    if (kind === 'time') return pacificTime(value);
    if (kind === 'decimal') return moneyText(value);
    if (kind === 'boolean') return String(value === 1);
  }
  return String(value);
}

/** A number that names its own XML Schema type: whole ones are long, others decimal. */
function typedJson(value: unknown): Json {
  if (isPlainText(value)) return { '@type': 'xs:string', $: value.text };
  const text = String(value);
  return { '@type': /^-?\d+$/.test(text) ? 'xs:long' : 'xs:decimal', $: text };
}

function elementJson(field: Field, value: unknown): Json {
  if (field.resource) return rowJson(field.resource, value as Row);
  return field.typed ? typedJson(value) : scalarText(field, value);
}

/** What stands for a list: nothing, the only element, or all of them. */
function unlist(elements: readonly Json[]): Json | undefined {
  return elements.length > 1 ? elements : elements[0];
}

function fieldJson(field: Field, value: unknown): Json | undefined {
  if (value === null) return NIL;
  if (Array.isArray(value)) return unlist(value.map((one) => elementJson(field, one)));
  return elementJson(field, value);
}

export function rowJson(resource: Resource, row: Row): JsonObject {
  const fields = Object.entries(resource.fields);
  const json: Record<string, Json> = {};
  // A resource without fields is open: its names are the sender's.
  if (fields.length === 0) {
    for (const [name, value] of Object.entries(row)) json[name] = String(value);
    return json;
  }
  for (const [name, field] of fields) {
    const value = row[name];
    if (value === undefined) continue;
    // A wrapper around nothing but an empty list says so: {"row":null}.
    const written = fieldJson(field, value) ?? (fields.length === 1 ? null : undefined);
    if (written !== undefined) json[field.attribute ? `@${name}` : name] = written;
  }
  return json;
}

/** Rows below their element's name; null for none. */
export function rowsJson(resource: Resource, rows: readonly Row[]): Json {
  const elements = unlist(rows.map((row) => rowJson(resource, row)));
  return elements === undefined ? null : { [resource.element]: elements };
}

/** One row: its root element is left out. */
export function writeJson(resource: Resource, row: Row): string {
  return JSON.stringify(rowJson(resource, row));
}

export function writeJsonList(resource: Resource, rows: readonly Row[]): string {
  return JSON.stringify(rowsJson(resource, rows));
}
