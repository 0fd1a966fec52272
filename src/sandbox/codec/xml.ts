/** Writes XML as the service does: unqualified elements, nil as `xsi:nil`, a list as repeated elements. */
import type { Resource } from '../../operations/resource.ts';
import { type Json, type Row, rowJson, rowsJson } from './json.ts';

export const XML_HEADER = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>';

const XSI = ' xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"';
/** The prefix is declared where the value of an attribute uses it. */
const TYPE = ' xmlns:xs="http://www.w3.org/2001/XMLSchema" xsi:type';

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  // Readers would convert these to spaces or drop them if they were not escaped.
  '\t': '&#9;',
  '\n': '&#10;',
  '\r': '&#13;',
};

/** Characters that XML 1.0 cannot contain, even as references: controls, lone surrogates, U+FFFE. */
const UNWRITABLE = /[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/gu;

/** Escapes text of an element or attribute; characters that XML cannot contain become U+FFFD. */
function escapeXml(text: string): string {
  return text
    .replaceAll(UNWRITABLE, '\u{FFFD}')
    .replaceAll(/[&<>"\t\n\r]/g, (character) => ENTITIES[character] ?? character);
}

function elementXml(name: string, json: Json, attributes = ''): string {
  if (json === null) return '';
  if (typeof json === 'string') return `<${name}>${escapeXml(json)}</${name}>`;
  if (isList(json)) return json.map((one) => elementXml(name, one)).join('');
  if (json['@nil'] !== undefined) return `<${name} xsi:nil="true"/>`;
  const children = Object.entries(json);
  const own = children.filter(([child]) => child.startsWith('@'));
  const content = children.filter(([child]) => !child.startsWith('@'));
  return `<${name}${attributes}${own.map(attributeXml).join('')}>${content.map(childXml).join('')}</${name}>`;
}

function isList(json: Json): json is readonly Json[] {
  return Array.isArray(json);
}

function attributeXml([name, value]: [string, Json]): string {
  return `${name === '@type' ? TYPE : ` ${name.slice(1)}`}="${escapeXml(String(value))}"`;
}

function childXml([name, json]: [string, Json]): string {
  return name === '$' ? escapeXml(String(json)) : elementXml(name, json);
}

export function writeXml(resource: Resource, row: Row): string {
  return XML_HEADER + elementXml(resource.root ?? resource.element, rowJson(resource, row), XSI);
}

/** A count as a document. The service's documents do not show its XML. */
export function writeXmlCount(count: number): string {
  return XML_HEADER + elementXml('count', String(count));
}

/** Rows below a root that the service's documents do not name. */
export function writeXmlList(resource: Resource, rows: readonly Row[]): string {
  return XML_HEADER + elementXml(`${resource.element}List`, rowsJson(resource, rows) ?? {}, XSI);
}
