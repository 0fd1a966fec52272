/** Compares the rows of lists with what the service counts. */
import type { Arguments, Operation } from '../../operations/operation.ts';
import { type Clock, within } from '../clock.ts';
import { missingRows } from '../codec/reply.ts';
import type { ApiError } from '../errors.ts';
import type { FetchedPage } from './pages.ts';
import { splitArguments } from './windows.ts';

export interface Counter {
  call(
    operation: Operation,
    args: Arguments,
    options: { readonly retries: false; readonly signal?: AbortSignal | undefined },
  ): Promise<unknown>;
}

/**
 * Returns the number of rows that the service counts; undefined if it can't apply all filters to the count, or if
 * the request fails. It is requested once, because a count must never delay a list by retries or make it fail.
 */
export async function countRows(
  client: Counter,
  count: Operation | undefined,
  args: Arguments,
  signal?: AbortSignal,
): Promise<number | undefined> {
  if (!count) return undefined;
  const asked = Object.entries(args).filter(([, value]) => value !== undefined);
  if (asked.some(([name]) => !(name in count.params))) return undefined;
  try {
    const each = splitArguments(count, args).map((one) =>
      client.call(count, one, { retries: false, signal }),
    );
    return (await Promise.all(each)).reduce<number>((sum, rows) => sum + Number(rows), 0);
  } catch {
    return undefined;
  }
}

/** As `countRows`; undefined also if the count takes too long. */
export function countSoon(
  client: Counter,
  count: Operation | undefined,
  args: Arguments,
  wait: { readonly clock: Clock; readonly patience: number; readonly signal?: AbortSignal },
): Promise<number | undefined> {
  const { clock, patience, signal } = wait;
  return within(clock, patience, (until) => countRows(client, count, args, until), signal);
}

interface Comparison<W> {
  count(window: W): Promise<number | undefined>;
  /** Requests a page of a window again. */
  fetch(window: W, page: number): Promise<FetchedPage<unknown>>;
  /** Called if a window lacks rows, and the service counts and lists the same two numbers again. */
  onMismatch(error: ApiError): void;
}

/** New rows may arrive between the count and the end of the list, so only fewer rows than counted are an error. */
export function countComparer<W>({ count, fetch, onMismatch }: Comparison<W>) {
  const counts = new Map<W, Promise<number | undefined>>();
  let isCounted = true;
  return {
    /** Asks for the count of a window that is about to be read. */
    async begin(window: W): Promise<void> {
      if (!isCounted) return;
      const counted = count(window);
      counts.set(window, counted);
      // A service that does not count is not asked again.
      if ((await counted) === undefined) isCounted = false;
    },
    /** Returns an error for a window that lacks rows. */
    async check(window: W, listed: number): Promise<ApiError | undefined> {
      const counted = await counts.get(window);
      counts.delete(window);
      if (counted === undefined || counted <= listed) return undefined;
      // Rows can also leave a list while it is read.
      const again = (await count(window)) ?? counted;
      const error = missingRows(again, listed);
      if (!error || again !== counted) return error;
      let rows = 0;
      for (let number = 1; rows <= listed; number++) {
        const page = await fetch(window, number);
        rows += page.rows.length;
        if (!page.more || page.rows.length === 0) break;
      }
      if (rows !== listed) return error;
      onMismatch(error);
      return undefined;
    },
  };
}
