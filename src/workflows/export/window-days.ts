/** How long the windows of a long period are, so that a resumed export asks little again. */
import type { Client } from '../../client/client.ts';
import type { Clock } from '../../client/clock.ts';
import { ApiError } from '../../client/errors.ts';
import { splitArguments } from '../../client/paging/split.ts';
import { daysBetween } from '../../dates/day.ts';
import type { Arguments, Operation } from '../../operations/operation.ts';
import { daysIn, rangeOf } from '../period.ts';

/** About twenty pages: what is asked again after a stop, and what one count more pays off for. */
const rowsInAWindow = 2000;

/** Shorter periods are not worth a count. */
const shortest = 4;

const month = 31;

/** The list does not wait longer than this for the count, in milliseconds. */
const patience = 2000;

interface Counting {
  readonly count: Operation | undefined;
  readonly clock: Clock;
}

/**
 * Days in a window of the period that dates the rows, from a day to a month, by how many rows the
 * service counts; a month if it does not count soon. Undefined where the list has no such period or a
 * short one.
 */
export async function windowDaysFor(
  api: Client,
  operation: Operation,
  args: Arguments,
  { count, clock }: Counting,
): Promise<number | undefined> {
  const range = rangeOf(operation);
  const asked = range && daysIn(args, range);
  if (!asked) return undefined;
  const days = daysBetween(asked.first, asked.last) + 1;
  if (days < shortest) return undefined;
  const rows = count && (await countSoon(api, count, args, clock));
  if (rows === undefined) return days > month ? month : undefined;
  if (rows <= rowsInAWindow) return undefined;
  return Math.max(1, Math.min(month, Math.floor((days * rowsInAWindow) / rows)));
}

async function countSoon(
  api: Client,
  count: Operation,
  args: Arguments,
  clock: Clock,
): Promise<number | undefined> {
  const stop = new AbortController();
  const tooLate = clock.sleep(patience, stop.signal).catch(() => undefined);
  try {
    return await Promise.race([
      countRows(api, count, args, stop.signal),
      tooLate.then(() => undefined),
    ]);
  } finally {
    stop.abort(new ApiError('cancelled', 'the count is not needed any more'));
  }
}

/**
 * How many rows the service counts; undefined where it does not count by all that was asked, or will not.
 * The rows come without it, too, so it is requested once: a count never delays or fails a list by retries.
 */
export async function countRows(
  api: Client,
  count: Operation,
  args: Arguments,
  signal?: AbortSignal,
): Promise<number | undefined> {
  const asked = Object.entries(args).filter(([, value]) => value !== undefined);
  if (asked.some(([name]) => !(name in count.params))) return undefined;
  try {
    const options = { retries: false, ...(signal && { signal }) };
    const each = splitArguments(count, args).map((one) => api.call(count, one, options));
    return (await Promise.all(each)).reduce<number>((sum, rows) => sum + Number(rows), 0);
  } catch {
    return undefined;
  }
}
