/** `--sort`: reads all pages of a list and yields their rows in the requested order. */
import type { Row } from '../../output/rows/rows.ts';
import { type SortRows, sorterFor } from '../../output/rows/sort.ts';
import type { OutputOptions } from '../flags/show-flags.ts';
import type { Pages, ShownPage } from './shown-pages.ts';
import { shapeOfView, type View } from './view.ts';

const rowsPerPage = 1000;

/** With a limit, memory holds at most this many times the limit of rows. */
const spare = 4;

/**
 * Reads all pages, or the one that `--page` names, and yields their rows sorted. Holds all rows in memory, or with
 * a limit a small multiple of the limit. `onPage` is called for each page that is read.
 */
export async function* sortedPages(
  pages: Pages,
  { sort = [], limit, page: only }: OutputOptions,
  view: View,
  onPage?: (rows: number) => void,
): Pages<Row> {
  const most = limit === undefined ? Number.POSITIVE_INFINITY : spare * limit + rowsPerPage;
  let sorted: SortRows | undefined;
  let rows: Row[] = [];
  let last: ShownPage<Row> | undefined;
  let isCut = false;
  for await (const any of pages) {
    last = any as ShownPage<Row>;
    onPage?.(last.rows.length);
    for (const row of last.rows) rows.push(row);
    if (last.rows.length > 0) sorted ??= sorterFor(sort, shapeOfView(view), last.rows);
    if (sorted && rows.length > most) {
      rows = sorted(rows).slice(0, limit);
      isCut = true;
    }
    if (only !== undefined) break;
  }
  if (!last) return;
  const { number, totals, more } = last;
  rows = sorted?.(rows) ?? [];
  for (let start = 0; start === 0 || start < rows.length; start += rowsPerPage) {
    const some = rows.slice(start, start + rowsPerPage);
    const hasMore = only === undefined ? isCut || start + rowsPerPage < rows.length : more;
    yield { number, more: hasMore, rows: some, totals };
  }
}
