/** Watches a list: reads its last days repeatedly, and yields new rows. */

import type { Client } from '../../client/client.ts';
import type { Clock } from '../../client/clock.ts';
import { ApiError } from '../../client/errors.ts';
import { keyOf } from '../../client/paging/pages.ts';
import {
  argumentsOf,
  type Bounds,
  type Days,
  isWithin,
  rangeOf,
} from '../../client/zoned-period.ts';
import type { Arguments, Operation } from '../../operations/operation.ts';

export interface WatchOptions {
  readonly client: Client;
  /** A list that can be limited to days, and whose rows have a key. */
  readonly list: Operation;
  /** Arguments without the days. */
  readonly args: Arguments;
  /** Milliseconds between polls. */
  readonly interval: number;
  /** Also yield the rows that exist at the first poll. */
  readonly includeExisting?: boolean;
  /** The rows that exist are those within these bounds; all of the first poll if absent. */
  readonly existing?: Bounds | undefined;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** The service's day an hour ago, since some rows arrive late, and its current day. */
  days(): Promise<Days>;
  onStarted?(rows: number): void;
  onError?(error: ApiError): void;
  onRecovered?(): void;
}

/** All pages are read on every tenth poll, since a new row may appear after known ones. */
const fullPollEvery = 10;

/**
 * Yields the new rows of each poll that has any, oldest first. Ends only by throwing: the reason of
 * `signal`, or a permanent ApiError, such as for a revoked key.
 */
export async function* watchRows(options: WatchOptions): AsyncGenerator<readonly unknown[]> {
  const { interval, clock, signal, onError, onRecovered } = options;
  const poll = pollerOf(options);
  let isFailing = false;
  yield await poll();
  for (;;) {
    await clock.sleep(interval, signal);
    try {
      const rows = await poll();
      if (isFailing) onRecovered?.();
      isFailing = false;
      if (rows.length > 0) yield rows;
    } catch (error) {
      if (!(error instanceof ApiError) || !mayPass(error)) throw error;
      if (!isFailing) onError?.(error);
      isFailing = true;
    }
  }
}

/** Also what lasted longer than the client retries: who watches wants to see what comes afterwards. */
function mayPass({ kind }: ApiError): boolean {
  return kind === 'network' || kind === 'failed' || kind === 'rate-limit';
}

/** Reads all pages on some polls, otherwise only until a page has no new rows. */
function pollerOf(options: WatchOptions): () => Promise<readonly unknown[]> {
  const { list, includeExisting = false, existing, onStarted } = options;
  const { returns } = list;
  const range = rangeOf(list);
  const isLatestFirst = 'dated' in returns && returns.dated?.first === 'latest';
  let polls = 0;
  let from: string | undefined;
  let known: ReadonlySet<string> = new Set();
  return async () => {
    const days = await options.days();
    const args = { ...options.args, ...(range && argumentsOf(range, days)) };
    const isFirst = from === undefined;
    const isNewDay = days.first !== from;
    const isWhole = isNewDay || polls % fullPollEvery === 0;
    polls += 1;
    const { keys, fresh } = await read(options, args, known, isWhole);
    // Keys of days that are no longer requested are forgotten.
    known = isNewDay ? keys : new Set([...known, ...keys]);
    from = days.first;
    const rows = isFirst && existing ? fresh.filter((row) => isWithin(row, existing)) : fresh;
    if (isFirst) onStarted?.(rows.length);
    if (isFirst && !includeExisting) return [];
    return isLatestFirst ? rows.toReversed() : rows;
  };
}

interface Found {
  readonly keys: ReadonlySet<string>;
  readonly fresh: readonly unknown[];
}

async function read(
  { client, list, signal }: WatchOptions,
  args: Arguments,
  known: ReadonlySet<string>,
  isWhole: boolean,
): Promise<Found> {
  const { returns } = list;
  const names = ('key' in returns ? returns.key : undefined) ?? [];
  const keys = new Set<string>();
  const fresh: unknown[] = [];
  // No prefetching: the next page is needed only if this one has new rows.
  const pages = client.pages(list, args, isWhole ? { signal } : { signal, expectedRows: 0 });
  for await (const { rows } of pages) {
    const before = fresh.length;
    for (const row of rows) {
      const key = keyOf(row, names);
      if (!known.has(key) && !keys.has(key)) fresh.push(row);
      keys.add(key);
    }
    if (!isWhole && fresh.length === before) break;
  }
  return { keys, fresh };
}
