/**
 * Rows on their way from a list to where they are written: pages, and what is done to them in order. The pages are read
 * one by one as they are written. `written` of a page is called after its rows and all before them are written, however
 * long a step holds them: what is recorded as done then is done.
 */
import type { Row } from './rows/rows.ts';

export interface Page<R = Row> {
  readonly number: number;
  readonly more: boolean;
  readonly rows: readonly R[];
  readonly totals: readonly R[];
  /** The response as received, if it was requested that way. */
  readonly body?: string;
  written?(): Promise<void>;
}

export type Pages<R = unknown> = AsyncIterable<Page<R>>;

/** How much was written so far; a resumed export continues the tally of the earlier run. */
export interface Tally {
  pages: number;
  rows: number;
  /** The limit left out rows. */
  isCut?: boolean;
  /** The list continues after the last page. */
  hasMore?: boolean;
  /** The first page with rows, which determines the columns. */
  first?: readonly Row[];
}

export interface Summing {
  add(rows: readonly Row[], totals: readonly Row[]): void;
  row(): Row | undefined;
}

/** Returns the pages that can continue; called without a page at the end. */
type Step = (page: Page | undefined) => readonly Page[];

export function onePage<R>(rows: readonly R[]): readonly Page<R>[] {
  return [{ number: 1, more: false, rows, totals: [] }];
}

/** Pages of a list that ends when there are no more of them. */
export async function* numbered<R>(
  pages: Iterable<readonly R[]> | AsyncIterable<readonly R[]>,
): AsyncGenerator<Page<R>> {
  let number = 0;
  for await (const rows of pages) {
    number += 1;
    yield { number, more: true, rows, totals: [] };
  }
}

const rowsPerPage = 1000;

/** With a limit, a sort holds at most this many times the limit of rows. */
const spare = 4;

export class RowStream {
  readonly #pages: Pages | readonly Page<unknown>[];
  readonly #steps: Step[] = [];
  #isDone = false;

  constructor(pages: Pages | readonly Page<unknown>[]) {
    this.#pages = pages;
  }

  map(change: (page: Page) => Page): this {
    this.#steps.push((page) => (page ? [change(page)] : []));
    return this;
  }

  /** Up to `most` rows, or only the first page that comes. */
  limit(most: number, isOnePage: boolean, tally: Tally): this {
    let left = most;
    this.#isDone = left <= 0;
    this.#steps.push((page) => {
      if (!page || left <= 0) return [];
      const rows = page.rows.slice(0, left);
      const isCut = rows.length < page.rows.length;
      left -= rows.length;
      this.#isDone = isOnePage || left === 0;
      tally.isCut = most !== Number.POSITIVE_INFINITY && (page.more || isCut);
      if (!isCut) return [page];
      // Its window has rows that are not written.
      const { written, ...others } = page;
      return [{ ...others, rows }];
    });
    return this;
  }

  /** `sorterOf` gets the first rows; with `most` rows needed, a small multiple is held. */
  sort(
    sorterOf: (first: readonly Row[]) => (rows: readonly Row[]) => Row[],
    most: number,
    isOnePage: boolean,
    onPage?: (rows: number) => void,
  ): this {
    let sorted: ((rows: readonly Row[]) => Row[]) | undefined;
    let rows: Row[] = [];
    let last: Page | undefined;
    let isCut = false;
    this.#steps.push((page) => {
      if (page) {
        last = page;
        this.#isDone ||= isOnePage;
        onPage?.(page.rows.length);
        for (const row of page.rows) rows.push(row);
        if (page.rows.length > 0) sorted ??= sorterOf(page.rows);
        if (!sorted || rows.length <= spare * most + rowsPerPage) return [];
        rows = sorted(rows).slice(0, most);
        isCut = true;
        return [];
      }
      if (!last) return [];
      const { number, totals, more } = last;
      const all = sorted?.(rows) ?? [];
      const count = Math.max(1, Math.ceil(all.length / rowsPerPage));
      return Array.from({ length: count }, (_, at) => {
        const isLast = at === count - 1;
        const some = all.slice(at * rowsPerPage, (at + 1) * rowsPerPage);
        return { number, totals, rows: some, more: isLast ? isCut || more : true };
      });
    });
    return this;
  }

  /** Counts pages and rows as they are written. */
  count(tally: Tally, onPage?: (rows: number) => void): this {
    return this.map((page) => ({
      ...page,
      async written() {
        tally.pages += 1;
        tally.rows += page.rows.length;
        tally.hasMore = page.more;
        if (page.rows.length > 0) tally.first ??= page.rows;
        onPage?.(page.rows.length);
        await page.written?.();
      },
    }));
  }

  /** Appends the row of sums to the last page, so that a table has room for it. */
  sum(sums: Summing): this {
    let held: Page | undefined;
    this.#steps.push((page) => {
      const ready = held ? [held] : [];
      held = page;
      if (page) sums.add(page.rows, page.totals);
      const row = page ? undefined : sums.row();
      return ready.map((last) => (row ? { ...last, rows: [...last.rows, row] } : last));
    });
    return this;
  }

  /** Holds all pages until the last one has arrived, so that a failure leaves no partial output. */
  hold(): this {
    const held: Page[] = [];
    this.#steps.push((page) => {
      if (page) held.push(page);
      return page ? [] : held;
    });
    return this;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Page> {
    if (this.#isDone) return;
    for await (const page of this.#pages) {
      yield* this.#pass([page as Page], 0);
      if (this.#isDone) break;
    }
    for (const at of this.#steps.keys())
      yield* this.#pass(this.#steps[at]?.(undefined) ?? [], at + 1);
  }

  #pass(pages: readonly Page[], from: number): readonly Page[] {
    return this.#steps
      .slice(from)
      .reduce((some, step) => some.flatMap((page) => step(page)), pages);
  }
}
