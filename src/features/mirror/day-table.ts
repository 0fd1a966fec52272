/** `cb quickstats` on a terminal: the net amount of each day and account, and the sums of each account. */
import { group } from 'd3-array';
import { LosslessNumber } from 'lossless-json';
import { shortDay } from '../../dates/wall-time.ts';
import { render } from '../../output/render.ts';
import type { RenderOptions } from '../../output/render-options.ts';
import {
  type Line,
  lineOf,
  linesByAccount,
  linesByUnit,
  type Stat,
  statOf,
  withoutMinus,
} from '../../output/report/figures.ts';
import type { FieldShape, Row, Shape, Value } from '../../output/rows/rows.ts';
import { allDays } from '../../output/series.ts';
import { displayWidth } from '../../output/table/display-width.ts';
import { gap } from '../../output/table/table-layout.ts';
import { plain } from '../../output/table/terminal-text.ts';

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

export async function dayTable(rows: readonly Row[], options: RenderOptions): Promise<string> {
  const named = rows.map(statOf).map((stat) => ({ ...stat, account: plain(stat.account) }));
  const stats = withoutMinus(named);
  const accounts = [...new Set(stats.map(({ account }) => account))];
  // A count has no days.
  const days = allDays(stats.map(({ day }) => day).filter((day) => day !== ''));
  const sums = lineOf(total, stats);
  const grids: Grid[] = [];
  if (days.length > 0 && accounts.length === 1) {
    const cells = (line: Line, name = ''): Value[] => [line.name, name, ...amountsOf(line)];
    grids.push({
      headings: ['Day', 'Nickname', ...figureHeadings],
      lines: [...linesByUnit(stats, days).map((line) => cells(line, accounts[0])), cells(sums)],
      needed: 5,
      ranked: [0, 5, 2, 3, 4, 1],
    });
  } else {
    const { width = Number.POSITIVE_INFINITY } = options;
    if (days.length > 0) grids.push(...netTables(stats, accounts, days, width));
    const lines = linesByAccount(stats, accounts);
    const all = accounts.length > 1 ? [...lines, sums] : lines;
    grids.push({
      headings: ['Nickname', ...figureHeadings],
      lines: all.map((line) => [line.name, ...amountsOf(line)]),
      needed: 5,
      ranked: [0, 4, 1, 2, 3],
    });
  }
  const texts = grids.map((grid) => draw(grid, options));
  return (await Promise.all(texts)).join('\n');
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
  const lineFor = (name: string, some: readonly Stat[]): Value[] => {
    const nets = linesByAccount(some, accounts).map((line) => amountsOf(line).at(-1));
    const [sale, refund, chargeback, net] = amountsOf(lineOf('', some));
    return [name, ...nets, net, sale, refund, chargeback];
  };
  const ofDay = group(stats, ({ day }) => day);
  const needed = accounts.length + 2;
  const headings = ['Net by day', ...accounts, total, ...figureHeadings.slice(0, -1)];
  const each = days.map((day) => lineFor(day, ofDay.get(day) ?? []));
  const byDay = { headings, lines: [...each, lineFor(total, stats)], needed };
  const named = byDay.lines.map(([name, ...amounts]): Value[] => [
    name === total ? total : shortDay(String(name)),
    ...amounts,
  ]);
  const short = { headings: ['Net', ...headings.slice(1)], lines: named, needed };
  const byAccount = {
    headings: ['Net', ...named.map(([name]) => String(name))],
    lines: headings
      .slice(1, needed)
      .map((name, i): Value[] => [name, ...named.map((line) => line[i + 1])]),
    needed: named.length + 1,
  };
  const whole = [byDay, short, byAccount].find((grid) => {
    const widths = widthsOf(grid);
    return widths.reduce((sum, one) => sum + one + gap, -gap) <= width;
  });
  return whole ? [whole] : blocks(byDay, width);
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
  return groups.map((some) => {
    const pick = <T>(cells: readonly T[]) => [0, ...some].map((i) => cells[i] as T);
    return { headings: pick(grid.headings), lines: grid.lines.map(pick), needed: some.length + 1 };
  });
}

async function draw(
  { headings, lines, needed, ranked }: Grid,
  options: RenderOptions,
): Promise<string> {
  const names = headings.map((_, i) => `c${i}`);
  const fields = headings.map((heading, i): [string, FieldShape] => {
    const isText = typeof lines[0]?.[i] === 'string';
    const kind = isText ? 'text' : 'decimal';
    return [`c${i}`, { kind, heading, ...(i === 0 && { names: 'day' }) }];
  });
  const byRank = ranked?.map((i) => `c${i}`) ?? names;
  const table = { shown: names, needed: byRank.slice(0, needed), more: byRank.slice(needed) };
  const shape: Shape = {
    headline: names,
    fields: Object.fromEntries(fields),
    columns: () => table,
  };
  const rows = lines.map((line) => Object.fromEntries(names.map((name, i) => [name, line[i]])));
  return String(
    await render('table', rows, { ...options, shape, isWhole: false, onColumns: () => {} }),
  );
}
