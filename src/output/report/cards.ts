/** The totals of a report as cards: amounts and rates, each with its change. */
import { daysText, dayText } from '../../dates/day-texts.ts';
import { type Line, lineOf, type Period, type Stat, withoutMinus } from './figures.ts';
import { html, type Markup } from './markup.ts';
import type { Activity, Counts, Report } from './report.ts';
import {
  amountChange,
  amountNames,
  amountText,
  type Change,
  countText,
  percentText,
  rateChange,
} from './wording.ts';

export const totalNames = { ...amountNames, net: 'Net' };
export const totalKeys = ['sale', 'refund', 'chargeback', 'net'] as const;

type Key = (typeof totalKeys)[number];

/** Whether more is good news. */
const isGain: Readonly<Record<Key, boolean>> = {
  sale: true,
  refund: false,
  chargeback: false,
  net: true,
};

export function cards(report: Report, total: Line, stats: readonly Stat[]): Markup {
  const compared = comparedLines(report, stats);
  const amounts = totalKeys.map((key) => {
    const change = compared && amountChange(compared.now[key], compared.before[key]);
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

/** The amounts of the days that are compared, and of the days before. */
function comparedLines({ compared, previous }: Report, stats: readonly Stat[]) {
  if (!compared || !previous) return undefined;
  const now = stats.filter(({ day }) => compared.now.first <= day && day <= compared.now.last);
  return { now: lineOf('', now), before: lineOf('', withoutMinus(previous)) };
}

function countMarkup({ activity }: Report, key: Key): Markup {
  if (!activity) return html``;
  const { sales, rebills, refunds, chargebacks } = activity.counts;
  const texts: Readonly<Record<Key, string>> = {
    sale: `${counted(sales, 'sale')}, ${counted(rebills, 'rebill')}`,
    refund: counted(refunds, 'refund'),
    chargeback: counted(chargebacks, 'chargeback'),
    net: counted(sales + rebills + refunds + chargebacks, 'transaction'),
  };
  return html`<dd class="count">${texts[key]}</dd>`;
}

function counted(count: number, noun: string): string {
  return `${countText(count)} ${noun}${count === 1 ? '' : 's'}`;
}

function rateCard({ counts, compared }: Activity, kind: 'refund' | 'chargeback'): Markup {
  const pair = (of: Counts) => [of[`${kind}s`], of.sales + of.rebills] as const;
  const [part, whole] = pair(counts);
  const { now, before } = compared ?? {};
  const change = now && before && rateChange(pair(now), pair(before));
  const name = kind === 'refund' ? 'Refund rate' : 'Chargeback rate';
  const details = [
    changeMarkup(change, false),
    html`<dd class="count">${countText(part)} of ${countText(whole)} payments</dd>`,
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
