/** Rows as what a chart is drawn of: figures by name and day, exact to the last digit. */
import { daysBetween, daysFrom, isDay } from '../../dates/day.ts';
import { tableText } from '../rows/cell.ts';
import { addDecimals } from '../rows/decimal-sum.ts';
import { isNumeral, type Row, type Value } from '../rows/rows.ts';
import { sentence } from '../table/heading.ts';
import type { Charting } from './charting.ts';

/** A figure of a day, `yyyy-mm-dd`. */
export interface Point {
  readonly day: string;
  readonly digits: string;
}

/** A line over days, in their order. */
export interface Series {
  readonly name: string;
  readonly points: readonly Point[];
}

/** A day centuries away is a mistake, and not worth a zero for each day until then. */
const mostFilled = 20_000;

/** The day of a row; undefined where it has none. */
export function dayOf(row: Row, { day }: Charting): string | undefined {
  const time = day === undefined ? undefined : row[day];
  if (typeof time !== 'string') return undefined;
  const text = time.slice(0, 'yyyy-mm-dd'.length);
  return isDay(text) ? text : undefined;
}

/** The name of a row, on one line and without anything that could steer a terminal. */
export function nameOf(row: Row, { names }: Charting): string {
  return names
    .map((name) => tableText(row[name], 'text'))
    .filter((text) => text !== '')
    .join(' ');
}

/** The digits of a number as sent; undefined for anything else. */
export function digitsOf(value: Value): string | undefined {
  if (typeof value === 'number') return String(value);
  return isNumeral(value) ? value.value : undefined;
}

/** Exact, unless a number has an exponent: those are added as floating-point numbers. */
export function sumOf(digits: readonly string[]): string {
  return addDecimals(digits) ?? String(digits.reduce((sum, one) => sum + Number(one), 0));
}

/** The lines of the rows that have a day, in their order of appearance. */
export function seriesOf(rows: readonly Row[], charting: Charting): Series[] {
  const { figures, missing } = charting;
  const found = new Map<string, Map<string, string[]>>();
  for (const row of rows) {
    const day = dayOf(row, charting);
    if (day === undefined) continue;
    for (const figure of figures) {
      const digits = digitsOf(row[figure]);
      const name = figures.length > 1 ? sentence(figure) : nameOf(row, charting);
      if (digits !== undefined) take(found, name, day, digits);
    }
  }
  const days = missing === undefined ? [] : daysOf([...found.values()]);
  return [...found].map(([name, byDay]) => ({ name, points: pointsOf(byDay, days, missing) }));
}

function take(
  found: Map<string, Map<string, string[]>>,
  name: string,
  day: string,
  digits: string,
): void {
  const byDay = found.get(name) ?? new Map<string, string[]>();
  found.set(name, byDay);
  const sameDay = byDay.get(day) ?? [];
  byDay.set(day, sameDay);
  sameDay.push(digits);
}

function pointsOf(
  byDay: ReadonlyMap<string, readonly string[]>,
  days: readonly string[],
  missing = '0',
): Point[] {
  const all = [...new Set([...days, ...byDay.keys()])].sort();
  return all.map((day) => ({ day, digits: sumOf(byDay.get(day) ?? [missing]) }));
}

function daysOf(series: readonly ReadonlyMap<string, unknown>[]): string[] {
  const days = series.flatMap((byDay) => [...byDay.keys()]).sort();
  const [first, last] = [days[0], days.at(-1)];
  if (first === undefined || last === undefined) return [];
  return daysBetween(first, last) > mostFilled ? [] : daysFrom(first, last);
}

/** The least and the most of a line, as sent. */
export function rangeText(points: readonly Point[]): string {
  const ranked = [...points].sort((a, b) => Number(a.digits) - Number(b.digits));
  const [least = '', most = ''] = [ranked[0]?.digits, ranked.at(-1)?.digits];
  return Number(least) === Number(most) ? least : `${least} to ${most}`;
}
