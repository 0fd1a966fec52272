/** The period of a list that dates its rows. */
import type { Arguments, Operation } from '../operations/operation.ts';

/** The parameters that hold the first and the last day of the period. */
export interface RangeNames {
  readonly first: string;
  readonly last: string;
}

export interface Days {
  readonly first: string;
  readonly last: string;
}

export function rangeOf({ params, returns }: Operation): RangeNames | undefined {
  const by = 'dated' in returns ? returns.dated?.by : undefined;
  const nameOf = (end: string) =>
    Object.entries(params).find(([, { range }]) => range?.name === by && range?.end === end)?.[0];
  const [first, last] = [nameOf('first'), nameOf('last')];
  return by !== undefined && first && last ? { first, last } : undefined;
}

/** The days that the arguments of a list ask for; undefined unless both are given. */
export function daysIn(args: Arguments, range: RangeNames): Days | undefined {
  const { [range.first]: first, [range.last]: last } = args as Readonly<Record<string, unknown>>;
  return typeof first === 'string' && typeof last === 'string' ? { first, last } : undefined;
}

export function argumentsOf(range: RangeNames, { first, last }: Days): Arguments {
  return { [range.first]: first, [range.last]: last };
}
