/** Hands rows from where they arise to what prints them. */
import type { Row } from '../../../output/rows/rows.ts';
import type { Pages } from '../../../output/stream.ts';

export interface RowQueue {
  add(row: Row): void;
  /** Ends the pages after the rows that were added. */
  end(): void;
  pages(): Pages<Row>;
  /** Rows that were not shown because the reader of the output is too slow. */
  readonly left: number;
}

/** A reader that stops must not fill the memory. */
const mostWaiting = 1000;

export function openRowQueue(): RowQueue {
  let rows: Row[] = [];
  let isEnded = false;
  let left = 0;
  let wake = () => {};
  return {
    get left() {
      return left;
    },
    add(row) {
      if (rows.length >= mostWaiting) left += 1;
      else rows.push(row);
      wake();
    },
    end() {
      isEnded = true;
      wake();
    },
    async *pages() {
      for (let number = 1; ; number += 1) {
        if (rows.length === 0 && !isEnded) {
          await new Promise<void>((done) => {
            wake = done;
          });
        }
        if (rows.length === 0) {
          if (isEnded) return;
          continue;
        }
        const page = rows;
        rows = [];
        yield { number, more: true, rows: page, totals: [] };
      }
    },
  };
}
