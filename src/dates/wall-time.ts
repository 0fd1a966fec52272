/** Times of the service as a clock on the wall shows them, and the names of zones. */
import { offsetIn, pacificTime, serviceZone } from './pacific.ts';

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
