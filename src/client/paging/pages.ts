/**
 * Prefetches the next pages of a list while the caller works on the last one. Pages that are certainly needed
 * are requested first: the page after one that announced more, and the first page of each window. Further pages are
 * requested in proportion to those that arrived.
 */
import type { Arguments } from '../../operations/operation.ts';
import type { ListContent } from '../codec/reply.ts';
import { ApiError } from '../errors.ts';

/** A page as it was fetched: decoded, and as received. */
export interface FetchedPage<Row> extends ListContent<Row> {
  readonly number: number;
  /** The service has more (206). */
  readonly more: boolean;
  readonly body: string;
}

export interface PrefetchOptions<W> {
  readonly windows: readonly W[];
  /** Number of the first page of each window. */
  readonly first: number;
  readonly concurrency: number;
  /** Number of pages that the caller is likely to need; none beyond them is prefetched. */
  readonly expected: number;
  readonly signal?: AbortSignal | undefined;
}

/** A million rows: more than a day has, and less than half of the requests that a day allows. */
const defaultMaxPages = 10_000;

/** Which pages of a window were requested, and what is known of its length. */
interface Progress<W> {
  readonly window: W;
  next: number;
  /** The last page that is known to be there. */
  known: number;
  arrived: number;
  isWhole: boolean;
}

/** Pages that are being fetched or wait to be taken. */
export function prefetchQueue<Row, W extends { readonly isOpen: boolean }>(
  fetch: (window: W, page: number, signal: AbortSignal) => Promise<FetchedPage<Row>>,
  { windows, first, concurrency, expected, signal }: PrefetchOptions<W>,
) {
  const stop = new AbortController();
  const until = signal ? AbortSignal.any([signal, stop.signal]) : stop.signal;
  const held = new Map<string, Promise<FetchedPage<Row>>>();
  const progress = windows.map(
    (window): Progress<W> => ({ window, next: first, known: first, arrived: 0, isWhole: false }),
  );
  let current = 0;
  let underWay = 0;
  let requested = 0;
  let isAnswered = false;

  const request = (index: number, state: Progress<W>) => {
    const number = state.next++;
    requested += 1;
    underWay += 1;
    const page = fetch(state.window, number, until);
    held.set(`${index} ${number}`, page);
    page.then(
      ({ more }) => {
        isAnswered = true;
        underWay -= 1;
        state.arrived += 1;
        state.known = Math.max(state.known, more ? number + 1 : number);
        state.isWhole ||= !more;
        fill();
      },
      // The error is thrown when the page is taken; a page beyond the last one may fail unseen.
      () => {
        underWay -= 1;
      },
    );
  };

  /** The last page of a window that is worth a request. A list of one window has no more certain pages to request. */
  const worth = ({ window, arrived, known }: Progress<W>) => {
    // One page at a time, because rows move between the pages of an open window.
    if (window.isOpen) return known;
    return Math.max(known, first - 1 + Math.floor((windows.length === 1 ? 2 : 1.5) * arrived));
  };

  const fill = () => {
    // The first response shows whether the service accepts the request.
    if (!isAnswered) return;
    for (const [index, state] of progress.entries()) {
      if (index < current) continue;
      // Pages of later windows must not keep those of the current one from being prefetched.
      const room = index === current ? 2 * concurrency : concurrency;
      while (!state.isWhole && state.next <= worth(state)) {
        const isFull = underWay >= concurrency || held.size >= room || requested >= expected;
        if (isFull || stop.signal.aborted) return;
        request(index, state);
      }
    }
  };

  return {
    /** Pages are taken in order. */
    async take(index: number, number: number): Promise<FetchedPage<Row>> {
      current = index;
      const place = `${index} ${number}`;
      const state = progress[index];
      if (state?.next === number) request(index, state);
      fill();
      const page = await held.get(place);
      if (!page) throw new Error(`page ${place} was taken out of order`);
      held.delete(place);
      fill();
      return page;
    },
    async close(): Promise<void> {
      stop.abort();
      await Promise.allSettled(held.values());
    },
  };
}

/** Takes each page that promises more. Throws for one that was there before, and for more pages than allowed. */
export function endlessGuard(maxPages = defaultMaxPages) {
  const seen = new Set<string>();
  const hint = 'Use a shorter period.';
  return async ({ number, body }: Pick<FetchedPage<unknown>, 'number' | 'body'>) => {
    // 256 bits, so that the pages themselves need not be kept.
    const bytes = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(body));
    const digest = String.fromCharCode(...new Uint8Array(bytes));
    if (seen.has(digest)) {
      const message = `The service says that there are more rows but sends the same page again (page ${number}).`;
      throw new ApiError('incomplete', message, { hint });
    }
    if (seen.add(digest).size >= maxPages) {
      const message = `The list continues after page ${maxPages} of one period.`;
      throw new ApiError('incomplete', message, { hint, code: 'too-many-pages' });
    }
  };
}

/** A page of a list, without the rows of pages before it. */
export interface RowPage<Row> extends FetchedPage<Row> {
  /** Number of its window, from 0. */
  readonly window: number;
  readonly endsWindow: boolean;
  /** The list continues, in this window or in the next. */
  readonly more: boolean;
  readonly args: Arguments;
}

/**
 * Returns the identity of a row: its key fields or, if one of them is absent, the whole row. `lineItemData.itemNo` is a
 * field of each element of a list.
 */
export function keyOf(row: unknown, key: readonly string[]): string {
  const fields = row as Readonly<Record<string, unknown>>;
  const values = key.map((name) => {
    const [list = '', inner] = name.split('.');
    if (inner === undefined) return fields[name];
    return [fields[list] ?? []].flat().map((one) => Object(one)[inner]);
  });
  return values.includes(undefined) ? JSON.stringify(row) : values.map(String).join('\u0000');
}

/**
 * The rows of a page without those of earlier pages of the same window or of the one before, for example of another
 * list that is read with this one. New rows shift the others to the next page, and a row that changes may move from
 * window to window. A row without its first key field never counts as a duplicate.
 */
export function newRowFilter(key: readonly string[]) {
  let window = 0;
  let before = new Set<string>();
  let seen = new Set<string>();
  return <R>(rows: readonly R[], current: number): readonly R[] => {
    if (current !== window) {
      before = current === window + 1 ? seen : new Set();
      seen = new Set();
      window = current;
    }
    const keyed = rows.map((row) => (hasKey(row, key) ? keyOf(row, key) : undefined));
    // The service repeats no row within a page.
    const fresh = rows.filter((_, i) => {
      const one = keyed[i];
      return one === undefined || !(seen.has(one) || before.has(one));
    });
    for (const one of keyed) if (one !== undefined) seen.add(one);
    return fresh;
  };
}

export function hasKey(row: unknown, [first = '']: readonly string[]): boolean {
  return ((row as Readonly<Record<string, unknown>>)[first] ?? null) !== null;
}
