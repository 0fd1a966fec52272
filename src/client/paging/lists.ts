/** Reads lists: the pages of each window of a period, in order, without duplicate rows. */
import type { Arguments, ListFacts, Operation } from '../../operations/operation.ts';
import type { Clock } from '../clock.ts';
import { incompleteList, missingRows } from '../codec/reply.ts';
import { ApiError } from '../errors.ts';
import { type Request, requestFor } from '../http/request.ts';
import { type Counter, countComparer, countSoon } from './count.ts';
import { mergeLists } from './merge.ts';
import {
  endlessGuard,
  type FetchedPage,
  hasKey,
  keyOf,
  newRowFilter,
  prefetchQueue,
  type RowPage,
} from './pages.ts';
import { type Cut, datingPeriod, splitArguments, splitParameter, windowsOf } from './windows.ts';

export interface ListOptions {
  /** Reads only this page, counted from 1; the whole list when absent. */
  readonly from?: number | undefined;
  /** Maximum number of rows that the caller will read: bounds the prefetching. */
  readonly expectedRows?: number | undefined;
  /** Splits the period into more windows than the service requires. */
  readonly cut?: Cut | undefined;
  /** Maximum number of pages of one window; 10,000 when absent. */
  readonly maxPages?: number | undefined;
  /** Number of windows to leave out at the start. */
  readonly skip?: number | undefined;
  /** Aborts the requests of this list only. */
  readonly signal?: AbortSignal | undefined;
  /**
   * Compares the rows of each window with what the service counts, if it can count them. Fewer rows are an error, except
   * if the service counts and lists the same two numbers when it is asked again: then this is called.
   */
  readonly onCountMismatch?: ((error: ApiError) => void) | undefined;
}

export interface ListFetcher<Row> {
  readonly concurrency: number;
  readonly signal: AbortSignal;
  /** The Pacific day, for lists without a `cut`. */
  readonly today: string;
  fetch(request: Request, page: number, signal: AbortSignal): Promise<FetchedPage<Row>>;
  readonly client: Counter;
  readonly clock: Clock;
}

const rowsOnAPage = 100;

/** Two neighboring pages have a row in common. */
const shifted = 'ClickBank listed a row on two pages, so another row is missing.';

/** Maximum time that a list waits for a count with which it is compared, in milliseconds. */
const patience = 10_000;

/** Reads a list, or several as one if the service takes one value at a time. Throws for one page of several requests. */
export function readList<Row>(
  operation: Operation,
  args: Arguments,
  options: ListOptions,
  fetcher: ListFetcher<Row>,
): AsyncGenerator<RowPage<Row>> {
  const several = splitParameter(operation, args);
  if (several === undefined) return readWindows(operation, args, options, fetcher);
  if (options.from !== undefined) {
    throw new ApiError('request', `A single page can't be read for several values of ${several}.`);
  }
  const stop = new AbortController();
  const signal = options.signal ? AbortSignal.any([options.signal, stop.signal]) : stop.signal;
  const streams = splitArguments(operation, args).map((one) =>
    readWindows(operation, one, { ...options, signal }, fetcher),
  );
  const { key = [], dated }: ListFacts = 'key' in operation.returns ? operation.returns : {};
  const at = datingPeriod(operation)?.at;
  return mergeLists(streams, { key, first: dated?.first, at }, () => stop.abort());
}

/** The pages of each window. Throws an ApiError `incomplete` for a list that does not end or lacks promised rows. */
async function* readWindows<Row>(
  operation: Operation,
  args: Arguments,
  { from, expectedRows = Number.POSITIVE_INFINITY, cut, skip = 0, ...options }: ListOptions,
  { concurrency, signal: all, today, fetch, client, clock }: ListFetcher<Row>,
): AsyncGenerator<RowPage<Row>> {
  const { maxPages, onCountMismatch: onMismatch } = options;
  const signal = options.signal ? AbortSignal.any([all, options.signal]) : all;
  const parts = windowsOf(operation, args, from === undefined ? cut : undefined);
  if (parts.length > 1 && from !== undefined) {
    const message = "A single page can't be read, because the period needs several requests.";
    const hint = `The period needs ${parts.length} requests. Use a shorter one.`;
    throw new ApiError('request', message, { code: 'split-period', hint });
  }
  const windows = parts
    .slice(skip)
    .map((window) => ({ ...window, request: requestFor(operation, window.args) }));
  const { key = [], count }: ListFacts = 'key' in operation.returns ? operation.returns : {};
  const comparer =
    onMismatch && from === undefined
      ? countComparer<(typeof windows)[number]>({
          count: ({ args }) => countSoon(client, count, args, { clock, patience, signal }),
          fetch: ({ request }, page) => fetch(request, page, signal),
          onMismatch,
        })
      : undefined;
  const first = from ?? 1;
  const expected = Math.ceil(expectedRows / rowsOnAPage);
  const queue = prefetchQueue(
    async (window: (typeof windows)[number], page, until) => {
      const counted = page === 1 ? comparer?.begin(window) : undefined;
      // A row that arrives between the list and a later count is not missing.
      if (window.isOpen) await counted;
      return fetch(window.request, page, until);
    },
    { windows, first, concurrency, expected, signal },
  );
  const newRows = newRowFilter(key);
  try {
    for (const [index, window] of windows.entries()) {
      // A window that ended before today: no new rows shift the others.
      const isPast = (window.last ?? today) < (cut?.today ?? today);
      const requireEnd = endlessGuard(maxPages);
      let announced = Number.POSITIVE_INFINITY;
      let listed = 0;
      let before: ReadonlyMap<string, unknown> = new Map();
      let isShifted = false;
      for (let number = first; ; number++) {
        const page = await queue.take(index, number);
        const { rows, more, isOpaque } = page;
        // The status of this page, or of the page before it, promises rows.
        if ((more || number > first) && rows.length === 0 && !isOpaque) {
          throw incompleteList(`ClickBank promised more rows, but page ${number} is empty.`);
        }
        if (more) await requireEnd(page);
        // The list may grow or shrink while it is read. The rows of a page that can't be decoded can't be compared.
        announced = Math.min(announced, page.announced ?? Number.POSITIVE_INFINITY);
        listed += isOpaque ? Number.POSITIVE_INFINITY : rows.length;
        if (isPast) {
          const keyed = rows.filter((row) => hasKey(row, key));
          const byKey = keyed.map((row) => [keyOf(row, key), row] as const);
          isShifted ||= byKey.some(
            ([id, row]) => before.has(id) && JSON.stringify(before.get(id)) === JSON.stringify(row),
          );
          before = new Map(byKey);
        }
        // One page alone does not tell whether rows are missing.
        const error =
          more || from !== undefined
            ? undefined
            : (missingRows(announced, listed) ??
              (isShifted
                ? incompleteList(shifted, 'shifted-rows')
                : await comparer?.check(window, listed)));
        yield {
          ...page,
          rows: window.isOpen ? newRows(rows, index) : rows,
          more: more || index < windows.length - 1,
          // A window that is incomplete must be requested again.
          endsWindow: !more && !error,
          window: index + skip,
          args: window.args,
        };
        if (error) throw error;
        if (!more) break;
      }
    }
  } finally {
    await queue.close();
  }
}
