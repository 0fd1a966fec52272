/**
 * Writes XML as the service does: unqualified elements, nil as `xsi:nil`, a list as repeated elements; and XML Schema 1.0
 * for resources, as the schema operations return it.
 */
import {
  type Field,
  type FieldKind,
  type Resource,
  sentFields,
} from '../../operations/resource.ts';
import type { Json } from './json.ts';

const XML_HEADER = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>';

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
  let [start, content] = [`<${name}${attributes}`, ''];
  for (const [child, value] of Object.entries(json)) {
    if (child === '$') content += escapeXml(String(value));
    else if (!child.startsWith('@')) content += elementXml(child, value);
    else
      start += `${child === '@type' ? TYPE : ` ${child.slice(1)}`}="${escapeXml(String(value))}"`;
  }
  return `${start}>${content}</${name}>`;
}

function isList(json: Json): json is readonly Json[] {
  return Array.isArray(json);
}

export function writeXml(root: string, json: Json): string {
  return XML_HEADER + elementXml(root, json, XSI);
}

const TYPES: Readonly<Partial<Record<FieldKind, string>>> = {
  text: 'xs:string',
  integer: 'xs:int',
  decimal: 'xs:decimal',
  boolean: 'xs:boolean',
  time: 'xs:dateTime',
};

/** Adds every resource that the schema needs, by element name, starting with the given one. */
function reachable(resource: Resource, found: Map<string, Resource>): void {
  if (found.has(resource.element)) return;
  found.set(resource.element, resource);
  for (const field of Object.values(resource.fields)) {
    if (field.resource) reachable(field.resource, found);
  }
}

function typeOf(field: Field): string {
  if (field.typed) return 'xs:anySimpleType';
  return field.resource?.element ?? TYPES[field.kind] ?? 'xs:string';
}

function fieldXsd([name, field]: readonly [string, Field]): string {
  const nillable = field.nillable ? ' nillable="true"' : '';
  const repeated = field.kind === 'list' ? ' maxOccurs="unbounded"' : '';
  const optional = field.required ? '' : ' minOccurs="0"';
  return `<xs:element name="${name}" type="${typeOf(field)}"${optional}${repeated}${nillable}/>`;
}

/** A resource without fields accepts any elements. */
const ANYTHING = '<xs:any minOccurs="0" maxOccurs="unbounded" processContents="skip"/>';

function typeXsd(resource: Resource): string {
  const fields = sentFields(resource);
  const elements = fields.filter(([, field]) => !field.attribute).map(fieldXsd);
  const attributes = fields
    .filter(([, field]) => field.attribute)
    .map(([name, field]) => `<xs:attribute name="${name}" type="${typeOf(field)}"/>`);
  const sequence = fields.length ? elements.join('') : ANYTHING;
  return (
    `<xs:complexType name="${resource.element}">` +
    `<xs:sequence>${sequence}</xs:sequence>${attributes.join('')}</xs:complexType>`
  );
}

/**
 * Writes one schema for several resources, with a root element for each unless it only declares a type, and for
 * each resource inside that has a name as a root.
 */
export function writeXsd(...resources: readonly Resource[]): string {
  const found = new Map<string, Resource>();
  for (const resource of resources) reachable(resource, found);
  const roots = new Map(
    [...resources, ...found.values()]
      .filter((resource) => !resource.typeOnly && (resource.root || resources.includes(resource)))
      .map((resource) => [resource.root ?? resource.element, resource]),
  );
  const elements = [...roots].map(
    ([name, { element }]) => `<xs:element name="${name}" type="${element}"/>`,
  );
  const types = [...found.values()].map(typeXsd).join('');
  return (
    `${XML_HEADER}<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema" version="1.0">` +
    `${elements.join('')}${types}</xs:schema>`
  );
}
