/** How the rows of a command look. */
import type { Resource } from '../../operations/resource.ts';
import type { Charting } from '../../output/chart/charting.ts';
import type { Row } from '../../output/rows/rows.ts';

type Rows = readonly Row[];

export type Layout = 'rows' | 'cards';

export interface View {
  readonly resource: Resource;
  readonly layout?: Layout;
  /** The rows to show for those of a page, where they aren't shown as they came. */
  reshape?(rows: Rows): Rows;
  /** Makes a row over all others, which is shown under a table, or with --totals. */
  summing?(): Summing;
  readonly chart?: Charting;
  /** What is drawn as sparklines under a table. */
  readonly trend?: Charting;
}

export interface Summing {
  /** Takes each page as shown, with what stood beside its rows. */
  add(rows: Rows, totals: Rows): void;
  row(): Row | undefined;
}
