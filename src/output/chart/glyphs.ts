/** What charts are drawn with: lines, bars and colours for each of a few series. */
import { cut } from '../table/display-width.ts';
import type { ChartOptions } from './charting.ts';

/** More lines than this can't be told apart on a terminal. */
export const mostSeries = 5;

/** Paints the text of a series, by its number. */
export type Paint = (text: string, series: number) => string;

/** A colour is never all that tells two series apart. */
export async function loadPaint({ color }: ChartOptions): Promise<Paint> {
  if (!color) return (text) => text;
  const { Chalk } = await import('chalk');
  const chalk = new Chalk({ level: 1 });
  const paints = [chalk.cyan, chalk.yellow, chalk.magenta, chalk.green, chalk.blue];
  return (text, series) => paints[series % mostSeries]?.(text) ?? text;
}

/** The strokes of the chart library, and in the same order those of each series. */
const strokes = '━┓┃┗┛┏';
const boxes = [strokes, '─┐│└┘┌', '═╗║╚╝╔', '╍┓╏┗┛┏', '┄┐┆└┘┌'];
const marks = '*+ox#';

/** A stroke of the library as the stroke of a series. */
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

/** A bar that is so many columns long; what is not nothing can be seen. */
export function barText(length: number, { ascii }: ChartOptions): string {
  if (length <= 0) return '';
  if (ascii) return '#'.repeat(Math.max(1, Math.round(length)));
  const parts = Math.max(1, Math.round(length * 8));
  return '█'.repeat(Math.floor(parts / 8)) + (eighths[parts % 8] ?? '');
}

/** The text in at most so many columns; where something is missing, it says so. */
export function shortened(text: string, most: number, { ascii }: ChartOptions): string {
  const short = cut(text, most);
  return ascii && short !== text ? `${short.slice(0, -1)}~` : short;
}
