/** Which days a copy can answer for: days that were read after they ended, and today. */
import { ApiError } from '../../../client/errors.ts';
import { addDays, type Day, daysFrom } from '../../../dates/day.ts';
import { endOf } from '../../../dates/pacific.ts';
import type { DayState } from '../destination.ts';
import type { Days } from '../tables/source.ts';

export interface Coverage {
  /** The days of a source that were read. */
  readonly known: ReadonlyMap<Day, DayState>;
  /** The first day that a sync reads. */
  readonly firstDay: Day;
  readonly today: Day;
  /** What the rows are called in messages, such as orders. */
  readonly noun: string;
}

/** Throws an ApiError of kind `incomplete` if a day of the period is missing or was read before it ended. */
export function requireDays(
  { known, firstDay, today, noun }: Coverage,
  { first, last }: Days,
): void {
  const missing = missingDays(known, { first, last }, today);
  const [one] = missing;
  if (one === undefined) return;
  const sync = one < firstDay ? `cb sync --since ${one}` : 'cb sync';
  throw new ApiError('incomplete', `The copy does not have all ${noun} of ${daysText(missing)}.`, {
    hint: `Run \`${sync}\`, use another period, or leave out --local.`,
  });
}

/** The days until today that were never read, or read before they ended. */
export function missingDays(
  known: ReadonlyMap<Day, DayState>,
  { first, last }: Days,
  today: Day,
): readonly Day[] {
  const end = last < today ? last : today;
  if (first > end) return [];
  return daysFrom(first, end).filter((day) => !isComplete(known.get(day), today));
}

/** As in `2026-03-01 to 2026-03-09 (9 days)`; the days need not follow each other. */
export function daysText(days: readonly Day[]): string {
  const [first = '', last = first] = [days[0], days.at(-1)];
  return first === last ? first : `${first} to ${last} (${days.length} days)`;
}

function isComplete(state: DayState | undefined, today: Day): boolean {
  if (!state) return false;
  return state.day === today || Date.parse(state.syncedAt) >= endOf(state.day) * 1000;
}

/** Rows that are read at once, at least. */
const rowsAtOnce = 5000;

/** Splits a period into parts with a few thousand rows each, the latest first. */
export function* partsOf({ known }: Coverage, { first, last }: Days): Generator<Days> {
  let end = last;
  let rows = 0;
  for (let day = last; day >= first; day = addDays(day, -1)) {
    rows += known.get(day)?.rows ?? 0;
    if (rows < rowsAtOnce && day > first) continue;
    yield { first: day, last: end };
    end = addDays(day, -1);
    rows = 0;
  }
}
