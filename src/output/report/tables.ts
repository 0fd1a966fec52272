/** The tables of a report; on a phone, each row becomes a card. */

import { daysText, dayText } from '../../dates/day-texts.ts';
import type { Period } from '../../dates/words.ts';
import { grouped, groupedCount } from '../../decimals/decimals.ts';
import { sumOf } from '../series.ts';
import {
  amountChange,
  amountNames,
  amountText,
  type Change,
  type Line,
  lineOf,
  percentText,
  rateChange,
  type Stat,
  withoutMinus,
} from './figures.ts';
import { html, type Markup } from './markup.ts';
import type { Activity, Counts, Earner, Report } from './report.ts';

interface Row {
  readonly name: Markup;
  readonly cells: readonly string[];
  readonly kind?: string;
}

/** The last column is the most important one, which a phone shows beside the name. */
function table(id: string, heads: readonly string[], rows: readonly Row[], sum?: Row): Markup {
  const [first = '', ...others] = heads;
  const written = ({ name, cells, kind = '' }: Row) => {
    const data = cells.map((text, i) => html`<td data-label="${others[i] ?? ''}">${text}</td>`);
    return html`<tr class="${kind}"><th scope="row">${name}</th>${data}</tr>
`;
  };
  const columns = others.map((head) => html`<th scope="col">${head}</th>`);
  return html`<table id="${id}">
<thead><tr><th scope="col">${first}</th>${columns}</tr></thead>
<tbody>
${rows.map(written)}</tbody>
${sum ? html`<tfoot>${written(sum)}</tfoot>` : html``}
</table>`;
}

/** `unfinished` is the name of the line that is not over. */
export function amountTable(
  id: string,
  first: string,
  lines: readonly Line[],
  total: Line,
  unfinished?: string,
): Markup {
  const heads = [first, ...totalKeys.map((key) => totalNames[key])];
  const rowOf = (line: Line, kind = ''): Row => {
    const isOpen = line.name === unfinished;
    const name = isOpen ? html`${line.name} <em>unfinished</em>` : html`${line.name}`;
    const cells = totalKeys.map((key) => amountText(line[key]));
    return { name, cells, kind: isOpen ? 'unfinished' : kind };
  };
  const rows = lines.map((line) => rowOf(line));
  return table(id, heads, rows, rowOf(total, 'sum'));
}

/** More rows than this are added up in one. */
const mostEarners = 10;

/** The total counts a transaction once, also if it has several products. */
export function earnerTable(
  id: string,
  first: string,
  earners: readonly Earner[],
  { counts, net }: Activity,
): Markup {
  const shown = earners.length > mostEarners + 1 ? earners.slice(0, mostEarners) : earners;
  const others = earners.slice(shown.length);
  const nameOf = ({ name, detail }: Earner) => {
    if (name === '') return html`<em>No ${first.toLowerCase()}</em>`;
    return detail === '' ? html`${name}` : html`${name} <small>${detail}</small>`;
  };
  const rows: Row[] = shown.map((one) => ({ name: nameOf(one), cells: cellsOf([one]) }));
  if (others.length > 0) {
    const name = html`${grouped(others.length)} others`;
    rows.push({ name, cells: cellsOf(others), kind: 'others' });
  }
  const payments = grouped(counts.sales + counts.rebills);
  const returned = grouped(counts.refunds + counts.chargebacks);
  const cells = [payments, returned, amountText(net)];
  const total = { name: html`Total`, cells, kind: 'sum' };
  return table(id, [first, 'Sales and rebills', 'Refunds and chargebacks', 'Net'], rows, total);
}

function cellsOf(earners: readonly Earner[]): string[] {
  const count = (key: 'payments' | 'returns') =>
    grouped(earners.reduce((sum, one) => sum + one[key], 0));
  return [count('payments'), count('returns'), amountText(sumOf(earners.map(({ net }) => net)))];
}

const totalNames = { ...amountNames, net: 'Net' };
const totalKeys = ['sale', 'refund', 'chargeback', 'net'] as const;

type Key = (typeof totalKeys)[number];

/** Whether more is good news. */
const isGain = { sale: true, refund: false, chargeback: false, net: true };

export function cards(report: Report, total: Line, stats: readonly Stat[]): Markup {
  const { compared, previous } = report;
  const days = compared?.now;
  const isIn = ({ day }: Stat) => days && days.first <= day && day <= days.last;
  const now = lineOf('', stats.filter(isIn));
  const before = compared && previous && lineOf('', withoutMinus(previous));
  const amounts = totalKeys.map((key) => {
    const change = before && amountChange(now[key], before[key]);
    const details = [changeMarkup(change, isGain[key]), countMarkup(report, key)];
    return card(key, totalNames[key], amountText(total[key]), details);
  });
  const { activity } = report;
  const rates = activity ? [rateCard(activity, 'refund'), rateCard(activity, 'chargeback')] : [];
  return html`<dl class="totals">${[...amounts, ...rates]}</dl>
${note(report)}`;
}

function card(kind: string, name: string, value: string, details: readonly Markup[]): Markup {
  return html`<div class="${kind}"><dt>${name}</dt><dd class="figure">${value}</dd>${details}</div>`;
}

function changeMarkup(change: Change | undefined, isGood: boolean): Markup {
  if (!change) return html``;
  const { direction, text } = change;
  const news = direction === 0 ? 'same' : direction > 0 === isGood ? 'good' : 'bad';
  const arrow = direction === 0 ? '' : direction > 0 ? '▲ ' : '▼ ';
  return html`<dd class="change ${news}">${arrow}${text}</dd>`;
}

function countMarkup({ activity }: Report, key: Key): Markup {
  if (!activity) return html``;
  const { sales, rebills, refunds, chargebacks } = activity.counts;
  const texts: Readonly<Record<Key, string>> = {
    sale: `${groupedCount(sales, 'sale')}, ${groupedCount(rebills, 'rebill')}`,
    refund: groupedCount(refunds, 'refund'),
    chargeback: groupedCount(chargebacks, 'chargeback'),
    net: groupedCount(sales + rebills + refunds + chargebacks, 'transaction'),
  };
  return html`<dd class="count">${texts[key]}</dd>`;
}

function rateCard({ counts, compared }: Activity, kind: 'refund' | 'chargeback'): Markup {
  const pair = (of: Counts) => [of[`${kind}s`], of.sales + of.rebills] as const;
  const [part, whole] = pair(counts);
  const { now, before } = compared ?? {};
  const change = now && before && rateChange(pair(now), pair(before));
  const name = kind === 'refund' ? 'Refund rate' : 'Chargeback rate';
  const details = [
    changeMarkup(change, false),
    html`<dd class="count">${grouped(part)} of ${grouped(whole)} payments</dd>`,
  ];
  return card(`${kind} rate`, name, percentText(part, whole) ?? 'none', details);
}

function note({ compared, unfinished }: Report): Markup {
  if (!compared) {
    return unfinished === undefined
      ? html``
      : html`<p class="note">Today is not over, so it is not compared.</p>`;
  }
  const { now, before } = compared;
  const textOf = (some: Period) =>
    some.first === some.last ? dayText(some.first) : daysText(some);
  const days = (some: Period) => html`<span class="days">${textOf(some)}</span>`;
  const open =
    unfinished === undefined ? '' : ' Today is not over: totals include it, changes do not.';
  return html`<p class="note">Changes compare ${days(now)} with ${days(before)}.${open}</p>`;
}
