/** How days are written for people. */
import type { Day } from './day.ts';

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
const weekdays = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];

/** `Mar`; empty for a text that is not a day. */
export function monthText(day: Day): string {
  return months[Number(day.slice(5, 7)) - 1] ?? '';
}

/** `Mar 2026`. */
export function monthYearText(day: Day): string {
  return `${monthText(day)} ${day.slice(0, 4)}`;
}

/** `Mar 8`. */
function shortDay(day: Day): string {
  return `${monthText(day)} ${Number(day.slice(8))}`;
}

/** `Mar 18, 2026`. */
export function dayText(day: Day): string {
  return `${shortDay(day)}, ${day.slice(0, 4)}`;
}

/** `Wed, Mar 18, 2026`. */
export function longDay(day: Day): string {
  return `${weekdays[new Date(`${day}T00:00:00Z`).getUTCDay()]}, ${dayText(day)}`;
}

/** `Feb 17 to Mar 18, 2026`, with both years if they differ; a single day with its weekday. */
export function daysText({ first, last }: { readonly first: Day; readonly last: Day }): string {
  if (first === last) return longDay(first);
  const isOneYear = first.slice(0, 4) === last.slice(0, 4);
  return `${isOneYear ? shortDay(first) : dayText(first)} to ${dayText(last)}`;
}
