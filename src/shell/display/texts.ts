/** Texts for people: amounts with their currency, names of several items, names of people. */

import { LosslessNumber } from 'lossless-json';
import type { Operation } from '../../operations/operation.ts';
import type { Resource } from '../../operations/resource.ts';
import { isList, isRow, type Row, type Value } from '../../output/rows/rows.ts';
import { digitsOf } from '../../output/series.ts';

/** A longer text in place of a currency code is cut, because amounts never are. */
const longestCode = 8;

/** As in `37.00 USD`; undefined without an amount. */
export function amountText(amount: Value, currency: Value): string | undefined {
  const digits = digitsOf(amount);
  if (digits === undefined) return undefined;
  const code = typeof currency === 'string' ? currency : '';
  const short = code.length > longestCode ? `${code.slice(0, longestCode - 1)}…` : code;
  return `${digits} ${short}`.trimEnd();
}

/** The objects of a list; the only one if the list was expanded. */
export function itemsOf(value: Value): readonly Row[] {
  if (isList(value)) return value.filter(isRow);
  return isRow(value) ? [value] : [];
}

/** The first text, and the number of the others: `Garden Club +2`. */
export function firstAndCount(texts: readonly Value[]): string | undefined {
  const [first, ...others] = texts.filter((text) => typeof text === 'string' && text !== '');
  if (first === undefined) return undefined;
  return others.length === 0 ? String(first) : `${first} +${others.length}`;
}

export function joined(texts: readonly Value[]): string | undefined {
  const present = texts.filter((text) => typeof text === 'string' && text !== '');
  return present.length === 0 ? undefined : present.join(' ');
}

/** Converts numeric strings of the reply to numbers, with the digits as sent. */
export function printable({ returns }: Operation, reply: Value): Value {
  return 'resource' in returns ? withNumerals(returns.resource, reply) : reply;
}

/** Like `printable`, for a value with the fields of `resource`. */
export function withNumerals(resource: Resource, value: Value): Value {
  if (isList(value)) return value.map((one) => withNumerals(resource, one));
  if (!isRow(value)) return value;
  const fields = Object.entries(value).map(([name, one]): [string, Value] => {
    const field = Object.hasOwn(resource.fields, name) ? resource.fields[name] : undefined;
    if (field?.resource) return [name, withNumerals(field.resource, one)];
    const isNumber = field?.kind === 'decimal' || field?.kind === 'integer';
    const isDigits = typeof one === 'string' && /^-?(?:0|[1-9]\d*)(?:\.\d+)?$/.test(one);
    return [name, isNumber && isDigits ? new LosslessNumber(one) : one];
  });
  return Object.fromEntries(fields) as Row;
}
