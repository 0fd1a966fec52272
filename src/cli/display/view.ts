/** How the rows of a command are displayed. */
import type { Resource } from '../../operations/resource.ts';
import type { Charting } from '../../output/chart/charting.ts';
import type { Row } from '../../output/rows/rows.ts';

type Rows = readonly Row[];

export type Layout = 'rows' | 'cards';

export interface View {
  readonly resource: Resource;
  readonly layout?: Layout;
  /** Converts the rows of a page for display. */
  reshape?(rows: Rows): Rows;
  /** Creates the row of sums, which is shown below a table, or with --totals. */
  summing?(): Summing;
  readonly chart?: Charting;
  /** The sparklines below a table. */
  readonly trend?: Charting;
}

export interface Summing {
  /** Adds the rows and the totals of a page. */
  add(rows: Rows, totals: Rows): void;
  row(): Row | undefined;
}
