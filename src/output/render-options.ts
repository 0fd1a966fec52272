/** The options of all formats, and the functions of a format. */
import type { Pages, Row, Shape, Value } from './rows/rows.ts';

export interface CsvOptions {
  readonly bom?: boolean;
  readonly crlf?: boolean;
  readonly delimiter?: string;
  /** Write text that a spreadsheet would turn into a number or a date so that it stays as typed. */
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
  /** Absent: the columns follow from the first page. */
  readonly shape?: Shape | undefined;
  /** Fields in the order of the user; an unknown one throws `UnknownField`. */
  readonly fields?: readonly string[] | undefined;
  /** A list field: one row per element; a row with an empty list stays one row. */
  readonly expand?: string | undefined;
  /** For csv and tsv: a list field that becomes columns for its first `size` elements. */
  readonly spread?: Spread | undefined;
  /** For json, ndjson, csv and tsv: the first page that an earlier run has written; new rows are appended. */
  readonly begun?: readonly Row[] | undefined;
  /** For csv and tsv: the layout of an earlier run, to keep its columns. */
  readonly keptLayout?: Layout | undefined;
  /** For csv and tsv: false omits the header line. */
  readonly header?: boolean | undefined;
  /** Columns of the terminal; absent: lines can have any width. */
  readonly width?: number | undefined;
  readonly color?: boolean;
  /** For tables: rows are written as they arrive. */
  readonly live?: boolean;
  /** For tables: the time zone; absent: times as they were sent. */
  readonly zone?: TimeZone | undefined;
  /** For tables: one line per row, or each row as lines with a label and a value. */
  readonly layout?: 'rows' | 'cards';
  readonly csv?: CsvOptions;
  /** For tables: called with the paths that are shown, and the ones that are not. */
  readonly onColumns?: (shown: readonly string[], leftOut: readonly string[]) => void;
  /** For csv and tsv: called before the first line. */
  readonly onLayout?: (layout: Layout) => void;
  /** For csv and tsv: called with unknown fields that appear after the header was written. */
  readonly onLateFields?: (paths: readonly string[]) => void;
  /** For a spread list: called after the last row with the number of rows that had more elements than columns, and the highest number of elements. */
  readonly onSpreadShort?: (rows: number, most: number) => void;
}

/** A format writes either rows or the bodies of responses as received. */
export type Writers = RowWriters | BodyWriters;

export interface RowWriters {
  writeRows(pages: Pages, options: RenderOptions): AsyncGenerator<string>;
  /** Writes a value that is not a set of rows, always as whole lines. */
  writeValue(value: Value, options: RenderOptions): string | Promise<string>;
}

export interface BodyWriters {
  writeBodies(bodies: AsyncIterable<string>): AsyncGenerator<string>;
}
