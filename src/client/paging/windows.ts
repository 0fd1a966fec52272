/**
 * Periods as the parts that they are asked for in: where the service takes no longer one at once
 * (section 8), where a list is to be picked up again in the middle, and where new rows still come in.
 */
import { addDays } from '../../dates/day.ts';
import type { Arguments, Dated, Operation } from '../../operations/operation.ts';
import { type Period, periodsOf } from '../../operations/period.ts';

type Args = Readonly<Record<string, unknown>>;

/** One request's worth of a list. */
export interface Window {
  readonly args: Arguments;
  /** Rows may still come in while it is read, which shifts those that are there between its pages. */
  readonly isOpen: boolean;
}

/** How a period is cut beyond what the service needs. Days are Pacific, `yyyy-mm-dd`. */
export interface Cut {
  /** From here on rows still come in. */
  readonly today: string;
  /** At most so many days in a part; those that are over are parts of their own. */
  readonly days?: number;
  /** From this day on, each day is a part of its own. */
  readonly dailyFrom?: string;
}

/**
 * The windows that together cover the asked periods, in the order of the service's rows. Just the
 * arguments themselves where nothing is to be cut.
 */
export function windowsOf(operation: Operation, args: Arguments, cut?: Cut): Window[] {
  const dated = datedBy(operation, args);
  const periods = periodsOf(operation);
  const pieces = periods.reduce<Args[]>(
    (parts, period) =>
      parts.flatMap((part) => piecesOf(part, period, period.name === dated?.by ? cut : undefined)),
    [args],
  );
  if (dated?.first === 'earliest') pieces.reverse();
  const end = periods.find(({ name }) => name === dated?.by)?.last;
  return pieces.map((piece) => ({ args: piece, isOpen: isOpen(operation, piece, end, cut) }));
}

/** What the rows are dated by, as far as the service heeds it. */
function datedBy({ returns }: Operation, args: Args): Dated | undefined {
  const dated = 'dated' in returns ? returns.dated : undefined;
  return dated?.unless !== undefined && args[dated.unless] !== undefined ? undefined : dated;
}

function isOpen({ returns }: Operation, args: Args, end: string | undefined, cut?: Cut): boolean {
  if (!('dated' in returns)) return false;
  const last = end === undefined ? undefined : args[end];
  return cut === undefined || typeof last !== 'string' || last >= cut.today;
}

/** Cut from its last day backwards. */
function piecesOf(args: Args, { first, last, maxDays }: Period, cut: Cut | undefined): Args[] {
  const [from, to] = [args[first], args[last]];
  if (typeof from !== 'string' || typeof to !== 'string' || to < from) return [args];
  const longest = Math.min(maxDays ?? Infinity, cut?.days ?? Infinity);
  // What the service takes only in short parts is short enough.
  const today = maxDays !== undefined ? '' : (cut?.today ?? '');
  const pieces: Args[] = [];
  for (let end = to; end >= from; ) {
    const daily = cut?.dailyFrom !== undefined && end >= cut.dailyFrom ? end : '';
    const bounded = Number.isFinite(longest) ? addDays(end, 1 - longest) : '';
    const begins = [from, today, daily, bounded].filter((edge) => edge <= end);
    const begin = begins.sort().at(-1) ?? from;
    pieces.push({ ...args, [first]: begin, [last]: end });
    end = addDays(begin, -1);
  }
  return pieces;
}
