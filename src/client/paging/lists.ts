/** Reads lists: the pages of each window of a period, in order, without duplicate rows. */
import {
  type Arguments,
  type ListFacts,
  type Operation,
  periodsOf,
} from '../../operations/operation.ts';
import type { Clock } from '../clock.ts';
import { missingRows } from '../codec/reply.ts';
import { ApiError } from '../errors.ts';
import { type Request, requestFor } from '../http/request.ts';
import { type CountComparer, type Counter, countComparer, countSoon } from './count.ts';
import { mergeLists } from './merge.ts';
import {
  endlessGuard,
  type FetchedPage,
  hasKey,
  keyOf,
  newRowFilter,
  type PrefetchQueue,
  prefetchQueue,
  type RowPage,
} from './pages.ts';
import {
  type Cut,
  lastDayOf,
  splitArguments,
  splitParameter,
  type Window,
  windowsOf,
} from './windows.ts';

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
  /** Asks for counts. */
  readonly client: Counter;
  readonly clock: Clock;
}

const rowsOnAPage = 100;

/** Maximum time that a list waits for a count with which it is compared, in milliseconds. */
const patience = 10_000;

/**
 * Reads a list, or several lists as one if the service takes one value of a parameter at a time. Throws an
 * ApiError of kind `request` for one page of what needs several requests.
 */
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
  const at = periodsOf(operation).find(({ name }) => name === dated?.by)?.at;
  return mergeLists(streams, { key, first: dated?.first, at }, () => stop.abort());
}

function readWindows<Row>(
  operation: Operation,
  args: Arguments,
  options: ListOptions,
  { concurrency, signal: all, today, fetch, client, clock }: ListFetcher<Row>,
): AsyncGenerator<RowPage<Row>> {
  const { from, expectedRows = Number.POSITIVE_INFINITY, cut, skip = 0, maxPages } = options;
  const signal = options.signal ? AbortSignal.any([all, options.signal]) : all;
  const parts = windowsOf(operation, args, from === undefined ? cut : undefined);
  if (parts.length > 1 && from !== undefined) {
    throw new ApiError(
      'request',
      "A single page can't be read, because the period needs several requests.",
      {
        code: 'split-period',
        hint: `The period needs ${parts.length} requests. Use a shorter one.`,
      },
    );
  }
  const windows = parts.slice(skip).map(({ args, isOpen }) => ({
    ...{ args, isOpen, request: requestFor(operation, args) },
    isPast: (lastDayOf(operation, args) ?? today) < (cut?.today ?? today),
  }));
  const { key, count }: ListFacts = 'key' in operation.returns ? operation.returns : {};
  const { onCountMismatch: onMismatch } = options;
  const comparer =
    onMismatch && from === undefined
      ? countComparer({
          count: (window) =>
            countSoon(client, count, windowAt(windows, window).args, { clock, patience, signal }),
          fetch: (window, page) => fetch(windowAt(windows, window).request, page, signal),
          onMismatch,
        })
      : undefined;
  const queue = prefetchQueue<Row>(
    async (window, page, until) => {
      const { request, isOpen } = windowAt(windows, window);
      const counted = page === 1 ? comparer?.begin(window) : undefined;
      // A row that arrives between the list and a later count is not missing. The first count shows whether there are any.
      if (isOpen || window === 0) await counted;
      return fetch(request, page, until);
    },
    {
      windows,
      first: from ?? 1,
      concurrency,
      expected: Math.ceil(expectedRows / rowsOnAPage),
      signal,
    },
  );
  return pagesIn(queue, windows, { from, skip, key, comparer, maxPages });
}

interface ReadWindow extends Window {
  /** It ended before today, so that no new rows shift the others. */
  readonly isPast: boolean;
}

interface Reading extends Pick<ListOptions, 'from' | 'maxPages'> {
  readonly skip: number;
  readonly key: readonly string[] | undefined;
  readonly comparer: CountComparer | undefined;
}

/**
 * Yields the pages of each window up to its last one. Throws an ApiError of kind `incomplete` for a
 * list that does not end, and for an empty page where the service promised more rows.
 */
async function* pagesIn<Row>(
  queue: PrefetchQueue<Row>,
  windows: readonly ReadWindow[],
  { from, skip, key = [], comparer, maxPages }: Reading,
): AsyncGenerator<RowPage<Row>> {
  const newRows = newRowFilter(key);
  const missing = missingCounter();
  const shifted = shiftDetector(key);
  const first = from ?? 1;
  try {
    for (const [window, { args, isOpen, isPast }] of windows.entries()) {
      const requireEnd = endlessGuard(key.length > 0, maxPages);
      for (let number = first; ; number++) {
        const page = await queue.take(window, number);
        // The status of this page, or of the page before it, promises rows.
        const isPromised = page.more || number > first;
        if (isPromised && page.rows.length === 0 && !page.isOpaque) {
          throw new ApiError(
            'incomplete',
            `ClickBank promised more rows, but page ${number} is empty.`,
            { code: 'missing-rows', hint: 'The list is incomplete.' },
          );
        }
        if (page.more) await requireEnd(page);
        // One page alone does not tell whether rows are missing.
        const error =
          from === undefined
            ? (missing(page) ??
              (isPast ? shifted(page) : undefined) ??
              (await comparer?.check(window, page)))
            : undefined;
        yield {
          ...page,
          rows: isOpen ? newRows(page.rows, window) : page.rows,
          more: page.more || window < windows.length - 1,
          // A window that is incomplete must be requested again.
          endsWindow: !page.more && !error,
          window: window + skip,
          args,
        };
        if (error) throw error;
        if (!page.more) break;
      }
    }
  } finally {
    await queue.close();
  }
}

function windowAt<W>(windows: readonly W[], index: number): W {
  const window = windows[index];
  if (!window) throw new Error(`there is no window ${index}`);
  return window;
}

/** The error of the last page of a window that has fewer rows than the service announced. */
function missingCounter() {
  let announced = Number.POSITIVE_INFINITY;
  let received = 0;
  return (page: FetchedPage<unknown>): ApiError | undefined => {
    received += page.rows.length;
    // The list may grow or shrink while it is read.
    announced = Math.min(announced, page.announced ?? Number.POSITIVE_INFINITY);
    if (page.more) return undefined;
    const error = missingRows(announced, received);
    announced = Number.POSITIVE_INFINITY;
    received = 0;
    return error;
  };
}

/** The error of the last page of a past window in which two neighboring pages have a row in common: another is missing. */
function shiftDetector(key: readonly string[]) {
  let before = new Map<string, unknown>();
  let isShifted = false;
  return (page: FetchedPage<unknown>): ApiError | undefined => {
    const rows = page.rows.filter((row) => hasKey(row, key));
    const isBefore = (row: unknown) => {
      const other = before.get(keyOf(row, key));
      return other !== undefined && JSON.stringify(row) === JSON.stringify(other);
    };
    const shifts = isShifted || rows.some(isBefore);
    before = new Map(page.more ? rows.map((row) => [keyOf(row, key), row]) : []);
    isShifted = shifts && page.more;
    if (!shifts || page.more) return undefined;
    return new ApiError(
      'incomplete',
      'ClickBank listed a row on two pages, so another row is missing.',
      { code: 'shifted-rows', hint: 'The list is incomplete.' },
    );
  };
}
