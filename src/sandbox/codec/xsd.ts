/** Writes XML Schema 1.0 for resources, as returned by the schema operations. */
import {
  type Field,
  type FieldKind,
  type Resource,
  sentFields,
} from '../../operations/resource.ts';
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

function rootXsd([name, { element }]: readonly [string, Resource]): string {
  return `<xs:element name="${name}" type="${element}"/>`;
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
  const types = [...found.values()].map(typeXsd).join('');
  return (
    `${XML_HEADER}<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema" version="1.0">` +
    `${[...roots].map(rootXsd).join('')}${types}</xs:schema>`
  );
}
