/** The characters and colors of charts: lines, bars, and one color for each of a few series. */
import { type Color, paint } from '../paint.ts';
import { cut } from '../table/display-width.ts';
import type { ChartOptions } from './series.ts';

export const mostSeries = 5;

export type Paint = (text: string, series: number) => string;

/** Series also differ by their strokes, never by color alone. */
export function painterFor({ color }: ChartOptions): Paint {
  if (!color) return (text) => text;
  return (text, series) => paint(seriesColors[series % mostSeries] ?? 'cyan', text);
}

const seriesColors: readonly Color[] = ['cyan', 'yellow', 'magenta', 'green', 'blue'];

/** The strokes of the chart library, and in the same order the strokes of each series. */
const strokes = '━┓┃┗┛┏';
const boxes = [strokes, '─┐│└┘┌', '═╗║╚╝╔', '╍┓╏┗┛┏', '┄┐┆└┘┌'];
const marks = '*+ox#';

export function strokeOf(stroke: string, series: number, { ascii }: ChartOptions): string {
  const at = strokes.indexOf(stroke);
  if (ascii) return marks[series] ?? '*';
  return boxes[series]?.[at] ?? stroke;
}

export const asciiAxis = {
  ...{ n: '^', ns: '|', y: '+', nse: '+', x: '+', we: '-', e: '>' },
  ...{ intersectionXY: '+', intersectionX: '+', intersectionY: '+' },
};

const eighths = ['', '▏', '▎', '▍', '▌', '▋', '▊', '▉'];

/** A bar of `length` columns; any positive length is at least an eighth of a column. */
export function barText(length: number, { ascii }: ChartOptions): string {
  if (length <= 0) return '';
  if (ascii) return '#'.repeat(Math.max(1, Math.round(length)));
  const parts = Math.max(1, Math.round(length * 8));
  return '█'.repeat(Math.floor(parts / 8)) + (eighths[parts % 8] ?? '');
}

/** The text in at most `most` columns; cut text ends in an ellipsis, or ~ in ASCII. */
export function shortened(text: string, most: number, { ascii }: ChartOptions): string {
  const short = cut(text, most);
  return ascii && short !== text ? `${short.slice(0, -1)}~` : short;
}
