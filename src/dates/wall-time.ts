/** Times on the wall clock of a time zone. */
import { pacificTime, serviceZone } from './pacific.ts';

const withOffset = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?(Z|[+-]\d\d:?\d\d)$/;

/**
 * Converts an ISO 8601 time to `yyyy-mm-ddThh:mm` in a zone, with daylight-saving time. Text without an offset, or
 * that is not a time, is returned unchanged. Throws RangeError for an unknown zone.
 */
export function wallTime(text: string, zone: string): string {
  const [, offset] = withOffset.exec(text) ?? [];
  if (offset === undefined) return text;
  const isPacific = zone === serviceZone;
  // ClickBank writes Pacific time; Intl would take longer.
  if (isPacific && /^-0[78]:?00$/.test(offset)) return text.slice(0, 16);
  const moment = Date.parse(text);
  if (Number.isNaN(moment)) return text;
  return isPacific ? pacificTime(moment / 1000).slice(0, 16) : format(moment, zone);
}

const formats = new Map<string, Intl.DateTimeFormat>();

function format(moment: number, timeZone: string): string {
  const known =
    formats.get(timeZone) ??
    new Intl.DateTimeFormat('en-US', {
      ...{ timeZone, hourCycle: 'h23', year: 'numeric', month: '2-digit', day: '2-digit' },
      ...{ hour: '2-digit', minute: '2-digit' },
    });
  formats.set(timeZone, known);
  const parts = new Map(known.formatToParts(moment).map(({ type, value }) => [type, value]));
  const of = (type: Intl.DateTimeFormatPartTypes) => parts.get(type) ?? '';
  return `${of('year')}-${of('month')}-${of('day')}T${of('hour')}:${of('minute')}`;
}

/** Returns the name of a zone in the time zone database, ignoring case. Throws RangeError for an unknown zone. */
export function zoneNamed(typed: string): string {
  return new Intl.DateTimeFormat('en-US', { timeZone: typed }).resolvedOptions().timeZone;
}
