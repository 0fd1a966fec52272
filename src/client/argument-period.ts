/** The period of a list that dates its rows. */
import type { Arguments, Operation } from '../operations/operation.ts';
import { periodsOf } from '../operations/period.ts';

/** The parameters that hold the first and the last day of the period. */
export interface RangeNames {
  readonly first: string;
  readonly last: string;
  /** The field that holds the time of a row. */
  readonly at?: string | undefined;
}

export interface Days {
  readonly first: string;
  readonly last: string;
}

export function rangeOf(operation: Operation): RangeNames | undefined {
  const by = 'dated' in operation.returns ? operation.returns.dated?.by : undefined;
  return periodsOf(operation).find(({ name }) => name === by);
}

/** The days that the arguments of a list ask for; undefined unless both are given. */
export function daysIn(args: Arguments, range: RangeNames): Days | undefined {
  const { [range.first]: first, [range.last]: last } = args as Readonly<Record<string, unknown>>;
  return typeof first === 'string' && typeof last === 'string' ? { first, last } : undefined;
}

export function argumentsOf(range: RangeNames, { first, last }: Days): Arguments {
  return { [range.first]: first, [range.last]: last };
}
