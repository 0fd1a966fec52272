/**
 * Days where the service counts them, by the clock changes of the United States since 2007. Asking
 * Intl for the same loads its zones, which takes as long as Node takes to start.
 */

const hour = 3_600_000;

/** `yyyy-mm-dd`; undefined before 2007, when other rules held. */
export function pacificDay(moment: Date): string | undefined {
  const year = moment.getUTCFullYear();
  const time = moment.getTime();
  if (year < 2007) return undefined;
  // At two in the morning, on the second Sunday of March and the first of November.
  const isSummer =
    sundayFrom(year, 2, 8) + 10 * hour <= time && time < sundayFrom(year, 10, 1) + 9 * hour;
  return new Date(time - (isSummer ? 7 : 8) * hour).toISOString().slice(0, 10);
}

/** Midnight, in UTC, of the first Sunday that is not before a day of a month (0 to 11). */
function sundayFrom(year: number, month: number, date: number): number {
  const weekday = new Date(Date.UTC(year, month, date)).getUTCDay();
  return Date.UTC(year, month, date + ((7 - weekday) % 7));
}
