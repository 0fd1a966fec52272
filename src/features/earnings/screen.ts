/** The screen of `cb summary` and `cb today`: at most 24 lines. */
import { daysBetween, daysFrom } from '../../dates/day.ts';
import { daysText, longDay } from '../../dates/day-texts.ts';
import { countOf, grouped } from '../../decimals/decimals.ts';
import { type Color, paint } from '../../output/paint.ts';
import { sparkLines } from '../../output/series.ts';
import { blanks, cut, displayWidth, widest, wrap } from '../../output/table/display-width.ts';
import { plain } from '../../output/table/terminal-text.ts';
import type { Plan } from './comparison.ts';
import { changeOf, changePercentOf, type Figures, type Metric, metrics } from './figures.ts';
import type { Group, Summary } from './summary.ts';
import { type EarningsView, notCountedText, numeral, topGroups } from './summary-values.ts';
import type { Dimension } from './transaction.ts';

/** What figures are about: the period, the accounts and the role. On a narrow terminal, the first accounts are named. */
export function titlesOf({ plan, accounts, role }: EarningsView, width = Infinity): string[] {
  const [title = '', days = ''] = titleOf(plan);
  const first = (title + days).length <= width ? title + days : title;
  const as = role ? ` as ${role.toLowerCase()}` : '';
  const texts = accounts.map((_, left) => accountsText(accounts, left) + as);
  const second = texts.find((text) => displayWidth(text) <= width) ?? texts.at(-1);
  return second === undefined ? [first] : [first, second];
}

export function summaryScreen(view: EarningsView, options: ScreenOptions): string {
  const { plan } = view;
  const heading = titlesOf(view, options.width).map((line) => cut(plain(line), options.width));
  const dim = (line: string) => (options.color ? paint('dim', line) : line);
  const comparison = wrap(comparisonText(plan), options.width).map(dim);
  const body = isEmpty(view)
    ? [wrap(emptyText(plan), options.width)]
    : [
        [...figureLines(view, options), ...comparison],
        trendLines(view, options),
        topLines(view.summary, options),
      ];
  const blocks = body.filter((part) => part.length > 0);
  const lines = blocks.flatMap((part, i) => (i === 0 ? part : ['', ...part]));
  const all = [...heading, ...lines, ...noteLines(view, options)];
  return all.map((line) => `${line}\n`).join('');
}

/** The title, and what a narrow terminal leaves out. */
function titleOf({ period, unfinished, until }: Plan): readonly string[] {
  if (until !== undefined) {
    return [`Earnings today so far, ${longDay(period.first)}`, `, ${until.slice(0, 5)} Pacific`];
  }
  if (period.first === period.last) return [`Earnings ${daysText(period)}`];
  const days = countOf(daysBetween(period.first, period.last) + 1, 'day');
  return [`Earnings ${daysText(period)}`, ` (${days}${unfinished ? ', today so far' : ''})`];
}

function accountsText(accounts: readonly string[], left: number): string {
  if (accounts.length === 1) return `Account ${accounts}`;
  const named = accounts
    .slice(0, accounts.length - left)
    .map(plain)
    .join(', ');
  return `Accounts ${named}${left === 0 ? '' : ` and ${left} more`}`;
}

/** Whether there are no sales, rebills, refunds or chargebacks at all. */
function isEmpty({ summary }: EarningsView): boolean {
  const { period, before } = summary.all;
  return [period, before].every(
    ({ sales, rebills, refunds, chargebacks }) => sales + rebills + refunds + chargebacks === 0,
  );
}

function emptyText({ before, until }: Plan): string {
  const when = until === undefined ? 'in these days' : 'today so far';
  const earlier = before
    ? ` or ${before.first === before.last ? 'on' : 'from'} ${daysText(before)}`
    : '';
  return `No sales, rebills, refunds or chargebacks ${when}${earlier}.`;
}

/** Names the days on both sides of the comparison. */
export function comparisonText({ compared, before, until }: Plan): string {
  if (!before) return '';
  if (until !== undefined) {
    return `Before: ${longDay(before.first)}, until ${until.slice(0, 5)} Pacific.`;
  }
  return `Changes compare ${daysText(compared)} with ${daysText(before)}.`;
}

function trendLines(
  { plan: { period }, summary }: EarningsView,
  { width, hasUnicode }: ScreenOptions,
): string[] {
  if (!hasUnicode) return [];
  const rows = daysFrom(period.first, period.last).map((day) => {
    return { day, name: 'Earned by day', earned: numeral(summary.day('period', day).earned) };
  });
  return sparkLines(rows, { day: 'day', names: ['name'], figures: ['earned'] }, width);
}

/** One line about what is not in the figures, if there is anything. */
function noteLines({ summary }: EarningsView, { width }: ScreenOptions): string[] {
  const text = notCountedText(summary);
  return text === '' ? [] : [cut(text, width)];
}

interface ScreenOptions {
  readonly width: number;
  readonly color: boolean;
  readonly hasUnicode: boolean;
}

const gap = '  ';

/** Labels of the lines. A rate stands beside its count, and decides the color of the change. */
const lines: readonly (readonly [Metric, string, rate?: Metric])[] = [
  ['earned', 'Earned'],
  ['refunded', 'Refunded'],
  ['chargedBack', 'Charged back'],
  ['net', 'Net'],
  ['averageEarned', 'You earn per payment'],
  ['sales', 'Sales'],
  ['rebills', 'Rebills'],
  ['refunds', 'Refunds (rate)', 'refundRatePercent'],
  ['chargebacks', 'Chargebacks (rate)', 'chargebackRatePercent'],
];

interface Cell {
  readonly text: string;
  readonly color?: Color | undefined;
}

/** Returns a heading and a line for each figure. Without a comparison, only the totals. */
function figureLines({ plan, summary }: EarningsView, options: ScreenOptions): string[] {
  const { period: all, compared: now, before } = summary.all;
  const isToday = plan.until !== undefined;
  const hasWhole = plan.unfinished !== undefined && !isToday;
  const columns: Cell[][] = [
    column(isToday ? 'So far' : 'Total', (line) => valueText(all, line)),
    ...(hasWhole ? [column('Whole days', (line) => valueText(now, line))] : []),
    column('Before', (line) => valueText(before, line)),
    [{ text: 'Change' }, ...lines.map((line) => changeCell(now, before, line))],
  ];
  const labels = ['US dollars', ...lines.map(([, label]) => label)];
  return fitted(labels, columns, options);
}

function column(heading: string, textOf: (line: (typeof lines)[number]) => string): Cell[] {
  return [{ text: heading }, ...lines.map((line) => ({ text: textOf(line) }))];
}

function valueText(figures: Figures, [metric, , rate]: (typeof lines)[number]): string {
  const value = figures[metric];
  const text = value === undefined ? '-' : grouped(value);
  const percent = rate && figures[rate];
  return percent === undefined ? text : `${text} (${percent}%)`;
}

/** Percent for amounts and counts, percentage points for rates; a sign always stands beside the color. */
function changeCell(now: Figures, before: Figures, [metric, , rate]: (typeof lines)[number]): Cell {
  const change = rate ? changeOf(now, before, rate) : changePercentOf(now, before, metric);
  if (change === undefined) return { text: '-' };
  const moved = Number(change);
  const sign = moved > 0 ? '+' : '';
  const text = `${sign}${grouped(change)}${rate ? ' pts' : '%'}`;
  const better = metrics.find(({ name }) => name === (rate ?? metric))?.better;
  const color = moved > 0 === (better === 'more') ? 'green' : 'red';
  return moved === 0 ? { text } : { text, color };
}

/** For labels, in columns. */
const leastRoom = 12;

/** Drops columns if the terminal is narrow, the second one first, and then cuts labels. */
function fitted(labels: readonly string[], columns: Cell[][], options: ScreenOptions): string[] {
  const needed = columns.reduce((sum, column) => sum + gap.length + widthOf(column), 0);
  const longest = widest(labels);
  const least = columns.length > 3 ? longest : Math.min(longest, leastRoom);
  if (least + needed > options.width && columns.length > 1) {
    return fitted(labels, columns.toSpliced(1, 1), options);
  }
  const room = Math.max(1, Math.min(longest, options.width - needed));
  return labels.map((label, i) => {
    const name = cut(label, room);
    const cells = columns.map((column) => {
      const { text, color } = column[i] ?? { text: '' };
      const painted = color && options.color ? paint(color, text) : text;
      return gap + blanks(text, widthOf(column)) + painted;
    });
    const line = name + blanks(name, room) + cells.join('');
    return i === 0 && options.color ? paint('dim', line) : line;
  });
}

function widthOf(column: readonly Cell[]): number {
  return widest(column.map(({ text }) => text));
}

const wideGap = '   ';

const headings: Readonly<Partial<Record<Dimension, string>>> = {
  product: 'Top products',
  affiliate: 'Top affiliates',
  vendor: 'Top vendors',
  'tracking-id': 'Top tracking IDs',
};

function topLines(summary: Summary, options: ScreenOptions): string[] {
  const most = options.width < 60 ? 1 : options.width < 120 ? 2 : 3;
  // An affiliate knows its own name, and a vendor its own.
  const isAffiliate = summary.roles.has('AFFILIATE') && !summary.roles.has('VENDOR');
  const dimensions: readonly Dimension[] = isAffiliate
    ? ['product', 'tracking-id', 'vendor']
    : ['product', 'affiliate', 'tracking-id'];
  const lists = dimensions
    .map((dimension) => ({ dimension, groups: topGroups(summary, dimension) }))
    // A list in which nothing has a name tells nothing.
    .filter(({ groups }) => groups.some(({ name }) => name !== null))
    .slice(0, most);
  if (lists.length === 0) return [];
  const room = Math.floor((options.width - wideGap.length * (lists.length - 1)) / lists.length);
  const columns = lists.map(({ dimension, groups }) => listLines(dimension, groups, room));
  const height = Math.max(...columns.map((column) => column.length));
  return Array.from({ length: height }, (_, i) => {
    const cells = columns.map((column) => column[i] ?? '');
    const line = cells
      .map((cell) => cell + blanks(cell, room))
      .join(wideGap)
      .trimEnd();
    return i === 0 && options.color ? paint('dim', line) : line;
  });
}

function listLines(dimension: Dimension, groups: readonly Group[], width: number): string[] {
  const names = groups.map(({ name, title }) => plain(title || name || '(none)'));
  const amounts = groups.map(({ figures: { period } }) => grouped(period.earned));
  const figures = widest([...amounts, 'Earned']);
  const room = Math.max(1, Math.min(width, 48) - figures - 2);
  const lineOf = (name: string, amount: string) => {
    const short = cut(name, room);
    return `${short}${blanks(short, room)}  ${blanks(amount, figures)}${amount}`;
  };
  return [
    lineOf(headings[dimension] ?? '', 'Earned'),
    ...names.map((name, i) => lineOf(name, amounts[i] ?? '')),
  ];
}
