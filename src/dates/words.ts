/** Days as people type them: words, offsets and written dates. */
import { addDays, addMonths, type Day, dayNumber, isDay } from './day.ts';
import { type Direction, hyphenated, writtenDays } from './written.ts';

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
