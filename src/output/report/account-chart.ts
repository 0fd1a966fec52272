/** A group of bars for each account, and the sales of each account over time. */
import { extent, max, min } from 'd3-array';
import { scaleLinear, scalePoint } from 'd3-scale';
import { area, line as path } from 'd3-shape';
import { type Amounts, type Line, linesByUnit, type Stat } from './figures.ts';
import { html, type Markup } from './markup.ts';
import { amountNames, amountText } from './wording.ts';

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
  return html`<div class="track">${bar}</div><span class="amount">${text}</span>`;
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
