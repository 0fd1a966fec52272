/** Figures by name and day, exact to the last digit, and sparklines: a line chart in one line of text. */
import { extent, mean, rollup } from 'd3-array';
import { daysBetween, daysFrom, isDay } from '../dates/day.ts';
import { addDecimals, grouped } from '../decimals/decimals.ts';
import { sentence } from './rows/columns.ts';
import { isNumeral, type Row, tableText, type Value } from './rows/rows.ts';
import { blanks, widest } from './table/display-width.ts';

export interface Point {
  readonly day: string;
  readonly digits: string;
}

export interface Series {
  readonly name: string;
  readonly points: readonly Point[];
}

/** A day centuries away is a mistake; filling all days in between with zeros would take too long. */
const mostFilled = 20_000;

export function dayOf(row: Row, { day }: Charting): string | undefined {
  const time = day === undefined ? undefined : row[day];
  if (typeof time !== 'string') return undefined;
  const text = time.slice(0, 'yyyy-mm-dd'.length);
  return isDay(text) ? text : undefined;
}

/** The name of a row, on one line and without control characters. */
export function nameOf(row: Row, { names }: Charting): string {
  return names
    .map((name) => tableText(row[name], 'text'))
    .filter((text) => text !== '')
    .join(' ');
}

/** The digits of a number. The client can return decimal numbers as text; any other value has none. */
export function digitsOf(value: Value): string | undefined {
  if (typeof value === 'number') return String(value);
  if (isNumeral(value)) return value.value;
  return typeof value === 'string' && /^-?\d+(?:\.\d+)?$/.test(value) ? value : undefined;
}

/** Exact, unless a number has an exponent: then floating-point numbers are added. */
export function sumOf(digits: readonly string[]): string {
  return addDecimals(digits) ?? String(digits.reduce((sum, one) => sum + Number(one), 0));
}

/** These days in their order, with all days between them. */
export function allDays(known: readonly string[]): string[] {
  const [first = '', last = ''] = extent(known);
  const between = daysBetween(first, last) <= mostFilled ? daysFrom(first, last) : [];
  return [...new Set([...between, ...known])].sort();
}

/** Returns the series of the rows that have a day, in their order of appearance. */
export function seriesOf(rows: readonly Row[], charting: Charting): Series[] {
  const { figures, missing } = charting;
  const sent = rows.flatMap((row) =>
    figures.flatMap((figure) => {
      const [day, digits] = [dayOf(row, charting), digitsOf(row[figure])];
      const name = figures.length > 1 ? sentence(figure) : nameOf(row, charting);
      return day === undefined || digits === undefined ? [] : [{ name, day, digits }];
    }),
  );
  const sum = (points: readonly Point[]) => sumOf(points.map(({ digits }) => digits));
  const sums = rollup(
    sent,
    sum,
    ({ name }) => name,
    ({ day }) => day,
  );
  const filled = missing === undefined ? [] : allDays(sent.map(({ day }) => day));
  return [...sums].map(([name, byDay]) => {
    const days = [...new Set([...filled, ...byDay.keys()])].sort();
    return { name, points: days.map((day) => ({ day, digits: byDay.get(day) ?? missing ?? '0' })) };
  });
}

export function rangeText(points: readonly Point[]): string {
  const ranked = [...points].sort((a, b) => Number(a.digits) - Number(b.digits));
  const [least = '', most = ''] = [ranked[0]?.digits, ranked.at(-1)?.digits];
  return Number(least) === Number(most) ? grouped(least) : `${grouped(least)} to ${grouped(most)}`;
}

export interface Charting {
  /** The field with the day; rows without it are drawn as bars. */
  readonly day?: string;
  /** The fields that together name a row: a bar, or a line over the days. */
  readonly names: readonly string[];
  /** One figure: a line for each name. Several: a line for each figure, summed over the names. */
  readonly figures: readonly string[];
  /** The value of a figure on a day without a row; absent: unknown. */
  readonly missing?: string;
  /** Bars are sorted, largest first, instead of in the order of the rows. */
  readonly sorted?: boolean;
}

export interface ChartOptions {
  readonly width: number;
  readonly color: boolean;
  /** Draw with ASCII only; names stay as they are. */
  readonly ascii: boolean;
}

const steps = '▁▂▃▄▅▆▇█';
const gap = '  ';

/** From zero, or a negative minimum; a column is the mean of several points if there are more than `width`. */
export function sparkline(values: readonly number[], width: number): string {
  const columns = Math.min(values.length, Math.max(1, width));
  const means = Array.from({ length: columns }, (_, i) => {
    const from = Math.floor((i * values.length) / columns);
    return mean(values.slice(from, Math.floor(((i + 1) * values.length) / columns))) ?? 0;
  });
  const [least, most] = [Math.min(0, ...means), Math.max(0, ...means)];
  const step = (value: number) => Math.round(((value - least) / (most - least || 1)) * 7);
  return means.map((value) => steps[step(value)] ?? '').join('');
}

/** Fewer columns than this don't show a course. */
const leastSpark = 4;

/** A sparkline for each figure by day, with its minimum and maximum; none for a single day. */
export function sparkLines(rows: readonly Row[], charting: Charting, width: number): string[] {
  const series = seriesOf(rows, charting).filter(({ points }) => points.length > 1);
  const ranges = series.map(({ points }) => `${rangeText(points)} a day`);
  const names = widest(series.map(({ name }) => name));
  const room = width - names - widest(ranges) - 2 * gap.length;
  if (room < leastSpark) return [];
  return series.map(({ name, points }, i) => {
    const values = points.map(({ digits }) => Number(digits));
    return [name + blanks(name, names), sparkline(values, room), ranges[i]].join(gap);
  });
}
