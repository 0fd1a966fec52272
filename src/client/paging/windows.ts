/**
 * Periods as the parts that they are asked for in: where the service takes no longer one at once
 * (section 8), where a list is to be picked up again in the middle, and where new rows still come in.
 */
import { addDays } from '../../dates/day.ts';
import type { Arguments, Dated, Operation } from '../../operations/operation.ts';

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

interface Span {
  /** Names of the parameters that hold its ends. */
  readonly first: string;
  readonly last: string;
  readonly maxDays: number;
}

/**
 * The windows that together cover the asked periods, in the order of the service's rows. Just the
 * arguments themselves where nothing is to be cut.
 */
export function windowsOf(operation: Operation, args: Arguments, cut?: Cut): Window[] {
  const dated = datedBy(operation, args);
  const spans = spansOf(operation);
  const pieces = [...spans].reduce<Args[]>(
    (parts, [range, span]) =>
      parts.flatMap((part) => piecesOf(part, span, range === dated?.by ? cut : undefined)),
    [args],
  );
  if (dated?.first === 'earliest') pieces.reverse();
  const end = dated && spans.get(dated.by)?.last;
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

/** The periods that an operation takes, by the name of the range. */
function spansOf({ params }: Operation): Map<string, Span> {
  const spans = new Map<string, Span>();
  for (const [name, { range }] of Object.entries(params)) {
    if (!range) continue;
    const maxDays = range.maxDays ?? Number.POSITIVE_INFINITY;
    const known = spans.get(range.name) ?? { first: '', last: '', maxDays };
    spans.set(range.name, { ...known, [range.end]: name });
  }
  return spans;
}

/** Cut from its last day backwards. */
function piecesOf(args: Args, { first, last, maxDays }: Span, cut: Cut | undefined): Args[] {
  const [from, to] = [args[first], args[last]];
  if (typeof from !== 'string' || typeof to !== 'string' || to < from) return [args];
  const longest = Math.min(maxDays, cut?.days ?? Number.POSITIVE_INFINITY);
  // What the service takes only in short parts is short enough.
  const today = Number.isFinite(maxDays) ? '' : (cut?.today ?? '');
  const pieces: Args[] = [];
  for (let end = to; end >= from; ) {
    const daily = cut?.dailyFrom !== undefined && end >= cut.dailyFrom ? end : '';
    const begins = [
      from,
      today,
      daily,
      longest === Number.POSITIVE_INFINITY ? '' : addDays(end, 1 - longest),
    ];
    const begin =
      begins
        .filter((edge) => edge <= end)
        .sort()
        .at(-1) ?? from;
    pieces.push({ ...args, [first]: begin, [last]: end });
    end = addDays(begin, -1);
  }
  return pieces;
}
