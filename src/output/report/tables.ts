/** The tables of a report; on a phone, each row becomes a card. */

import { sumOf } from '../chart/series.ts';
import { totalKeys, totalNames } from './cards.ts';
import type { Line } from './figures.ts';
import { html, type Markup } from './markup.ts';
import type { Activity, Earner } from './report.ts';
import { amountText, countText } from './wording.ts';

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

interface AmountTable {
  readonly id: string;
  readonly first: string;
  readonly lines: readonly Line[];
  readonly total: Line;
  /** The name of the line that is not over. */
  readonly unfinished?: string | undefined;
}

export function amountTable({ id, first, lines, total, unfinished }: AmountTable): Markup {
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
  const rows = shown.map((one) => ({ name: nameOf(one, first), cells: cellsOf([one]) }));
  const total: Row = {
    name: html`Total`,
    cells: [
      countText(counts.sales + counts.rebills),
      countText(counts.refunds + counts.chargebacks),
      amountText(net),
    ],
    kind: 'sum',
  };
  const rest: Row = {
    name: html`${countText(others.length)} others`,
    cells: cellsOf(others),
    kind: 'others',
  };
  return table(
    id,
    [first, 'Payments', 'Returned', 'Net'],
    others.length > 0 ? [...rows, rest] : rows,
    total,
  );
}

function nameOf({ name, detail }: Earner, kind: string): Markup {
  if (name === '') return html`<em>No ${kind.toLowerCase()}</em>`;
  return detail === '' ? html`${name}` : html`${name} <small>${detail}</small>`;
}

function cellsOf(earners: readonly Earner[]): string[] {
  const count = (key: 'payments' | 'returns') =>
    countText(earners.reduce((sum, one) => sum + one[key], 0));
  return [count('payments'), count('returns'), amountText(sumOf(earners.map(({ net }) => net)))];
}
