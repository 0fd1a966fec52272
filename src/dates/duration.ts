/** Durations as people type them: 30s, 2m, 200ms, 1h. */

/** Milliseconds of each unit. */
const units = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 } as const;

export type TimeUnit = keyof typeof units;

/** Milliseconds; `bare` is the unit of a bare number. Undefined for other text, or a bare number without `bare`. */
export function parseDuration(text: string, bare?: TimeUnit): number | undefined {
  const short = text
    .trim()
    .toLowerCase()
    .replace(/(?:milliseconds?|msecs?)$/, 'ms')
    .replace(/(?:seconds?|secs?)$/, 's')
    .replace(/(?:minutes?|mins?)$/, 'm')
    .replace(/(?:hours?|hrs?)$/, 'h')
    .replace(/days?$/, 'd')
    .replace(/weeks?$/, 'w');
  const [, number, typed] = /^(\d{1,9}(?:\.\d{1,3})?)\s*(ms|s|m|h|d|w)?$/.exec(short) ?? [];
  const unit = (typed as TimeUnit | undefined) ?? bare;
  if (number === undefined || unit === undefined) return undefined;
  return Number(number) * units[unit];
}

/** Writes a duration in the largest unit that needs no fraction: `30s`, `1500ms`, `2m`. */
export function durationText(milliseconds: number): string {
  for (const unit of ['d', 'h', 'm', 's'] as const) {
    const count = milliseconds / units[unit];
    if (count >= 1 && Number.isInteger(count)) return `${count}${unit}`;
  }
  return `${milliseconds}ms`;
}
