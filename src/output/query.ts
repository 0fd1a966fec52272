/**
 * `--query`: JMESPath over a whole set of rows.
 *
 * JMESPath has only double-precision numbers, which lose digits. So numerals pass through a query as objects, and the
 * expression is rewritten to convert them only where it calculates: operands, arguments, sort keys.
 */
import {
  compile,
  isRegistered,
  type JSONValue,
  registerFunction,
  TreeInterpreter,
  TYPE_ANY,
} from '@jmespath-community/jmespath';
import { compareLosslessNumber, LosslessNumber } from 'lossless-json';
import { addDecimals } from '../decimals/decimals.ts';
import { OutputError } from './errors.ts';
import { isList, isNumeral, isRow, type Numeral, type Row, type Value } from './rows/rows.ts';

type Node = ReturnType<typeof compile>;

/**
 * The result of a JMESPath expression over the rows as one list, or over one object. Values that are only selected,
 * filtered, sorted or regrouped keep their digits, and so do `max`, `min` and `sum`. Comparisons, arithmetic and all
 * other functions have double precision.
 */
export function queryRows(rows: readonly Row[] | Row, expression: string): Value {
  registerFunctions();
  const node = requireQuery(expression);
  try {
    // The library's types know only JSON; its interpreter passes numerals through as objects.
    return TreeInterpreter.search(withNumbers(node), rows as JSONValue);
  } catch (cause) {
    throw badQuery(cause);
  }
}

/** Throws an OutputError for an invalid expression, before there are rows. */
export function requireQuery(expression: string): Node {
  try {
    return compile(expression);
  } catch (cause) {
    throw badQuery(cause);
  }
}

/** The message is one line, without the expression. */
function badQuery(cause: unknown): OutputError {
  const message = cause instanceof Error ? cause.message : String(cause);
  return new OutputError('usage', `--query: ${message.split('\n', 1)[0]}`, undefined, cause);
}

/** The parts of the syntax tree that take numbers, and whether numbers inside lists and objects count too. */
const operands: Readonly<Record<string, readonly [function: string, ...parts: string[]]>> = {
  Comparator: ['digits:numbers', 'left', 'right'],
  Arithmetic: ['digits:number', 'left', 'right'],
  Unary: ['digits:number', 'operand'],
  ValueProjection: ['digits:number', 'left'],
};

/** Functions that use numbers inside their arguments. */
const searching = ['avg', 'contains', 'to_string'];

/** Functions that return an argument unchanged. */
const keeping = ['not_null', 'to_array'];

function withNumbers<Part>(part: Part): Part;
function withNumbers(part: unknown): unknown {
  if (Array.isArray(part)) return part.map(withNumbers);
  // A literal may be an object that looks like a node.
  if (!isNode(part) || part.type === 'Literal') return part;
  const entries = Object.entries(part).map(([name, inner]) => [name, withNumbers(inner)]);
  const node: SyntaxNode = Object.fromEntries(entries);
  if (node.type === 'Function') return withNumberArguments(node);
  const [name, ...parts] = operands[node.type] ?? [''];
  return { ...node, ...Object.fromEntries(parts.map((key) => [key, call(name, node[key])])) };
}

interface SyntaxNode {
  readonly type: string;
  readonly name?: string;
  readonly children?: readonly unknown[];
  readonly [part: string]: unknown;
}

function isNode(part: unknown): part is SyntaxNode {
  return typeof part === 'object' && part !== null && 'type' in part;
}

function withNumberArguments(node: SyntaxNode): SyntaxNode {
  const { name = '', children = [] } = node;
  if (keeping.includes(name)) return node;
  const isReplaced = Object.hasOwn(replacements, name);
  const convert = searching.includes(name) ? 'digits:numbers' : 'digits:number';
  const argument = (child: unknown) => {
    const isReference = isNode(child) && child.type === 'ExpressionReference';
    if (!name.endsWith('_by')) return isReference || isReplaced ? child : call(convert, child);
    // The keys are converted, the elements are not.
    return isReference ? { ...child, child: call('digits:number', child.child) } : child;
  };
  return { ...node, name: isReplaced ? `digits:${name}` : name, children: children.map(argument) };
}

function call(name: string, operand: unknown): SyntaxNode {
  return { type: 'Function', name, children: [operand] };
}

/** Adds our functions to the library's table, once, under names that no expression can use. */
function registerFunctions(): void {
  if (isRegistered('digits:number')) return;
  const functions = {
    number: ([value]: Values) => toNumber(value),
    numbers: ([value]: Values) => toNumbers(value),
    ...replacements,
  };
  for (const [name, evaluate] of Object.entries(functions)) {
    registerFunction(`digits:${name}`, (values) => evaluate(values as Values) as JSONValue, [
      { types: [TYPE_ANY], variadic: true },
    ]);
  }
}

type Values = readonly Value[];

/** Replacements of built-in functions, which still report invalid arguments. */
const replacements: Readonly<Record<string, (values: Values) => Value>> = {
  sum: (values) => exactSum(values) ?? builtIn('sum', values.map(toNumbers)),
  sort: (values) => sortedNumerals(values) ?? builtIn('sort', values.map(toNumbers)),
  max: (values) => sortedNumerals(values)?.at(-1) ?? builtIn('max', values.map(toNumbers)),
  min: (values) => sortedNumerals(values)?.[0] ?? builtIn('min', values.map(toNumbers)),
  // The built-in functions find nothing if the keys are text.
  max_by: ([list, ...key]) => firstBy(isList(list) ? list.toReversed() : list, key, -1),
  min_by: ([list, ...key]) => firstBy(list, key, 0),
};

function builtIn(name: string, values: Values): Value {
  return TreeInterpreter.runtime.callFunction(name, values as JSONValue[]);
}

function firstBy(list: Value, key: Values, index: number): Value {
  const sorted = builtIn('sort_by', [list, ...key]);
  return isList(sorted) ? (sorted.at(index) ?? null) : null;
}

function toNumber(value: Value): Value {
  return isNumeral(value) ? Number(value.value) : value;
}

function toNumbers(value: Value): Value {
  if (isList(value)) return value.map(toNumbers);
  if (!isRow(value)) return toNumber(value);
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, toNumbers(inner)]));
}

/** The only argument, if it is a list of numbers with at least one numeral. */
function numeralsOf(values: Values): readonly Numeral[] | undefined {
  const [list] = values;
  if (values.length !== 1 || !isList(list) || !list.some(isNumeral)) return undefined;
  const numerals = list.map((value) =>
    typeof value === 'number' ? new LosslessNumber(String(value)) : value,
  );
  return numerals.every(isNumeral) ? numerals : undefined;
}

function sortedNumerals(values: Values): readonly Numeral[] | undefined {
  return numeralsOf(values)?.toSorted(compareLosslessNumber);
}

function exactSum(values: Values): Numeral | undefined {
  const numerals = numeralsOf(values);
  const exact = numerals && addDecimals(numerals.map(({ value }) => value));
  return exact === undefined ? undefined : new LosslessNumber(exact);
}
