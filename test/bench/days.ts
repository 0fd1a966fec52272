/** Which day each page of a period is about: every day has as many pages, the latest day first. */
import { addDays } from '../../src/dates/day.ts';
import { pacificTime } from '../../src/dates/pacific.ts';

export const pagesADay = 10;
export const rowsOnAPage = 100;

/** The last day of every period of the benchmark: over, so that no client takes it for unfinished. */
const lastDay = '2025-12-31';

export interface Period {
  readonly startDate: string;
  readonly endDate: string;
}

/** The period that has so many pages, rounded up to whole days. */
export function periodOf(pages: number): Period {
  return { startDate: addDays(lastDay, 1 - Math.ceil(pages / pagesADay)), endDate: lastDay };
}

export function pagesIn({ startDate, endDate }: Period): number {
  const days = (Date.parse(endDate) - Date.parse(startDate)) / 86_400_000 + 1;
  return Math.max(0, days) * pagesADay;
}

/** Where page `number`, from 1, of a period stands: its day, and which page of that day it is, from 0. */
export function placeOf({ endDate }: Period, number: number): { day: string; page: number } {
  const page = (number - 1) % pagesADay;
  return { day: addDays(endDate, -(number - 1 - page) / pagesADay), page };
}

const offsets = new Map<string, string>();

/** `-08:00`: the offset that holds from four in the morning, when the clocks have changed. */
export function offsetOf(day: string): string {
  const known = offsets.get(day) ?? pacificTime(Date.parse(`${day}T20:00:00Z`) / 1000).slice(19);
  offsets.set(day, known);
  return known;
}
