/** What rows are to look like as a chart. */

export interface Charting {
  /** The field with the day of a row; rows without one are drawn as bars. */
  readonly day?: string;
  /** The fields that together name a row: a bar, or a line over the days. */
  readonly names: readonly string[];
  /** One: a line for each name. Several: a line for each, summed up over the names. */
  readonly figures: readonly string[];
  /** What a figure is on a day without a row; absent: not known. */
  readonly missing?: string;
  /** Bars go from the largest figure to the smallest, not in the order of the rows. */
  readonly sorted?: boolean;
}

export interface ChartOptions {
  readonly width: number;
  readonly color: boolean;
  /** Nothing is drawn with other characters; names and the like stay as they are. */
  readonly ascii: boolean;
}
