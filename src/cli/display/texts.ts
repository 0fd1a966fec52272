/** Texts for people: amounts with their currency, names of several items, names of people, counts. */
import { grouped } from '../../decimals/decimals.ts';
import { isList, isNumeral, isRow, type Row, type Value } from '../../output/rows/rows.ts';

/** A longer text in place of a currency code is cut, because amounts never are. */
const longestCode = 8;

/** The digits of a number. The client can return decimal numbers as text; any other value has none. */
export function digitsOf(value: Value): string | undefined {
  if (isNumeral(value)) return value.value;
  const isDecimal = typeof value === 'string' && /^-?\d+(?:\.\d+)?$/.test(value);
  return isDecimal ? value : undefined;
}

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

/** The present texts with spaces between them. */
export function joined(texts: readonly Value[]): string | undefined {
  const present = texts.filter((text) => typeof text === 'string' && text !== '');
  return present.length === 0 ? undefined : present.join(' ');
}

/** As in `1 row` and `12 rows`. */
export function countOf(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

/** As in `1 row` and `12,000 rows`. */
export function groupedCount(count: number, noun: string): string {
  return `${grouped(String(count))} ${noun}${count === 1 ? '' : 's'}`;
}
