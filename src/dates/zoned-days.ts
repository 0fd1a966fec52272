/** Days of a time zone at the service, which counts Pacific days. */
import { addDays, type Day, dayIn, dayNumber, endOf, instantOf, pacificDay } from './day.ts';

/** Seconds since 1970, `end` excluded, and the Pacific days that these moments touch. */
export interface ZonedDays {
  readonly first: Day;
  readonly last: Day;
  readonly start: number;
  readonly end: number;
}

/** Throws RangeError for an unknown zone. The days of a zone follow each other without a gap, whatever its clock does. */
export function zonedDays(
  { first, last }: { readonly first: Day; readonly last: Day },
  zone: string,
): ZonedDays {
  const start = startIn(zone, first);
  const end = startIn(zone, addDays(last, 1));
  // A zone that crosses the date line skips a day: there are no moments in it.
  return { start, end, first: pacificDay(start), last: pacificDay(Math.max(start, end - 1)) };
}

/** The Pacific days all of whose moments are among those of the days; undefined if there are none. */
export function wholeDaysOf({ first, last, start, end }: ZonedDays) {
  const from = instantOf(first) < start ? addDays(first, 1) : first;
  const to = endOf(last) > end ? addDays(last, -1) : last;
  return from > to ? undefined : { first: from, last: to };
}

const hour = 3600;

/** Returns the first moment of a day: midnight, or where the clock skips midnight, a later time. */
function startIn(zone: string, day: Day): number {
  const midnight = dayNumber(day) * 24 * hour;
  // Zones are up to 14 hours ahead of UTC, and up to 12 hours behind.
  let before = midnight - 15 * hour;
  let start = midnight + 13 * hour;
  while (start - before > 1) {
    const middle = Math.floor((before + start) / 2);
    if (dayIn(zone, new Date(middle * 1000)) < day) before = middle;
    else start = middle;
  }
  return start;
}
