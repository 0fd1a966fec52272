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

/** A page that may say how many rows its whole list has. */
interface CountedPage extends Page {
  readonly announced?: number | undefined;
}

/** A page of a list. `more` is true while the list goes on, in this window or in the next. */
export type Listed<P extends Page> = Placed<P> & { readonly args: Arguments };

const rowsOnAPage = 100;

/** Throws an ApiError of kind `request` for a page of a period that is asked for in parts. */
export function readList<P extends CountedPage>(
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
  const isNew = firstTime(key ?? [], mayRepeat);
  const missing = from === undefined ? missingRows() : () => undefined;
  return placed(pages, { rest, skip, isNew, missing });
}

interface Placing {
  readonly rest: ReturnType<typeof windowsOf>;
  readonly skip: number;
  readonly isNew: ReturnType<typeof firstTime>;
  readonly missing: ReturnType<typeof missingRows>;
}

async function* placed<P extends CountedPage>(
  pages: AsyncGenerator<Placed<P>>,
  { rest, skip, isNew, missing }: Placing,
): AsyncGenerator<Listed<P>> {
  for await (const page of pages) {
    const isLast = page.window === rest.length - 1;
    const error = missing(page);
    yield {
      ...page,
      rows: isNew(page),
      more: page.more || !isLast,
      // A window that is incomplete must be requested again.
      endsWindow: page.endsWindow && !error,
      window: page.window + skip,
      args: rest[page.window]?.args as Arguments,
    };
    if (error) throw error;
  }
}

/** The error of the last page of a window that has fewer rows than the service announced. */
function missingRows() {
  let announced = Number.POSITIVE_INFINITY;
  let received = 0;
  return (page: Placed<CountedPage>): ApiError | undefined => {
    received += page.rows.length;
    // The list may grow or shrink while it is read.
    announced = Math.min(announced, page.announced ?? Number.POSITIVE_INFINITY);
    if (!page.endsWindow) return undefined;
    const error = incompleteList(announced, received);
    announced = Number.POSITIVE_INFINITY;
    received = 0;
    return error;
  };
}

/** An error if fewer rows were received than announced. */
export function incompleteList(announced: number, received: number): ApiError | undefined {
  if (!Number.isFinite(announced) || received >= announced) return undefined;
  return new ApiError(
    'incomplete',
    `ClickBank announced ${announced} rows but sent only ${received}.`,
    { hint: 'The list is incomplete. Run the command again.' },
  );
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
    const fresh = rows.filter((row, i) => {
      const one = keys[i] as string;
      return !hasKey(row, key) || (!seen.has(one) && !before.has(one));
    });
    for (const one of keys) seen.add(one);
    return fresh;
  };
}

/** Whether a row can be told from others: without its first key field it is never a duplicate. */
function hasKey(row: unknown, [first = '']: readonly string[]): boolean {
  return ((row as Fields)[first] ?? null) !== null;
}

/** Tells a row from all others: its key fields or, where one of them is absent, the whole row. */
export function keyOf(row: unknown, key: readonly string[]): string {
  const values = key.map((name) => (row as Fields)[name]);
  return values.includes(undefined) ? JSON.stringify(row) : values.map(String).join('\u0000');
}

type Fields = Readonly<Record<string, unknown>>;
