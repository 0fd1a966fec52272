/** New rows of a list: reads its last days again and again, and yields what was not there before. */
import type { Client } from '../../client/client.ts';
import type { Clock } from '../../client/clock.ts';
import { ApiError } from '../../client/errors.ts';
import { keyOf } from '../../client/paging/lists.ts';
import type { Arguments, Operation } from '../../operations/operation.ts';
import { countRows } from '../export/window-days.ts';
import { argumentsOf, type Days, rangeOf } from '../period.ts';

export interface WatchOptions {
  readonly client: Client;
  /** A list of days, whose rows have a key. */
  readonly list: Operation;
  /** Counts what the list holds. */
  readonly count: Operation;
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
  /** The first look is over. */
  onStarted?(rows: number): void;
  /** A look failed; the next one comes. */
  onError?(error: ApiError): void;
  onRecovered?(): void;
}

/** How often the service's count tells whether a row came where nobody looked. */
const looksBetweenCounts = 10;

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

/** Reads all pages where much may have changed, else as far back as there is something new. */
function looker(options: WatchOptions): () => Promise<readonly unknown[]> {
  const { list, includeExisting = false, onStarted } = options;
  const { returns } = list;
  const range = rangeOf(list);
  const isLatestFirst = 'dated' in returns && returns.dated?.first === 'latest';
  const hasUncounted = countWatcher(options);
  let from: string | undefined;
  let known: ReadonlySet<string> = new Set();
  return async () => {
    const days = await options.days();
    const args = { ...options.args, ...(range && argumentsOf(range, days)) };
    const isFirst = from === undefined;
    const isNewDay = days.first !== from;
    const isWhole = isNewDay || (await hasUncounted(args, known.size));
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
  /** Rows that are not known. */
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

/** Tells now and then whether the service counts more new rows than are known. */
function countWatcher({ client, count }: WatchOptions) {
  let looks = 0;
  let last: { readonly counted: number; readonly known: number } | undefined;
  return async (args: Arguments, known: number): Promise<boolean> => {
    looks += 1;
    if (looks % looksBetweenCounts !== 1) return false;
    const counted = await countRows(client, count, args);
    const before = last;
    last = counted === undefined ? undefined : { counted, known };
    if (counted === undefined || before === undefined) return false;
    return counted - before.counted !== known - before.known;
  };
}
