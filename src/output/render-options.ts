/** The options that every format receives, and the writers that it provides. */
import type { Pages, Row, Shape, Value } from './rows/rows.ts';

export interface CsvOptions {
  readonly bom?: boolean;
  readonly crlf?: boolean;
  readonly delimiter?: string;
  /** Text that a spreadsheet would convert to a number or a date is written so that it stays text. */
  readonly textIds?: boolean;
}

export interface Spread {
  readonly list: string;
  readonly size: number;
}

/** The columns of csv and tsv, and the structure of the rows from which they were derived. */
export interface Layout {
  readonly columns: readonly string[];
  readonly skeleton: Row;
}

/** Tables show times in a zone; its label is in the headings. */
export interface TimeZone {
  readonly name: string;
  readonly label?: string;
}

export interface RenderOptions {
  /** Absent: the columns come from the first page's rows. */
  readonly shape?: Shape | undefined;
  /** Dotted paths, selected and ordered by the user; an unknown one throws `UnknownField`. */
  readonly fields?: readonly string[] | undefined;
  /** A list field: one row for each element; a row whose list is empty stays one row. */
  readonly expand?: string | undefined;
  /** csv and tsv: a list field that becomes columns, for its first `size` elements. */
  readonly spread?: Spread | undefined;
  /** json, ndjson, csv and tsv: the first page, if an earlier run has written it; the output continues after it. */
  readonly begun?: readonly Row[] | undefined;
  /** csv and tsv: the layout that `onLayout` received in an earlier run, to keep its columns. */
  readonly keptLayout?: Layout | undefined;
  /** csv and tsv: false omits the header line. */
  readonly header?: boolean | undefined;
  /** Width of the terminal; if absent, nothing is fitted. */
  readonly width?: number | undefined;
  readonly color?: boolean;
  /** table: the zone of its times; if absent, times are shown as sent. */
  readonly zone?: TimeZone | undefined;
  /** table: a line for each row, or each row as lines of label and value. */
  readonly layout?: 'rows' | 'cards';
  readonly csv?: CsvOptions;
  /** table: receives the paths that are shown, and those that are left out. */
  readonly onColumns?: (shown: readonly string[], leftOut: readonly string[]) => void;
  /** csv and tsv: called before the first line. */
  readonly onLayout?: (layout: Layout) => void;
  /** csv and tsv: receives unknown fields that first appeared after the header was written. */
  readonly onLateFields?: (paths: readonly string[]) => void;
  /**
   * Called after the last row of a spread list: how many rows had more elements than columns, and the maximum
   * number of elements.
   */
  readonly onSpreadShort?: (rows: number, most: number) => void;
}

/** Writers of a format, for rows or for the bodies of responses as received. */
export type Writers = RowWriters | BodyWriters;

export interface RowWriters {
  writeRows(pages: Pages, options: RenderOptions): AsyncGenerator<string>;
  /** Writes a value that is not a set of rows, always as whole lines. */
  writeValue(value: Value, options: RenderOptions): string | Promise<string>;
}

export interface BodyWriters {
  writeBodies(bodies: AsyncIterable<string>): AsyncGenerator<string>;
}
