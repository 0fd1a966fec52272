/** Periods in a time zone: ClickBank is asked for Pacific days, and the rows of other moments are left out. */
import { addDays, type Day, endOf, instantOf, serviceZone } from '../dates/day.ts';
import { wholeDaysOf, type ZonedDays, zonedDays } from '../dates/zoned-days.ts';
import { type Arguments, type Operation, type Period, periodsOf } from '../operations/operation.ts';
import type { Client } from './client.ts';
import { ApiError } from './errors.ts';
import { datingPeriod, splitArguments } from './paging/windows.ts';
import { badInput } from './workflow-error.ts';

/** The time in a field of a row is from `start` on and before `end`, in seconds since 1970. */
export interface Bounds {
  readonly at: string;
  readonly start: number;
  readonly end: number;
}

/** A period that includes a part of a Pacific day. */
export interface ZonedRange extends Bounds {
  readonly names: Period;
  readonly days: ZonedDays;
}

export interface ZonedPeriods {
  /** The arguments, with the Pacific days that the days of the zone touch. */
  readonly args: Arguments;
  readonly ranges: readonly ZonedRange[];
}

/**
 * `today`, a day of the zone, is needed if the dates may be left out. Throws a WorkflowError of kind `bad-input` if the
 * arguments select days that can't be those of the zone.
 */
export function zonedPeriods(
  operation: Operation,
  args: Arguments,
  zone: string,
  today?: Day,
): ZonedPeriods {
  const given: Readonly<Record<string, unknown>> = args;
  const { params } = operation;
  const isIgnored = datingPeriod(operation) && !datingPeriod(operation, args);
  if (zone === serviceZone || isIgnored) return { args, ranges: [] };
  const isCounted = Object.keys(params).some((name) => params[name]?.daysBack && given[name]);
  const ranges = periodsOf(operation).flatMap((names): ZonedRange[] => {
    const isOpen = names.isRecent && !given[names.first] && !given[names.last];
    const recent = isOpen && today ? { first: addDays(today, -1), last: today } : undefined;
    const asked = daysIn(args, names) ?? recent;
    if (!asked && (given[names.first] || given[names.last] || isCounted)) {
      throw badInput('In another time zone, a period needs its first and its last day.', {
        hint: 'Use --period, such as last-7-days, or leave out --tz.',
      });
    }
    if (!asked) return [];
    const days = zonedDays(asked, zone);
    return [{ names, days, at: names.at ?? '', start: days.start, end: days.end }];
  });
  const touched = ranges.map(({ names, days }) => argumentsOf(names, days));
  return {
    args: Object.assign({}, args, ...touched),
    ranges: ranges.filter(({ days: { first, last, start, end } }) => {
      return instantOf(first) < start || end < endOf(last);
    }),
  };
}

/** Counts whole Pacific days at the service, and reads the rows of the days that are in the period in part. */
export async function countInZone(
  client: Client,
  count: Operation,
  args: Arguments,
  range: ZonedRange,
): Promise<number> {
  const { catalogue } = await import('../operations/index.ts');
  const list = catalogue.find(({ returns }) => 'count' in returns && returns.count === count);
  if (!list) throw new Error(`no list has the count of cb ${count.command}`);
  const { names, days } = range;
  const whole = wholeDaysOf(days);
  const counts = whole
    ? splitArguments(count, { ...args, ...argumentsOf(names, whole) }).map(async (one) =>
        Number(await client.call(count, one)),
      )
    : [];
  const partial = [...new Set([days.first, days.last])].filter(
    (day) => !whole || day < whole.first || day > whole.last,
  );
  const parts = partial.map(async (day) => {
    let found = 0;
    const asked = { ...args, ...argumentsOf(names, { first: day, last: day }) };
    for await (const { rows } of client.pages(list, asked))
      found += rows.filter((row) => isWithin(row, range)).length;
    return found;
  });
  const found = await Promise.all([...counts, ...parts]);
  return found.reduce((sum, rows) => sum + rows, 0);
}

/** Throws an ApiError of kind `failed` for a row without the time. */
export function isWithin(row: unknown, { at, start, end }: Bounds): boolean {
  const time = Date.parse(String((row as Readonly<Record<string, unknown>>)[at])) / 1000;
  if (!Number.isNaN(time)) return start <= time && time < end;
  throw new ApiError('failed', `A row has no ${at}, so its day in the time zone is unknown.`, {
    code: 'unreadable',
    hint: 'Ask for Pacific days, and leave out the time zone.',
  });
}

export interface Days {
  readonly first: string;
  readonly last: string;
}

/** The days that the arguments of a list ask for; undefined unless both are given. */
export function daysIn(args: Arguments, range: Period): Days | undefined {
  const { [range.first]: first, [range.last]: last } = args as Readonly<Record<string, unknown>>;
  return typeof first === 'string' && typeof last === 'string' ? { first, last } : undefined;
}

export function argumentsOf(range: Period, { first, last }: Days): Arguments {
  return { [range.first]: first, [range.last]: last };
}
