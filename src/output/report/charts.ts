/** A group of bars for each account, and the sales of each account over time. */
import { extent, max, min } from 'd3-array';
import { scaleBand, scaleLinear, scalePoint } from 'd3-scale';
import { area, line as path, stack, stackOffsetDiverging } from 'd3-shape';
import {
  type Amounts,
  amountNames,
  amountText,
  type Line,
  linesByUnit,
  type Stat,
  unitLabel,
  unitText,
} from './figures.ts';
import { html, type Markup } from './markup.ts';

const names = ['sale', 'refund', 'chargeback'] as const;

/** Positions are percentages of the width, so that the bars fit any screen. */
export function accountChart(accounts: readonly Line[], title: string): Markup {
  const values = accounts.flatMap((account) => names.map((name) => Number(account[name])));
  const [least = 0, most = 0] = extent([0, ...values]);
  const x = scaleLinear([least, least === most ? 1 : most], [0, 100]);
  const groups = accounts.map((account) => {
    const bars = names.map((name) => barOf(account, name, x));
    return html`<div class="account"><p>${account.name}</p><div class="bars">${bars}</div></div>`;
  });
  return html`<div class="accounts" role="img" aria-label="${title}">${groups}</div>`;
}

function barOf(account: Line, name: keyof Amounts, x: (value: number) => number): Markup {
  const value = Number(account[name]);
  const [zero, end] = [x(0), x(value)];
  const text = amountText(account[name]);
  const bar =
    value === 0
      ? ''
      : html`<span class="bar ${name}" style="left:${Math.min(zero, end)}%;width:${Math.abs(end - zero)}%" title="${account.name}: ${amountNames[name]} ${text}"></span>`;
  return html`<div class="track">${bar}</div><span class="amount" data-label="${amountNames[name]}">${text}</span>`;
}

const small = { width: 270, height: 70, edge: 2 };

/** The sales of an account over time; all accounts have the same scale. */
export function courses(
  stats: readonly Stat[],
  accounts: readonly Line[],
  units: readonly string[],
): Markup[] {
  const lines = accounts.map(({ name }) => ({
    name,
    course: linesByUnit(
      stats.filter(({ account }) => account === name),
      units,
    ).map(({ sale }) => Number(sale)),
  }));
  const sales = lines.flatMap(({ course }) => course);
  const [least = 0, most = 0] = extent([0, ...sales]);
  const y = scaleLinear(
    [least, least === most ? 1 : most],
    [small.height - small.edge, small.edge],
  );
  return lines.map(({ name, course }) => courseOf(name, course, y));
}

function courseOf(name: string, course: readonly number[], y: (value: number) => number): Markup {
  const x = scalePoint([...course.keys()], [small.edge, small.width - small.edge]);
  const at = (_: number, i: number) => x(i) ?? 0;
  const fill = area<number>(at, y(0), (value) => y(value))(course);
  const stroke = path<number>(at, (value) => y(value))(course);
  const range = `${min(course) ?? 0} to ${max(course) ?? 0}`;
  return html`<figure class="course"><figcaption>${name}</figcaption><svg viewBox="0 0 ${small.width} ${small.height}" role="img" aria-label="Sales of ${name}: ${range}"><path class="area" d="${fill ?? ''}"/><path class="line" d="${stroke ?? ''}"/></svg></figure>`;
}

/** In units of the drawing, which is stretched. Texts stand beside it, so that a phone shows them as large. */
const size = { width: 1000, height: 200 };

/** Space for each label below the bars, so that labels don't touch; on a phone, every third one is shown. */
const mostLabels = 12;

/** The amounts of each line stacked; negative amounts are below the axis. `unfinished` is the day or month that is not over. */
export function timeChart(
  lines: readonly Line[],
  names: readonly (keyof Amounts)[],
  title: string,
  unfinished?: string,
): Markup {
  const x = scaleBand(
    lines.map(({ name }) => name),
    [0, size.width],
  ).padding(0.2);
  const layers = stack<unknown, Line, keyof Amounts>()
    .keys(names)
    .value((line, name) => Number(line[name]))
    .offset(stackOffsetDiverging)(lines);
  const [least = 0, most = 0] = extent(layers.flatMap((layer) => layer.flat()));
  const y = scaleLinear(least === most ? [0, 1] : [least, most], [size.height, 0]).nice(ticks);
  const bars = layers.flatMap((layer) =>
    layer.flatMap(([from, to], i) => {
      const line = lines[i];
      if (!line || from === to) return [];
      const isOpen = line.name === unfinished;
      const place = html`x="${x(line.name) ?? 0}" y="${Math.min(y(from), y(to))}" width="${x.bandwidth()}"`;
      // At least one unit high, so that it is visible.
      const height = Math.max(1, Math.abs(y(from) - y(to)));
      const says = `${unitText(line.name)}${isOpen ? ' (unfinished)' : ''}: ${amountNames[layer.key]} ${amountText(line[layer.key])}`;
      return [
        html`<rect class="${layer.key}${isOpen ? ' unfinished' : ''}" ${place} height="${height}"><title>${says}</title></rect>`,
      ];
    }),
  );
  return html`<div class="plot"><svg viewBox="0 0 ${size.width} ${size.height}" preserveAspectRatio="none" role="img" aria-label="${title}">${grid(y)}${bars}</svg>${values(y)}</div><div class="units">${labels(lines, x)}</div>`;
}

type Scale = ReturnType<typeof scaleLinear<number, number>>;

const ticks = 3;

function grid(y: Scale): Markup[] {
  return y.ticks(ticks).map((tick) => {
    const kind = tick === 0 ? 'zero' : 'grid';
    return html`<line class="${kind}" x1="0" x2="${size.width}" y1="${y(tick)}" y2="${y(tick)}"/>`;
  });
}

/** The value of each line of the grid, beside it. */
function values(y: Scale): Markup[] {
  const format = y.tickFormat(ticks);
  return y.ticks(ticks).map((tick) => {
    const text = amountText(format(tick).replace('−', '-').replaceAll(',', ''));
    return html`<span class="value" style="top:${(y(tick) / size.height) * 100}%">${text}</span>`;
  });
}

/** The last one is always labeled: it is the newest. */
function labels(lines: readonly Line[], x: ReturnType<typeof scaleBand<string>>): Markup[] {
  const every = Math.ceil(lines.length / mostLabels);
  return lines
    .map(({ name }, i) => ({ name, fromEnd: lines.length - 1 - i }))
    .filter(({ fromEnd }) => fromEnd % every === 0)
    .map(({ name, fromEnd }) => {
      const middle = ((x(name) ?? 0) + x.bandwidth() / 2) / size.width;
      const rare = (fromEnd / every) % 3 === 0 ? '' : ' wide-only';
      return html`<span class="unit${rare}" style="left:${middle * 100}%">${unitLabel(name)}</span>`;
    });
}
