/** Compares the rows of lists with what the service counts. */
import type { Arguments, Operation } from '../../operations/operation.ts';
import type { Clock } from '../clock.ts';
import { missingRows } from '../codec/reply.ts';
import { ApiError } from '../errors.ts';
import type { FetchedPage } from './pages.ts';
import { splitArguments } from './windows.ts';

/** The part of the client that counts. */
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

interface Waiting {
  readonly clock: Clock;
  /** Milliseconds. */
  readonly patience: number;
  readonly signal?: AbortSignal;
}

/** As `countRows`; undefined also if the count takes too long. */
export async function countSoon(
  client: Counter,
  count: Operation | undefined,
  args: Arguments,
  { clock, patience, signal }: Waiting,
): Promise<number | undefined> {
  const stop = new AbortController();
  const until = signal ? AbortSignal.any([signal, stop.signal]) : stop.signal;
  const tooLate = clock.sleep(patience, until).catch(() => undefined);
  try {
    return await Promise.race([
      countRows(client, count, args, until),
      tooLate.then(() => undefined),
    ]);
  } finally {
    stop.abort(new ApiError('cancelled', 'The count is no longer needed.'));
  }
}

interface Comparison {
  /** Asks for the count of a window. */
  count(window: number): Promise<number | undefined>;
  /** Requests a page of a window again. */
  fetch(window: number, page: number): Promise<FetchedPage<unknown>>;
  /** Called if a window lacks rows, and the service counts and lists the same two numbers again. */
  onMismatch(error: ApiError): void;
}

export interface CountComparer {
  /** Asks for the count of a window that is about to be read. */
  begin(window: number): Promise<void>;
  /** Takes each page; returns an error with the last one of a window that lacks rows. */
  check(window: number, page: FetchedPage<unknown>): Promise<ApiError | undefined>;
}

/** New rows may arrive between the count and the end of the list, so only fewer rows than counted are an error. */
export function countComparer({ count, fetch, onMismatch }: Comparison): CountComparer {
  const counts = new Map<number, Promise<number | undefined>>();
  let isCounted = true;
  let received = 0;

  const listsAgain = async (window: number, listed: number) => {
    let rows = 0;
    for (let number = 1; rows <= listed; number++) {
      const page = await fetch(window, number);
      rows += page.rows.length;
      if (!page.more || page.rows.length === 0) break;
    }
    return rows === listed;
  };

  return {
    async begin(window) {
      if (!isCounted) return;
      const counted = count(window);
      counts.set(window, counted);
      // A service that does not count is not asked again.
      if ((await counted) === undefined) isCounted = false;
    },
    async check(window, { rows, more, isOpaque }) {
      // The rows of a page that can't be decoded can't be compared.
      received += isOpaque ? Number.POSITIVE_INFINITY : rows.length;
      if (more) return undefined;
      const listed = received;
      received = 0;
      const counted = await counts.get(window);
      counts.delete(window);
      if (counted === undefined || counted <= listed) return undefined;
      // Rows can also leave a list while it is read.
      const again = (await count(window)) ?? counted;
      const error = missingRows(again, listed);
      const isStable = again === counted && error && (await listsAgain(window, listed));
      if (!isStable) return error;
      onMismatch(error);
      return undefined;
    },
  };
}
