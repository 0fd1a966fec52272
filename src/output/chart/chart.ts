/** Draws rows as a chart for a terminal: lines by day, otherwise bars. */

import { extent } from 'd3-array';
import type { Row } from '../rows/rows.ts';
import { blanks, widest } from '../table/display-width.ts';
import { sentence } from '../table/heading.ts';
import { barText, type Paint, painterFor, shortened } from './glyphs.ts';
import { lineChart } from './line-chart.ts';
import { type Charting, type ChartOptions, dayOf, digitsOf, nameOf, seriesOf } from './series.ts';

/** Whole lines, none wider than the terminal; empty if there is nothing to draw. */
export function drawChart(rows: readonly Row[], charting: Charting, options: ChartOptions): string {
  if (rows.length === 0) return '';
  const paint = painterFor(options);
  const days = new Set(rows.flatMap((row) => dayOf(row, charting) ?? []));
  // A line needs two points.
  const lines =
    days.size > 1
      ? lineChart(seriesOf(rows, charting), options, paint)
      : barChart(rows, charting, options, paint);
  const title = charting.figures.length === 1 ? charting.figures.map(sentence) : [];
  return [...title, ...lines].map((line) => `${line}\n`).join('');
}

interface Bar {
  readonly name: string;
  readonly figure: string;
  /** Empty if ClickBank sends none. */
  readonly digits: string;
  /** The index of the figure, which selects its color. */
  readonly series: number;
}

const gap = '  ';

/** Minimum width of the bars, however long the names are. */
const leastRoom = 12;

function barChart(
  rows: readonly Row[],
  charting: Charting,
  options: ChartOptions,
  paint: Paint,
): string[] {
  const bars = inOrder(rows, charting).flatMap((row) => barsOf(row, charting));
  const figures = widest(bars.map(({ figure }) => figure));
  const digits = widest(bars.map((bar) => bar.digits));
  const beside = (figures === 0 ? 0 : figures + gap.length) + digits + 2 * gap.length;
  const names = Math.min(
    widest(bars.map(({ name }) => name)),
    Math.max(1, options.width - beside - leastRoom),
  );
  const draw = barsIn(bars, options.width - names - beside, options);
  return bars.map((bar) => {
    const name = shortened(bar.name, names, options);
    const texts = [name + blanks(name, names)];
    if (figures > 0) texts.push(bar.figure + blanks(bar.figure, figures));
    texts.push(blanks(bar.digits, digits) + bar.digits, draw(bar, paint));
    return texts.join(gap).trimEnd();
  });
}

function inOrder(
  rows: readonly Row[],
  { figures: [figure = ''], sorted }: Charting,
): readonly Row[] {
  if (!sorted) return rows;
  const size = (row: Row) => Number(digitsOf(row[figure]) ?? Number.NEGATIVE_INFINITY);
  return [...rows].sort((a, b) => size(b) - size(a) || 0);
}

/** Returns the bars of a row. A name that several figures share is shown once. */
function barsOf(row: Row, charting: Charting): Bar[] {
  const name = nameOf(row, charting);
  const { figures } = charting;
  return figures.map((figure, series) => ({
    name: series === 0 ? name : '',
    figure: figures.length > 1 ? sentence(figure) : '',
    digits: digitsOf(row[figure]) ?? '',
    series,
  }));
}

/** Draws bars in this many columns. If any is negative, bars start at a line in the middle. */
function barsIn(bars: readonly Bar[], room: number, options: ChartOptions) {
  const values = bars.map(({ digits }) => Number(digits));
  const [least = 0, more = 0] = extent([0, ...values]);
  const less = -least;
  const line = less > 0 ? (options.ascii ? '|' : '│') : '';
  const columns = Math.max(2, room - line.length);
  const left = less > 0 ? Math.max(1, Math.round((columns * less) / (less + more))) : 0;
  const unit = Math.min(left / less || Infinity, (columns - left) / more);
  return ({ digits, series }: Bar, paint: Paint): string => {
    const value = Number(digits);
    // Partial blocks fill a column from the left, so bars to the left use whole columns.
    const back = value < 0 ? barText(Math.max(1, Math.round(-value * unit)), options) : '';
    const ahead = value > 0 ? barText(value * unit, options) : '';
    const indent = ' '.repeat(left - back.length);
    return indent + paint(back, series) + line + paint(ahead, series);
  };
}
