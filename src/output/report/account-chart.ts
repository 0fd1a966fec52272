/** Charts of accounts: a group of bars for each, and a chart of its sales. */
import { extent, max, min } from 'd3-array';
import { scaleLinear, scalePoint } from 'd3-scale';
import { area, line as path } from 'd3-shape';
import { type Amounts, type Line, linesByUnit, type Stat } from './figures.ts';
import { html, type Markup } from './markup.ts';
import { amountNames, amountText } from './wording.ts';

/** In units of the drawing. A long name is clipped; the table shows all of it. */
const size = { width: 880, names: 150, amounts: 110, bar: 14, gap: 10 };

const names = ['sale', 'refund', 'chargeback'] as const;

export function accountChart(accounts: readonly Line[], title: string): Markup {
  const values = accounts.flatMap((account) => names.map((name) => Number(account[name])));
  const [least = 0, most = 0] = extent([0, ...values]);
  const x = scaleLinear(
    [least, least === most ? 1 : most],
    [size.names, size.width - size.amounts],
  );
  const step = names.length * size.bar + size.gap;
  const groups = accounts.map((account, i) => barsOf(account, i * step, x));
  return html`<svg class="chart" viewBox="0 0 ${size.width} ${Math.max(1, accounts.length * step)}" role="img" aria-label="${title}">${groups}</svg>`;
}

function barsOf(account: Line, top: number, x: (value: number) => number): Markup {
  const height = names.length * size.bar;
  const bars = names.map((name, i) => barOf(account, name, top + i * size.bar, x));
  return html`<svg y="${top}" width="${size.names - 8}" height="${height}"><text class="account" y="${height / 2}" dy="0.32em">${account.name}</text></svg>${bars}`;
}

function barOf(
  account: Line,
  name: keyof Amounts,
  top: number,
  x: (value: number) => number,
): Markup {
  const value = Number(account[name]);
  const [zero, end] = [x(0), x(value)];
  const width = Math.max(0.5, Math.abs(end - zero));
  const text = html`<text class="amount" x="${Math.max(zero, end) + 6}" y="${top + size.bar / 2}" dy="0.32em">${amountText(account[name])}</text>`;
  if (value === 0) return text;
  return html`<rect class="${name}" x="${Math.min(zero, end)}" y="${top + 1}" width="${width}" height="${size.bar - 2}"><title>${account.name}: ${amountNames[name]} ${amountText(account[name])}</title></rect>${text}`;
}

const small = { width: 270, height: 70, edge: 2 };

/** Draws the sales of each account over time, all to the same scale. */
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
