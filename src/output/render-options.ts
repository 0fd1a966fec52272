/** What is asked of every format, and what each format answers with. */
import type { Pages, Row, Shape, Value } from './rows/rows.ts';

export interface CsvOptions {
  readonly bom?: boolean;
  readonly crlf?: boolean;
  readonly delimiter?: string;
  /** Text that a spreadsheet would turn into a number or a date is written so that it stays as typed. */
  readonly textIds?: boolean;
}

export interface Spread {
  readonly list: string;
  readonly size: number;
}

/** The columns of csv and tsv, and the structure of the rows that they were found in. */
export interface Layout {
  readonly columns: readonly string[];
  readonly skeleton: Row;
}

/** Tables show times in a zone; its label stands in the headings. */
export interface TimeZone {
  readonly name: string;
  readonly label?: string;
}

export interface RenderOptions {
  /** Absent: the columns come from the first page's rows. */
  readonly shape?: Shape | undefined;
  /** Dotted paths, chosen and ordered by the user; one that is not known throws `UnknownField`. */
  readonly fields?: readonly string[] | undefined;
  /** A list field: a row per element; a row whose list is empty stays as one row. */
  readonly expand?: string | undefined;
  /** Of csv and tsv: a list field that becomes columns, for its first `size` elements. */
  readonly spread?: Spread | undefined;
  /** Of json, ndjson, csv and tsv: the first page, where an earlier run has written it; what comes goes on behind it. */
  readonly begun?: readonly Row[] | undefined;
  /** Of csv and tsv: what `onLayout` gave in an earlier run, to keep its columns. */
  readonly keptLayout?: Layout | undefined;
  /** Of csv and tsv: false leaves the header line out. */
  readonly header?: boolean | undefined;
  /** Columns of the terminal; absent: nothing is fitted. */
  readonly width?: number | undefined;
  readonly color?: boolean;
  /** Of a table: the zone of its times; absent: as they were sent. */
  readonly zone?: TimeZone | undefined;
  /** Of a table: a line per row, or each row as lines of label and value. */
  readonly layout?: 'rows' | 'cards';
  readonly csv?: CsvOptions;
  /** Of a table: the paths that are shown, and those that are no headline or had no room. */
  readonly onColumns?: (shown: readonly string[], leftOut: readonly string[]) => void;
  /** Of csv and tsv: called before the first line. */
  readonly onLayout?: (layout: Layout) => void;
  /** Of csv and tsv: unknown fields that first appeared when the header was already written. */
  readonly onLateFields?: (paths: readonly string[]) => void;
  /** Of a spread list, after the last row: how many rows had more elements than columns, and the most there were. */
  readonly onSpreadShort?: (rows: number, most: number) => void;
}

/** How a format writes rows, or the bodies of responses that it shows as they were received. */
export type Writers = RowWriters | BodyWriters;

export interface RowWriters {
  writeRows(pages: Pages, options: RenderOptions): AsyncGenerator<string>;
  /** Writes a value that is not a set of rows; always whole lines. */
  writeValue(value: Value, options: RenderOptions): string | Promise<string>;
}

export interface BodyWriters {
  writeBodies(bodies: AsyncIterable<string>): AsyncGenerator<string>;
}
