/** Draws rows as a chart for a terminal: lines by day, otherwise bars. */

import { extent, max, mean, range, rollups } from 'd3-array';
import { scaleLinear } from 'd3-scale';
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
  rangeText,
  type Series,
  seriesOf,
} from './series.ts';
import { blanks, cut, widest } from './table/display-width.ts';

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

/** Lines of the plot. */
const height = 12;
const leastColumns = 4;

/** Columns for each label below the chart, so that labels don't touch. */
const labelRoom = 12;

function lineChart(series: readonly Series[], options: ChartOptions, paint: Paint): string[] {
  if (series.length === 0) return ['There is nothing to draw.'];
  const shown = largest(series);
  const points = shown.flatMap((one) => one.points);
  const scale = scaleOver(points.map(({ digits }) => Number(digits)));
  const numbers = scale.ticks(5).map(numbersFor(scale));
  const room = widest(numbers);
  const columns = Math.max(leastColumns, options.width - room - 2);
  const [first = 0, last = 0] = extent(points, ({ day }) => dayNumber(day));
  // The value of a month is on its first day.
  const isMonthly = points.length > 1 && points.every(({ day }) => day.endsWith('-01'));
  // The last value gets a column of its own.
  const daysAColumn = Math.ceil((last - first + 1) / (columns - 1));
  const most = Math.max(1, Math.floor((last - first) / daysAColumn));
  const columnOf = (day: number) =>
    Math.round((Math.floor((day - first) / daysAColumn) * (columns - 2)) / most);
  const [least = 0, greatest = 0] = scale.domain();
  const rowOf = (value: number) =>
    Math.round(((greatest - value) / (greatest - least)) * (height - 1));

  const plot = Array.from({ length: height }, () => Array<string>(columns).fill(' '));
  for (const [i, one] of shown.entries()) {
    // Days that share a column are drawn as their mean.
    const steps = rollups(
      one.points,
      (some) => rowOf(mean(some, ({ digits }) => Number(digits)) ?? 0),
      ({ day }) => columnOf(dayNumber(day)),
    );
    drawSteps(steps, (row, column, stroke) => {
      plot[row]?.splice(column, 1, paint(strokeOf(stroke, i, options), i));
    });
  }

  const [up, side, tick, corner, line, mark, right] = options.ascii ? '^|++-+>' : '▲│┤└─┬▶';
  const label = new Map(scale.ticks(5).map((value, at) => [rowOf(value), numbers[at] ?? '']));
  const rows = plot.map((cells, row) => {
    const number = label.get(row);
    return `${(number ?? '').padStart(room)}${number === undefined ? side : tick}${cells.join('')}`;
  });
  const axis = Array<string | undefined>(columns).fill(line);
  const isOneYear = dayFromNumber(first).slice(0, 4) === dayFromNumber(last).slice(0, 4);
  let days = '';
  const mostLabels = Math.floor(columns / labelRoom);
  const months = [...new Set(points.map(({ day }) => dayNumber(day)))].sort((a, b) => a - b);
  for (const day of labeled(isMonthly ? months : range(first, last + 1), mostLabels)) {
    const column = columnOf(day);
    axis[column] = mark;
    const text = dayFromNumber(day).slice(isOneYear && !isMonthly ? 5 : 0, isMonthly ? 7 : 10);
    days = days.padEnd(room + 2 + column - text.length) + text;
  }
  const blank = ' '.repeat(room);
  const left = series.length - shown.length;
  return [
    ...[`${blank}${up}`, ...rows, `${blank}${corner}${axis.join('')}${right}`, days],
    ...legend(shown, options, paint),
    ...(left > 0 ? [`${left} smaller series not shown.`] : []),
    ...(daysAColumn > 1 && !isMonthly ? [`Each column is the mean of ${daysAColumn} days.`] : []),
  ].map((text) => text.trimEnd());
}

/** Draws a series from left to right: each value lasts until the next one. */
function drawSteps(
  steps: readonly (readonly [column: number, row: number])[],
  put: (row: number, column: number, stroke: string) => void,
): void {
  for (const [at, [column, row]] of steps.entries()) {
    const [end, next] = steps[at + 1] ?? [column + 1, row];
    for (let one = at === 0 ? column : column + 1; one < end; one++) put(row, one, '━');
    const [top, bottom] = [Math.min(row, next), Math.max(row, next)];
    for (let one = top; one <= bottom; one++) put(one, end, '┃');
    put(row, end, row === next ? '━' : row > next ? '┛' : '┓');
    if (row !== next) put(next, end, row > next ? '┏' : '┗');
  }
}

function largest(series: readonly Series[]): readonly Series[] {
  const reach = ({ points }: Series) => max(points, ({ digits }) => Math.abs(Number(digits))) ?? 0;
  const ranked = [...series].sort((a, b) => reach(b) - reach(a)).slice(0, mostSeries);
  return series.filter((one) => ranked.includes(one));
}

/** The axis always includes zero, so that no line looks steeper than it is. */
function scaleOver(values: readonly number[]) {
  const [least = 0, most = 0] = extent([0, ...values]);
  return scaleLinear(least === most ? [0, 1] : [least, most], [0, 1]).nice(5);
}

/** Evenly spaced days or months, including the last one. */
function labeled(units: readonly number[], most: number): readonly number[] {
  const step = Math.ceil(units.length / Math.max(1, most));
  return units.filter((_, i) => (units.length - 1 - i) % step === 0);
}

/** Large numbers are shortened (12M). */
function numbersFor(scale: ReturnType<typeof scaleOver>): (value: number) => string {
  const isLarge = Math.max(...scale.domain().map(Math.abs)) >= 1_000_000;
  const format = scale.tickFormat(5, isLarge ? '~s' : undefined);
  return (value) => format(value).replace('−', '-');
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

/** The strokes of a line, and in the same order those of each series. */
const strokes = '━┓┃┗┛┏';
const boxes = [strokes, '─┐│└┘┌', '═╗║╚╝╔', '╍┓╏┗┛┏', '┄┐┆└┘┌'];
const marks = '*+ox#';

function strokeOf(stroke: string, series: number, { ascii }: ChartOptions): string {
  const at = strokes.indexOf(stroke);
  if (ascii) return marks[series] ?? '*';
  return boxes[series]?.[at] ?? stroke;
}

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
