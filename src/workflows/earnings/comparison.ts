/** Which days a period is compared with. A day that is not over is never compared with a whole one. */
import { addDays, addMonths, type Day, daysBetween } from '../../dates/day.ts';
import { pacificDay, pacificTime } from '../../dates/pacific.ts';
import type { Days } from '../period.ts';

export const comparisons = ['previous', 'week-before', 'year-before'] as const;

export type CompareWith = (typeof comparisons)[number];

export interface Plan {
  /** The days of the figures, up to today. */
  readonly period: Days;
  /** Today, if the period contains it. */
  readonly unfinished: Day | undefined;
  readonly compareWith: CompareWith;
  /** The days of the period that are compared: all whole days, or today alone. */
  readonly compared: Days;
  /** Absent if nothing is compared. */
  readonly before?: Days | undefined;
  /** If only today is compared: the Pacific wall-clock time `hh:mm:ss` up to which both days count. */
  readonly until: string | undefined;
}

/**
 * Plans the comparison of a period that begins today or earlier. `now` is in seconds. By default, today is compared
 * with the same weekday of last week, and any other period with the days right before it.
 */
export function planOf(period: Days, now: number, asked?: CompareWith): Plan {
  const today = pacificDay(now);
  const isToday = period.first === today;
  const plan = comparisonOf(period, today, asked ?? (isToday ? 'week-before' : 'previous'));
  return { ...plan, until: isToday ? wallClock(now) : undefined };
}

/** Plans the comparison of figures that are known by day only: nothing is compared if no day of the period is over. */
export function planByDay(period: Days, today: Day): Plan {
  const { before, ...plan } = comparisonOf(period, today, 'previous');
  const hasWhole = plan.compared.last < today;
  return { ...plan, until: undefined, ...(hasWhole && { before }) };
}

function comparisonOf(period: Days, today: Day, compareWith: CompareWith) {
  const isToday = period.first === today;
  const isOpen = period.first <= today && today <= period.last;
  const last = isOpen ? today : period.last;
  const unfinished = isOpen ? today : undefined;
  const wholeLast = unfinished && !isToday ? addDays(today, -1) : last;
  const compared = { first: period.first, last: wholeLast };
  const length = daysBetween(compared.first, compared.last) + 1;
  return {
    period: { first: period.first, last },
    unfinished,
    compareWith,
    compared,
    before: {
      first: dayBefore(compared.first, compareWith, length),
      last: dayBefore(compared.last, compareWith, length),
    },
  };
}

/** The day that a day of the period is compared with. */
export function comparedWith({ compareWith, compared }: Plan, day: Day): Day {
  return dayBefore(day, compareWith, daysBetween(compared.first, compared.last) + 1);
}

function dayBefore(day: Day, compareWith: CompareWith, length: number): Day {
  // February 29 is compared with February 28.
  if (compareWith === 'year-before') return addMonths(day, -12);
  return addDays(day, compareWith === 'week-before' ? -7 : -length);
}

function wallClock(instant: number): string {
  return pacificTime(instant).slice('yyyy-mm-ddT'.length, 'yyyy-mm-ddThh:mm:ss'.length);
}

const pacificOffset = /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d:\d\d)(?:\.\d+)?-0[78]:?00$/;

/** The Pacific day and wall-clock time of a transaction; undefined if the text is not a time with an offset. */
export function pacificMoment(
  time: string,
): { readonly day: Day; readonly clock: string } | undefined {
  const [, day, clock] = pacificOffset.exec(time) ?? [];
  if (day !== undefined && clock !== undefined) return { day, clock };
  const instant = Math.floor(Date.parse(time) / 1000);
  const isComplete = /(?:Z|[+-]\d\d:?\d\d)$/.test(time) && !Number.isNaN(instant);
  return isComplete ? { day: pacificDay(instant), clock: wallClock(instant) } : undefined;
}

/** The fewest lists that read all days: one if the periods overlap or touch, otherwise one for each. */
export function listsOf({ period, before }: Plan): readonly Days[] {
  if (!before) return [period];
  const touches = daysBetween(before.last, period.first) <= 1;
  return touches ? [{ first: before.first, last: period.last }] : [period, before];
}
