/**
 * Writes JSON as the service does, which converts its XML to JSON: every scalar is a string, null is nil (an object)
 * where the schema allows it and left out elsewhere, a list of one is the bare element, and an empty list is absent
 * (as a whole body: `null`).
 */
import { pacificTime } from '../../dates/day.ts';
import { type Field, type Resource, sentFields } from '../../operations/resource.ts';
import { moneyText } from '../services/money.ts';

export type Row = Readonly<Record<string, unknown>>;

/** `@name` is an attribute, `$` the text beside attributes. */
export type Json = string | null | readonly Json[] | JsonObject;

interface JsonObject {
  readonly [name: string]: Json;
}

const NIL = { '@nil': 'true' };

/** Text in a field of typed numbers, sent as xs:string even if it looks like a number. */
export interface PlainText {
  readonly text: string;
}

/** Formats values stored as numbers: instants, hundredths, and 0 or 1 for booleans. */
function scalarText({ kind }: Field, value: unknown): string {
  if (typeof value === 'number') {
    if (kind === 'time') return pacificTime(value);
    if (kind === 'decimal') return moneyText(value);
    if (kind === 'boolean') return String(value === 1);
  }
  return String(value);
}

/** A number with its own XML Schema type: long for whole numbers, decimal for others. */
function typedJson(value: unknown): Json {
  if (typeof value === 'object' && value !== null && 'text' in value) {
    return { '@type': 'xs:string', $: String(value.text) };
  }
  const text = String(value);
  return { '@type': /^-?\d+$/.test(text) ? 'xs:long' : 'xs:decimal', $: text };
}

function elementJson(field: Field, value: unknown): Json {
  if (field.resource) return rowJson(field.resource, value as Row);
  return field.typed ? typedJson(value) : scalarText(field, value);
}

/** Returns undefined for an empty list and the element of a list of one. */
function unlist(elements: readonly Json[]): Json | undefined {
  return elements.length > 1 ? elements : elements[0];
}

function fieldJson(field: Field, value: unknown): Json | undefined {
  if (value === null) return NIL;
  if (Array.isArray(value)) return unlist(value.map((one) => elementJson(field, one)));
  return elementJson(field, value);
}

export function rowJson(resource: Resource, row: Row): JsonObject {
  const fields = sentFields(resource);
  const json: Record<string, Json> = {};
  // A resource without fields accepts any names.
  if (fields.length === 0) {
    for (const [name, value] of Object.entries(row)) json[name] = String(value);
    return json;
  }
  for (const [name, field] of fields) {
    const value = row[name];
    if (value === undefined || (value === null && !field.nillable)) continue;
    // A wrapper whose only field is an empty list is sent as {"row":null}.
    const written = fieldJson(field, value) ?? (fields.length === 1 ? null : undefined);
    if (written !== undefined) json[field.attribute ? `@${name}` : name] = written;
  }
  return json;
}

/** Returns the rows under the name of their element, or null if there are none. */
export function rowsJson(resource: Resource, rows: readonly Row[]): Json {
  const elements = unlist(rows.map((row) => rowJson(resource, row)));
  return elements === undefined ? null : { [resource.element]: elements };
}

/** Only the status of analytics has this form: its values need no quotes. */
export function writeCsv(resource: Resource, row: Row): string {
  const json = rowJson(resource, row);
  const names = Object.keys(resource.fields);
  const lines = [names, names.map((name) => json[name] ?? '')];
  return lines.map((cells) => `${cells.join(',')}\n`).join('');
}
