/**
 * Writes the types of `library/catalogue.ts` out, with documentation: the compiler can derive them from the
 * catalogue, but an editor then shows neither units nor errors. A test compares both.
 */

import { sources } from '../../features/sync/tables/sources.ts';
import type { ServiceRow, Table } from '../../features/sync/tables/table.ts';
import { namespaces } from '../../library/namespaces.ts';
import type { Operation, Param, Returns } from '../../operations/operation.ts';
import type { Field, Resource } from '../../operations/resource.ts';
import { commentOf, fieldComment, operationComment, paramComment } from './documentation.ts';

/** The names of rows, by the operation that returns them. Their parts are named after their fields. */
const rowNames: readonly (readonly [operation: Operation, name: string])[] = [
  [namespaces.orders.list, 'Order'],
  [namespaces.tickets.list, 'Ticket'],
  [namespaces.tickets.refundAmounts, 'RefundAmounts'],
  [namespaces.products.list, 'Product'],
  [namespaces.images.list, 'Image'],
  [namespaces.quickstats.list, 'AccountQuickstats'],
  [namespaces.quickstats.accounts, 'Account'],
  [namespaces.analytics.status, 'AnalyticsStatus'],
  [namespaces.analytics.dimension, 'DimensionMetrics'],
  [namespaces.analytics.trends, 'SubscriptionTrend'],
  [namespaces.analytics.subscriptions.list, 'Subscription'],
  [namespaces.ship.list, 'Shipment'],
  [namespaces.ship.generation1.list, 'Shipment1'],
  [namespaces.ship.generation2.list, 'Shipment2'],
  [namespaces.ship.notices.list, 'ShipNotice'],
  [namespaces.ship.generation1.notices.list, 'ShipNotice1'],
];

/** Returns the declarations without imports, which `Decimal`, `RowList` and others of `library/types.ts` need. */
export function catalogueTypes(): string {
  const rows = rowTypes();
  const methods = new Map<string, string>();
  for (const isSafe of [false, true]) {
    addMethods(namespaces, [], { isSafe, nameOf: rows.nameOf, methods });
  }
  return [...rows.declarations, ...argumentTypes(namespaces, []), ...methods.values()].join('\n');
}

type NameOf = (resource: Resource) => string;

function rowTypes(): { readonly declarations: readonly string[]; readonly nameOf: NameOf } {
  const names = new Map<Resource, string>();
  const declarations: string[] = [];
  const add = (resource: Resource, name: string) => {
    if (names.has(resource)) return;
    names.set(resource, name);
    const at = declarations.push('') - 1;
    for (const [field, { resource: part, pairs }] of Object.entries(resource.fields)) {
      const partName = `${name}${capitalized(field)}`;
      if (pairs) declarations.push(pairsType(partName, pairs));
      else if (part) add(part, partName);
    }
    declarations[at] = rowType(name, resource, nameOf);
  };
  const nameOf = (resource: Resource) => {
    const name = names.get(resource);
    if (name === undefined) throw new Error(`The rows ${resource.element} have no name.`);
    return name;
  };
  for (const [{ returns }, name] of rowNames)
    if ('resource' in returns) add(returns.resource, name);
  return { declarations, nameOf };
}

function rowType(name: string, resource: Resource, nameOf: NameOf): string {
  const meanings = fieldMeanings(name);
  const fields = Object.entries(resource.fields).map(([field, value]) => {
    const meaning = meanings.get(field) ?? meanings.get(value.spelling ?? '');
    const comment = commentOf([fieldComment(field, value, resource, meaning)], '  ');
    const type = value.pairs ? `${name}${capitalized(field)}` : fieldType(value, nameOf);
    return `${comment}  readonly ${field}?: ${type} | null;\n`;
  });
  const about = `\`${resource.element}\` of ClickBank. A field is null if ClickBank sent nil, and undefined if it sent nothing.`;
  return `${commentOf([about])}export interface ${name} {\n${fields.join('')}}\n`;
}

function pairsType(name: string, pairs: readonly string[]): string {
  const fields = pairs.map(
    (pair) => `  /** The parameter \`${pair}\`. */\n  readonly ${pair}?: string | null;\n`,
  );
  const others = '  /** Other names can occur. */\n  readonly [name: string]: unknown;\n';
  const about = commentOf(['Parameters by name, as text.']);
  return `${about}export interface ${name} {\n${fields.join('')}${others}}\n`;
}

const fieldTypes: Readonly<Record<Field['kind'], string>> = {
  ...{ text: 'string', time: 'string', day: 'string', month: 'string', boolean: 'boolean' },
  list: 'string[]',
  ...{ integer: 'number | Decimal', decimal: 'Decimal', object: 'unknown' },
};

function fieldType({ kind, resource, values }: Field, nameOf: NameOf): string {
  if (values) return [...values.map((value) => `'${value}'`), '(string & {})'].join(' | ');
  if (!resource) return fieldTypes[kind];
  return kind === 'list' ? `${nameOf(resource)}[]` : nameOf(resource);
}

type Node = Operation | Tree;

interface Tree {
  readonly [name: string]: Node;
}

function isOperation(node: Node): node is Operation {
  return typeof node.path === 'string';
}

function argumentTypes(tree: object, path: readonly string[]): string[] {
  return Object.entries(tree as Tree).flatMap(([name, node]) => {
    const below = [...path, name];
    if (!isOperation(node)) return argumentTypes(node, below);
    return hasArguments(node) ? [argumentType(node, below)] : [];
  });
}

function argumentType(operation: Operation, path: readonly string[]): string {
  const params = Object.entries(operation.params).filter(([, { constant }]) => !constant);
  const lines = params.map(([name, param]) => {
    const [mark, other] = param.required ? ['', ''] : ['?', ' | undefined'];
    const comment = commentOf(paramComment(param, operation), '  ');
    return `${comment}  readonly ${name}${mark}: ${paramType(param, operation)}${other};\n`;
  });
  const about = `Arguments of \`${path.join('.')}\`.`;
  return `${commentOf([about])}export interface ${pascal(path)}Arguments {\n${lines.join('')}}\n`;
}

function paramType({ kind, values, repeatable, splits }: Param, { returns }: Operation): string {
  const names = Object.keys(values ?? {}).map((value) => `'${value}'`);
  const type = { integer: 'number', boolean: 'boolean' }[kind as string] ?? 'string';
  const one = values ? names.join(' | ') : type;
  if (repeatable) return `readonly (${one})[]`;
  return splits && returns.kind === 'pages' ? `${one} | readonly (${one})[]` : one;
}

interface MethodOptions {
  readonly isSafe: boolean;
  readonly nameOf: NameOf;
  readonly methods: Map<string, string>;
}

/** Adds the interface of a group and those below it. Returns its name, or undefined for a group without methods. */
function addMethods(
  tree: object,
  path: readonly string[],
  options: MethodOptions,
): string | undefined {
  const { isSafe, methods } = options;
  const prefix = isSafe ? 'Safe' : '';
  const name = path.length > 0 ? `${prefix}${pascal(path)}Methods` : `${prefix}Catalogue`;
  const lines = Object.entries(tree as Tree).flatMap(([own, node]) => {
    const below = [...path, own];
    if (isOperation(node)) return methodLine(node, below, options);
    const group = addMethods(node, below, options);
    return group ? [`  readonly ${own}: ${group};\n`] : [];
  });
  if (lines.length === 0) return undefined;
  const about = isSafe ? 'The writes, as safe writes.' : 'The operations of the service.';
  methods.set(name, `${commentOf([about])}export interface ${name} {\n${lines.join('')}}\n`);
  return name;
}

function methodLine(
  operation: Operation,
  path: readonly string[],
  options: MethodOptions,
): string[] {
  const { isSafe, nameOf } = options;
  if (isSafe && ['GET', 'HEAD'].includes(operation.method)) return [];
  const reply = replyType(operation.returns, nameOf);
  const isRows = ['list', 'pages'].includes(operation.returns.kind);
  const plain = isRows ? `RowList<${reply}>` : `Promise<${reply}>`;
  const result = isSafe ? `Promise<SafeWriteResult<${reply}>>` : plain;
  const isOptional = Object.values(operation.params).every(({ required }) => !required);
  const name = `args${isOptional ? '?' : ''}`;
  const args = hasArguments(operation) ? `${name}: ${pascal(path)}Arguments, ` : '';
  const comment = commentOf(operationComment(operation, isSafe), '  ');
  const option = isSafe ? 'SafeWriteOptions' : 'RequestOptions';
  return [`${comment}  readonly ${path.at(-1)}: (${args}options?: ${option}) => ${result};\n`];
}

/** The reply, or one row of it. */
function replyType(returns: Returns, nameOf: NameOf): string {
  if ('resource' in returns) return nameOf(returns.resource);
  const types = {
    count: 'number',
    answer: 'boolean',
    schema: 'string',
    text: 'string | undefined',
  };
  return returns.kind === 'nothing' ? 'undefined' : types[returns.kind];
}

function hasArguments({ params }: Operation): boolean {
  return Object.values(params).some(({ constant }) => constant === undefined);
}

function pascal(path: readonly string[]): string {
  return path.map(capitalized).join('');
}

function capitalized(name: string): string {
  return name.replaceAll(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase());
}

/** The tables by the name of their rows in the library. */
const tables: Readonly<Record<string, string>> = {
  Order: 'orders',
  OrderLineItemData: 'order_items',
  Ticket: 'tickets',
  TicketComments: 'ticket_comments',
  Product: 'products',
  Subscription: 'subscriptions',
  SubscriptionTrend: 'subscription_days',
  Shipment: 'shipments',
  Shipment2: 'shipments',
  ShipmentLineItemShipData: 'shipment_items',
  ShipNotice: 'ship_notices',
  ShipNotice1: 'ship_notices',
};

/** Returns one sentence by field, without a period. */
function fieldMeanings(rows: string): ReadonlyMap<string, string> {
  const found = sources
    .flatMap((source) => source.tables)
    .find(({ name }) => name === tables[rows]);
  return new Map(found ? meaningsIn(found) : []);
}

/** A row whose fields contain their own names shows which field a column is, unless the column changes it. */
const mark = 'Field ';
const names: ServiceRow = new Proxy({}, { get: (_, name) => `${mark}${String(name)}` });

function meaningsIn({ columns, items }: Table): [field: string, comment: string][] {
  const facts = { item: names, row: items ? {} : names, position: 0, id: '', day: '' };
  return columns.flatMap(({ from, comment }): [string, string][] => {
    try {
      const field = from(facts);
      if (typeof field !== 'string' || !field.startsWith(mark)) return [];
      return [[field.slice(mark.length), comment]];
    } catch {
      // Computed from the text of a field.
      return [];
    }
  });
}
