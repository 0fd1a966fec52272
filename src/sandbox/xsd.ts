/** XML Schema 1.0 of a resource, as the schema operations answer it. */
import type { Field, FieldKind, Resource } from '../operations/resource.ts';
import { XML_HEADER } from './wire-xml.ts';

const TYPES: Readonly<Partial<Record<FieldKind, string>>> = {
  text: 'xs:string',
  integer: 'xs:int',
  decimal: 'xs:decimal',
  boolean: 'xs:boolean',
  time: 'xs:dateTime',
};

/** Every resource that the schema needs, by element name, the asked one first. */
function reachable(resource: Resource, found = new Map<string, Resource>()): Map<string, Resource> {
  if (found.has(resource.element)) return found;
  found.set(resource.element, resource);
  for (const field of Object.values(resource.fields)) {
    if (field.resource) reachable(field.resource, found);
  }
  return found;
}

function typeOf(field: Field): string {
  if (field.typed) return 'xs:anySimpleType';
  return field.resource?.element ?? TYPES[field.kind] ?? 'xs:string';
}

function fieldXsd([name, field]: [string, Field]): string {
  const nillable = field.nillable ? ' nillable="true"' : '';
  const repeated = field.kind === 'list' ? ' maxOccurs="unbounded"' : '';
  return `<xs:element name="${name}" type="${typeOf(field)}" minOccurs="0"${repeated}${nillable}/>`;
}

/** A resource without fields is open: any elements. */
const ANYTHING = '<xs:any minOccurs="0" maxOccurs="unbounded" processContents="skip"/>';

function typeXsd(resource: Resource): string {
  const fields = Object.entries(resource.fields);
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

/** The schema whose root element is the resource's, where it has one. */
export function writeXsd(resource: Resource): string {
  const types = [...reachable(resource).values()].map(typeXsd).join('');
  const { element, typeOnly } = resource;
  const root = typeOnly ? '' : `<xs:element name="${element}" type="${element}"/>`;
  return (
    `${XML_HEADER}<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema" version="1.0">` +
    `${root}${types}</xs:schema>`
  );
}
