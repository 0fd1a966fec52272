/** Draws rows as a chart for a terminal: lines if the rows have days, otherwise bars. */
import type { Row } from '../rows/rows.ts';
import { sentence } from '../table/heading.ts';
import { barChart } from './bar-chart.ts';
import type { Charting, ChartOptions } from './charting.ts';
import { painterFor } from './glyphs.ts';
import { lineChart } from './line-chart.ts';
import { dayOf, seriesOf } from './series.ts';

/** Returns whole lines, none wider than the terminal; empty without rows. */
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
