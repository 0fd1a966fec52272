/** The screen of `cb summary` and `cb today`: at most 24 lines. */

import { daysBetween, daysFrom } from '../../dates/day.ts';
import { daysText, longDay } from '../../dates/day-texts.ts';
import { countOf, grouped } from '../../decimals/decimals.ts';
import { sparkline } from '../../output/chart/sparkline.ts';
import { paint } from '../../output/paint.ts';
import { cut, wrap } from '../../output/table/display-width.ts';
import { plain } from '../../output/table/terminal-text.ts';
import type { Plan } from '../../workflows/earnings/comparison.ts';
import { figureLines, type ScreenOptions } from './figure-lines.ts';
import type { EarningsView } from './summary-values.ts';
import { topLines } from './top-lines.ts';

export function summaryScreen(view: EarningsView, options: ScreenOptions): string {
  const { plan, accounts } = view;
  const titles = [titleOf(plan), ...(accounts.length > 0 ? [accountsText(accounts)] : [])];
  const heading = titles.map((line) => cut(plain(line), options.width));
  const body = isEmpty(view)
    ? [wrap(emptyText(plan), options.width)]
    : [
        [...figureLines(view, options), ...comparisonLines(plan, options)],
        trendLines(view, options),
        topLines(view.summary, options),
      ];
  const blocks = body.filter((part) => part.length > 0);
  const lines = blocks.flatMap((part, i) => (i === 0 ? part : ['', ...part]));
  const all = [...heading, ...lines, ...noteLines(view, options)];
  return all.map((line) => `${line}\n`).join('');
}

function titleOf({ period, unfinished, until }: Plan): string {
  if (until !== undefined) {
    return `Earnings today so far, ${longDay(period.first)}, ${until.slice(0, 5)} Pacific`;
  }
  if (period.first === period.last) return `Earnings ${daysText(period)}`;
  const days = countOf(daysBetween(period.first, period.last) + 1, 'day');
  return `Earnings ${daysText(period)} (${days}${unfinished ? ', today so far' : ''})`;
}

function accountsText(accounts: readonly string[]): string {
  return accounts.length === 1 ? `Account ${accounts}` : `Accounts ${accounts.join(', ')}`;
}

/** Whether there are no sales, rebills, refunds or chargebacks at all. */
function isEmpty({ summary }: EarningsView): boolean {
  return (['period', 'before'] as const).every((side) => {
    const { sales, rebills, refunds, chargebacks } = summary.figures(side);
    return sales + rebills + refunds + chargebacks === 0;
  });
}

function emptyText({ before, until }: Plan): string {
  const when = until === undefined ? 'in these days' : 'today so far';
  const earlier = before
    ? ` or ${before.first === before.last ? 'on' : 'from'} ${daysText(before)}`
    : '';
  return `No sales, rebills, refunds or chargebacks ${when}${earlier}.`;
}

function comparisonLines(plan: Plan, { width, color }: ScreenOptions): string[] {
  const text = comparisonText(plan);
  return wrap(text, width).map((line) => (color ? paint('dim', line) : line));
}

/** Names the days on both sides of the comparison. */
export function comparisonText({ compared, before, unfinished, until }: Plan): string {
  if (!before) return '';
  if (until !== undefined) {
    return `Before: ${longDay(before.first)}, until ${until.slice(0, 5)} Pacific.`;
  }
  const days = unfinished ? 'Whole days' : 'Days';
  return `${days}: ${daysText(compared)}. Before: ${daysText(before)}.`;
}

function trendLines(
  { plan: { period }, summary }: EarningsView,
  { width, hasUnicode }: ScreenOptions,
): string[] {
  const days = daysFrom(period.first, period.last);
  if (!hasUnicode || days.length < 2) return [];
  const earned = days.map((day) => summary.day('period', day).earned);
  const sorted = [...earned].sort((one, other) => Number(one) - Number(other));
  const range = `${grouped(sorted[0] ?? '')} to ${grouped(sorted.at(-1) ?? '')} a day`;
  const label = 'Earned by day';
  const room = width - label.length - range.length - 4;
  return room < 8 ? [] : [`${label}  ${sparkline(earned.map(Number), room)}  ${range}`];
}

/** One line about what is not in the figures, if there is anything. */
function noteLines({ summary: { notCounted } }: EarningsView, { width }: ScreenOptions): string[] {
  const { fees, feeAmount, tests, otherTypes, undated } = notCounted;
  const parts = [
    ...(fees > 0
      ? [`${countOf(fees, 'fee')}${feeAmount === '0.00' ? '' : ` (${feeAmount})`}`]
      : []),
    ...(tests > 0 ? [countOf(tests, 'test order')] : []),
    ...(otherTypes > 0 ? [`${otherTypes} of other types`] : []),
    ...(undated > 0 ? [`${undated} without a time`] : []),
  ];
  return parts.length === 0 ? [] : [cut(`Not counted: ${parts.join(', ')}.`, width)];
}
