/** Splits periods: where only short ones are accepted (section 8), a list may be resumed, or new rows still arrive. */
import { addDays } from '../../dates/day.ts';
import {
  type Arguments,
  type Dated,
  type Given,
  type Operation,
  type Period,
  periodsOf,
} from '../../operations/operation.ts';

/** The part of a list that has pages of its own. */
export interface Window {
  readonly args: Arguments;
  /** The last day of the period that dates its rows, if there is one. */
  readonly last: string | undefined;
  /** New rows may arrive while it is read, which shifts the others between pages. */
  readonly isOpen: boolean;
}

/** How a period is split beyond what the service requires. Days are Pacific, `yyyy-mm-dd`. */
export interface Cut {
  /** New rows arrive from this day on. */
  readonly today: string;
  /** Maximum number of days in a window; the remaining days are a window of their own. */
  readonly days?: number;
  /** From this day on, each day is a window of its own. */
  readonly dailyFrom?: string;
}

/** The windows that cover the requested periods, in the order of the service's rows; one if nothing has to be split. */
export function windowsOf(operation: Operation, args: Given, cut?: Cut): Window[] {
  const { returns } = operation;
  const dating = datingPeriod(operation, args);
  const pieces = periodsOf(operation).reduce<Given[]>(
    (parts, period) =>
      parts.flatMap((part) =>
        piecesOf(part, period, period.name === dating?.name ? cut : undefined),
      ),
    [args],
  );
  if ('dated' in returns && returns.dated?.first === 'earliest') pieces.reverse();
  return pieces.map((piece) => {
    const end = dating && piece[dating.last];
    const last = typeof end === 'string' ? end : undefined;
    const isUnbounded = cut === undefined || last === undefined || last >= cut.today;
    return { args: piece, last, isOpen: 'dated' in returns && isUnbounded };
  });
}

/** The period that dates the rows of a list; undefined if there is none, or if the service ignores it for these arguments. */
export function datingPeriod(operation: Operation, args: Given = {}): Period | undefined {
  const { by, unless }: Partial<Dated> =
    ('dated' in operation.returns && operation.returns.dated) || {};
  const isIgnored = unless !== undefined && args[unless] !== undefined;
  return isIgnored ? undefined : periodsOf(operation).find(({ name }) => name === by);
}

/** Splits from the last day backwards. */
function piecesOf(args: Given, { first, last, maxDays }: Period, cut: Cut | undefined): Given[] {
  const [from, to] = [args[first], args[last]];
  if (typeof from !== 'string' || typeof to !== 'string' || to < from) return [args];
  const longest = Math.min(maxDays ?? Infinity, cut?.days ?? Infinity);
  // Periods that the service accepts only in short parts are short enough.
  const today = maxDays !== undefined ? '' : (cut?.today ?? '');
  const pieces: Given[] = [];
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

/** The parameter that was given several such values, if any. */
export function splitParameter({ params }: Operation, args: Given): string | undefined {
  return Object.keys(params).find((name) => params[name]?.splits && [args[name]].flat().length > 1);
}

/** The arguments of each request; the arguments themselves if one is enough. */
export function splitArguments(operation: Operation, args: Given): Arguments[] {
  const name = splitParameter(operation, args);
  if (name === undefined) return [args];
  const values: readonly unknown[] = [args[name]].flat();
  return values.flatMap((value) => splitArguments(operation, { ...args, [name]: value }));
}
