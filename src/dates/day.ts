/** Calendar days as text, independent of time zones. */

/** A day as `yyyy-mm-dd`, so days compare as texts. */
export type Day = string;

const dayLength = 86_400_000;

/** Whether the text is `yyyy-mm-dd` and an existing day. */
export function isDay(text: string): boolean {
  const time = /^\d{4}-\d\d-\d\d$/.test(text) ? Date.parse(text) : Number.NaN;
  return !Number.isNaN(time) && utcDay(time) === text;
}

/** The UTC day of a moment, in milliseconds since 1970. */
export function utcDay(time: number): Day {
  return new Date(time).toISOString().slice(0, 'yyyy-mm-dd'.length);
}

export function dayNumber(day: Day): number {
  return Date.parse(day) / dayLength;
}

/** The day with this number of days since 1970. */
export function dayFromNumber(number: number): Day {
  return utcDay(number * dayLength);
}

export function daysBetween(from: Day, to: Day): number {
  return dayNumber(to) - dayNumber(from);
}

export function addDays(day: Day, days: number): Day {
  return dayFromNumber(dayNumber(day) + days);
}

/** Returns all days from `first` to `last`, both included; none if `last` is before `first`. */
export function daysFrom(first: Day, last: Day): Day[] {
  const count = Math.max(0, daysBetween(first, last) + 1);
  return Array.from({ length: count }, (_, i) => addDays(first, i));
}

/** Or the last day of a shorter month; `anchor` is the preferred day of the month. */
export function addMonths(day: Day, months: number, anchor = Number(day.slice(8))): Day {
  const date = new Date(`${day.slice(0, 7)}-01`);
  date.setUTCMonth(date.getUTCMonth() + months + 1, 0);
  date.setUTCDate(Math.min(anchor, date.getUTCDate()));
  return utcDay(date.getTime());
}
