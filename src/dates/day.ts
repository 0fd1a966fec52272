/**
 * Calendar days as text, and times on the wall clock of a zone, mainly Pacific time: the service's days begin and end in
 * Los Angeles, and it writes times with that offset. Instants are whole seconds since 1970.
 */

/** A day as `yyyy-mm-dd`, so days compare as texts. */
export type Day = string;

const dayLength = 86_400_000;

/** Whether the text is `yyyy-mm-dd` and an existing day. */
export function isDay(text: string): boolean {
  const time = /^\d{4}-\d\d-\d\d$/.test(text) ? Date.parse(text) : Number.NaN;
  return !Number.isNaN(time) && utcDay(time) === text;
}

/** The UTC day of a moment, in milliseconds since 1970. */
function utcDay(time: number): Day {
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

export function earlier(one: Day, other: Day): Day {
  return one < other ? one : other;
}

export function later(one: Day, other: Day): Day {
  return one > other ? one : other;
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

/** The zone in which the service counts its days. */
export const serviceZone = 'America/Los_Angeles';

const hour = 3600;
const day = 24 * hour;

/** Returns the day of a moment in a time zone. Throws a RangeError for an unknown zone. */
export function dayIn(zone: string, moment: Date): Day {
  const instant = moment.getTime() / 1000;
  if (zone === serviceZone) return pacificDay(instant);
  return utcDay((instant + offsetIn(zone, instant)) * 1000);
}

export function pacificDay(instant: number): Day {
  return utcDay((instant + offsetAt(instant)) * 1000);
}

/** `2026-02-18T15:11:38-08:00`. */
export function pacificTime(instant: number): string {
  const offset = offsetAt(instant);
  const minutes = Math.abs(offset) / 60;
  const two = (n: number) => String(n).padStart(2, '0');
  const wall = new Date((instant + offset) * 1000).toISOString().slice(0, 19);
  return `${wall}${offset < 0 ? '-' : '+'}${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`;
}

/** Returns the seconds since midnight on the wall clock, 0 to 86,399. */
export function secondOfDay(instant: number): number {
  return (((instant + offsetAt(instant)) % day) + day) % day;
}

/** Returns the instant at which the Pacific wall clock shows `second` seconds after midnight on a day. */
export function instantOf(pacific: Day, second = 0): number {
  const wall = dayNumber(pacific) * day + second;
  const guess = wall - offsetAt(wall + 8 * hour);
  return wall - offsetAt(guess);
}

/** Returns the first instant after a Pacific day: a day has 23, 24 or 25 hours. */
export function endOf(pacific: Day): number {
  return instantOf(pacific, day);
}

/**
 * Returns the UTC offset of Los Angeles in seconds, by the daylight-saving rules of the United States since 2007.
 * Intl is slow, and loading its zones takes as long as starting Node.
 */
function offsetAt(instant: number): number {
  const date = new Date(instant * 1000);
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth()];
  if (year < 2007) return offsetIn(serviceZone, instant);
  if (month !== 2 && month !== 10) return (month > 2 && month < 10 ? -7 : -8) * hour;
  // Daylight-saving time begins and ends at 2 a.m., on the second Sunday of March and the first of November.
  const isSummer =
    sundayFrom(year, 2, 8) + 10 * hour <= instant && instant < sundayFrom(year, 10, 1) + 9 * hour;
  return (isSummer ? -7 : -8) * hour;
}

/** Returns midnight, in UTC, of the first Sunday on or after a day of a month (0 to 11). */
function sundayFrom(year: number, month: number, date: number): number {
  const weekday = new Date(Date.UTC(year, month, date)).getUTCDay();
  return Date.UTC(year, month, date + ((7 - weekday) % 7)) / 1000;
}

const formats = new Map<string, Intl.DateTimeFormat>();

/** The UTC offset in seconds, positive to the east. Throws a RangeError for an unknown zone. */
export function offsetIn(timeZone: string, instant: number): number {
  const format =
    formats.get(timeZone) ??
    new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'longOffset' });
  formats.set(timeZone, format);
  const parts = format.formatToParts(instant * 1000);
  const name = parts.find(({ type }) => type === 'timeZoneName')?.value ?? '';
  const [, sign, hours = 0, minutes = 0] = /([+-])(\d\d):(\d\d)/.exec(name) ?? [];
  const seconds = Number(hours) * hour + Number(minutes) * 60;
  return sign === '-' ? -seconds : seconds;
}
