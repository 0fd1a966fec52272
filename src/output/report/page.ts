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
import { style } from './style.ts';
import { amountTable, cards, earnerTable } from './tables.ts';

export function reportPage(report: Report): string {
  const stats = withoutMinus(report.stats);
  const units = unitsOf(report.period);
  const total = lineOf('Total', stats);
  const { first, last } = report.period;
  const title = `Quickstats, ${first === last ? unitText(first) : `${unitText(first)} to ${unitText(last)}`}`;
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

function overTime(
  { unfinished }: Report,
  lines: readonly Line[],
  total: Line,
  monthly: boolean,
): Markup {
  const unit = monthly ? 'month' : 'day';
  const open = monthly ? unfinished?.slice(0, '2026-03'.length) : unfinished;
  const given = ['refund', 'chargeback'] as const;
  const [sales, back] = [`Sales by ${unit}`, `Refunds and chargebacks by ${unit}`];
  const newestFirst = lines.toReversed().map((line) => ({ ...line, name: unitText(line.name) }));
  const figures = amountTable({
    id: 'figures',
    first: monthly ? 'Month' : 'Day',
    lines: newestFirst,
    total,
    unfinished: open && unitText(open),
  });
  return html`<section class="over-time">
<h2>By ${unit}</h2>
<figure id="sales"><figcaption>${sales}</figcaption>${timeChart(lines, { names: ['sale'], title: sales, unfinished: open })}</figure>
<figure id="given-back"><figcaption>${back}${keys(given)}</figcaption>${timeChart(lines, { names: given, title: back, unfinished: open })}</figure>
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
  const title = 'Sales, refunds and chargebacks by account';
  const small = courses(stats, accounts, units);
  const course = accounts.length < 2 || units.length < 2 ? [] : [courseSection(small, units)];
  const table = { id: 'account-figures', first: 'Account', lines: accounts, total };
  return html`<section>
<h2>By account</h2>
<figure id="accounts"><figcaption>${title}${keys(['sale', 'refund', 'chargeback'])}</figcaption>${accountChart(accounts, title)}</figure>
${amountTable(table)}
${course}
</section>`;
}

function courseSection(small: readonly Markup[], units: readonly string[]): Markup {
  return html`<h2>Sales of each account by ${isMonth(units[0]) ? 'month' : 'day'}</h2>
<p>All charts have the same scale.</p>
<div class="courses">${small}</div>`;
}

function earners({ activity }: Report): Markup {
  if (!activity) return html``;
  const { products, affiliates } = activity;
  const hasAffiliates = affiliates.some(({ name }) => name !== '');
  const lists = [
    ...(products.length > 0
      ? [section('Products', earnerTable('products', 'Product', products, activity))]
      : []),
    ...(hasAffiliates
      ? [section('Affiliates', earnerTable('affiliates', 'Affiliate', affiliates, activity))]
      : []),
  ];
  return html`${lists}`;
}

function section(title: string, table: Markup): Markup {
  return html`<section>
<h2>${title}</h2>
${table}
</section>`;
}

function keys(names: readonly (keyof Amounts)[]): Markup[] {
  return names.map((name) => html`<span class="key ${name}">${amountNames[name]}</span>`);
}
