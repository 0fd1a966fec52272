/** The figures of a summary as lines of a screen: total, whole days, before, change. */
import { grouped } from '../../decimals/decimals.ts';
import { type Color, paint } from '../../output/paint.ts';
import { blanks, cut, widest } from '../../output/table/display-width.ts';
import {
  changeOf,
  changePercentOf,
  type Figures,
  type Metric,
  metrics,
} from '../../workflows/earnings/figures.ts';
import type { EarningsView } from './summary-values.ts';

export interface ScreenOptions {
  readonly width: number;
  readonly color: boolean;
  readonly hasUnicode: boolean;
}

const gap = '  ';

/** Labels of the lines. A rate stands beside its count, and decides the color of the change. */
const lines: readonly (readonly [Metric, string, rate?: Metric])[] = [
  ['earned', 'Earned'],
  ['refunded', 'Refunded'],
  ['chargedBack', 'Charged back'],
  ['net', 'Net'],
  ['averageEarned', 'You earn per payment'],
  ['sales', 'Sales'],
  ['rebills', 'Rebills'],
  ['refunds', 'Refunds (rate)', 'refundRatePercent'],
  ['chargebacks', 'Chargebacks (rate)', 'chargebackRatePercent'],
];

interface Cell {
  readonly text: string;
  readonly color?: Color | undefined;
}

/** Returns a heading and a line for each figure. Without a comparison, only the totals. */
export function figureLines({ plan, summary }: EarningsView, options: ScreenOptions): string[] {
  const sides = [summary.figures('period'), summary.figures('compared'), summary.figures('before')];
  const [all, now, before] = sides as [Figures, Figures, Figures];
  const isToday = plan.until !== undefined;
  const hasWhole = plan.unfinished !== undefined && !isToday;
  const columns: Cell[][] = [
    column(isToday ? 'So far' : 'Total', (line) => valueText(all, line)),
    ...(hasWhole ? [column('Whole days', (line) => valueText(now, line))] : []),
    column('Before', (line) => valueText(before, line)),
    [{ text: 'Change' }, ...lines.map((line) => changeCell(now, before, line))],
  ];
  const labels = ['US dollars', ...lines.map(([, label]) => label)];
  return fitted(labels, columns, options);
}

function column(heading: string, textOf: (line: (typeof lines)[number]) => string): Cell[] {
  return [{ text: heading }, ...lines.map((line) => ({ text: textOf(line) }))];
}

function valueText(figures: Figures, [metric, , rate]: (typeof lines)[number]): string {
  const value = figures[metric];
  const text = value === undefined ? '-' : grouped(String(value));
  const percent = rate && figures[rate];
  return percent === undefined ? text : `${text} (${percent}%)`;
}

/** Percent for amounts and counts, percentage points for rates; a sign always stands beside the color. */
function changeCell(now: Figures, before: Figures, [metric, , rate]: (typeof lines)[number]): Cell {
  const change = rate ? changeOf(now, before, rate) : changePercentOf(now, before, metric);
  if (change === undefined) return { text: '-' };
  const sign = Number(change) > 0 ? '+' : '';
  const text = `${sign}${grouped(change)}${rate ? ' pts' : '%'}`;
  return { text, color: colorOf(Number(change), rate ?? metric) };
}

function colorOf(change: number, metric: Metric): Color | undefined {
  if (change === 0) return undefined;
  const better = metrics.find(({ name }) => name === metric)?.better;
  return change > 0 === (better === 'more') ? 'green' : 'red';
}

/** The least room for labels, in columns. */
const leastRoom = 12;

/** Drops columns if the terminal is narrow, the second one first, and then cuts labels. */
function fitted(labels: readonly string[], columns: Cell[][], options: ScreenOptions): string[] {
  const needed = columns.reduce((sum, column) => sum + gap.length + widthOf(column), 0);
  const longest = widest(labels);
  const least = columns.length > 3 ? longest : Math.min(longest, leastRoom);
  if (least + needed > options.width && columns.length > 1) {
    return fitted(labels, columns.toSpliced(1, 1), options);
  }
  const room = Math.max(1, Math.min(longest, options.width - needed));
  return labels.map((text, i) => {
    const name = cut(text, room);
    const cells = columns.map((column) => cellText(column, i, options));
    const line = name + blanks(name, room) + cells.join('');
    return i === 0 && options.color ? paint('dim', line) : line;
  });
}

function widthOf(column: readonly Cell[]): number {
  return widest(column.map(({ text }) => text));
}

function cellText(column: readonly Cell[], line: number, options: ScreenOptions): string {
  const { text, color } = column[line] ?? { text: '' };
  const painted = color && options.color ? paint(color, text) : text;
  return gap + blanks(text, widthOf(column)) + painted;
}
