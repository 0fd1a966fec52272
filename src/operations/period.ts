/** Periods: two date parameters each, the first and the last day. */
import type { Remark } from './finding.ts';
import { type Operation, when } from './operation.ts';

export interface Period {
  /** The name in the `range` of the first and the last day. */
  readonly name: string;
  readonly first: string;
  readonly last: string;
  /** The longest period that the service accepts in one request, both days included. */
  readonly maxDays: number | undefined;
  readonly summary: string;
  /** The field that holds the time of a row by which the period selects it. */
  readonly at: string | undefined;
}

/** Returns the periods of an operation, in the order of their first days. */
export function periodsOf({ params }: Pick<Operation, 'params'>): Period[] {
  const dates = Object.entries(params);
  return dates.flatMap(([first, { range }]) => {
    if (range?.end !== 'first') return [];
    const last = dates.find(
      ([, end]) => end.range?.name === range.name && end.range.end === 'last',
    );
    const { name, maxDays, summary = 'Period', at } = range;
    return last ? [{ name, first, last: last[0], maxDays, summary, at }] : [];
  });
}

/** Checks a period for which the service requires both days or none. */
export function bothOrNeither(
  args: Readonly<Record<string, unknown>>,
  first: string,
  last: string,
): (Remark | false)[] {
  const [hasFirst, hasLast] = [args[first] !== undefined, args[last] !== undefined];
  return [
    when(hasFirst && !hasLast, last, `is required with {${first}}`),
    when(hasLast && !hasFirst, first, `is required with {${last}}`),
  ];
}
