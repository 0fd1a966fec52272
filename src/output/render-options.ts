/** The options of all formats, and the functions of a format. */
import type { Row, Shape, Value } from './rows/rows.ts';

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

/** What a format writes: text, or bytes that are not text. */
export type Chunk = string | Uint8Array;

/** A layout: the columns, and the rows that are made of the rows of each page. */
export interface Arrangement {
  /** The name of the sheet in a workbook. */
  readonly name: string;
  readonly shape: Shape | undefined;
  /** `before` is the number of rows on the pages before. */
  rows(page: readonly Row[], before?: number): readonly Row[];
}

/** Where the currency of an amount is: in a field of its row, or the same for all rows. */
export interface Currencies {
  readonly by: string;
  readonly fixed: Readonly<Record<string, string>>;
}

/** What is in the sums of a workbook. */
export interface TotalsOptions {
  /** The rows that are summed, without amounts that an earlier row has, too. */
  summed(page: readonly Row[]): readonly Row[];
  /** What the sums leave out, in sentences; called after the last row. */
  notes(): readonly string[];
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
  /** For a table: each row is lines of `name: value`. */
  readonly isPlain?: boolean | undefined;
  /** For tables: the first page has all rows, so that what they share can stand above them; false keeps every column. */
  readonly isWhole?: boolean | undefined;
  /** For tables: rows are written as they arrive. */
  readonly live?: boolean;
  /** For tables, xlsx and `dates`: the time zone; absent: times as they were sent, in xlsx Pacific time. */
  readonly zone?: TimeZone | undefined;
  /** For tables: the current time at the service; with it, times are short on a narrow terminal. */
  readonly now?: (() => Date) | undefined;
  /** For csv and tsv: times as spreadsheets read them, in the zone; `both` adds a column with the day. */
  readonly dates?: 'spreadsheet' | 'both' | undefined;
  /** For all formats of rows except xlsx: the layout of the rows. */
  readonly arrangement?: Arrangement | undefined;
  /** For xlsx: the sheets, all made of the same rows; `fields` selects the columns of each. */
  readonly sheets?: readonly Arrangement[] | undefined;
  /** For xlsx: the name of the only sheet. */
  readonly sheet?: string | undefined;
  /** For xlsx: the currencies of decimal numbers. */
  readonly currencies?: Currencies | undefined;
  /** For xlsx: false if amounts repeat in several rows, so that their sums would mean nothing. */
  readonly totals?: false | TotalsOptions | undefined;
  /** For xlsx: called at the end with the number of texts that a cell could not hold. */
  readonly onCutTexts?: ((texts: number) => void) | undefined;
  /** For tables: one line per row, or each row as lines with a label and a value. */
  readonly layout?: 'rows' | 'cards';
  readonly csv?: CsvOptions;
  /** For tables: called with the paths that are shown, and the ones that are not. */
  readonly onColumns?: (shown: readonly string[], leftOut: readonly string[]) => void;
  /** For csv and tsv: called before the first line. */
  readonly onLayout?: (layout: Layout) => void;
  /** For csv and tsv: called with unknown fields that appear after the header was written. */
  readonly onLateFields?: (paths: readonly string[]) => void;
  /** Called after the last row with the number of rows that had more elements than columns, and the most elements. */
  readonly onSpreadShort?: (rows: number, most: number) => void;
}

/** Writes the pages of a list; text so far is always whole lines. */
export interface Writer {
  /** The text of a page, `body` as received; '' while it waits for more rows. */
  add(rows: readonly Row[], body: string): Chunk;
  /** The rest; after an error, what makes the text so far a whole document. */
  end(isBroken: boolean): Iterable<Chunk> | Promise<Iterable<Chunk>>;
  /** Called last, also after an error. */
  close?(): void;
}

export interface Writers {
  open(options: RenderOptions): Writer;
  /** Writes a value that is no set of rows as whole lines. Absent: the format shows responses as received. */
  writeValue?(value: Value, options: RenderOptions): Chunk | Promise<Chunk>;
}
