/** Draws rows as a chart for a terminal: lines by day, otherwise bars. */

import { extent, max, mean, rollups } from 'd3-array';
import { scaleLinear } from 'd3-scale';
import plot from 'simple-ascii-chart';
import { dayFromNumber, dayNumber } from '../dates/day.ts';
import { grouped } from '../decimals/decimals.ts';
import { type Color, paint } from './paint.ts';
import { sentence } from './rows/columns.ts';
import type { Row } from './rows/rows.ts';
import {
  type Charting,
  type ChartOptions,
  dayOf,
  digitsOf,
  nameOf,
  type Point,
  rangeText,
  type Series,
  seriesOf,
} from './series.ts';
import { blanks, cut, displayWidth, widest } from './table/display-width.ts';

/** Whole lines, none wider than the terminal; empty if there is nothing to draw. */
export function drawChart(rows: readonly Row[], charting: Charting, options: ChartOptions): string {
  if (rows.length === 0) return '';
  const colored: Paint = (text, series) => paint(seriesColors[series % mostSeries] ?? 'cyan', text);
  const painter = options.color ? colored : (text: string) => text;
  const days = new Set(rows.flatMap((row) => dayOf(row, charting) ?? []));
  // A line needs two points.
  const lines =
    days.size > 1
      ? lineChart(seriesOf(rows, charting), options, painter)
      : barChart(rows, charting, options, painter);
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

function barChart(rows: readonly Row[], charting: Charting, options: ChartOptions, paint: Paint) {
  const { figures, sorted } = charting;
  const size = (row: Row) => Number(digitsOf(row[figures[0] ?? '']) ?? Number.NEGATIVE_INFINITY);
  const ordered = sorted ? [...rows].sort((a, b) => size(b) - size(a) || 0) : rows;
  // A name that several figures share is shown once.
  const bars = ordered.flatMap((row) =>
    figures.map(
      (figure, series): Bar => ({
        name: series === 0 ? nameOf(row, charting) : '',
        figure: figures.length > 1 ? sentence(figure) : '',
        digits: digitsOf(row[figure]) ?? '',
        series,
      }),
    ),
  );
  const labels = widest(bars.map(({ figure }) => figure));
  const digits = widest(bars.map((bar) => grouped(bar.digits)));
  const beside = (labels === 0 ? 0 : labels + gap.length) + digits + 2 * gap.length;
  const names = Math.min(
    widest(bars.map(({ name }) => name)),
    Math.max(1, options.width - beside - leastRoom),
  );
  const draw = barsIn(bars, options.width - names - beside, options);
  return bars.map((bar) => {
    const name = shortened(bar.name, names, options);
    const texts = [name + blanks(name, names)];
    if (labels > 0) texts.push(bar.figure + blanks(bar.figure, labels));
    const figure = grouped(bar.digits);
    texts.push(blanks(figure, digits) + figure, draw(bar, paint));
    return texts.join(gap).trimEnd();
  });
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

const height = 12;
const leastColumns = 4;

/** Columns for each label below the chart, so that labels don't touch. */
const labelRoom = 12;

/** The library colors each stroke; the color tells which series it belongs to. */
const tags = ['ansiBlack', 'ansiRed', 'ansiGreen', 'ansiYellow', 'ansiBlue'] as const;
const begin = String.fromCharCode(27);
const tagged = new RegExp(`${begin}\\[3(\\d)m(.)${begin}\\[0m`, 'gu');
const runs = new RegExp(`${begin}\\[3(\\d)m.${begin}\\[0m(${begin}\\[3\\1m.${begin}\\[0m)*`, 'gu');

type Line = [day: number, value: number][];

function lineChart(series: readonly Series[], options: ChartOptions, paint: Paint): string[] {
  if (series.length === 0) return ['There is nothing to draw.'];
  const shown = largest(series);
  const columns = columnsFor(shown, options);
  const lines = drawLines(shown, columns, options).map((line) =>
    line.replace(runs, (run: string, tag: string) => {
      const strokes = run.replace(tagged, (_, __, stroke: string) =>
        strokeOf(stroke, Number(tag), options),
      );
      return paint(strokes, Number(tag));
    }),
  );
  const step = daysAColumn(shown, columns);
  const shared = step > 1 ? [`Each column is the mean of ${step} days.`] : [];
  const left = series.length - shown.length;
  const rest = left > 0 ? [`${left} smaller series not shown.`] : [];
  return [...lines, ...legend(shown, options, paint), ...rest, ...shared];
}

function largest(series: readonly Series[]): readonly Series[] {
  const reach = ({ points }: Series) => max(points, ({ digits }) => Math.abs(Number(digits))) ?? 0;
  const ranked = [...series].sort((a, b) => reach(b) - reach(a)).slice(0, mostSeries);
  return series.filter((one) => ranked.includes(one));
}

/** The library takes the width of the plot alone and adds labels, whose width depends on the plot. */
function columnsFor(
  series: readonly Series[],
  options: ChartOptions,
  columns = options.width,
): number {
  if (columns <= leastColumns) return leastColumns;
  const lines = drawLines(series, columns, options);
  const widest = max(lines, (line) => displayWidth(line.replace(tagged, '$2'))) ?? 0;
  const excess = widest - options.width;
  return excess > 0 ? columnsFor(series, options, columns - excess) : columns;
}

function drawLines(series: readonly Series[], width: number, { ascii }: ChartOptions): string[] {
  const lines = linesOf(series, width);
  const days = lines.flatMap((line) => line.map(([day]) => day));
  const scale = scaleOver(lines.flatMap((line) => line.map(([, value]) => value)));
  const text = plot(lines, {
    width,
    height,
    color: series.map((_, i) => tags[i] ?? tags[0]),
    yRange: scale.domain() as [number, number],
    customYAxisTicks: scale.ticks(5),
    customXAxisTicks: daysShown(days, Math.floor(width / labelRoom)),
    formatter: labelsFor(scale, days),
    ...(ascii && { symbols: { axis: asciiAxis } }),
  });
  return text
    .split('\n')
    .map((line) => line.trimEnd())
    .filter((line) => line !== '');
}

/** Days that share a column are drawn as their mean. */
function linesOf(series: readonly Series[], width: number): Line[] {
  const [first] = extentOf(series);
  const step = daysAColumn(series, width);
  const column = ({ day }: Point) => first + Math.floor((dayNumber(day) - first) / step) * step;
  const value = (points: Point[]) => mean(points, ({ digits }) => Number(digits)) ?? 0;
  return series.map(({ points }) => rollups(points, value, column));
}

function daysAColumn(series: readonly Series[], width: number): number {
  const [first, last] = extentOf(series);
  return Math.ceil((last - first + 1) / width);
}

function extentOf(series: readonly Series[]): [number, number] {
  const days = series.flatMap(({ points }) => points.map(({ day }) => dayNumber(day)));
  const [first = 0, last = 0] = extent(days);
  return [first, last];
}

/** The axis always includes zero, so that no line looks steeper than it is. */
function scaleOver(values: readonly number[]) {
  const [least = 0, most = 0] = extent([0, ...values]);
  return scaleLinear(least === most ? [0, 1] : [least, most], [0, 1]).nice(5);
}

/** The days with labels: the last one, and others at equal distances before it. */
function daysShown(days: readonly number[], most: number): number[] {
  const [first = 0, last = 0] = extent(days);
  const step = Math.max(1, Math.ceil((last - first) / Math.max(1, most - 1)));
  const count = Math.floor((last - first) / step) + 1;
  return Array.from({ length: count }, (_, i) => last - (count - 1 - i) * step);
}

/** Labels omit the year if there is only one; large numbers are shortened (12M). */
function labelsFor(scale: ReturnType<typeof scaleOver>, days: readonly number[]) {
  const years = new Set(days.map((day) => dayFromNumber(day).slice(0, 4)));
  const isLarge = Math.max(...scale.domain().map(Math.abs)) >= 1_000_000;
  const format = scale.tickFormat(5, isLarge ? '~s' : undefined);
  const number = (value: number) => format(value).replace('−', '-');
  // The library reserves space for the labels of the data, not of the axis.
  const room = max(scale.ticks(5), (tick) => number(tick).length) ?? 0;
  return (value: number, { axis }: { readonly axis: 'x' | 'y' }) =>
    axis === 'x'
      ? dayFromNumber(value).slice(years.size === 1 ? 5 : 0)
      : number(value).padStart(room);
}

function legend(series: readonly Series[], options: ChartOptions, paint: Paint): string[] {
  return series.map(({ name, points }, i) => {
    const stroke = paint(strokeOf('━', i, options), i);
    const text = [name, rangeText(points)].filter((part) => part !== '').join('  ');
    return `${stroke} ${shortened(text, options.width - 2, options)}`;
  });
}

const mostSeries = 5;

type Paint = (text: string, series: number) => string;

/** Series also differ by their strokes, never by color alone. */
const seriesColors: readonly Color[] = ['cyan', 'yellow', 'magenta', 'green', 'blue'];

/** The strokes of the chart library, and in the same order the strokes of each series. */
const strokes = '━┓┃┗┛┏';
const boxes = [strokes, '─┐│└┘┌', '═╗║╚╝╔', '╍┓╏┗┛┏', '┄┐┆└┘┌'];
const marks = '*+ox#';

function strokeOf(stroke: string, series: number, { ascii }: ChartOptions): string {
  const at = strokes.indexOf(stroke);
  if (ascii) return marks[series] ?? '*';
  return boxes[series]?.[at] ?? stroke;
}

const asciiAxis = {
  ...{ n: '^', ns: '|', y: '+', nse: '+', x: '+', we: '-', e: '>' },
  ...{ intersectionXY: '+', intersectionX: '+', intersectionY: '+' },
};

const eighths = ['', '▏', '▎', '▍', '▌', '▋', '▊', '▉'];

/** A bar of `length` columns; any positive length is at least an eighth of a column. */
function barText(length: number, { ascii }: ChartOptions): string {
  if (length <= 0) return '';
  if (ascii) return '#'.repeat(Math.max(1, Math.round(length)));
  const parts = Math.max(1, Math.round(length * 8));
  return '█'.repeat(Math.floor(parts / 8)) + (eighths[parts % 8] ?? '');
}

/** The text in at most `most` columns; cut text ends in an ellipsis, or ~ in ASCII. */
function shortened(text: string, most: number, { ascii }: ChartOptions): string {
  const short = cut(text, most);
  return ascii && short !== text ? `${short.slice(0, -1)}~` : short;
}
