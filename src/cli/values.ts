/** From what the user typed to the value of a parameter, by the facts in the catalogue. */

import type { Day } from '../dates/day.ts';
import { dayForms } from '../dates/forms.ts';
import { dayWords, parseDay } from '../dates/words.ts';
import type { Operation, Param } from '../operations/operation.ts';
import { nearest } from './nearest.ts';

/** The value, or why there is none: "must be …". */
export type Parsed = { readonly value: unknown } | { readonly problem: string };

/** Parses one typed text. `today` is the day that words like `-7d` start from. */
export function parseValue(param: Param, typed: string, today: Day): Parsed {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is refused
  if (/[\u0000-\u001f\u007f]/.test(typed)) {
    return { problem: 'must not hold a line break or another control character' };
  }
  if (typed.trim() === '') return { problem: 'must not be empty' };
  return parsers[param.kind](param, typed, today);
}

/**
 * The allowed values of a choice that go with the other arguments, each with its meaning. All of them while
 * another required argument is unknown: the rules of an operation need every required argument.
 */
export function fittingValues(
  operation: Operation,
  name: string,
  args: Readonly<Record<string, unknown>>,
  today: Day,
): readonly (readonly [value: string, meaning: string])[] {
  const isComplete = Object.entries(operation.params).every(
    ([other, { required }]) => !required || other === name || args[other] !== undefined,
  );
  const fits = (value: string) =>
    !isComplete ||
    !operation
      .check?.({ ...args, [name]: value }, today)
      .some((remark) => remark && remark.param === name && remark.weight === 'problem');
  return Object.entries(operation.params[name]?.values ?? {}).filter(([value]) => fits(value));
}

type Parser = (param: Param, typed: string, today: Day) => Parsed;

const parsers: Readonly<Record<Param['kind'], Parser>> = {
  text: ({ pattern }, typed) =>
    pattern && !pattern.matches.test(typed)
      ? { problem: `must be ${pattern.says}, not '${typed}'` }
      : { value: typed },

  choice: ({ values = {} }, typed) => {
    const known = Object.keys(values);
    const value = known.find((one) => one.toLowerCase() === typed.toLowerCase());
    if (value !== undefined) return { value };
    return { problem: `must be one of ${known.join(', ')}, not '${typed}'${meant(typed, known)}` };
  },

  integer: (param, typed) =>
    /^-?\d{1,15}$/.test(typed)
      ? (outside(param, typed) ?? { value: Number(typed) })
      : { problem: `must be a whole number, not '${typed}'` },

  decimal: (param, typed) =>
    /^-?\d{1,15}(\.\d{1,10})?$/.test(typed)
      ? (outside(param, typed) ?? { value: typed })
      : { problem: `must be a number like 19.90, not '${typed}'` },

  boolean: (_, typed) =>
    /^(true|false)$/i.test(typed)
      ? { value: typed.toLowerCase() === 'true' }
      : { problem: `must be true or false, not '${typed}'` },

  date: (_, typed, today) => {
    const value = parseDay(typed, today);
    if (value) return { value };
    return { problem: `'${typed}' is no such day: ${dayForms}${meant(typed, dayWords())}` };
  },
};

/** Ends a problem: '' where nothing is near enough. */
export function meant(typed: string, known: readonly string[]): string {
  const near = nearest(typed, known);
  return near ? `; did you mean ${near}?` : '';
}

function outside({ min, max }: Param, typed: string): Parsed | undefined {
  const number = Number(typed);
  if (min !== undefined && number < min) return { problem: `must be ${min} or more, not ${typed}` };
  if (max !== undefined && number > max) return { problem: `must be ${max} or less, not ${typed}` };
  return undefined;
}
