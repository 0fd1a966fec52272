/**
 * Pages in order, fetched ahead while the caller works on the last one. A list may come in windows;
 * what is surely needed is asked for first: the page after one that promised more, and the first
 * page of each window to come. Pages that may not be there are guessed by what came so far.
 */
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
  readonly signal?: AbortSignal | undefined;
}

export type Fetch<P> = (window: number, page: number, signal: AbortSignal) => Promise<P>;

/** So many pages without a row, one after the other, are taken for a list without an end. */
const emptyPagesInARow = 3;

/**
 * Yields the pages of each window up to its last one. Throws `incomplete` when the service says
 * "more" for ever.
 */
export async function* readAhead<P extends Page>(
  fetch: Fetch<P>,
  options: ReadAheadOptions,
): AsyncGenerator<Placed<P>> {
  const shelf = openShelf(fetch, options);
  try {
    for (const window of options.windows.keys()) {
      const guard = endlessGuard();
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

function isSameBody(one: Body, other: Body): boolean {
  return one.utf8 && other.utf8 ? one.utf8.equals(other.utf8) : one.text === other.text;
}

/** Throws when pages that promise more repeat or stay empty. */
function endlessGuard(): (page: Page) => void {
  let first: Body | undefined;
  let last: Body | undefined;
  let empty = 0;
  return ({ number, rows, body }) => {
    empty = rows.length === 0 ? empty + 1 : 0;
    const repeated =
      rows.length > 0 && [first, last].some((other) => other && isSameBody(other, body));
    first ??= body;
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
