/** New rows of a list: reads its last days again and again, and yields what was not there before. */
import type { Client } from '../../client/client.ts';
import type { Clock } from '../../client/clock.ts';
import { ApiError } from '../../client/errors.ts';
import { keyOf } from '../../client/paging/row-page.ts';
import type { Arguments, Operation } from '../../operations/operation.ts';
import { argumentsOf, type Days, rangeOf } from '../period.ts';

export interface WatchOptions {
  readonly client: Client;
  /** A list of days, whose rows have a key. */
  readonly list: Operation;
  /** Everything but the days. */
  readonly args: Arguments;
  /** Milliseconds between two looks. */
  readonly interval: number;
  /** Also yield the rows that exist at the first look. */
  readonly includeExisting?: boolean;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** The service's day an hour ago, since some rows come late, and its day now. */
  days(): Promise<Days>;
  onStarted?(rows: number): void;
  onError?(error: ApiError): void;
  onRecovered?(): void;
}

/** Every so many looks all pages are read: a row may have come behind those that are known. */
const looksForAll = 10;

/**
 * Yields the new rows of each look that has any, the oldest first. Ends only by throwing: the reason of
 * `signal`, or an ApiError that a later look can't mend, such as a withdrawn key.
 */
export async function* watchRows(options: WatchOptions): AsyncGenerator<readonly unknown[]> {
  const { interval, clock, signal, onError, onRecovered } = options;
  const look = looker(options);
  let isFailing = false;
  yield await look();
  for (;;) {
    await clock.sleep(interval, signal);
    try {
      const rows = await look();
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

/** Reads all pages now and then, else as far back as there is something new. */
function looker(options: WatchOptions): () => Promise<readonly unknown[]> {
  const { list, includeExisting = false, onStarted } = options;
  const { returns } = list;
  const range = rangeOf(list);
  const isLatestFirst = 'dated' in returns && returns.dated?.first === 'latest';
  let looks = 0;
  let from: string | undefined;
  let known: ReadonlySet<string> = new Set();
  return async () => {
    const days = await options.days();
    const args = { ...options.args, ...(range && argumentsOf(range, days)) };
    const isFirst = from === undefined;
    const isNewDay = days.first !== from;
    const isWhole = isNewDay || looks % looksForAll === 0;
    looks += 1;
    const { keys, fresh } = await read(options, args, known, isWhole);
    // Rows of a day that is no longer asked for need not be told from new ones.
    known = isNewDay ? keys : new Set([...known, ...keys]);
    from = days.first;
    if (isFirst) onStarted?.(keys.size);
    if (isFirst && !includeExisting) return [];
    return isLatestFirst ? fresh.toReversed() : fresh;
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
  // Page after page: the next one is needed only where this one is new.
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
