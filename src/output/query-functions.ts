/** The functions that a rewritten query calls: those that turn numerals into numbers, and those that keep them. */
import { compareLosslessNumber, LosslessNumber } from 'lossless-json';
import { addDecimals } from './decimal-sum.ts';
import { own } from './query-expression.ts';
import { isList, isNumeral, isRow, type Numeral, type Value } from './rows.ts';

type Jmespath = typeof import('@jmespath-community/jmespath');

type Function = (values: readonly Value[]) => Value;

/** Adds our functions to the library's table, once; their names cannot be spelt in an expression. */
export function registerQueryFunctions(jmespath: Jmespath): void {
  if (jmespath.isRegistered(own.number)) return;
  const { runtime } = jmespath.TreeInterpreter;
  const builtIn = (name: string, values: readonly Value[]) =>
    runtime.callFunction(name, values.map(toNumbers) as never) as Value;
  const functions: Readonly<Record<string, Function>> = {
    [own.number]: ([value]) => toNumber(value),
    [own.numbers]: ([value]) => toNumbers(value),
    // The built-in ones say what is wrong with the arguments.
    [own.sum]: (values) => sum(builtIn('sum', values), values[0]),
    [own.sort]: (values) => sortedNumerals(values) ?? builtIn('sort', values),
    [own.max]: (values) => sortedNumerals(values)?.at(-1) ?? builtIn('max', values),
    [own.min]: (values) => sortedNumerals(values)?.[0] ?? builtIn('min', values),
  };
  const signature = [{ types: [jmespath.TYPE_ANY], variadic: true }];
  for (const [name, evaluate] of Object.entries(functions)) {
    jmespath.register(name as never, evaluate as never, signature);
  }
}

function toNumber(value: Value): Value {
  return isNumeral(value) ? Number(value.value) : value;
}

function toNumbers(value: Value): Value {
  if (isList(value)) return value.map(toNumbers);
  if (!isRow(value)) return toNumber(value);
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, toNumbers(inner)]));
}

/** The list as numerals, if it is one of numbers and has at least one with digits as sent. */
function numeralsOf(list: Value): readonly Numeral[] | undefined {
  if (!isList(list) || !list.some(isNumeral)) return undefined;
  const numerals = list.map((value) =>
    typeof value === 'number' ? new LosslessNumber(String(value)) : value,
  );
  return numerals.every(isNumeral) ? numerals : undefined;
}

function sum(total: Value, list: Value): Value {
  const numerals = numeralsOf(list);
  const exact = numerals && addDecimals(numerals.map(({ value }) => value));
  return exact === undefined ? total : new LosslessNumber(exact);
}

/** Undefined unless the only argument is a list of numbers. */
function sortedNumerals(values: readonly Value[]): readonly Numeral[] | undefined {
  if (values.length !== 1) return undefined;
  return numeralsOf(values[0])?.toSorted((a, b) =>
    compareLosslessNumber(asLossless(a), asLossless(b)),
  );
}

function asLossless({ value }: Numeral): LosslessNumber {
  return new LosslessNumber(value);
}
