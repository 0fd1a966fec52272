/** Draws amounts over time: a bar for each day or month. */
import { extent } from 'd3-array';
import { scaleBand, scaleLinear } from 'd3-scale';
import { stack, stackOffsetDiverging } from 'd3-shape';
import type { Amounts, Line } from './figures.ts';
import { html, type Markup } from './markup.ts';
import { amountNames, amountText, unitLabel, unitText } from './wording.ts';

/** In units of the drawing, which grows and shrinks with the page. */
const size = { width: 880, height: 260, left: 70, right: 10, top: 10, bottom: 28 };

/** Maximum number of labels below the bars, so that they never touch. */
const mostLabels = 12;

type Name = keyof Amounts;

/** Stacks the named amounts of each line; negative amounts are below zero. */
export function timeChart(lines: readonly Line[], names: readonly Name[], title: string): Markup {
  const { width, height, left, right, top, bottom } = size;
  const x = scaleBand(
    lines.map(({ name }) => name),
    [left, width - right],
  ).padding(0.2);
  const layers = stack<unknown, Line, Name>()
    .keys(names)
    .value((line, name) => Number(line[name]))
    .offset(stackOffsetDiverging)(lines);
  const ends = layers.flatMap((layer) => layer.flat());
  const [least = 0, most = 0] = extent(ends);
  const y = scaleLinear(least === most ? [0, 1] : [least, most], [height - bottom, top]).nice(5);
  const bars = layers.flatMap((layer) =>
    layer.flatMap(([from, to], i) => {
      const line = lines[i];
      if (!line || from === to) return [];
      const place = { x: x(line.name) ?? 0, width: x.bandwidth(), from: y(from), to: y(to) };
      return [bar(place, layer.key, line)];
    }),
  );
  return html`<svg class="chart" viewBox="0 0 ${width} ${height}" role="img" aria-label="${title}">${grid(y)}${bars}${labels(lines, x)}</svg>`;
}

interface Place {
  readonly x: number;
  readonly width: number;
  readonly from: number;
  readonly to: number;
}

/** A bar is at least half a unit high, so that it is visible. */
function bar({ x, width, from, to }: Place, name: Name, line: Line): Markup {
  const height = Math.max(0.5, Math.abs(from - to));
  return html`<rect class="${name}" x="${x}" y="${Math.min(from, to)}" width="${width}" height="${height}"><title>${unitText(line.name)}: ${amountNames[name]} ${amountText(line[name])}</title></rect>`;
}

function grid(y: ReturnType<typeof scaleLinear<number, number>>): Markup[] {
  const { width, left, right } = size;
  const format = y.tickFormat(5);
  return y.ticks(5).map((tick) => {
    const text = format(tick).replace('−', '-');
    return html`<line class="${tick === 0 ? 'zero' : 'grid'}" x1="${left}" x2="${width - right}" y1="${y(tick)}" y2="${y(tick)}"/><text class="value" x="${left - 8}" y="${y(tick)}" dy="0.32em">${text}</text>`;
  });
}

function labels(lines: readonly Line[], x: ReturnType<typeof scaleBand<string>>): Markup[] {
  const every = Math.ceil(lines.length / mostLabels);
  return lines
    .filter((_, i) => i % every === 0)
    .map(({ name }) => {
      const middle = (x(name) ?? 0) + x.bandwidth() / 2;
      return html`<text class="unit" x="${middle}" y="${size.height - 8}">${unitLabel(name)}</text>`;
    });
}
