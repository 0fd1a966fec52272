/** How often sources are read whose rows matter less by the hour, and how much of them. */
import type { Day } from '../../dates/day.ts';
import type { DayState } from './destination.ts';
import type { Due } from './plan.ts';
import type { DatedSource } from './tables/source.ts';

export interface CadenceFacts {
  /** Days before today that can still change. */
  readonly lookBack: number;
  /** The time of the service. */
  now(): Date;
}

/** A bit less than a day and a week, so that a run at the same hour counts. */
const daily = 20 * 3_600_000;
const weekly = 164 * 3_600_000;

/** A look-back of fewer days says that the run is meant to be cheap. */
const shortestLookBack = 7;

export function isShort(lookBack: number): boolean {
  return lookBack < shortestLookBack;
}

/** Whether a source that is read once a day, or once a week with a short look-back, is read now. */
export function isDue(readAt: string | undefined, { lookBack, now }: CadenceFacts): boolean {
  if (readAt === undefined) return true;
  const passed = now().getTime() - Date.parse(readAt);
  // A time in the future is from a clock that was ahead.
  return passed < 0 || passed >= (isShort(lookBack) ? weekly : daily);
}

interface CapFacts {
  readonly known: ReadonlyMap<Day, DayState>;
  rowsOf(day: Day): number;
  readonly facts: CadenceFacts;
  /** The source is read even if it was read less than a day ago. */
  readonly isDueNow: boolean;
}

/** Leaves out the days that the source does not read in this run. */
export function capped(
  source: DatedSource,
  due: readonly Due[],
  { known, rowsOf, facts, isDueNow }: CapFacts,
): readonly Due[] {
  const { isDaily, againRows = Number.POSITIVE_INFINITY, missingDays } = source;
  const missing = due.filter(({ reason }) => reason === 'missing').slice(0, missingDays);
  const times = [...known.values()].map(({ syncedAt }) => syncedAt).sort();
  const reads = isDue(times.at(-1), facts) || (isDueNow && missing.length === 0);
  if (isDaily && !reads) return missing;
  const again = longestUnread(due, known, againRows, rowsOf);
  return due.filter((one) => {
    if (one.reason === 'missing') return missing.includes(one);
    return one.reason !== 'look-back' || again.has(one);
  });
}

/** The days of the look-back that were read longest ago, up to a number of rows. */
function longestUnread(
  due: readonly Due[],
  known: ReadonlyMap<Day, DayState>,
  most: number,
  rowsOf: (day: Day) => number,
): ReadonlySet<Due> {
  const readAt = ({ day }: Due) => Date.parse(known.get(day)?.syncedAt ?? '') || 0;
  const lookBack = due.filter(({ reason }) => reason === 'look-back');
  const chosen = new Set<Due>();
  let rows = 0;
  for (const one of lookBack.toSorted((a, b) => readAt(a) - readAt(b))) {
    rows += rowsOf(one.day);
    if (rows > most && chosen.size > 0) break;
    chosen.add(one);
  }
  return chosen;
}
