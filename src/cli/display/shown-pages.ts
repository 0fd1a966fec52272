/** Selects and counts the pages of a list and adds up their rows before they are shown. */
import type { Row } from '../../output/rows/rows.ts';
import type { OutputOptions } from '../flags/show-flags.ts';
import type { CommandContext } from '../runtime/command-context.ts';
import type { Summary } from './summary.ts';
import type { Summing } from './view.ts';

export interface ShownPage<R = unknown> {
  readonly number: number;
  readonly more: boolean;
  readonly rows: readonly R[];
  readonly totals: readonly R[];
  /** The response as received, if it was requested that way. */
  readonly body?: string;
}

export type Pages<R = unknown> = AsyncGenerator<ShownPage<R>>;

/** How much was shown so far; a resumed export continues the tally of the earlier run. */
export interface Tally {
  pages: number;
  rows: number;
  /** `--limit` left out rows. */
  isCut?: boolean;
  /** The first page with rows, which determines the columns. */
  first?: readonly Row[];
}

/** The requested pages: one page, or rows up to the limit. Each is counted after it is shown. */
export async function* pagesAsked(
  { messages }: CommandContext,
  { limit = Number.POSITIVE_INFINITY, page: only }: OutputOptions,
  pages: Pages,
  tally: Tally,
  onPage?: (rows: number) => void,
): Pages<Row> {
  if (tally.rows >= limit) return;
  for await (const any of pages) {
    const page = any as ShownPage<Row>;
    const rows = page.rows.slice(0, limit - tally.rows);
    yield { ...page, rows };
    tally.pages += 1;
    tally.rows += rows.length;
    tally.isCut = limit !== Infinity && (page.more || rows.length < page.rows.length);
    if (rows.length > 0) tally.first ??= rows;
    onPage?.(rows.length);
    if (only !== undefined && page.more) messages.tell(`More rows are on page ${only + 1}.`);
    if (only !== undefined || tally.rows === limit) return;
  }
}

/** Yields the same pages, and adds their rows to the summary. */
export async function* counted(pages: Pages<Row>, summary: Summary): Pages<Row> {
  for await (const page of pages) {
    summary.add(page.rows);
    yield page;
  }
}

/** Holds pages back until the last one has arrived, so that a failure leaves no partial output. */
export async function* heldBack<Page>(
  pages: AsyncIterable<Page>,
  isLast: (page: Page) => boolean,
): AsyncGenerator<Page> {
  let held: Page[] = [];
  for await (const page of pages) {
    held.push(page);
    if (!isLast(page)) continue;
    yield* held;
    held = [];
  }
  yield* held;
}

export async function allRows(pages: Pages<Row>): Promise<Row[]> {
  const rows: Row[] = [];
  for await (const page of pages) rows.push(...page.rows);
  return rows;
}

export async function* rowsOf(pages: Pages<Row>): AsyncGenerator<readonly Row[]> {
  for await (const { rows } of pages) yield rows;
}

export async function* bodiesOf(pages: Pages): AsyncGenerator<string> {
  for await (const { body } of pages) yield body ?? '';
}

/** Appends the row of sums to the last page if it is requested, so that the table has room for it. */
export async function* summedUp(
  { format, totals }: OutputOptions,
  pages: Pages<Row>,
  summing: (() => Summing) | undefined,
): Pages<Row> {
  const sums = totals || format === 'table' ? summing?.() : undefined;
  if (!sums) {
    yield* pages;
    return;
  }
  let held: ShownPage<Row> | undefined;
  for await (const page of pages) {
    if (held) yield held;
    sums.add(page.rows, page.totals);
    held = page;
  }
  const row = sums.row();
  if (held) yield row ? { ...held, rows: [...held.rows, row] } : held;
}
