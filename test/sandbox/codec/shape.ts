/** Checks that a response has the fields and types of its resource. */
import { XmlDocument, type XmlElement, XsdValidator } from 'libxml2-wasm';
import { onTestFinished } from 'vitest';
import type { Field, Resource } from '../../../src/operations/resource.ts';

const FORMS: Readonly<Record<string, RegExp>> = {
  text: /(?:)/,
  integer: /^-?\d+$/,
  decimal: /^-?\d+\.\d\d$/,
  boolean: /^(true|false)$/,
  time: /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d-0[78]:00$/,
};

function isNil(value: unknown): boolean {
  return JSON.stringify(value) === '{"@nil":"true"}';
}

function faultsInList(field: Field, value: unknown, at: string): string[] {
  if (Array.isArray(value) && value.length < 2) return [`${at}: a list of ${value.length}`];
  const elements = Array.isArray(value) ? value : [value];
  return elements.flatMap((one) => faultsInNested(field, one, at));
}

function faultsInNested(field: Field, value: unknown, at: string): string[] {
  if (field.resource) return faultsInJson(field.resource, value, at);
  return typeof value === 'string' ? [] : [`${at}: not a text`];
}

/** A self-describing value: a count is long, any other number has two decimals. */
function faultsInTyped(value: unknown, at: string): string[] {
  const { '@type': type, $: digits, ...others } = value as Record<string, unknown>;
  const forms = { 'xs:long': FORMS.integer, 'xs:decimal': FORMS.decimal, 'xs:string': FORMS.text };
  const form = forms[type as keyof typeof forms];
  const fits = form?.test(String(digits)) && typeof digits === 'string';
  return fits && Object.keys(others).length === 0 ? [] : [`${at}: ${JSON.stringify(value)}`];
}

function faultsInField(field: Field, value: unknown, at: string): string[] {
  if (isNil(value)) return field.nillable ? [] : [`${at}: must not be nil`];
  if (field.kind === 'list') return faultsInList(field, value, at);
  if (field.kind === 'object') return faultsInNested(field, value, at);
  if (field.typed) return faultsInTyped(value, at);
  if (typeof value !== 'string') return [`${at}: ${JSON.stringify(value)} is not a text`];
  return FORMS[field.kind]?.test(value) ? [] : [`${at}: ${value} is not a ${field.kind}`];
}

/** The problems of a JSON row. A resource without fields accepts any text fields. */
export function faultsInJson(resource: Resource, row: unknown, at = resource.element): string[] {
  if (typeof row !== 'object' || row === null || Array.isArray(row)) return [`${at}: no object`];
  const open = Object.keys(resource.fields).length === 0;
  return Object.entries(row).flatMap(([name, value]) => {
    const here = `${at}.${name}`;
    if (open) return typeof value === 'string' ? [] : [`${here}: not a text`];
    const field = resource.fields[name.replace(/^@/, '')];
    return field ? faultsInField(field, value, here) : [`${here}: unknown`];
  });
}

/** A schema for many documents of a test. Both functions throw if a document is invalid. */
export function schemaOf(text: string) {
  const xsd = XmlDocument.fromString(text);
  const validator = XsdValidator.fromDoc(xsd);
  onTestFinished(() => {
    validator.dispose();
    xsd.dispose();
  });
  return {
    /** Validates a whole document, including its root. */
    validate(xml: string): void {
      using doc = XmlDocument.fromString(xml);
      validator.validate(doc);
    },
    /** Validates each element of a list, whose root is not in the schema; returns their number. */
    validateRows(xml: string): number {
      using doc = XmlDocument.fromString(xml);
      const rows = doc.root.find('*') as XmlElement[];
      for (const row of rows) validator.validate(row);
      return rows.length;
    },
  };
}
