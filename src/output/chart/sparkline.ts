/** Sparklines: a line chart in one line of text. */
import { mean } from 'd3-array';
import type { Row } from '../rows/rows.ts';
import { blanks, widest } from '../table/display-width.ts';
import { type Charting, rangeText, seriesOf } from './series.ts';

const steps = '▁▂▃▄▅▆▇█';
const gap = '  ';

/**
 * The lowest step is zero, or the minimum if it is negative. If there are more than `width` points, a column is the
 * mean of several.
 */
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

/** A sparkline for each figure by day, with its minimum and maximum; none for a single day. */
export function sparkLines(rows: readonly Row[], charting: Charting, width: number): string[] {
  const series = seriesOf(rows, charting).filter(({ points }) => points.length > 1);
  const ranges = series.map(({ points }) => `${rangeText(points)} a day`);
  const names = widest(series.map(({ name }) => name));
  const room = width - names - widest(ranges) - 2 * gap.length;
  if (room < 1) return [];
  return series.map(({ name, points }, i) => {
    const values = points.map(({ digits }) => Number(digits));
    return [name + blanks(name, names), sparkline(values, room), ranges[i]].join(gap);
  });
}
