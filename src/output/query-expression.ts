/**
 * JMESPath knows numbers only as doubles, which lose digits. So numerals travel through a query as the
 * objects that they are, and the expression is rewritten to turn them into doubles just where a number
 * is worked with: operands, arguments, sort keys.
 */

/** A node of the library's syntax tree, which it does not export as a type. */
export interface ExpressionNode {
  readonly type: string;
  readonly [part: string]: unknown;
}

/** Functions of our own, under names that no expression can spell; see query-functions.ts. */
export const own = {
  number: 'digits:number',
  numbers: 'digits:numbers',
  sort: 'digits:sort',
  sum: 'digits:sum',
  max: 'digits:max',
  min: 'digits:min',
} as const;

/** These give back an argument as it came. */
const keeping = new Set(['not_null', 'to_array']);

/** These look inside their arguments for numbers. */
const searching = new Set(['avg', 'contains', 'to_string']);

/** These are done by functions of our own, which give back numerals. */
const replaced = new Map<string, string>([
  ['sort', own.sort],
  ['sum', own.sum],
  ['max', own.max],
  ['min', own.min],
]);

/** The same expression, with numerals turned into numbers only where one is worked with. */
export function carryDigits(node: ExpressionNode): ExpressionNode {
  // A literal may be an object that looks like a node.
  if (node.type === 'Literal') return node;
  return asNumbers(mapParts(node, carryDigits));
}

function mapParts(node: ExpressionNode, change: typeof carryDigits): ExpressionNode {
  const parts = Object.entries(node).map(([name, part]) => [name, mapPart(part, change)]);
  return Object.fromEntries(parts) as ExpressionNode;
}

function mapPart(part: unknown, change: typeof carryDigits): unknown {
  if (Array.isArray(part)) return part.map((element) => mapPart(element, change));
  return isNode(part) ? change(part) : part;
}

function isNode(part: unknown): part is ExpressionNode {
  return typeof part === 'object' && part !== null && 'type' in part;
}

function asNumbers(node: ExpressionNode): ExpressionNode {
  switch (node.type) {
    case 'Comparator':
      return { ...node, left: call(own.numbers, node.left), right: call(own.numbers, node.right) };
    case 'Arithmetic':
      return { ...node, left: call(own.number, node.left), right: call(own.number, node.right) };
    case 'Unary':
      return { ...node, operand: call(own.number, node.operand) };
    case 'ValueProjection':
      return { ...node, left: call(own.number, node.left) };
    case 'Function':
      return withNumberArguments(node as FunctionNode);
    default:
      return node;
  }
}

interface FunctionNode extends ExpressionNode {
  readonly name: string;
  readonly children: readonly ExpressionNode[];
}

function withNumberArguments(node: FunctionNode): ExpressionNode {
  const substitute = replaced.get(node.name);
  if (substitute) return { ...node, name: substitute };
  if (keeping.has(node.name)) return node;
  if (node.name.endsWith('_by')) return byKey(node);
  const convert = searching.has(node.name) ? own.numbers : own.number;
  return { ...node, children: node.children.map((child) => argument(convert, child)) };
}

function argument(convert: string, child: ExpressionNode): ExpressionNode {
  return child.type === 'ExpressionReference' ? child : call(convert, child);
}

/**
 * The keys are worked with, the elements are not. The library's max_by and min_by find nothing where keys
 * are text, so they become the first of what its sort_by gives, for max_by of the reversed list.
 */
function byKey(node: FunctionNode): ExpressionNode {
  const children = node.children.map((child) =>
    child.type === 'ExpressionReference'
      ? { ...child, child: call(own.number, child.child) }
      : child,
  );
  const [list, key] = children;
  if (!list || !key || children.length > 2) return { ...node, children };
  if (node.name === 'min_by') return pick(invoke('sort_by', list, key), 0);
  if (node.name !== 'max_by') return { ...node, children };
  return pick(invoke('sort_by', invoke('reverse', list), key), -1);
}

function pick(list: ExpressionNode, index: number): ExpressionNode {
  return { type: 'Pipe', left: list, right: { type: 'Index', value: index } };
}

function invoke(name: string, ...children: readonly ExpressionNode[]): ExpressionNode {
  return { type: 'Function', name, children };
}

function call(name: string, operand: unknown): ExpressionNode {
  return invoke(name, operand as ExpressionNode);
}
