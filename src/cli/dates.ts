/** Days and periods in words, as Pacific days unless told otherwise. */
import { addDays, addMonths, addWeeks, addYears, previousDay } from 'date-fns';
import { pacificDay } from './pacific-day.ts';

/** The zone in which the service counts its days. */
export const serviceZone = 'America/Los_Angeles';

/** A day as `yyyy-mm-dd`. */
export type Day = string;

export interface Period {
  readonly first: Day;
  readonly last: Day;
}

/** The day that a moment falls on in a time zone; throws a RangeError for an unknown zone. */
export function dayIn(zone: string, moment: Date): Day {
  const pacific = zone === serviceZone ? pacificDay(moment) : undefined;
  if (pacific !== undefined) return pacific;
  const parts = new Intl.DateTimeFormat('en-CA', {
    timeZone: zone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
  }).formatToParts(moment);
  const part = (type: string) => parts.find((one) => one.type === type)?.value;
  return `${part('year')}-${part('month')}-${part('day')}`;
}

/** Words that a day may be, to tell what a mistyped one meant. */
export function dayWords(): string[] {
  return [...Object.keys(distances), ...weekdays];
}

/** The same for periods, with the number that was typed. */
export function periodWords(typed: string): string[] {
  const count = /\d+/.exec(typed)?.[0] ?? '7';
  const units = ['week', 'month', 'quarter', 'year'];
  return [
    ...dayWords(),
    ...units.flatMap((unit) => [`this-${unit}`, `last-${unit}`]),
    ...['days', 'weeks', 'months', 'years'].map((unit) => `last-${count}-${unit}`),
  ];
}

/** A day in words as `yyyy-mm-dd`; undefined when it is none. */
export function parseDay(text: string, today: Day): Day | undefined {
  const words = text.trim().toLowerCase();
  if (/^\d{4}-\d{2}-\d{2}$/.test(words)) return existing(words);
  if (words in distances) return format(addDays(local(today), distances[words] as number));
  const weekday = weekdays.findIndex((name) => name === words || name.slice(0, 3) === words);
  if (weekday >= 0) return format(latest(weekday as Weekday, local(today)));
  const distance = /^([+-]\d{1,4})([dwmy])$/.exec(words);
  if (!distance) return undefined;
  const add = adders[distance[2] as keyof typeof adders];
  return format(add(local(today), Number(distance[1])));
}

/** A period in words; undefined when it is none. */
export function parsePeriod(text: string, today: Day): Period | undefined {
  const words = text.trim().toLowerCase();
  const day = parseDay(words, today);
  if (day) return { first: day, last: day };
  return counted(words, today) ?? current(words, today) ?? named(words);
}

const distances: Readonly<Record<string, number>> = { today: 0, yesterday: -1, tomorrow: 1 };
const adders = { d: addDays, w: addWeeks, m: addMonths, y: addYears };
type Weekday = 0 | 1 | 2 | 3 | 4 | 5 | 6;
const weekdays = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'];

/** `last-7-days`: that many whole units, the current day, month … included. */
function counted(words: string, today: Day): Period | undefined {
  const match = /^last-(\d{1,4})-(day|week|month|year)s?$/.exec(words);
  const count = Number(match?.[1]);
  if (!match || count < 1) return undefined;
  const add = adders[match[2]?.[0] as keyof typeof adders];
  const start = addDays(add(local(today), -count), 1);
  return { first: format(start), last: today };
}

/** `this-month` up to today, `last-month` whole. */
function current(words: string, today: Day): Period | undefined {
  const match = /^(this|last)-(week|month|quarter|year)$/.exec(words);
  if (!match) return undefined;
  const [, which, unit] = match as unknown as [string, string, keyof typeof starts];
  const { start, add } = starts[unit];
  const first = start(local(today));
  if (which === 'this') return { first: format(first), last: today };
  return { first: format(add(first, -1)), last: format(addDays(first, -1)) };
}

const starts = {
  // Weeks begin on Monday, as in ISO 8601.
  week: { start: (day: Date) => latest(1, day), add: addWeeks },
  month: {
    start: (day: Date) => new Date(day.getFullYear(), day.getMonth(), 1, 12),
    add: addMonths,
  },
  quarter: {
    start: (day: Date) => new Date(day.getFullYear(), Math.floor(day.getMonth() / 3) * 3, 1, 12),
    add: (day: Date, count: number) => addMonths(day, 3 * count),
  },
  year: { start: (day: Date) => new Date(day.getFullYear(), 0, 1, 12), add: addYears },
};

/** `2026`, `2026-03`, `2026-Q1`. */
function named(words: string): Period | undefined {
  const match = /^(\d{4})(?:-(?:(\d{2})|q([1-4])))?$/.exec(words);
  if (!match) return undefined;
  const [, year, month, quarter] = match;
  if (month !== undefined && (month < '01' || month > '12')) return undefined;
  const from = month ? Number(month) - 1 : quarter ? (Number(quarter) - 1) * 3 : 0;
  const months = month ? 1 : quarter ? 3 : 12;
  const first = new Date(Number(year), from, 1, 12);
  return { first: format(first), last: format(addDays(addMonths(first, months), -1)) };
}

/** The latest such weekday, today included. */
function latest(weekday: Weekday, day: Date): Date {
  return day.getDay() === weekday ? day : previousDay(day, weekday);
}

/** Days are computed at local noon, where no change of the clocks can move them. */
function local(day: Day): Date {
  const [year = 0, month = 0, date = 0] = day.split('-').map(Number);
  return new Date(year, month - 1, date, 12);
}

function format(day: Date): Day {
  const pad = (number: number, digits: number) => String(number).padStart(digits, '0');
  return `${pad(day.getFullYear(), 4)}-${pad(day.getMonth() + 1, 2)}-${pad(day.getDate(), 2)}`;
}

/** The same text when such a day exists: not 2026-02-30. */
function existing(day: Day): Day | undefined {
  return format(local(day)) === day ? day : undefined;
}
