/** Chooses how many days a window has, so that a resumed export repeats few requests. */
import type { Client } from '../../client/client.ts';
import type { Clock } from '../../client/clock.ts';
import { countSoon } from '../../client/paging/count.ts';
import { daysBetween } from '../../dates/day.ts';
import type { Arguments, Operation } from '../../operations/operation.ts';
import { daysIn, rangeOf } from '../period.ts';

/**
 * About twenty pages: an interrupted export requests this much again, and a smaller window would not justify a
 * count.
 */
const rowsInAWindow = 2000;

/** In days; shorter periods do not justify a request for a count. */
const shortest = 4;

const month = 31;

/** Maximum time that the list waits for the count, in milliseconds. */
const patience = 2000;

interface Counting {
  readonly count: Operation | undefined;
  readonly clock: Clock;
}

/**
 * Returns the days in a window of the main period, from one day to a month, depending on how many rows the service
 * counts; a month if the count takes too long. Undefined for lists without such a period or with a short one.
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
  const rows = count && (await countSoon(api, count, args, { clock, patience }));
  if (rows === undefined) return days > month ? month : undefined;
  if (rows <= rowsInAWindow) return undefined;
  return Math.max(1, Math.min(month, Math.floor((days * rowsInAWindow) / rows)));
}
