/** Days as people type them: words, offsets and written dates. */
import { addDays, addMonths, type Day, dayNumber, isDay } from './day.ts';

const distances = new Map([
  ['today', 0],
  ['now', 0],
  ['yesterday', -1],
  ['tomorrow', 1],
]);
const weekdays = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'];

/** Matches a unit of time: its first letter or its name. */
export const unitPattern = 'd|days?|w|weeks?|m|months?|q|quarters?|y|years?';

const addUnits: Readonly<Record<string, (day: Day, count: number) => Day>> = {
  d: (day, count) => addDays(day, count),
  w: (day, count) => addDays(day, 7 * count),
  m: (day, count) => addMonths(day, count),
  q: (day, count) => addMonths(day, 3 * count),
  y: (day, count) => addMonths(day, 12 * count),
};

/** Returns the day that is `count` units later. `unit` matches `unitPattern`. */
export function addUnit(day: Day, count: number, unit: string): Day {
  return addUnits[unit.charAt(0)]?.(day, count) ?? day;
}

/** Words for days, as suggestions for mistyped words. */
export function dayWords(): string[] {
  return ['today', 'yesterday', 'tomorrow', ...weekdays];
}

/**
 * Returns the days that a text can mean: none if it is not a day, two if it is ambiguous. Words without a
 * direction, such as `7d`, `friday` or `Nov 20`, are in `direction` from today.
 */
export function possibleDays(text: string, today: Day, direction: Direction = 'past'): Day[] {
  const words = hyphenated(text);
  const day = wordDay(words, today, direction) ?? offsetDay(words, today, direction);
  if (day !== undefined) return isDay(day) ? [day] : [];
  return writtenDays(words, today, direction);
}

/** Returns undefined if the text is not a day or is ambiguous. */
export function parseDay(text: string, today: Day, direction?: Direction): Day | undefined {
  const [day, other] = possibleDays(text, today, direction);
  return other === undefined ? day : undefined;
}

function wordDay(words: string, today: Day, direction: Direction): Day | undefined {
  const distance = distances.get(words);
  if (distance !== undefined) return addDays(today, distance);
  const weekday = weekdays.findIndex((name) => name === words || name.slice(0, 3) === words);
  if (weekday < 0) return undefined;
  // At most six days from now, including today.
  return latestWeekday(weekday, direction === 'past' ? today : addDays(today, 6));
}

/** `-7d`, `+2w`, `3m` and `2 weeks ago`. */
function offsetDay(words: string, today: Day, direction: Direction): Day | undefined {
  const pattern = new RegExp(`^([+-]?)(\\d{1,4})-?(${unitPattern})(-ago)?$`);
  const [match, sign, count, unit = '', ago] = pattern.exec(words) ?? [];
  if (!match || (sign && ago)) return undefined;
  const isBack = sign === '-' || ago || (sign === '' && direction === 'past');
  return addUnit(today, (isBack ? -1 : 1) * Number(count), unit);
}

/** Returns the latest date of a weekday on or before a day. Sunday is 0. */
export function latestWeekday(weekday: number, day: Day): Day {
  // Day 0, January 1, 1970, was a Thursday.
  return addDays(day, -((((dayNumber(day) + 4 - weekday) % 7) + 7) % 7));
}

/** The direction from today in which a date without a year is searched. */
export type Direction = 'past' | 'future';

const months = [
  ...['january', 'february', 'march', 'april', 'may', 'june', 'july'],
  ...['august', 'september', 'october', 'november', 'december'],
];

/** Returns the number of a month, 1 to 12, from its name, its first three letters or `sept`. */
export function monthNumber(name: string): number | undefined {
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

/**
 * Returns the days that a hyphenated text can mean. `03/04/2026` can be two days, because countries write the day
 * and the month in different orders. Returns none for text that is not a date.
 */
function writtenDays(text: string, today: Day, direction: Direction): Day[] {
  const days = [...yearFirst(text), ...yearLast(text), ...withMonthName(text)]
    .map(({ year, month, day }) =>
      year === undefined ? closest(month, day, today, direction) : dayOf(year, month, day),
    )
    .filter((found) => found !== undefined);
  return [...new Set(days)];
}

interface Parts {
  /** Absent if the text names no year. */
  readonly year?: number | undefined;
  readonly month: number;
  readonly day: number;
}

/** `2026/11/20` and `2026-1-5`. */
function yearFirst(text: string): Parts[] {
  const [, year, , month, day] = /^(\d{4})([/.-])(\d{1,2})\2(\d{1,2})$/.exec(text) ?? [];
  return year ? [{ year: Number(year), month: Number(month), day: Number(day) }] : [];
}

/** `11/20/2026`, `20.11.2026` and `11/20`, with both orders of day and month. */
function yearLast(text: string): Parts[] {
  const full = /^(\d{1,2})([/.-])(\d{1,2})\2(\d{4})$/.exec(text);
  const [, first, , second, year] = full ?? /^(\d{1,2})(\/)(\d{1,2})$/.exec(text) ?? [];
  if (!first) return [];
  const [one, other] = [Number(first), Number(second)];
  const known = year === undefined ? undefined : Number(year);
  return [
    { year: known, month: one, day: other },
    { year: known, month: other, day: one },
  ];
}

/** `20 Nov`, `20 Nov 2026`, `Nov 20, 2026` and `November 20th`. */
function withMonthName(text: string): Parts[] {
  const ordinal = '(\\d{1,2})(?:st|nd|rd|th)?';
  const name = '([a-z]{3,9})\\.?';
  const dayFirst = new RegExp(`^${ordinal}-?${name}(?:-?(\\d{4}))?$`).exec(text);
  const monthFirst = new RegExp(`^${name}-?${ordinal}(?:-(\\d{4}))?$`).exec(text);
  const [day, word = '', year] = dayFirst
    ? dayFirst.slice(1)
    : [monthFirst?.[2], monthFirst?.[1], monthFirst?.[3]];
  const month = monthNumber(word);
  if (month === undefined) return [];
  return [{ year: year === undefined ? undefined : Number(year), month, day: Number(day) }];
}

/** Returns undefined if the day does not exist. */
function dayOf(year: number, month: number, day: number): Day | undefined {
  const pad = (number: number, length: number) => String(number).padStart(length, '0');
  const text = `${pad(year, 4)}-${pad(month, 2)}-${pad(day, 2)}`;
  return isDay(text) ? text : undefined;
}

/** Maximum number of years between two leap days. */
const leapGap = 8;

/** Returns the latest date with this month and day up to today, or the next one from today on. */
function closest(month: number, day: number, today: Day, direction: Direction): Day | undefined {
  const step = direction === 'past' ? -1 : 1;
  const years = Array.from({ length: leapGap + 1 }, (_, i) => Number(today.slice(0, 4)) + step * i);
  return years
    .map((year) => dayOf(year, month, day))
    .find((found) => found && (direction === 'past' ? found <= today : found >= today));
}
