/** The times of notifications. */

/** `2026-02-18T15:11:38-08:00` as `20260218T151138-0800`; any other text as it is. */
export function compactTime(time: string): string {
  const [, wall, offset] = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)([+-]\d\d:\d\d)$/.exec(time) ?? [];
  if (wall === undefined || offset === undefined) return time;
  return wall.replaceAll(/[-:]/g, '') + offset.replace(':', '');
}
