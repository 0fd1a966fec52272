/** XML as the service writes it: unqualified elements, nil as `xsi:nil`, a list as repeated elements. */
import type { Field, Resource } from '../operations/resource.ts';
import { typeOf } from './typed-value.ts';

type Row = Readonly<Record<string, unknown>>;

export const XML_HEADER = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>';

const XSI = ' xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"';

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  // A reader turns these into spaces or drops them where they stand for themselves.
  '\t': '&#9;',
  '\n': '&#10;',
  '\r': '&#13;',
};

/** Whatever XML 1.0 can't hold, even as a character reference: controls, halves of pairs, U+FFFE. */
const UNWRITABLE = /[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/gu;

/** Text between tags or in an attribute; what XML can't hold becomes U+FFFD. */
function escapeXml(text: string): string {
  return text
    .replaceAll(UNWRITABLE, '\u{FFFD}')
    .replaceAll(/[&<>"\t\n\r]/g, (character) => ENTITIES[character] ?? character);
}

function element(name: string, content: string, attributes = ''): string {
  return `<${name}${attributes}>${content}</${name}>`;
}

function fieldXml(name: string, field: Field, value: unknown): string {
  if (value === undefined) return '';
  if (value === null) return `<${name} xsi:nil="true"/>`;
  const values = field.kind === 'list' ? (value as unknown[]) : [value];
  return values.map((one) => nested(name, field, one)).join('');
}

function nested(name: string, field: Field, value: unknown): string {
  return field.resource
    ? rowXml(name, field.resource, value as Row)
    : element(name, escapeXml(String(value)), field.typed ? typeAttribute(value) : '');
}

/** The prefix is declared where the value of the attribute uses it. */
function typeAttribute(value: unknown): string {
  return ` xmlns:xs="http://www.w3.org/2001/XMLSchema" xsi:type="${typeOf(value)}"`;
}

function rowXml(name: string, resource: Resource, row: Row, namespace = ''): string {
  const fields = Object.entries(resource.fields);
  const attributes = fields
    .filter(([key, field]) => field.attribute && row[key] != null)
    .map(([key]) => ` ${key}="${escapeXml(String(row[key]))}"`);
  const elements = fields
    .filter(([, field]) => !field.attribute)
    .map(([key, field]) => fieldXml(key, field, row[key]));
  return element(
    name,
    fields.length ? elements.join('') : openXml(row),
    namespace + attributes.join(''),
  );
}

/** A resource without fields is open: its names are the sender's. */
function openXml(row: Row): string {
  return Object.entries(row)
    .map(([name, value]) => element(name, escapeXml(String(value))))
    .join('');
}

/** One row as a document of its own. */
export function writeXml(resource: Resource, row: Row): string {
  return XML_HEADER + rowXml(resource.root ?? resource.element, resource, row, XSI);
}

/** A count as a document. The service's documents do not show its XML. */
export function writeXmlCount(count: number): string {
  return XML_HEADER + element('count', String(count));
}

/** Rows below a root that the service's documents don't name. */
export function writeXmlList(resource: Resource, rows: readonly Row[]): string {
  const content = rows.map((row) => rowXml(resource.element, resource, row)).join('');
  return XML_HEADER + element(`${resource.element}List`, content, XSI);
}
