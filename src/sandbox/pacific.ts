/**
 * Pacific wall time, the service's own: its days begin and end in Los Angeles, and its times are
 * written with that offset. Instants are whole seconds since 1970 (UTC).
 */

const HOUR = 3600;
const DAY = 86_400;
const CACHED_HOURS = 200_000;

const offsetFormat = new Intl.DateTimeFormat('en-US', {
  timeZone: 'America/Los_Angeles',
  timeZoneName: 'longOffset',
});
const offsets = new Map<number, number>();

function lookUpOffset(instant: number): number {
  const name = offsetFormat
    .formatToParts(instant * 1000)
    .find((part) => part.type === 'timeZoneName')?.value;
  const [, sign, hours, minutes] = /([+-])(\d\d):(\d\d)/.exec(name ?? '') ?? [];
  const seconds = Number(hours ?? 0) * HOUR + Number(minutes ?? 0) * 60;
  return sign === '-' ? -seconds : seconds;
}

/** Seconds east of UTC. Asking Intl is slow and clocks change on the hour: one answer serves an hour. */
function offsetAt(instant: number): number {
  const hour = Math.floor(instant / HOUR);
  let offset = offsets.get(hour);
  if (offset === undefined) {
    if (offsets.size >= CACHED_HOURS) offsets.clear();
    offset = lookUpOffset(hour * HOUR);
    offsets.set(hour, offset);
  }
  return offset;
}

function offsetText(offset: number): string {
  const minutes = Math.abs(offset) / 60;
  const two = (n: number) => String(n).padStart(2, '0');
  return `${offset < 0 ? '-' : '+'}${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`;
}

/** `2026-02-18T15:11:38-08:00`. */
export function pacificTime(instant: number): string {
  const offset = offsetAt(instant);
  return new Date((instant + offset) * 1000).toISOString().slice(0, 19) + offsetText(offset);
}

/** The Pacific day of an instant, `yyyy-mm-dd`. */
export function pacificDay(instant: number): string {
  return new Date((instant + offsetAt(instant)) * 1000).toISOString().slice(0, 10);
}

/** Seconds on the wall clock since midnight, 0 to 86,399. */
export function secondOfDay(instant: number): number {
  return (((instant + offsetAt(instant)) % DAY) + DAY) % DAY;
}

/** The instant at which a Pacific day's wall clock shows `second` seconds after midnight. */
export function instantOf(day: string, second = 0): number {
  const wall = Date.parse(`${day}T00:00:00Z`) / 1000 + second;
  const guess = wall - offsetAt(wall + 8 * HOUR);
  return wall - offsetAt(guess);
}

/** The first instant after a Pacific day: a day has 23, 24 or 25 hours. */
export function endOf(day: string): number {
  return instantOf(day, DAY);
}

export function addDays(day: string, days: number): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + days * DAY * 1000).toISOString().slice(0, 10);
}

/** The same day `months` later, or the last day of a shorter month; `anchor` is the day aimed at. */
export function addMonths(day: string, months: number, anchor = Number(day.slice(8))): string {
  const [year = 0, month = 1] = day.split('-').map(Number);
  const last = new Date(Date.UTC(year, month + months, 0)).getUTCDate();
  return new Date(Date.UTC(year, month - 1 + months, Math.min(anchor, last)))
    .toISOString()
    .slice(0, 10);
}

/** Whether the text is `yyyy-mm-dd` and the calendar has that day. */
export function isDay(text: string): boolean {
  const time = /^\d{4}-\d\d-\d\d$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN;
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text);
}
