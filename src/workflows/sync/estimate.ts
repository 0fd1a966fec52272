/** Asks the service how many rows an account has, so that the plan of a first sync is not a guess. */
import { ApiError } from '../../client/errors.ts';
import { addDays, type Day, daysBetween } from '../../dates/day.ts';
import { BudgetSpent } from './budget.ts';
import type { AccountState } from './destination.ts';
import type { AccountReader, DatedSource, Source } from './tables/source.ts';

/**
 * Rows of a day on average, by source: for sources that were never read, and that the service counts. Sends a request
 * for each of them. A source that can't be counted is left out.
 */
export async function usualRowsOf(
  reader: AccountReader,
  sources: readonly Source[],
  state: AccountState,
  since: Day,
): Promise<ReadonlyMap<string, number>> {
  const found = new Map<string, number>();
  for (const source of sources) {
    if (source.kind !== 'days' || !source.count || state.days.has(source.name)) continue;
    const rows = await countOf(reader, source, since);
    if (rows !== undefined) found.set(source.name, rows);
  }
  return found;
}

async function countOf(
  reader: AccountReader,
  { count, keeps }: DatedSource,
  since: Day,
): Promise<number | undefined> {
  const { today } = reader;
  const kept = keeps === undefined ? since : addDays(today, -keeps);
  const first = kept > since ? kept : since;
  try {
    const rows = await count?.(reader, { first, last: today });
    return rows === undefined ? undefined : Math.ceil(rows / (daysBetween(first, today) + 1));
  } catch (error) {
    // The run itself will meet the same error, and say what it affects.
    const isOfList = error instanceof ApiError && ['refused', 'failed'].includes(error.kind);
    if (isOfList || error instanceof BudgetSpent) return undefined;
    throw error;
  }
}
