/** Which days a period is compared with. A day that is not over is never compared with a whole one. */

import type { Client } from '../../client/client.ts';
import { badInput } from '../../client/workflow-error.ts';
import type { Days } from '../../client/zoned-period.ts';
import {
  addDays,
  addMonths,
  type Day,
  daysBetween,
  pacificDay,
  pacificTime,
} from '../../dates/day.ts';
import { calendarMonths } from '../../dates/words.ts';
import { orders } from '../../operations/orders.ts';

export const comparisons = ['previous', 'week-before', 'month-before', 'year-before'] as const;

export type CompareWith = (typeof comparisons)[number];

/** How far back the earlier days are. */
type Shift = { readonly days: number } | { readonly months: number };

export interface Plan {
  /** The days of the figures, up to today. */
  readonly period: Days;
  /** Today, if the period contains it. */
  readonly unfinished: Day | undefined;
  readonly compareWith: CompareWith;
  readonly shift: Shift;
  /** The days of the period that are compared: all whole days, or today alone. */
  readonly compared: Days;
  /** Absent if nothing is compared. */
  readonly before?: Days | undefined;
  /** If only today is compared: the Pacific wall-clock time `hh:mm:ss` up to which both days count. */
  readonly until: string | undefined;
}

/**
 * Plans the comparison of a period. Throws a WorkflowError if it begins after today. `now` is in seconds. By default,
 * months, quarters and years are compared with the ones before, and any other period with the same weekdays before it.
 * `typed` is the period as it was typed, which tells `this-month` from `last-7-days`; absent for days that were typed.
 */
export function planOf(
  period: Days,
  now: number,
  { compare, typed }: { compare?: CompareWith | undefined; typed?: string | undefined } = {},
): Plan {
  const today = pacificDay(now);
  const isToday = period.first === today;
  const usual = isToday ? 'week-before' : 'previous';
  const plan = comparisonOf(period, today, compare ?? usual, typed);
  return { ...plan, until: isToday ? wallClock(now) : undefined };
}

/** Plans the comparison of figures that are known by day only: nothing is compared if no day of the period is over. */
export function planByDay(period: Days, today: Day, typed?: string): Plan {
  const { before, ...plan } = comparisonOf(period, today, 'previous', typed);
  const hasWhole = plan.compared.last < today;
  return { ...plan, until: undefined, ...(hasWhole && { before }) };
}

function comparisonOf(period: Days, today: Day, compare: CompareWith, typed: string | undefined) {
  if (period.first > today) {
    throw badInput(`The period begins on ${period.first}, which is after today.`, {
      hint: 'Use a period that has begun, such as last-30-days.',
    });
  }
  const isToday = period.first === today;
  const isOpen = period.first <= today && today <= period.last;
  const last = isOpen ? today : period.last;
  const unfinished = isOpen ? today : undefined;
  const wholeLast = unfinished && !isToday ? addDays(today, -1) : last;
  const compared = { first: period.first, last: wholeLast };
  const months = isToday ? undefined : calendarMonths(period, typed, today);
  const shift = shiftOf(compare, compared, months);
  return {
    period: { first: period.first, last },
    ...{ unfinished, compareWith: compare, shift, compared },
    before: shifted(compared, shift),
  };
}

function shiftOf(compare: CompareWith, { first, last }: Days, months: number | undefined): Shift {
  if (compare === 'week-before') return { days: 7 };
  if (compare === 'month-before') return { months: 1 };
  if (compare === 'year-before') return { months: 12 };
  // Whole weeks, so that each day is compared with the same weekday.
  return months === undefined
    ? { days: 7 * Math.ceil((daysBetween(first, last) + 1) / 7) }
    : { months };
}

function shifted({ first, last }: Days, shift: Shift): Days {
  if ('days' in shift) {
    return { first: addDays(first, -shift.days), last: addDays(last, -shift.days) };
  }
  const next = addDays(last, 1);
  const isWhole = first.endsWith('-01') && next.endsWith('-01');
  return {
    first: addMonths(first, -shift.months),
    last: isWhole ? addDays(addMonths(next, -shift.months), -1) : addMonths(last, -shift.months),
  };
}

/** The day that a day of the period is compared with; undefined if the earlier month does not have it. */
export function comparedWith({ shift }: Plan, day: Day): Day | undefined {
  if ('days' in shift) return addDays(day, -shift.days);
  const other = addMonths(day, -shift.months);
  return other.slice(8) === day.slice(8) ? other : undefined;
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

/** More transactions than this are read only if they are asked for: 100 requests of 100 rows. */
export const usualRows = 10_000;

/**
 * Counts the transactions of all clients before they are read: `rows` are those of the period. The plan compares nothing if
 * only they fit, and is undefined if not even they do.
 */
export async function fittingPlan(
  clients: readonly Client[],
  plan: Plan,
  limit: number,
): Promise<{ readonly plan: Plan | undefined; readonly rows: number }> {
  const { before: earlier, ...alone } = plan;
  const [rows, before] = await Promise.all([
    countRows(clients, plan.period),
    earlier ? countRows(clients, earlier) : 0,
  ]);
  if (rows > limit) return { plan: undefined, rows };
  return { plan: rows + before <= limit ? plan : alone, rows };
}

async function countRows(clients: readonly Client[], { first, last }: Days): Promise<number> {
  const args = { startDate: first, endDate: last };
  const counts = await Promise.all(clients.map((client) => client.call(orders.count, args)));
  return counts.reduce<number>((sum, count) => sum + Number(count), 0);
}
