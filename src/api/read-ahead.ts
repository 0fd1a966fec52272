/**
 * Pages in order, fetched ahead while the caller works on the last one. A list may come in windows;
 * what is surely needed is asked for first: the page after one that promised more, and the first
 * page of each window to come. Pages that may not be there are guessed by what came so far.
 */
import { hash } from 'node:crypto';
import type { Body } from './body.ts';
import { ApiError } from './errors.ts';

export interface Page {
  readonly number: number;
  /** The service has more (206). */
  readonly more: boolean;
  readonly rows: readonly unknown[];
  /** As received. */
  readonly body: Body;
}

/** A page, and the place of its window in the list. */
export type Placed<P extends Page> = P & {
  readonly window: number;
  readonly endsWindow: boolean;
};

export interface ReadAheadOptions {
  /** For each window, whether its rows may shift between pages while it is read. */
  readonly windows: readonly { readonly isOpen: boolean }[];
  /** Number of the first page of each window. */
  readonly first: number;
  /** The most requests under way at once. */
  readonly concurrency: number;
  /** As many pages as the caller is likely to need; beyond them nothing is fetched ahead. */
  readonly expected: number;
  /** No row stands on two pages, so that an equal page is the same page again. */
  readonly hasUniqueRows?: boolean;
  /** The most pages of a window; `defaultMaxPages` if absent. */
  readonly maxPages?: number;
  readonly signal?: AbortSignal | undefined;
}

export type Fetch<P> = (window: number, page: number, signal: AbortSignal) => Promise<P>;

/** So many pages without a row, one after the other, are taken for a list without an end. */
const emptyPagesInARow = 3;

/** A million rows: more than the service gives of a day, and less than half of its requests of a day. */
const defaultMaxPages = 10_000;

/**
 * Yields the pages of each window up to its last one. Throws an ApiError of kind `incomplete` for a
 * list that does not end.
 */
export async function* readAhead<P extends Page>(
  fetch: Fetch<P>,
  options: ReadAheadOptions,
): AsyncGenerator<Placed<P>> {
  const shelf = openShelf(fetch, options);
  try {
    for (const window of options.windows.keys()) {
      const guard = endlessGuard(options);
      for (let number = options.first; ; number++) {
        const page = await shelf.take(window, number);
        if (page.more) guard(page);
        yield { ...page, window, endsWindow: !page.more };
        if (!page.more) break;
      }
    }
  } finally {
    await shelf.close();
  }
}

/** How far a window has been asked for, and what is known of its length. */
interface Track {
  /** The next page to ask for. */
  next: number;
  /** The last page that is known to be there. */
  known: number;
  arrived: number;
  isWhole: boolean;
}

/** Pages that are under way or wait to be taken. */
function openShelf<P extends Page>(
  fetch: Fetch<P>,
  { windows, first, concurrency, expected, signal }: ReadAheadOptions,
) {
  const stop = new AbortController();
  const until = signal ? AbortSignal.any([signal, stop.signal]) : stop.signal;
  const held = new Map<string, Promise<P>>();
  const tracks = windows.map(
    (): Track => ({ next: first, known: first, arrived: 0, isWhole: false }),
  );
  const guess = guesser(windows);
  let current = 0;
  let underWay = 0;
  let asked = 0;
  let arrived = 0;

  const ask = (window: number, track: Track) => {
    const number = track.next++;
    asked += 1;
    underWay += 1;
    const page = fetch(window, number, until);
    held.set(`${window} ${number}`, page);
    page.then(
      ({ more }) => {
        arrived += 1;
        track.arrived += 1;
        track.known = Math.max(track.known, more ? number + 1 : number);
        if (!more && !track.isWhole) guess.ended(number - first + 1);
        track.isWhole ||= !more;
        underWay -= 1;
        fill();
      },
      () => {
        // It is told when it is taken; a page beyond the last one may fail unseen.
        underWay -= 1;
      },
    );
  };

  /** Asks for what comes next, as far as there is room. */
  const fill = () => {
    // The first answer tells whether there is anything to be had at all.
    if (arrived === 0) return;
    for (let window = current; window < tracks.length; window++) {
      const track = tracks[window] as Track;
      // What later windows hold must not keep the pages of this one from being fetched ahead.
      const room = window === current ? 2 * concurrency : concurrency;
      while (
        !track.isWhole &&
        track.next <= Math.max(track.known, first + guess.pages(window, track) - 1)
      ) {
        const isFull = underWay >= concurrency || held.size >= room || asked >= expected;
        if (isFull || stop.signal.aborted) return;
        ask(window, track);
      }
    }
  };

  return {
    /** Pages are taken in order. */
    async take(window: number, number: number): Promise<P> {
      current = window;
      const track = tracks[window] as Track;
      if (track.next === number) ask(window, track);
      fill();
      const place = `${window} ${number}`;
      const page = await (held.get(place) as Promise<P>);
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

/** How many pages a window is likely to have: at least as many as came, and as its forerunners had. */
function guesser(windows: ReadAheadOptions['windows']) {
  let pages = 0;
  let ended = 0;
  return {
    ended(length: number) {
      pages += length;
      ended += 1;
    },
    pages(window: number, { arrived }: Track): number {
      // Page after page, since a page that is asked again later would miss what moved to it before.
      if (windows[window]?.isOpen) return 0;
      // A list of one window has nothing surer to ask for.
      if (windows.length === 1) return 2 * arrived;
      return Math.floor(Math.max(1.5 * arrived, ended === 0 ? 0 : (0.75 * pages) / ended));
    },
  };
}

/** Throws for a list that promises more and repeats its pages, stays empty or passes the limit. */
function endlessGuard({
  hasUniqueRows = false,
  maxPages = defaultMaxPages,
}: ReadAheadOptions): (page: Page) => void {
  const seen = new Set<string>();
  let first: string | undefined;
  let last: string | undefined;
  let empty = 0;
  let pages = 0;
  return ({ number, rows, body }) => {
    pages += 1;
    empty = rows.length === 0 ? empty + 1 : 0;
    const digest = hashOf(body);
    const isKnown = hasUniqueRows ? seen.has(digest) : digest === first || digest === last;
    if (hasUniqueRows) seen.add(digest);
    first ??= digest;
    last = digest;
    if (rows.length > 0 && isKnown) throw endless(number, 'sends the same page again');
    if (empty >= emptyPagesInARow) throw endless(number, 'sends only empty pages');
    if (pages >= maxPages) throw tooManyPages(maxPages);
  };
}

function hashOf(body: Body): string {
  // In one call, since an object for each of thousands of pages would wait to be collected.
  return hash('sha256', body.utf8 ?? body.text, 'base64');
}

function endless(page: number, what: string): ApiError {
  return new ApiError('incomplete', `The service promises more rows but ${what} (page ${page}).`, {
    hint: 'The list is incomplete. Ask for a shorter period.',
  });
}

function tooManyPages(maxPages: number): ApiError {
  const message = `The list did not end after ${maxPages} pages of one period.`;
  return new ApiError('incomplete', message, {
    hint: 'The list is incomplete. Ask for a shorter period, or allow more with --max-pages.',
  });
}
