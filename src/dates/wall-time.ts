/** Times as a clock on the wall shows them and as people say them, such as `in 2 d`; and the names of zones. */

import { dayIn, offsetIn, pacificTime, serviceZone } from './day.ts';
import { monthText } from './day-texts.ts';

/** Captures the seconds and the offset. */
const withOffset = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?:(:\d\d)(?:\.\d+)?)?(Z|[+-]\d\d:?\d\d)$/;

/** `yyyy-mm-ddThh:mm` in a zone; other text is unchanged. Throws RangeError for an unknown zone. */
export function wallTime(text: string, zone: string): string {
  const [, , offset] = withOffset.exec(text) ?? [];
  if (offset === undefined) return text;
  const isPacific = zone === serviceZone;
  // ClickBank writes Pacific time; Intl would take longer.
  if (isPacific && /^-0[78]:?00$/.test(offset)) return text.slice(0, 16);
  const moment = Date.parse(text);
  if (Number.isNaN(moment)) return text;
  if (isPacific) return pacificTime(moment / 1000).slice(0, 16);
  return new Date(moment + offsetIn(zone, moment / 1000) * 1000).toISOString().slice(0, 16);
}

/**
 * Converts an ISO 8601 time with an offset to the clock of a zone, in the form that every spreadsheet reads as a date and
 * time: `2026-11-21 17:44:00`. Undefined for any other text. Throws RangeError for an unknown zone.
 */
export function spreadsheetTime(text: string, zone: string): string | undefined {
  const [whole, seconds = ':00'] = withOffset.exec(text) ?? [];
  const shown = whole === undefined ? '' : wallTime(text, zone);
  // Offsets of zones are whole minutes, so the seconds are the same everywhere.
  return /^\d{4}-\d\d-\d\dT\d\d:\d\d$/.test(shown)
    ? `${shown.replace('T', ' ')}${seconds}`
    : undefined;
}

/** Returns the name of a zone in the time zone database, ignoring case. Throws RangeError for an unknown zone. */
export function zoneNamed(typed: string): string {
  return new Intl.DateTimeFormat('en-US', { timeZone: typed }).resolvedOptions().timeZone;
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
