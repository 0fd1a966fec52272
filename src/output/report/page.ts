/** The report as one HTML page without scripts or external files. */

import { accountChart, courses, timeChart } from './charts.ts';
import {
  type Amounts,
  amountNames,
  isMonth,
  type Line,
  lineOf,
  linesByAccount,
  linesByUnit,
  type Stat,
  unitsOf,
  unitText,
  withoutMinus,
} from './figures.ts';
import { html, type Markup } from './markup.ts';
import type { Report } from './report.ts';
import { amountTable, cards, earnerTable } from './tables.ts';

export function reportPage(report: Report): string {
  const stats = withoutMinus(report.stats);
  const units = unitsOf(report.period);
  const total = lineOf('Total', stats);
  const { first, last } = report.period;
  const title = `Earnings, ${first === last ? unitText(first) : `${unitText(first)} to ${unitText(last)}`}`;
  const { markup } = html`<!doctype html>
<html lang="en-US">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<style>${{ markup: style }}</style>
</head>
<body>
${heading(report, title)}
${cards(report, total, stats)}
${overTime(report, linesByUnit(stats, units), total, isMonth(units[0]))}
${byAccount(stats, linesByAccount(stats, report.accounts), total, units)}
${earners(report)}
${ending(report)}
</body>
</html>
`;
  return markup;
}

function heading({ accounts, gaps }: Report, title: string): Markup {
  const named =
    accounts.length === 0 ? 'No account has figures for this period.' : accounts.join(', ');
  const missing = gaps.map((gap) => html`<p class="warning">${gap}</p>`);
  return html`<header>
<h1>${title}</h1>
<p>${named}</p>
${missing}
</header>`;
}

function ending({ activity, made }: Report): Markup {
  const rates = activity
    ? ' Rates are refunds and chargebacks as a percentage of payments, which are sales and rebills, by count.'
    : '';
  const counted = activity
    ? ' A transaction with several products is one of the payments of each product, and counts once in the total.'
    : '';
  return html`<footer>
<p>All amounts are what the accounts earn, in US dollars. Days are Pacific days. Net is sales minus refunds and chargebacks.${rates}${counted} ${made}</p>
</footer>`;
}

function overTime({ unfinished }: Report, lines: readonly Line[], total: Line, monthly: boolean) {
  const unit = monthly ? 'month' : 'day';
  const open = monthly ? unfinished?.slice(0, '2026-03'.length) : unfinished;
  const given = ['refund', 'chargeback'] as const;
  const [sales, back] = [`Sales by ${unit}`, `Refunds and chargebacks by ${unit}`];
  const newestFirst = lines.toReversed().map((line) => ({ ...line, name: unitText(line.name) }));
  const first = monthly ? 'Month' : 'Day';
  const figures = amountTable('figures', first, newestFirst, total, open && unitText(open));
  return html`<section class="over-time">
<h2>By ${unit}</h2>
<figure id="sales"><figcaption>${sales}</figcaption>${timeChart(lines, ['sale'], sales, open)}</figure>
<figure id="given-back"><figcaption>${legend(given)} by ${unit}</figcaption>${timeChart(lines, given, back, open)}</figure>
${figures}
</section>`;
}

function byAccount(
  stats: readonly Stat[],
  accounts: readonly Line[],
  total: Line,
  units: readonly string[],
): Markup {
  if (accounts.length === 0) return html``;
  const all = ['sale', 'refund', 'chargeback'] as const;
  const title = 'Sales, refunds and chargebacks by account';
  const small = courses(stats, accounts, units);
  const over = html`<h2>Sales of each account by ${isMonth(units[0]) ? 'month' : 'day'}</h2>
<p>All charts have the same scale.</p>
<div class="courses">${small}</div>`;
  const course = accounts.length < 2 || units.length < 2 ? [] : [over];
  return html`<section>
<h2>By account</h2>
<figure id="accounts"><figcaption>${legend(all)} by account</figcaption>${accountChart(accounts, title)}</figure>
${amountTable('account-figures', 'Account', accounts, total)}
${course}
</section>`;
}

function earners({ activity }: Report): Markup {
  if (!activity) return html``;
  const { products, affiliates } = activity;
  const hasAffiliates = affiliates.some(({ name }) => name !== '');
  const section = (title: string, table: Markup) => html`<section>
<h2>${title}</h2>
${table}
</section>`;
  const product = () => section('Products', earnerTable('products', 'Product', products, activity));
  const affiliate = () =>
    section('Affiliates', earnerTable('affiliates', 'Affiliate', affiliates, activity));
  return html`${products.length > 0 ? product() : ''}${hasAffiliates ? affiliate() : ''}`;
}

/** The names of the amounts as a phrase, each beside its color. */
function legend(names: readonly (keyof Amounts)[]): Markup[] {
  return names.map((name, i) => {
    const text = i === 0 ? amountNames[name] : amountNames[name].toLowerCase();
    const before = i === 0 ? '' : i === names.length - 1 ? ' and ' : ', ';
    return html`${before}<span class="key ${name}">${text}</span>`;
  });
}

const style = `
:root {
  color-scheme: light dark;
  --paper: #fff; --ink: #1a1d21; --faint: #5a626c; --rule: #d9dde2; --card: #f4f6f8;
  --sale: #1f6fb2; --refund: #b86e00; --chargeback: #a3195b; --good: #14692c; --bad: #b3261e;
}
@media screen and (prefers-color-scheme: dark) {
  :root {
    --paper: #14171a; --ink: #e8eaed; --faint: #a0a8b2; --rule: #363c43; --card: #1e2227;
    --sale: #64aef0; --refund: #f0ad4e; --chargeback: #f279ae; --good: #5fc981; --bad: #ff8f86;
  }
}
* { box-sizing: border-box; }
body {
  margin: 0 auto; padding: 2rem 1rem 3rem; max-width: 62rem;
  background: var(--paper); color: var(--ink); overflow-wrap: anywhere;
  font: 1rem/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif;
}
h1 { margin: 0; font-size: 1.8rem; line-height: 1.2; }
h2 { margin: 2.5rem 0 0.5rem; font-size: 1.3rem; }
p { margin: 0.3rem 0; color: var(--faint); }
em { font-style: normal; color: var(--faint); }
small { color: var(--faint); }
footer { margin-top: 2.5rem; border-top: 1px solid var(--rule); padding-top: 0.5rem; font-size: 0.9rem; }
.warning { color: var(--ink); border-left: 0.25rem solid var(--refund); padding-left: 0.75rem; }
.note { font-size: 0.9rem; }
.days { white-space: nowrap; }
.totals { display: grid; grid-template-columns: repeat(3, 1fr); gap: 0.75rem; margin: 1.25rem 0 0.75rem; }
.totals div { background: var(--card); border-radius: 0.5rem; padding: 0.6rem 1rem; border-top: 0.25rem solid var(--rule); min-width: 0; }
.totals .sale { border-color: var(--sale); }
.totals .refund { border-color: var(--refund); }
.totals .chargeback { border-color: var(--chargeback); }
.totals .net { border-color: var(--ink); }
.totals dt { color: var(--faint); }
.totals dd { margin: 0; font-size: 0.9rem; font-variant-numeric: tabular-nums; }
.totals .figure { font-size: 1.5rem; line-height: 1.3; }
.totals .count, .totals .same { color: var(--faint); }
.good { color: var(--good); }
.bad { color: var(--bad); }
figure { margin: 1rem 0; }
figcaption { font-weight: 600; }
.key { white-space: nowrap; }
.key::before { content: ""; display: inline-block; width: 0.8em; height: 0.8em; margin-right: 0.3em; }
.key.sale::before, .bar.sale { background: var(--sale); }
.key.refund::before, .bar.refund { background: var(--refund); }
.key.chargeback::before, .bar.chargeback { background: var(--chargeback); }
.plot { position: relative; height: 12rem; margin: 0.9rem 0 0 3.5rem; }
#given-back .plot { height: 7rem; }
.plot svg { display: block; width: 100%; height: 100%; overflow: visible; }
.value, .unit { position: absolute; color: var(--faint); font-size: 0.75rem; line-height: 1.2; white-space: nowrap; font-variant-numeric: tabular-nums; }
.value { right: 100%; transform: translateY(-50%); padding-right: 0.4rem; }
.units { position: relative; height: 1.3rem; margin: 0.4rem 0 0 3.5rem; }
.unit { transform: translateX(-50%); }
/* The newest one ends where the drawing ends. */
.unit:last-child { left: auto !important; right: 0; transform: none; }
.grid, .zero { stroke: var(--rule); vector-effect: non-scaling-stroke; }
.zero { stroke: var(--faint); }
rect.sale { fill: var(--sale); }
rect.refund { fill: var(--refund); }
rect.chargeback { fill: var(--chargeback); }
rect.unfinished { fill-opacity: 0.45; }
.account { display: grid; grid-template-columns: 9rem 1fr; gap: 0 0.75rem; align-items: center; margin: 0.6rem 0; break-inside: avoid; }
.account p { margin: 0; color: var(--ink); }
/* All amounts have the same width, so that all bars have the same scale. */
.bars { display: grid; grid-template-columns: 1fr 6.5rem; gap: 0 0.5rem; align-items: center; font-size: 0.75rem; color: var(--faint); font-variant-numeric: tabular-nums; }
.track { position: relative; height: 0.8rem; }
.bar { position: absolute; top: 0; bottom: 0; min-width: 1px; }
.bars .amount { text-align: right; line-height: 1.35; }
.courses { display: grid; grid-template-columns: repeat(auto-fill, minmax(14rem, 1fr)); gap: 0 1.5rem; }
.course { min-width: 0; }
.course figcaption { font-weight: 400; }
.course svg { display: block; width: 100%; height: auto; }
.area { fill: var(--sale); opacity: 0.2; }
.line { fill: none; stroke: var(--sale); stroke-width: 1.5; }
table { width: 100%; border-collapse: collapse; font-variant-numeric: tabular-nums; font-size: 0.9rem; margin-top: 1rem; }
th, td { padding: 0.2rem 0.6rem; text-align: right; border-bottom: 1px solid var(--rule); }
th:first-child { text-align: left; font-weight: 400; padding-left: 0; }
th:last-child, td:last-child { padding-right: 0; }
thead th, thead th:first-child, .sum th:first-child { font-weight: 600; }
thead th { vertical-align: bottom; }
.sum th, .sum td { font-weight: 600; border-bottom: 0; border-top: 2px solid var(--ink); }
.others { color: var(--faint); }
@media screen and (max-width: 40rem) {
  body { padding: 1rem 0.75rem 2rem; }
  h1 { font-size: 1.3rem; }
  h2 { margin-top: 1.5rem; font-size: 1.15rem; }
  header p, .note { font-size: 0.85rem; line-height: 1.35; }
  .totals { grid-template-columns: 1fr 1fr; gap: 0.5rem; margin: 0.6rem 0 0.4rem; }
  .totals div { padding: 0.3rem 0.6rem; }
  .totals dt, .totals dd { font-size: 0.75rem; line-height: 1.3; }
  .totals .figure { font-size: 1.15rem; }
  /* The captions of the charts say it too. */
  .over-time > h2 { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
  figure { margin: 0.5rem 0; }
  figcaption { font-size: 0.9rem; }
  .plot { height: 5.5rem; margin: 0.6rem 0 0 3rem; }
  #given-back .plot { height: 4rem; }
  .units { margin-left: 3rem; }
  .wide-only { display: none; }
  .account { grid-template-columns: 1fr; }
  table, tbody, tfoot { display: block; margin-top: 0; }
  thead { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
  tr { display: flex; flex-wrap: wrap; justify-content: space-between; gap: 0 0.3rem; padding: 0.35rem 0; border-bottom: 1px solid var(--rule); }
  tr.sum { border-bottom: 0; border-top: 2px solid var(--ink); }
  th, td, .sum th, .sum td { border: 0; padding: 0; text-align: left; }
  tr::before { content: ""; order: 2; width: 100%; }
  th:first-child { flex: 1; font-weight: 600; }
  th em, th small { font-weight: 400; }
  th small { display: block; }
  td { order: 3; font-size: 0.75rem; }
  td:last-child { order: 1; text-align: right; font-size: 0.9rem; font-weight: 600; }
  td:not(:last-child) { font-weight: 400; }
  td::before, .bars .amount::before { content: attr(data-label) " "; color: var(--faint); font-weight: 400; }
  .bars { grid-template-columns: 1fr 9.5rem; }
}
@page { margin: 15mm; }
@media print {
  body { padding: 0; max-width: none; font-size: 10pt; }
  * { print-color-adjust: exact; -webkit-print-color-adjust: exact; }
  h2 { break-after: avoid; margin-top: 1.5rem; }
  figure, tr, .totals, .totals div { break-inside: avoid; }
  .plot { height: 9rem; }
  thead { display: table-header-group; }
  tfoot { display: table-row-group; }
}
`;
