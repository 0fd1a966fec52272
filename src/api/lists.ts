/** Lists: the pages of each window of a period, one after the other, without a row twice. */
import type { Arguments, Operation } from '../operations/operation.ts';
import { ApiError } from './errors.ts';
import { type Page, type ReadAheadOptions, readAhead } from './read-ahead.ts';
import { type Request, requestFor } from './request.ts';
import { windowsOf } from './windows.ts';

export interface ListOptions {
  /** The first page to ask for; the whole list when absent. */
  readonly from: number | undefined;
  /** Rows that the caller will read at most: bounds what is fetched ahead. */
  readonly expectedRows: number;
  readonly concurrency: number;
  readonly signal: AbortSignal | undefined;
}

const rowsOnAPage = 100;

/** Throws an ApiError of kind `request` for a page of a period that is asked for in parts. */
export function readList<P extends Page>(
  operation: Operation,
  args: Arguments,
  { from, expectedRows, concurrency, signal }: ListOptions,
  fetch: (request: Request, page: number, signal: AbortSignal) => Promise<P>,
): AsyncGenerator<P> {
  const windows = windowsOf(operation, args);
  if (windows.length > 1 && from !== undefined) {
    throw new ApiError('request', 'no page can be picked of a period that is asked for in parts', {
      hint: `the service takes it in ${windows.length} parts; leave --page away`,
    });
  }
  const reading: ReadAheadOptions = {
    first: from ?? 1,
    concurrency,
    expected: Math.ceil(expectedRows / rowsOnAPage),
    signal,
  };
  const lists = windows.map((window) => () => {
    const request = requestFor(operation, window);
    return readAhead((page, until) => fetch(request, page, until), reading);
  });
  const { returns } = operation;
  return joined(lists, 'id' in returns ? returns.id : undefined);
}

/** One list after the other; a row whose id came before is left out. */
async function* joined<P extends Page>(
  lists: readonly (() => AsyncGenerator<P>)[],
  id: string | undefined,
): AsyncGenerator<P> {
  const isNew = lists.length > 1 && id !== undefined ? firstTime(id) : () => true;
  for (const [i, list] of lists.entries()) {
    const isLast = i === lists.length - 1;
    for await (const page of list()) {
      yield { ...page, more: page.more || !isLast, rows: page.rows.filter(isNew) };
    }
  }
}

/** Something may move from one window to another while both are read. */
function firstTime(id: string): (row: unknown) => boolean {
  const seen = new Set<string>();
  return (row) => {
    const value = String((row as Readonly<Record<string, unknown>>)[id]);
    return !seen.has(value) && !!seen.add(value);
  };
}
