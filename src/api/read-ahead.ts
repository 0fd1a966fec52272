/** Pages in order, fetched ahead while the caller works on the last one. */
import { ApiError } from './errors.ts';

export interface Page {
  readonly number: number;
  /** The service has more (206). */
  readonly more: boolean;
  readonly rows: readonly unknown[];
  /** As received. */
  readonly body: string;
}

export interface ReadAheadOptions {
  readonly first: number;
  /** The most requests under way at once. */
  readonly concurrency: number;
  /** As many pages as the caller is likely to need; beyond them nothing is fetched ahead. */
  readonly expected: number;
  readonly signal?: AbortSignal | undefined;
}

/** So many pages without a row, one after the other, are taken for a list without an end. */
const emptyPagesInARow = 3;

/**
 * Yields pages from `first` to the last one. How far it reads ahead grows with the pages seen,
 * since only the last page tells that it is the last. Throws `incomplete` when the service
 * says "more" for ever.
 */
export async function* readAhead<P extends Page>(
  fetch: (page: number, signal: AbortSignal) => Promise<P>,
  { first, concurrency, expected, signal }: ReadAheadOptions,
): AsyncGenerator<P> {
  const stop = new AbortController();
  const both = signal ? AbortSignal.any([signal, stop.signal]) : stop.signal;
  const underWay: Promise<P>[] = [];
  let next = first;
  const fill = (room: number) => {
    while (underWay.length < room) {
      const page = fetch(next++, both);
      // A page beyond the last one may fail unseen.
      page.catch(() => undefined);
      underWay.push(page);
    }
  };
  const endless = endlessGuard();
  try {
    for (let seen = 1; ; seen++) {
      fill(1);
      const page = await (underWay.shift() as Promise<P>);
      if (page.more) {
        endless(page);
        fill(Math.min(concurrency, seen, Math.max(0, first + expected - next)));
      }
      yield page;
      if (!page.more) return;
    }
  } finally {
    stop.abort();
    await Promise.allSettled(underWay);
  }
}

/** Throws when pages that promise more repeat or stay empty. */
function endlessGuard(): (page: Page) => void {
  let last: string | undefined;
  let empty = 0;
  return ({ number, rows, body }) => {
    empty = rows.length === 0 ? empty + 1 : 0;
    const repeated = rows.length > 0 && body === last;
    last = body;
    if (!repeated && empty < emptyPagesInARow) return;
    const what = repeated ? 'the same page again' : 'only empty pages';
    throw new ApiError(
      'incomplete',
      `the service promises more but sends ${what} (page ${number})`,
      {
        hint: 'the list is not whole; ask for a shorter period',
      },
    );
  };
}
