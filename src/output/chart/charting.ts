/** How rows become a chart. */

export interface Charting {
  /** The field with the day; rows without it are drawn as bars. */
  readonly day?: string;
  /** The fields that together name a row: a bar, or a line over the days. */
  readonly names: readonly string[];
  /** One figure: a line for each name. Several: a line for each figure, summed over the names. */
  readonly figures: readonly string[];
  /** The value of a figure on a day without a row; absent: unknown. */
  readonly missing?: string;
  /** Bars are sorted, largest first, instead of in the order of the rows. */
  readonly sorted?: boolean;
}

export interface ChartOptions {
  readonly width: number;
  readonly color: boolean;
  /** Draw with ASCII only; names stay as they are. */
  readonly ascii: boolean;
}
