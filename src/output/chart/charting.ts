/** How rows are drawn as a chart. */

export interface Charting {
  /** The field with the day of a row; rows without one are drawn as bars. */
  readonly day?: string;
  /** The fields that together name a row: a bar, or a line over the days. */
  readonly names: readonly string[];
  /**
   * With one figure, there is a line for each name. With several, there is a line for each figure, added up over
   * the names.
   */
  readonly figures: readonly string[];
  /** The value of a figure on a day without a row; unknown if absent. */
  readonly missing?: string;
  /** Bars are sorted from the largest figure to the smallest, not in the order of the rows. */
  readonly sorted?: boolean;
}

export interface ChartOptions {
  readonly width: number;
  readonly color: boolean;
  /** Lines and bars use ASCII only; names are unchanged. */
  readonly ascii: boolean;
}
