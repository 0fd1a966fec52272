/** Times as people say them, relative to now: how old something is, and when it is due. */
import { monthText } from './day-texts.ts';
import { dayIn } from './pacific.ts';
import { wallTime } from './wall-time.ts';

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

/** `Mar 18 11:30`, or `Mar 18  2025` if it is not within the last half year; other text unchanged. */
export function shortTime(text: string, zone: string, now: Date): string {
  const moment = Date.parse(text);
  const wall = wallTime(text, zone);
  const [, year, time] = /^(\d{4})-\d\d-\d\dT(\d\d:\d\d)$/.exec(wall) ?? [];
  if (Number.isNaN(moment) || year === undefined) return text;
  const age = now.getTime() - moment;
  const isRecent = age > -day && age < recent;
  return `${shortDay(wall)} ${isRecent ? time : ` ${year}`}`;
}
