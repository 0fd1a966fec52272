/** The times of notifications: version 6 writes `2026-02-18T15:11:38-08:00`, versions 7 and 8 `20260218T151138-0800`. */

const eitherForm =
  /^(\d{4})-?(\d\d)-?(\d\d)T(\d\d):?(\d\d):?(\d\d)(?:\.\d+)?(?:Z|([+-]\d\d):?(\d\d))$/;

/** Seconds since 1970, of a time in either form, whatever the version of its event says. */
export function readEventTime(text: string): number | undefined {
  const found = eitherForm.exec(text);
  if (!found) return undefined;
  const [, year, month, day, hour, minute, second, hours = '+00', minutes = '00'] = found;
  const iso = `${year}-${month}-${day}T${hour}:${minute}:${second}${hours}:${minutes}`;
  const milliseconds = Date.parse(iso);
  return Number.isNaN(milliseconds) ? undefined : milliseconds / 1000;
}
