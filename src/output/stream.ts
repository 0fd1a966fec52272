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

export type Stream = AsyncIterable<Page> | Iterable<Page>;

/** Up to `most` rows, or only the first page that comes. */
export async function* limited(
  pages: Stream,
  most: number,
  isOnePage: boolean,
  tally: Tally,
): AsyncGenerator<Page> {
  let left = most;
  if (left <= 0) return;
  for await (const page of pages) {
    const rows = page.rows.slice(0, left);
    const isCut = rows.length < page.rows.length;
    left -= rows.length;
    tally.isCut = most !== Number.POSITIVE_INFINITY && (page.more || isCut);
    // A window with rows that are not written is not done.
    const { written, ...others } = page;
    yield isCut ? { ...others, rows } : page;
    if (isOnePage || left === 0) return;
  }
}

/** `sorterOf` gets the first rows; with `most` rows needed, a small multiple is held. */
export async function* sorted(
  pages: Stream,
  sorterOf: (first: readonly Row[]) => (rows: readonly Row[]) => Row[],
  most: number,
  isOnePage: boolean,
  onPage?: (rows: number) => void,
): AsyncGenerator<Page> {
  let sort: ReturnType<typeof sorterOf> | undefined;
  let rows: Row[] = [];
  let last: Page | undefined;
  let isCut = false;
  for await (const page of pages) {
    last = page;
    onPage?.(page.rows.length);
    for (const row of page.rows) rows.push(row);
    if (page.rows.length > 0) sort ??= sorterOf(page.rows);
    if (sort && rows.length > spare * most + rowsPerPage) {
      rows = sort(rows).slice(0, most);
      isCut = true;
    }
    if (isOnePage) break;
  }
  if (!last) return;
  const { number, totals, more } = last;
  const all = sort?.(rows) ?? [];
  const count = Math.max(1, Math.ceil(all.length / rowsPerPage));
  for (let at = 0; at < count; at++) {
    const some = all.slice(at * rowsPerPage, (at + 1) * rowsPerPage);
    yield { number, totals, rows: some, more: at < count - 1 || isCut || more };
  }
}

export async function* counted(
  pages: Stream,
  tally: Tally,
  onWritten: (rows: readonly Row[]) => void,
): AsyncGenerator<Page> {
  for await (const page of pages) {
    yield {
      ...page,
      async written() {
        tally.pages += 1;
        tally.rows += page.rows.length;
        tally.hasMore = page.more;
        if (page.rows.length > 0) tally.first ??= page.rows;
        onWritten(page.rows);
        await page.written?.();
      },
    };
  }
}

/** Appends the row of sums to the last page, so that a table has room for it. Repeated rows are in no sum. */
export async function* summed(
  pages: Stream,
  sums: Summing,
  isRepeated: (row: Row) => boolean = () => false,
): AsyncGenerator<Page> {
  let last: Page | undefined;
  for await (const page of pages) {
    if (last) yield last;
    last = page;
    const rows = page.rows.filter((row) => !isRepeated(row));
    sums.add(rows, page.totals);
  }
  const row = sums.row();
  if (last) yield row ? { ...last, rows: [...last.rows, row] } : last;
}

/** Holds all pages until the last one has arrived, so that a failure leaves no partial output. */
export async function* held(pages: Stream): AsyncGenerator<Page> {
  const all: Page[] = [];
  for await (const page of pages) all.push(page);
  yield* all;
}
