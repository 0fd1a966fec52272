/** Periods as people type them: last-7-days, this-month, November 2026, 2026-Q1. */
import { addDays, addMonths, type Day, isDay } from './day.ts';
import {
  addUnit,
  dayWords,
  hyphenated,
  latestWeekday,
  monthNumber,
  parseDay,
  unitPattern,
} from './words.ts';

/** The first and the last day, both included. */
export interface Period {
  readonly first: Day;
  readonly last: Day;
}

/** Returns undefined if the text is not a period. */
export function parsePeriod(text: string, today: Day): Period | undefined {
  const words = hyphenated(text);
  const period =
    counted(words, today) ?? current(words, today) ?? named(words, today) ?? week(words);
  if (period) return isDay(period.first) && isDay(period.last) ? period : undefined;
  const day = parseDay(words, today);
  return day === undefined ? undefined : { first: day, last: day };
}

/** Words for periods, with the typed number, as suggestions for mistyped words. */
export function periodWords(typed: string): string[] {
  const count = /\d+/.exec(typed)?.[0] ?? '7';
  return [
    ...dayWords(),
    ...[...starts.keys()].flatMap((unit) => [`this-${unit}`, `last-${unit}`]),
    ...['days', 'weeks', 'months', 'years'].map((unit) => `last-${count}-${unit}`),
  ];
}

/** Returns the period of whole days that contains the last hours, for text such as `last-24-hours`. */
export function daysOfHours(typed: string): string | undefined {
  const [, count] = /^(?:last-|past-)?(\d{1,4})-?(?:h|hrs?|hours?)$/.exec(hyphenated(typed)) ?? [];
  return count && `last-${Math.ceil(Number(count) / 24) + 1}-days`;
}

const monthsIn = new Map([
  ['month', 1],
  ['quarter', 3],
  ['year', 12],
]);

/**
 * The number of months of a calendar period such as `this-month`, `2026-Q4`, or May 1 to June 30; undefined for weeks and
 * for days that move with today, such as `last-30-days`. `typed` is absent for days that were typed as such.
 */
export function calendarMonths(period: Period, typed = '', today: Day): number | undefined {
  const words = hyphenated(typed);
  if (counted(words, today)) return undefined;
  const unit = toDate.get(words) ?? currentPattern.exec(words)?.[2] ?? '';
  const next = addDays(period.last, 1);
  const isWhole = period.first.endsWith('-01') && next.endsWith('-01');
  const count = (day: Day) => 12 * Number(day.slice(0, 4)) + Number(day.slice(5, 7));
  return monthsIn.get(unit) ?? (isWhole ? count(next) - count(period.first) : undefined);
}

/** Parses `last-7-days` and `7d`: a number of whole units that includes the current day. */
function counted(words: string, today: Day): Period | undefined {
  const pattern = new RegExp(`^(?:(?:last|past)-)?(\\d{1,4})-?(${unitPattern})$`);
  const [, count, unit = ''] = pattern.exec(words) ?? [];
  if (count === undefined || Number(count) === 0) return undefined;
  return { first: addDays(addUnit(today, -Number(count), unit), 1), last: today };
}

const toDate = new Map([
  ['wtd', 'week'],
  ['mtd', 'month'],
  ['qtd', 'quarter'],
  ['ytd', 'year'],
]);

const currentPattern = /^(this|current|last|previous)-([a-z]+)$/;

/** `this-month` ends today; `last-month` is the whole month before. */
function current(words: string, today: Day): Period | undefined {
  const [, which, named = ''] = currentPattern.exec(words) ?? [];
  const unit = toDate.get(words) ?? named;
  const first = starts.get(unit)?.(today);
  if (first === undefined) return undefined;
  if (which !== 'last' && which !== 'previous') return { first, last: today };
  return { first: addUnit(first, -1, unit), last: addDays(first, -1) };
}

const starts = new Map<string, (day: Day) => Day>([
  // Weeks begin on Monday, as in ISO 8601.
  ['week', (day) => latestWeekday(1, day)],
  ['month', (day) => `${day.slice(0, 7)}-01`],
  ['quarter', (day) => addMonths(`${day.slice(0, 7)}-01`, -((Number(day.slice(5, 7)) - 1) % 3))],
  ['year', (day) => `${day.slice(0, 4)}-01-01`],
]);

/** `2026`, `2026-03`, `2026-Q1`, `Q1 2026`, `November 2026` and `November`. */
function named(words: string, today: Day): Period | undefined {
  const yearFirst = /^(\d{4})(?:-?(\d{2}|q[1-4]|[a-z]{3,9}))?$/.exec(words);
  const [year, unit = ''] = yearFirst
    ? yearFirst.slice(1)
    : (/^(q[1-4]|[a-z]{3,9})(?:-?(\d{4}))?$/.exec(words)?.slice(1).reverse() ?? []);
  if (unit === '') return year === undefined ? undefined : monthsFrom(Number(year), 1, 12);
  const isQuarter = /^q\d$/.test(unit);
  const month = isQuarter ? 3 * Number(unit[1]) - 2 : (monthNumber(unit) ?? Number(unit));
  const count = isQuarter ? 3 : 1;
  if (!(month >= 1 && month <= 12)) return undefined;
  if (year !== undefined) return monthsFrom(Number(year), month, count);
  // Without a year: the latest one that has begun.
  const thisYear = Number(today.slice(0, 4));
  const latest = monthsFrom(thisYear, month, count);
  return latest.first <= today ? latest : monthsFrom(thisYear - 1, month, count);
}

function monthsFrom(year: number, month: number, count: number): Period {
  const first = `${String(year).padStart(4, '0')}-${String(month).padStart(2, '0')}-01`;
  return { first, last: isDay(first) ? addDays(addMonths(first, count), -1) : first };
}

/** `2026-W47`, a week of ISO 8601: the first week of a year is the one with January 4. */
function week(words: string): Period | undefined {
  const [, year, number] = /^(\d{4})-?w(\d{1,2})$/.exec(words) ?? [];
  if (year === undefined || !isDay(`${year}-01-04`)) return undefined;
  const first = addDays(latestWeekday(1, `${year}-01-04`), 7 * (Number(number) - 1));
  // A week belongs to the year of its Thursday.
  if (addDays(first, 3).slice(0, 4) !== year) return undefined;
  return { first, last: addDays(first, 6) };
}
