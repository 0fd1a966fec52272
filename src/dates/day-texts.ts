/** How days and times are written for people; times also relative to now: how old something is, and when it is due. */
import type { Day } from './day.ts';
import { dayIn } from './pacific.ts';
import { wallTime } from './wall-time.ts';

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
const weekdays = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];

/** `Mar`; empty for a text that is not a day. */
function monthText(day: Day): string {
  return months[Number(day.slice(5, 7)) - 1] ?? '';
}

/** `Mar 8`. */
function monthDay(day: Day): string {
  return `${monthText(day)} ${Number(day.slice(8))}`;
}

/** `Mar 18, 2026`. */
export function dayText(day: Day): string {
  return `${monthDay(day)}, ${day.slice(0, 4)}`;
}

/** `Wed, Mar 18, 2026`. */
export function longDay(day: Day): string {
  return `${weekdays[new Date(`${day}T00:00:00Z`).getUTCDay()]}, ${dayText(day)}`;
}

/** `Feb 17 to Mar 18, 2026`, with both years if they differ; a single day with its weekday. */
export function daysText({ first, last }: { readonly first: Day; readonly last: Day }): string {
  if (first === last) return longDay(first);
  const isOneYear = first.slice(0, 4) === last.slice(0, 4);
  return `${isOneYear ? monthDay(first) : dayText(first)} to ${dayText(last)}`;
}

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

/** As in `12 min`, `5 h` or `3 d`, rounded down; `0 min` for a time in the future. */
export function ageText(milliseconds: number): string {
  const age = Math.max(0, milliseconds);
  if (age < hour) return `${Math.floor(age / minute)} min`;
  return age < day ? `${Math.floor(age / hour)} h` : `${Math.floor(age / day)} d`;
}

/** As in `in 2 d` or `in 5 h`; `today` for later on the same day of the zone, and `expired` for the past. */
export function dueText(due: Date, now: Date, zone: string): string {
  const left = due.getTime() - now.getTime();
  if (left <= 0) return 'expired';
  return dayIn(zone, due) === dayIn(zone, now) ? 'today' : `in ${ageText(left)}`;
}

/** `Nov 08` for `2026-11-08`, so that days in a column have the same width. */
export function shortDay(day: string): string {
  return `${monthText(day)} ${day.slice(8, 10)}`;
}

/** Longer ago, a short time has the year in place of the hour, as in ls. */
const recent = 180 * day;

/**
 * An ISO 8601 time in 12 characters: `Mar 18 11:30`, or `Mar 18  2025` if it is not within the last half year. Other
 * text is returned unchanged.
 */
export function shortTime(text: string, zone: string, now: Date): string {
  const moment = Date.parse(text);
  const wall = wallTime(text, zone);
  const [, year, time] = /^(\d{4})-\d\d-\d\dT(\d\d:\d\d)$/.exec(wall) ?? [];
  if (Number.isNaN(moment) || year === undefined) return text;
  const age = now.getTime() - moment;
  const isRecent = age > -day && age < recent;
  return `${shortDay(wall)} ${isRecent ? time : ` ${year}`}`;
}
