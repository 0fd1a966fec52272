/** `cb quickstats` on a terminal: the net amount of each day and account, and the sums of each account. */
import { group } from 'd3-array';
import { LosslessNumber } from 'lossless-json';
import { daysFrom } from '../../dates/day.ts';
import { shortDay } from '../../dates/relative.ts';
import { render } from '../../output/render.ts';
import type { RenderOptions } from '../../output/render-options.ts';
import { type Line, lineOf, type Stat, withoutMinus } from '../../output/report/figures.ts';
import type { FieldShape, Row, Shape, Value } from '../../output/rows/rows.ts';
import { displayWidth } from '../../output/table/display-width.ts';
import { gap } from '../../output/table/table-layout.ts';
import { plain } from '../../output/table/terminal-text.ts';
import { digitsOf } from '../../shell/display/texts.ts';

/** A table of texts and amounts: the first column has the names of the rows. */
interface Grid {
  readonly headings: readonly string[];
  readonly lines: readonly (readonly Value[])[];
  /** The number of columns that must be shown; the others follow if they fit. */
  readonly needed: number;
  /** The columns by importance; default: from the left. */
  readonly ranked?: readonly number[];
}

const total = 'TOTAL';
const figures = ['sale', 'refund', 'chargeback', 'net'] as const;
const figureHeadings = ['Sale', 'Refund', 'Chargeback', 'Net'];

/** A longer period has gaps: filling them with zeros would take too long. */
const mostFilled = 5000;

export async function dayTable(rows: readonly Row[], options: RenderOptions): Promise<string> {
  const stats = withoutMinus(rows.map(statOf));
  const accounts = [...new Set(stats.map(({ account }) => account))];
  const days = daysOf(stats);
  const [only] = accounts;
  if (days.length > 0 && accounts.length === 1) {
    return drawn([onlyAccount(stats, days, plain(only ?? ''))], options);
  }
  const sums = accountTable(stats, accounts);
  const { width = Number.POSITIVE_INFINITY } = options;
  return drawn(
    days.length > 0 ? [...netTables(stats, accounts, days, width), sums] : [sums],
    options,
  );
}

function statOf({ quickStatDate, nickName, sale, refund, chargeback }: Row): Stat {
  return {
    account: String(nickName ?? ''),
    day: String(quickStatDate ?? ''),
    sale: digitsOf(sale) ?? '0.00',
    refund: digitsOf(refund) ?? '0.00',
    chargeback: digitsOf(chargeback) ?? '0.00',
  };
}

/** All days from the first to the last; none in a count, which has no days. */
function daysOf(stats: readonly Stat[]): readonly string[] {
  const known = [...new Set(stats.map(({ day }) => day))].filter((day) => day !== '').sort();
  const [first, last] = [known[0], known.at(-1)];
  if (first === undefined || last === undefined) return [];
  const all = daysFrom(first, last);
  return all.length >= known.length && all.length <= mostFilled ? all : known;
}

function onlyAccount(stats: readonly Stat[], days: readonly string[], account: string): Grid {
  const cells = (line: Line, name: string): Value[] => [line.name, name, ...amountsOf(line)];
  const byDay = group(stats, ({ day }) => day);
  const each = days.map((day) => cells(lineOf(day, byDay.get(day) ?? []), account));
  return {
    headings: ['Day', 'Nickname', ...figureHeadings],
    lines: [...each, cells(lineOf(total, stats), '')],
    needed: 5,
    ranked: [0, 5, 2, 3, 4, 1],
  };
}

function accountTable(stats: readonly Stat[], accounts: readonly string[]): Grid {
  const byAccount = group(stats, ({ account }) => account);
  const lines = accounts.map((name) => lineOf(plain(name), byAccount.get(name) ?? []));
  const all = accounts.length > 1 ? [...lines, lineOf(total, stats)] : lines;
  return {
    headings: ['Nickname', ...figureHeadings],
    lines: all.map((line) => [line.name, ...amountsOf(line)]),
    needed: 5,
    ranked: [0, 4, 1, 2, 3],
  };
}

function amountsOf(line: Line): Value[] {
  return figures.map((figure) => new LosslessNumber(line[figure]));
}

/**
 * The net amounts with a row for each day, days in short if that saves a table; otherwise with a row for each account;
 * if that does not fit either, as several tables of some accounts.
 */
function netTables(
  stats: readonly Stat[],
  accounts: readonly string[],
  days: readonly string[],
  width: number,
): readonly Grid[] {
  const byDay = netGrid(stats, accounts, days);
  const short = {
    headings: ['Net', ...byDay.headings.slice(1)],
    lines: byDay.lines.map(([name, ...amounts]): Value[] => {
      const day = String(name);
      return [day === total ? day : shortDay(day), ...amounts];
    }),
    needed: byDay.needed,
  };
  const byAccount = turned(short);
  const whole = [byDay, short, byAccount].find((grid) => widthOf(grid) <= width);
  return whole ? [whole] : blocks(byDay, width);
}

function netGrid(
  stats: readonly Stat[],
  accounts: readonly string[],
  days: readonly string[],
): Grid {
  const lineFor = (name: string, some: readonly Stat[]): Value[] => {
    const byAccount = group(some, ({ account }) => account);
    const [sale, refund, chargeback, net] = amountsOf(lineOf('', some));
    const nets = accounts.map((one) => amountsOf(lineOf('', byAccount.get(one) ?? [])).at(-1));
    return [name, ...nets, net, sale, refund, chargeback];
  };
  const byDay = group(stats, ({ day }) => day);
  const each = days.map((day) => lineFor(day, byDay.get(day) ?? []));
  return {
    headings: ['Net by day', ...accounts.map(plain), total, ...figureHeadings.slice(0, -1)],
    lines: [...each, lineFor(total, stats)],
    needed: accounts.length + 2,
  };
}

/** Rows as columns, and columns as rows. */
function turned({ headings, lines, needed }: Grid): Grid {
  const [corner = '', ...names] = headings.slice(0, needed);
  return {
    headings: [corner, ...lines.map(([name]) => String(name))],
    lines: names.map((name, i): Value[] => [name, ...lines.map((line) => line[i + 1])]),
    needed: lines.length + 1,
  };
}

function widthOf(grid: Grid): number {
  return widthsOf(grid).reduce((sum, one) => sum + one, 0) + gap * (grid.needed - 1);
}

function widthsOf({ headings, lines, needed }: Grid): number[] {
  return headings
    .slice(0, needed)
    .map((heading, i) =>
      Math.max(...[heading, ...lines.map((line) => String(line[i]))].map(displayWidth)),
    );
}

/** As many columns in each table as fit beside the first; at least one. */
function blocks(grid: Grid, width: number): Grid[] {
  const [first = 0, ...others] = widthsOf(grid);
  const groups: number[][] = [[]];
  let used = first;
  others.forEach((one, i) => {
    if (used + gap + one > width && groups.at(-1)?.length !== 0) {
      groups.push([]);
      used = first;
    }
    used += gap + one;
    groups.at(-1)?.push(i + 1);
  });
  const pick = <T>(cells: readonly T[], group: readonly number[]) =>
    [0, ...group].map((i) => cells[i] as T);
  return groups.map((group) => ({
    headings: pick(grid.headings, group),
    lines: grid.lines.map((line) => pick(line, group)),
    needed: group.length + 1,
  }));
}

async function drawn(grids: readonly Grid[], options: RenderOptions): Promise<string> {
  const texts: string[] = [];
  for (const grid of grids) {
    const { headings, lines } = grid;
    const names = headings.map((_, i) => `c${i}`);
    const cells = (line: readonly Value[]) =>
      Object.fromEntries(names.map((name, i) => [name, line[i]]));
    const shape = shapeOf(grid, names);
    const plainOptions = { ...options, shape, onColumns: () => {} };
    texts.push(String(await render('table', lines.map(cells), plainOptions)));
  }
  return texts.join('\n');
}

function shapeOf({ headings, lines, needed, ranked }: Grid, names: readonly string[]): Shape {
  const [line = []] = lines;
  const fieldOf = (heading: string, i: number): FieldShape => {
    const isText = typeof line[i] === 'string';
    return { kind: isText ? 'text' : 'decimal', heading, ...(i === 0 && { names: 'day' }) };
  };
  const fields = headings.map((heading, i) => [names[i] ?? '', fieldOf(heading, i)] as const);
  const byRank = ranked?.map((i) => names[i] ?? '') ?? names;
  const table = { shown: names, needed: byRank.slice(0, needed), more: byRank.slice(needed) };
  return { headline: names, fields: Object.fromEntries(fields), columns: () => table };
}
