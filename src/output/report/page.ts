/** The report as one HTML page without scripts or external files. */
import { accountChart, courses } from './account-chart.ts';
import {
  type Amounts,
  type Line,
  lineOf,
  linesByAccount,
  linesByUnit,
  type Period,
  type Stat,
  unitsOf,
  withoutMinus,
} from './figures.ts';
import { html, type Markup } from './markup.ts';
import { style } from './style.ts';
import { timeChart } from './time-chart.ts';
import { amountNames, amountText, isMonth, unitText } from './wording.ts';

export interface Report {
  readonly period: Period;
  /** Accounts with figures; ClickBank does not list others. */
  readonly accounts: readonly string[];
  readonly stats: readonly Stat[];
  /** The currency of the amounts, in words. */
  readonly currency: string;
  /** When the report was created, and by which version. */
  readonly made: string;
  /** Profiles that could not be read. */
  readonly missing: readonly string[];
}

const totalNames = { ...amountNames, net: 'Net' };
const totalKeys = ['sale', 'refund', 'chargeback', 'net'] as const;

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
${totals(total)}
${overTime(linesByUnit(stats, units), total, isMonth(units[0]))}
${byAccount(stats, linesByAccount(stats, report.accounts), total, units)}
</body>
</html>
`;
  return markup;
}

function heading({ accounts, currency, made, missing }: Report, title: string): Markup {
  const gone =
    missing.length === 0
      ? ''
      : html`<p class="warning">Not included because they could not be read: ${missing.join(', ')}</p>`;
  const named =
    accounts.length === 0
      ? 'No account has figures for this period.'
      : `Accounts: ${accounts.join(', ')}`;
  return html`<header>
<h1>${title}</h1>
<p>${named}</p>
<p>All amounts are in ${currency}. Days are Pacific days. Net is sales minus refunds and chargebacks. ${made}</p>
${gone}
</header>`;
}

function totals(total: Line): Markup {
  const cards = totalKeys.map(
    (name) =>
      html`<div class="${name}"><dt>${totalNames[name]}</dt><dd>${amountText(total[name])}</dd></div>`,
  );
  return html`<dl class="totals">${cards}</dl>`;
}

function overTime(lines: readonly Line[], total: Line, monthly: boolean): Markup {
  const unit = monthly ? 'month' : 'day';
  const named = lines.map((line) => ({ ...line, name: unitText(line.name) }));
  const given = ['refund', 'chargeback'] as const;
  const back = `Refunds and chargebacks by ${unit}`;
  return html`<section>
<h2>By ${unit}</h2>
<figure id="sales"><figcaption>Sales by ${unit}</figcaption>${timeChart(lines, ['sale'], `Sales by ${unit}`)}</figure>
<figure id="given-back"><figcaption>${back}${keys(given)}</figcaption>${timeChart(lines, given, back)}</figure>
${table('Figures', monthly ? 'Month' : 'Day', named, total)}
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
  return html`<section>
<h2>By account</h2>
<figure id="accounts"><figcaption>${title}${keys(['sale', 'refund', 'chargeback'])}</figcaption>${accountChart(accounts, title)}</figure>
${table('Figures', 'Account', accounts, total)}
${course}
</section>`;
}

function courseSection(small: readonly Markup[], units: readonly string[]): Markup {
  return html`<h2>Sales of each account by ${isMonth(units[0]) ? 'month' : 'day'}</h2>
<p>All charts have the same scale.</p>
<div class="courses">${small}</div>`;
}

function keys(names: readonly (keyof Amounts)[]): Markup[] {
  return names.map((name) => html`<span class="key ${name}">${amountNames[name]}</span>`);
}

function table(caption: string, first: string, lines: readonly Line[], total: Line): Markup {
  const heads = totalKeys.map((key) => html`<th scope="col">${totalNames[key]}</th>`);
  return html`<div class="scroll"><table>
<caption>${caption}</caption>
<thead><tr><th scope="col">${first}</th>${heads}</tr></thead>
<tbody>
${lines.map(rowOf)}</tbody>
<tfoot>${rowOf(total)}</tfoot>
</table></div>`;
}

function rowOf(line: Line): Markup {
  const cells = totalKeys.map((key) => html`<td>${amountText(line[key])}</td>`);
  return html`<tr><th scope="row">${line.name}</th>${cells}</tr>
`;
}
