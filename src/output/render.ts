/** Rows in, text out: the one door to every format. Each format loads only what it needs. */
import { expandRows, expandShape } from './expansion.ts';
import { isList, isRow, type Pages, type Row, type Shape, type Value } from './rows.ts';

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

interface Writers {
  readonly writeRows: RowWriter;
  readonly writeValue: ValueWriter;
}

/** Literal imports, so that a bundler sees them. */
const writers: Readonly<Record<Format, () => Promise<Writers>>> = {
  table: () => import('./table.ts'),
  json: () => import('./json.ts'),
  ndjson: () => import('./ndjson.ts'),
  csv: () => import('./csv.ts'),
  tsv: () => import('./tsv.ts'),
};

/**
 * Streams the text of the rows, as each page comes. When the pages break off, what was written so far is
 * still whole lines (of json: a whole document), and the error is thrown on.
 */
export async function* renderRows(
  format: Format,
  pages: AsyncIterable<readonly Row[]>,
  options: RenderOptions,
): AsyncGenerator<string> {
  const { writeRows } = await writers[format]();
  const { expand, shape, ...others } = options;
  if (expand === undefined) {
    yield* writeRows(pages, options);
    return;
  }
  const expanded = shape && { shape: expandShape(shape, expand) };
  yield* writeRows(expandRows(pages, expand, shape), { ...others, ...expanded });
}

/**
 * The text of one object (json: the object itself; csv and tsv: a header and a line; table: a card), of a
 * scalar (a line), or of a list, as a query may give (of objects: as rows; of anything else: a line each).
 */
export async function renderOne(
  format: Format,
  value: Value,
  options: RenderOptions,
): Promise<string> {
  const expands = options.expand !== undefined && isRow(value);
  if (isRow(value) && !expands) return (await writers[format]()).writeValue(value, options);
  const rows = expands ? [value] : value;
  if (isList(rows) && rows.length > 0 && rows.every(isRow)) {
    return collect(renderRows(format, onePage(rows), options));
  }
  return (await writers[format]()).writeValue(rows, options);
}

async function* onePage(rows: readonly Row[]): AsyncGenerator<readonly Row[]> {
  yield rows;
}

async function collect(chunks: AsyncIterable<string>): Promise<string> {
  let text = '';
  for await (const chunk of chunks) text += chunk;
  return text;
}
