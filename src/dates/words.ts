/** Days and periods as people type them: words, offsets, written dates, last-7-days, November 2026, 2026-Q1. */
import { addDays, addMonths, type Day, dayNumber, isDay } from './day.ts';

const distances = new Map(Object.entries({ today: 0, now: 0, yesterday: -1, tomorrow: 1 }));
const weekdays = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'];

/** Matches a unit of time: its first letter or its name. */
const unitPattern = 'd|days?|w|weeks?|m|months?|q|quarters?|y|years?';

const addUnits: Readonly<Record<string, (day: Day, count: number) => Day>> = {
  d: (day, count) => addDays(day, count),
  w: (day, count) => addDays(day, 7 * count),
  m: (day, count) => addMonths(day, count),
  q: (day, count) => addMonths(day, 3 * count),
  y: (day, count) => addMonths(day, 12 * count),
};

/** Returns the day that is `count` units later. `unit` matches `unitPattern`. */
function addUnit(day: Day, count: number, unit: string): Day {
  return addUnits[unit.charAt(0)]?.(day, count) ?? day;
}

/** Words for days, as suggestions for mistyped words. */
export const dayWords = ['today', 'yesterday', 'tomorrow', ...weekdays];

/** The direction from today in which a date without a year is searched. */
export type Direction = 'past' | 'future';

/** None if it is not a day, two if it is ambiguous. Words such as `7d` or `Nov 20` are in `direction` from today. */
export function possibleDays(text: string, today: Day, direction: Direction = 'past'): Day[] {
  const words = hyphenated(text);
  const day = relativeDay(words, today, direction);
  if (day !== undefined) return isDay(day) ? [day] : [];
  const days = writtenDays(words).flatMap(
    ([year, month, day]) => dayOf(year, Number(month), Number(day), today, direction) ?? [],
  );
  return [...new Set(days)];
}

/** `today`, `friday`, `-7d`, `+2w`, `3m` and `2 weeks ago`. */
function relativeDay(words: string, today: Day, direction: Direction): Day | undefined {
  const distance = distances.get(words);
  if (distance !== undefined) return addDays(today, distance);
  const weekday = weekdays.findIndex((name) => name === words || name.slice(0, 3) === words);
  // At most six days from now, including today.
  if (weekday >= 0) return latestWeekday(weekday, direction === 'past' ? today : addDays(today, 6));
  const pattern = new RegExp(`^([+-]?)(\\d{1,4})-?(${unitPattern})(-ago)?$`);
  const [match, sign, count, unit = '', ago] = pattern.exec(words) ?? [];
  if (!match || (sign && ago)) return undefined;
  const isBack = sign === '-' || ago || (sign === '' && direction === 'past');
  return addUnit(today, (isBack ? -1 : 1) * Number(count), unit);
}

/** Returns the latest date of a weekday on or before a day. Sunday is 0. */
function latestWeekday(weekday: number, day: Day): Day {
  // Day 0, January 1, 1970, was a Thursday.
  return addDays(day, -((((dayNumber(day) + 4 - weekday) % 7) + 7) % 7));
}

const months = [
  ...['january', 'february', 'march', 'april', 'may', 'june', 'july'],
  ...['august', 'september', 'october', 'november', 'december'],
];

/** Returns the number of a month, 1 to 12, from its name, its first three letters or `sept`. */
function monthNumber(name: string): number | undefined {
  const index = months.findIndex(
    (month) =>
      month === name || month.slice(0, 3) === name || (name === 'sept' && month[0] === 's'),
  );
  return index < 0 ? undefined : index + 1;
}

/** Returns the text in lower case with hyphens between its words, as in `20-nov-2026` or `last-7-days`. */
export function hyphenated(text: string): string {
  return text
    .trim()
    .toLowerCase()
    .replaceAll(/[\s,_]+/g, '-');
}

type Parts = readonly [year: string | undefined, month: unknown, day: unknown];

/** They may not exist. `03/04/2026` can be two, because countries write day and month in different orders. */
function writtenDays(text: string): Parts[] {
  // `2026/11/20` and `2026-1-5`.
  const iso = /^(\d{4})([/.-])(\d{1,2})\2(\d{1,2})$/.exec(text);
  if (iso) return [[iso[1], iso[3], iso[4]]];
  // `11/20/2026`, `20.11.2026` and `11/20`.
  const full = /^(\d{1,2})([/.-])(\d{1,2})\2(\d{4})$/.exec(text);
  const [, one, , other, year] = full ?? /^(\d{1,2})(\/)(\d{1,2})$/.exec(text) ?? [];
  if (one) {
    return [
      [year, one, other],
      [year, other, one],
    ];
  }
  // `20 Nov`, `20 Nov 2026`, `Nov 20, 2026` and `November 20th`.
  const ordinal = '(?<day>\\d{1,2})(?:st|nd|rd|th)?';
  const name = '(?<word>[a-z]{3,9})\\.?';
  const { groups } =
    new RegExp(`^${ordinal}-?${name}(?:-?(?<year>\\d{4}))?$`).exec(text) ??
    new RegExp(`^${name}-?${ordinal}(?:-(?<year>\\d{4}))?$`).exec(text) ??
    {};
  const month = monthNumber(groups?.word ?? '');
  return month === undefined ? [] : [[groups?.year, month, groups?.day]];
}

/** Maximum number of years between two leap days. */
const leapGap = 8;

/** Undefined if it does not exist. Without a year: the latest one up to today, or the next one from today on. */
function dayOf(
  year: string | undefined,
  month: number,
  day: number,
  today: Day,
  direction: Direction,
): Day | undefined {
  const two = (number: number) => String(number).padStart(2, '0');
  const inYear = (typed: string | number) => `${typed}-${two(month)}-${two(day)}`;
  if (year !== undefined) return isDay(inYear(year)) ? inYear(year) : undefined;
  const isPast = direction === 'past';
  return Array.from(
    { length: leapGap + 1 },
    (_, i) => Number(today.slice(0, 4)) + (isPast ? -i : i),
  )
    .map(inYear)
    .find((found) => isDay(found) && (isPast ? found <= today : found >= today));
}

/** The first and the last day, both included. */
export interface Period {
  readonly first: Day;
  readonly last: Day;
}

export function parsePeriod(text: string, today: Day): Period | undefined {
  const words = hyphenated(text);
  const period =
    counted(words, today) ?? current(words, today) ?? named(words, today) ?? week(words);
  if (period) return isDay(period.first) && isDay(period.last) ? period : undefined;
  const [day, other] = possibleDays(words, today);
  return day === undefined || other !== undefined ? undefined : { first: day, last: day };
}

/** Words for periods, with the typed number, as suggestions for mistyped words. */
export function periodWords(typed: string): string[] {
  const count = /[1-9]\d*/.exec(typed)?.[0] ?? '7';
  return [
    ...dayWords,
    ...[...starts.keys()].flatMap((unit) => [`this-${unit}`, `last-${unit}`]),
    ...['days', 'weeks', 'months', 'years'].map((unit) => `last-${count}-${unit}`),
  ];
}

/** Returns the period of whole days that contains the last hours, for text such as `last-24-hours`. */
export function daysOfHours(typed: string): string | undefined {
  const [, count] = /^(?:last-|past-)?(\d{1,4})-?(?:h|hrs?|hours?)$/.exec(hyphenated(typed)) ?? [];
  return count && `last-${Math.ceil(Number(count) / 24) + 1}-days`;
}

const monthsIn = new Map(Object.entries({ month: 1, quarter: 3, year: 12 }));

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

const toDate = new Map(Object.entries({ wtd: 'week', mtd: 'month', qtd: 'quarter', ytd: 'year' }));

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

export const dayForms = 'YYYY-MM-DD, today, yesterday, a weekday, or an offset such as -7d';
