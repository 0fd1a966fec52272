/** The best products, affiliates and so on, side by side on a screen. */
import { grouped } from '../../decimals/decimals.ts';
import { paint } from '../../output/paint.ts';
import { blanks, cut, widest } from '../../output/table/display-width.ts';
import { plain } from '../../output/table/terminal-text.ts';
import type { Dimension } from '../../workflows/earnings/groups.ts';
import type { Group, Summary } from '../../workflows/earnings/summary.ts';
import type { ScreenOptions } from './figure-lines.ts';
import { topGroups } from './summary-values.ts';

const gap = '   ';

const headings: Readonly<Partial<Record<Dimension, string>>> = {
  product: 'Top products',
  affiliate: 'Top affiliates',
  vendor: 'Top vendors',
  'tracking-id': 'Top tracking IDs',
};

/** An affiliate knows its own name, and a vendor its own. */
function dimensionsFor({ roles }: Summary): readonly Dimension[] {
  return roles.has('AFFILIATE') && !roles.has('VENDOR')
    ? ['product', 'tracking-id', 'vendor']
    : ['product', 'affiliate', 'tracking-id'];
}

export function topLines(summary: Summary, options: ScreenOptions): string[] {
  const most = options.width < 60 ? 1 : options.width < 120 ? 2 : 3;
  const lists = dimensionsFor(summary)
    .map((dimension) => ({ dimension, groups: topGroups(summary, dimension) }))
    // A list in which nothing has a name tells nothing.
    .filter(({ groups }) => groups.some(({ name }) => name !== null))
    .slice(0, most);
  if (lists.length === 0) return [];
  const room = Math.floor((options.width - gap.length * (lists.length - 1)) / lists.length);
  const columns = lists.map(({ dimension, groups }) => listLines(dimension, groups, room));
  const height = Math.max(...columns.map((column) => column.length));
  return Array.from({ length: height }, (_, i) => {
    const cells = columns.map((column) => column[i] ?? '');
    const line = cells
      .map((cell) => cell + blanks(cell, room))
      .join(gap)
      .trimEnd();
    return i === 0 && options.color ? paint('dim', line) : line;
  });
}

function listLines(dimension: Dimension, groups: readonly Group[], width: number): string[] {
  const names = groups.map((group) => plain(nameText(group)));
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

function nameText({ name, title }: Group): string {
  return title || name || '(none)';
}
