/** Rows of a list as they come: asks for the last days again and again, and yields what is new. */
import type { Client as Api } from '../../api/client.ts';
import type { Clock } from '../../api/clock.ts';
import { ApiError } from '../../api/errors.ts';
import { keyOf } from '../../api/lists.ts';
import type { Arguments, Operation } from '../../operations/operation.ts';
import { exitCodes } from '../exit-codes.ts';
import { countRows } from '../export/window-days.ts';
import { failureFrom } from '../failure.ts';
import { rangeOf } from '../since-flags.ts';

export interface Watching {
  readonly api: Api;
  /** A list of days, whose rows have a key. */
  readonly operation: Operation;
  /** Everything but the days. */
  readonly args: Arguments;
  /** Counts what the operation lists. */
  readonly count: Operation;
  /** Milliseconds between two looks. */
  readonly every: number;
  /** What is there already comes first. */
  readonly withToday: boolean;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** The service's day an hour ago, since some rows come late, and its day now. */
  days(): Promise<{ readonly first: string; readonly last: string }>;
  /** The first look is over. */
  onBegun(rows: number): void;
  /** A look failed; the next one comes. */
  onTrouble(error: ApiError): void;
  onRecovered(): void;
}

/** So often the service's count tells whether a row came where nobody looked. */
const looksBetweenCounts = 10;

/** Yields the new rows of each look that has any, the oldest first. Ends by an error only. */
export async function* newRows(watching: Watching): AsyncGenerator<readonly unknown[]> {
  const { every, clock, signal, onTrouble, onRecovered } = watching;
  const look = looker(watching);
  let isTroubled = false;
  yield await look();
  for (;;) {
    await clock.sleep(every, signal);
    try {
      const rows = await look();
      if (isTroubled) onRecovered();
      isTroubled = false;
      if (rows.length > 0) yield rows;
    } catch (error) {
      if (!(error instanceof ApiError) || !mayPass(error)) throw error;
      if (!isTroubled) onTrouble(error);
      isTroubled = true;
    }
  }
}

/** Also what lasted longer than `--max-wait`: who watches wants to see what comes afterwards. */
function mayPass(error: ApiError): boolean {
  const { code } = failureFrom(error);
  return code === exitCodes.network || code === exitCodes.failed || code === exitCodes.rateLimit;
}

/** Looks once: at all pages where much may have changed, else as far back as there is something new. */
function looker(watching: Watching): () => Promise<readonly unknown[]> {
  const { operation, withToday, days, onBegun } = watching;
  const { returns } = operation;
  const latestFirst = 'dated' in returns && returns.dated?.first === 'latest';
  const isUnaccounted = countWatcher(watching);
  let since: string | undefined;
  let seen: ReadonlySet<string> = new Set();
  return async () => {
    const { first, last } = await days();
    const range = rangeOf(operation);
    const args = { ...watching.args, ...(range && { [range.first]: first, [range.last]: last }) };
    const isFirst = since === undefined;
    const isNewDay = first !== since;
    const isAll = isNewDay || (await isUnaccounted(args, seen.size));
    const { keys, fresh } = await read(watching, args, seen, isAll);
    // Rows of a day that is no longer asked for need not be told from new ones.
    seen = isNewDay ? keys : new Set([...seen, ...keys]);
    since = first;
    if (isFirst) onBegun(keys.size);
    if (isFirst && !withToday) return [];
    return latestFirst ? fresh.toReversed() : fresh;
  };
}

interface Found {
  readonly keys: ReadonlySet<string>;
  /** Those that were never seen. */
  readonly fresh: readonly unknown[];
}

async function read(
  { api, operation, signal }: Watching,
  args: Arguments,
  seen: ReadonlySet<string>,
  isAll: boolean,
): Promise<Found> {
  const { returns } = operation;
  const key = ('key' in returns ? returns.key : undefined) ?? [];
  const keys = new Set<string>();
  const fresh: unknown[] = [];
  // Page after page: the next one is needed only where this one is new.
  const options = { signal, numbers: 'exact', ...(!isAll && { expectedRows: 0 }) } as const;
  for await (const { rows } of api.pages(operation, args, options)) {
    const before = fresh.length;
    for (const row of rows) {
      const one = keyOf(row, key);
      if (!seen.has(one) && !keys.has(one)) fresh.push(row);
      keys.add(one);
    }
    if (!isAll && fresh.length === before) break;
  }
  return { keys, fresh };
}

/** Tells now and then whether the service counts more new rows than were seen. */
function countWatcher({ api, count }: Watching) {
  let looks = 0;
  let last: { readonly counted: number; readonly seen: number } | undefined;
  return async (args: Arguments, seen: number): Promise<boolean> => {
    looks += 1;
    if (looks % looksBetweenCounts !== 1) return false;
    const counted = await countRows(api, count, args);
    const before = last;
    last = counted === undefined ? undefined : { counted, seen };
    if (counted === undefined || before === undefined) return false;
    return counted - before.counted !== seen - before.seen;
  };
}
