/** Times in the form that every spreadsheet reads as a date and time: `2026-11-21 17:44:00`. */
import { wallTime } from './wall-time.ts';

const iso = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d)?(?:\.\d+)?(?:Z|[+-]\d\d:?\d\d)$/;

/**
 * Converts an ISO 8601 time with an offset to the clock of a zone. Undefined for any other text. Throws RangeError for
 * an unknown zone.
 */
export function spreadsheetTime(text: string, zone: string): string | undefined {
  const [whole, seconds = ':00'] = iso.exec(text) ?? [];
  const shown = whole === undefined ? '' : wallTime(text, zone);
  // Offsets of zones are whole minutes, so the seconds are the same everywhere.
  return /^\d{4}-\d\d-\d\dT\d\d:\d\d$/.test(shown)
    ? `${shown.replace('T', ' ')}${seconds}`
    : undefined;
}
