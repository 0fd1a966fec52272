/** Several lists as one: their rows in the order of the service, window by window, and none twice. */
import type { Dated } from '../../operations/operation.ts';
import { newRowFilter, type RowPage } from './pages.ts';

type Stream<Row> = AsyncGenerator<RowPage<Row>>;

/** One of the lists, as far as it was read. */
interface Reader<Row> {
  readonly stream: Stream<Row>;
  /** Rows that were read and not yielded yet. */
  rows: Row[];
  page?: RowPage<Row>;
}

export interface MergeFacts {
  readonly key?: readonly string[];
  readonly first?: Dated['first'] | undefined;
  /** The field that holds the time of a row. */
  readonly at?: string | undefined;
}

/** Merges lists with the same windows. A page holds the rows whose place is certain. `stop` ends the requests. */
export async function* mergeLists<Row>(
  streams: readonly Stream<Row>[],
  { key = [], ...order }: MergeFacts,
  stop: () => void,
): Stream<Row> {
  const readers = streams.map((stream): Reader<Row> => ({ stream, rows: [] }));
  const newRows = newRowFilter(key);
  try {
    for (let number = 1; ; number++) {
      const needing = readers.filter(needsPage);
      const pages = await Promise.all(
        needing.map(async ({ stream }) => {
          const { done, value } = await stream.next();
          return done ? undefined : value;
        }),
      );
      // All windows may have been skipped.
      if (pages.length > 0 && pages.every((page) => page === undefined)) return;
      // In the order of the lists, whichever answered first.
      for (const [i, reader] of needing.entries()) {
        const page = pages[i];
        if (!page) throw new Error('A list ended within a window.');
        Object.assign(reader, { page, rows: [...newRows(page.rows, page.window)] });
      }
      const [first] = readers;
      if (!first?.page) return;
      const rows = certainRows(readers, order);
      const isEnd = readers.every(({ page, rows }) => page?.endsWindow && rows.length === 0);
      const more = !isEnd || readers.some(({ page }) => page?.more);
      if (rows.length > 0 || isEnd) {
        yield { ...first.page, number, rows, body: '', endsWindow: isEnd, more };
      }
      if (!more) return;
      if (isEnd) for (const reader of readers) delete reader.page;
    }
  } finally {
    stop();
    await Promise.allSettled(streams.map((stream) => stream.return(undefined)));
  }
}

function needsPage({ page, rows }: Reader<unknown>): boolean {
  return rows.length === 0 && !page?.endsWindow;
}

/** Takes rows until a list has to be read further before the next row is known. */
function certainRows<Row>(readers: readonly Reader<Row>[], order: MergeFacts): Row[] {
  const rows: Row[] = [];
  while (!readers.some(needsPage)) {
    const [next, ...others] = readers.filter((reader) => reader.rows.length > 0);
    if (!next) return rows;
    const best = others.reduce((one, other) => (isBefore(other, one, order) ? other : one), next);
    rows.push(...best.rows.splice(0, 1));
  }
  return rows;
}

/** Of rows with the same time, the first list comes first. A row without a time keeps its place in its list. */
function isBefore<Row>(
  { rows: [one] }: Reader<Row>,
  { rows: [other] }: Reader<Row>,
  { first, at }: MergeFacts,
): boolean {
  const [time, otherTime] = [timeOf(one, at), timeOf(other, at)];
  if (Number.isNaN(otherTime)) return false;
  if (Number.isNaN(time)) return true;
  return first === 'latest' ? time > otherTime : time < otherTime;
}

function timeOf(row: unknown, at = ''): number {
  return Date.parse(String((row as Readonly<Record<string, unknown>>)[at]));
}
