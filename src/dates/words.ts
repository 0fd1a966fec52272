/** Days and periods as people type them: dates, words and offsets. */
import { addDays, addMonths, type Day, dayNumber, isDay } from './day.ts';

/** Both days belong to the period. */
export interface Period {
  readonly first: Day;
  readonly last: Day;
}

const distances = new Map([
  ['today', 0],
  ['yesterday', -1],
  ['tomorrow', 1],
]);
const weekdays = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'];

/** Units of time by their first letters. */
const units: Readonly<Record<string, (day: Day, count: number) => Day>> = {
  d: (day, count) => addDays(day, count),
  w: (day, count) => addDays(day, 7 * count),
  m: (day, count) => addMonths(day, count),
  q: (day, count) => addMonths(day, 3 * count),
  y: (day, count) => addMonths(day, 12 * count),
};

/** Words for days, to suggest one for a mistyped word. */
export function dayWords(): string[] {
  return [...distances.keys(), ...weekdays];
}

/** Words for periods, with the number that was typed. */
export function periodWords(typed: string): string[] {
  const count = /\d+/.exec(typed)?.[0] ?? '7';
  return [
    ...dayWords(),
    ...[...starts.keys()].flatMap((unit) => [`this-${unit}`, `last-${unit}`]),
    ...['days', 'weeks', 'months', 'years'].map((unit) => `last-${count}-${unit}`),
  ];
}

/** Undefined if the text is not a day. */
export function parseDay(text: string, today: Day): Day | undefined {
  const day = dayFrom(text.trim().toLowerCase(), today);
  return isDay(day) ? day : undefined;
}

/** Undefined if the text is not a period. */
export function parsePeriod(text: string, today: Day): Period | undefined {
  const words = text.trim().toLowerCase();
  const day = parseDay(words, today);
  if (day) return { first: day, last: day };
  const period = counted(words, today) ?? current(words, today) ?? named(words);
  return period && isDay(period.first) ? period : undefined;
}

/** What is neither a word nor an offset comes back as it is. */
function dayFrom(words: string, today: Day): Day {
  const distance = distances.get(words);
  if (distance !== undefined) return addDays(today, distance);
  const weekday = weekdays.findIndex((name) => name === words || name.slice(0, 3) === words);
  if (weekday >= 0) return latest(weekday, today);
  const [, count, unit = ''] = /^([+-]\d{1,4})([dwmy])$/.exec(words) ?? [];
  return units[unit]?.(today, Number(count)) ?? words;
}

/** `last-7-days`: that many whole units, the current day, month … included. */
function counted(words: string, today: Day): Period | undefined {
  const [, count, unit = ''] = /^last-(\d{1,4})-(day|week|month|year)s?$/.exec(words) ?? [];
  const start = units[unit.charAt(0)]?.(today, -Number(count));
  if (start === undefined || start === today) return undefined;
  return { first: addDays(start, 1), last: today };
}

/** `this-month` up to today, `last-month` whole. */
function current(words: string, today: Day): Period | undefined {
  const [, which, unit = ''] = /^(this|last)-([a-z]+)$/.exec(words) ?? [];
  const first = starts.get(unit)?.(today);
  if (first === undefined) return undefined;
  if (which === 'this') return { first, last: today };
  return { first: units[unit.charAt(0)]?.(first, -1) ?? first, last: addDays(first, -1) };
}

const starts = new Map<string, (day: Day) => Day>([
  // Weeks begin on Monday, as in ISO 8601.
  ['week', (day) => latest(1, day)],
  ['month', (day) => `${day.slice(0, 7)}-01`],
  ['quarter', (day) => addMonths(`${day.slice(0, 7)}-01`, -((Number(day.slice(5, 7)) - 1) % 3))],
  ['year', (day) => `${day.slice(0, 4)}-01-01`],
]);

/** `2026`, `2026-03`, `2026-Q1`. */
function named(words: string): Period | undefined {
  const match = /^(\d{4})(?:-(?:(\d{2})|q([1-4])))?$/.exec(words);
  if (!match) return undefined;
  const [, year, month, quarter] = match;
  const from = month ?? String(3 * Number(quarter ?? 1) - 2).padStart(2, '0');
  const first = `${year}-${from}-01`;
  if (!isDay(first)) return undefined;
  const months = month ? 1 : quarter ? 3 : 12;
  return { first, last: addDays(addMonths(first, months), -1) };
}

/** The latest such weekday, today included; Sunday is 0. */
function latest(weekday: number, today: Day): Day {
  // Day 0, the first of January 1970, was a Thursday.
  return addDays(today, -((((dayNumber(today) + 4 - weekday) % 7) + 7) % 7));
}
