/** Maps pages of a period to days: every day has the same number of pages, latest day first. */
import { addDays } from '../../src/dates/day.ts';
import { pacificTime } from '../../src/dates/pacific.ts';

export const pagesADay = 10;
export const rowsOnAPage = 100;

/** The last day of every period, in the past, so that no client treats it as incomplete. */
const lastDay = '2025-12-31';

export interface Period {
  readonly startDate: string;
  readonly endDate: string;
}

/** The period with this number of pages, rounded up to whole days. */
export function periodOf(pages: number): Period {
  return { startDate: addDays(lastDay, 1 - Math.ceil(pages / pagesADay)), endDate: lastDay };
}

export function pagesIn({ startDate, endDate }: Period): number {
  const days = (Date.parse(endDate) - Date.parse(startDate)) / 86_400_000 + 1;
  return Math.max(0, days) * pagesADay;
}

/** The day of page `number` (from 1) of a period, and its page within that day (from 0). */
export function placeOf({ endDate }: Period, number: number): { day: string; page: number } {
  const page = (number - 1) % pagesADay;
  return { day: addDays(endDate, -(number - 1 - page) / pagesADay), page };
}

const offsets = new Map<string, string>();

/** The offset from 4 a.m. on, after a clock change, such as `-08:00`. */
export function offsetOf(day: string): string {
  const known = offsets.get(day) ?? pacificTime(Date.parse(`${day}T20:00:00Z`) / 1000).slice(19);
  offsets.set(day, known);
  return known;
}
