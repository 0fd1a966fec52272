/** What is asked of every format, and what each format answers with. */
import type { Pages, Shape, Value } from './rows.ts';

export type Format = 'table' | 'json' | 'ndjson' | 'csv' | 'tsv';

export interface RenderOptions {
  /** Absent: the columns come from the first page's rows. */
  readonly shape?: Shape;
  /** Dotted paths, chosen and ordered by the user; one that is not known throws `UnknownField`. */
  readonly fields?: readonly string[];
  /** A list field: a row per element; a row whose list is empty stays as one row. */
  readonly expand?: string;
  /** Columns of the terminal; absent: nothing is fitted. */
  readonly width?: number;
  readonly color?: boolean;
  /** Of a table: a line per row, or each row as lines of label and value. */
  readonly layout?: 'rows' | 'cards';
  readonly csv?: { readonly bom?: boolean; readonly crlf?: boolean; readonly delimiter?: string };
  /** Of a table: the paths that are shown, and those that are no headline or had no room. */
  readonly onColumns?: (shown: readonly string[], leftOut: readonly string[]) => void;
  /** Of csv and tsv: unknown fields that first appeared when the header was already written. */
  readonly onLateFields?: (paths: readonly string[]) => void;
}

/** Writes the rows of a format, page by page. */
export type RowWriter = (pages: Pages, options: RenderOptions) => AsyncGenerator<string>;

/** Writes a value that is not a set of rows; always whole lines. */
export type ValueWriter = (value: Value, options: RenderOptions) => string | Promise<string>;
