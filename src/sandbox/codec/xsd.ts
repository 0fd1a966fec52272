/** Writes XML Schema 1.0 for resources, as returned by the schema operations. */
import type { Field, FieldKind, Resource } from '../../operations/resource.ts';
import { XML_HEADER } from './xml.ts';

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

function fieldXsd([name, field]: [string, Field]): string {
  const nillable = field.nillable ? ' nillable="true"' : '';
  const repeated = field.kind === 'list' ? ' maxOccurs="unbounded"' : '';
  return `<xs:element name="${name}" type="${typeOf(field)}" minOccurs="0"${repeated}${nillable}/>`;
}

/** A resource without fields accepts any elements. */
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

function rootXsd({ element, root = element, typeOnly }: Resource): string {
  return typeOnly ? '' : `<xs:element name="${root}" type="${element}"/>`;
}

/** Writes one schema for several resources, with a root element for each unless it only declares a type. */
export function writeXsd(...resources: readonly Resource[]): string {
  const found = new Map<string, Resource>();
  for (const resource of resources) reachable(resource, found);
  const types = [...found.values()].map(typeXsd).join('');
  return (
    `${XML_HEADER}<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema" version="1.0">` +
    `${resources.map(rootXsd).join('')}${types}</xs:schema>`
  );
}
