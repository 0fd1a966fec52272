/** The pages of a list on their way to where they are shown: those asked for, counted and summed up. */
import type { Row } from '../output/rows.ts';
import type { Shell } from './shell.ts';
import type { Showing } from './show-flags.ts';
import type { Summing } from './view.ts';

type Rows = readonly Row[];

/** Rows that came together. */
export interface ShownPage {
  readonly number: number;
  /** There is another page behind it. */
  readonly more: boolean;
  readonly rows: readonly unknown[];
  readonly totals: readonly unknown[];
  /** As received, where it came so. */
  readonly body?: string;
}

export type Pages = AsyncGenerator<ShownPage>;

/** What was shown so far; an export that is gone on with begins with that of the run before. */
export interface Tally {
  pages: number;
  rows: number;
  /** The first page with rows: it decides the columns. */
  first?: Rows;
}

/** The pages that the user asked for: one page, or rows up to the limit. */
export async function* onlyAsked(
  { messages }: Shell,
  { limit, page: only }: Showing,
  before: number,
  pages: Pages,
): Pages {
  let left = (limit ?? Number.POSITIVE_INFINITY) - before;
  if (left <= 0) return;
  for await (const page of pages) {
    const rows = page.rows.length > left ? page.rows.slice(0, left) : page.rows;
    left -= rows.length;
    yield { ...page, rows };
    if (left === 0 || only !== undefined) {
      if (only !== undefined && page.more) messages.tell(`more on page ${only + 1}`);
      return;
    }
  }
}

export async function* counting(
  pages: Pages,
  tally: Tally,
  onPage?: (rows: number) => void,
): Pages {
  for await (const page of pages) {
    yield page;
    const { rows } = page;
    tally.pages += 1;
    tally.rows += rows.length;
    if (rows.length > 0) tally.first ??= rows as Rows;
    onPage?.(rows.length);
  }
}

export async function* rowsOf(pages: Pages): AsyncGenerator<Rows> {
  for await (const { rows } of pages) yield rows as Rows;
}

export async function* bodiesOf(pages: Pages): AsyncGenerator<string> {
  for await (const { body } of pages) yield body ?? '';
}

/** The last page ends with the row over all others, where it is wanted: so it has room in a table. */
export async function* summedUp(
  { format, totals }: Showing,
  pages: Pages,
  summing: (() => Summing) | undefined,
): Pages {
  const sums = totals || format === 'table' ? summing?.() : undefined;
  if (!sums) {
    yield* pages;
    return;
  }
  let held: ShownPage | undefined;
  for await (const page of pages) {
    if (held) yield held;
    sums.add(page.rows as Rows, page.totals as Rows);
    held = page;
  }
  const row = sums.row();
  if (held) yield row ? { ...held, rows: [...held.rows, row] } : held;
}
