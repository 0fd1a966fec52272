/** Lists: the pages of each window of a period, one after the other, without a row twice. */
import type { Arguments, Operation } from '../operations/operation.ts';
import { ApiError } from './errors.ts';
import { type Page, type Placed, readAhead } from './read-ahead.ts';
import { type Request, requestFor } from './request.ts';
import { type Cut, windowsOf } from './windows.ts';

export interface ListOptions {
  /** The first page to ask for; the whole list when absent. */
  readonly from?: number | undefined;
  /** Rows that the caller will read at most: bounds what is fetched ahead. */
  readonly expectedRows?: number | undefined;
  /** How the period is cut. */
  readonly cut?: Cut | undefined;
  /** The most pages of one window. */
  readonly maxPages?: number | undefined;
  /** So many windows at the start are left out. */
  readonly skip?: number | undefined;
  /** Ends what is under way for this list. */
  readonly signal?: AbortSignal | undefined;
}

export interface Way<P> {
  readonly concurrency: number;
  readonly signal: AbortSignal | undefined;
  fetch(request: Request, page: number, signal: AbortSignal): Promise<P>;
}

/** A page of a list. `more` is true while the list goes on, in this window or in the next. */
export type Listed<P extends Page> = Placed<P> & { readonly args: Arguments };

const rowsOnAPage = 100;

/** Throws an ApiError of kind `request` for a page of a period that is asked for in parts. */
export function readList<P extends Page>(
  operation: Operation,
  args: Arguments,
  options: ListOptions,
  { concurrency, signal, fetch }: Way<P>,
): AsyncGenerator<Listed<P>> {
  const { from, expectedRows = Number.POSITIVE_INFINITY, cut, skip = 0, maxPages } = options;
  const windows = windowsOf(operation, args, from === undefined ? cut : undefined);
  if (windows.length > 1 && from !== undefined) {
    throw new ApiError('request', 'no page can be picked of a period that is asked for in parts', {
      hint: `the service takes it in ${windows.length} parts; leave --page away`,
    });
  }
  const rest = windows.slice(skip);
  const requests = rest.map((window) => requestFor(operation, window.args));
  const { returns } = operation;
  const key = 'key' in returns ? returns.key : undefined;
  const mayRepeat = (window: number) => key !== undefined && rest[window]?.isOpen === true;
  const pages = readAhead(
    (window, page, until) => fetch(requests[window] as Request, page, until),
    {
      windows: rest,
      first: from ?? 1,
      concurrency,
      expected: Math.ceil(expectedRows / rowsOnAPage),
      hasUniqueRows: key !== undefined,
      ...(maxPages !== undefined && { maxPages }),
      signal:
        signal && options.signal
          ? AbortSignal.any([signal, options.signal])
          : (options.signal ?? signal),
    },
  );
  return placed(pages, { rest, skip, isNew: firstTime(key ?? [], mayRepeat) });
}

async function* placed<P extends Page>(
  pages: AsyncGenerator<Placed<P>>,
  {
    rest,
    skip,
    isNew,
  }: { rest: ReturnType<typeof windowsOf>; skip: number; isNew: ReturnType<typeof firstTime> },
): AsyncGenerator<Listed<P>> {
  for await (const page of pages) {
    const isLast = page.window === rest.length - 1;
    yield {
      ...page,
      rows: isNew(page),
      more: page.more || !isLast,
      window: page.window + skip,
      args: rest[page.window]?.args as Arguments,
    };
  }
}

/**
 * The rows of a page without those that stood on an earlier page of the same window or of the one
 * before. New rows shift those that are there to the next page, and a row that changes may move from
 * window to window. Windows that are closed hold still.
 */
function firstTime(key: readonly string[], mayRepeat: (window: number) => boolean) {
  let window = 0;
  let before = new Set<string>();
  let seen = new Set<string>();
  return (page: Placed<Page>): readonly unknown[] => {
    if (!mayRepeat(page.window)) return page.rows;
    if (page.window !== window) {
      before = page.window === window + 1 ? seen : new Set();
      seen = new Set();
      window = page.window;
    }
    const { rows } = page;
    const keys = rows.map((row) => keyOf(row, key));
    const fresh = rows.filter((_, i) => {
      const one = keys[i] as string;
      return !seen.has(one) && !before.has(one);
    });
    for (const one of keys) seen.add(one);
    return fresh;
  };
}

/** What tells a row from all others. */
export function keyOf(row: unknown, key: readonly string[]): string {
  const fields = row as Readonly<Record<string, unknown>>;
  return key.map((name) => String(fields[name])).join('\u0000');
}
