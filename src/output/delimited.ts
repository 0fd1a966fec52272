/** What csv and tsv have in common: a header, a line per row, and the same columns. */
import { allColumns, type Column, chosenColumns } from './columns.ts';
import { watchFields } from './late-fields.ts';
import type { RenderOptions } from './render-options.ts';
import { isList, isRow, type Pages, type Row, type Value } from './rows.ts';
import { skeletonOf } from './skeleton.ts';
import { spreadColumns, watchSpread } from './spread.ts';

/** How a format writes lines. */
export interface Lines {
  /** The whole lines of a few records: a header, a value. */
  encode(records: readonly (readonly Value[])[]): string;
  /** Compiles what writes the line of each of many rows. */
  lineOf(columns: readonly Column[]): (row: Row) => string;
}

/** A header and a line per row. Without any row the header is still written when a shape is known or fields are chosen. */
export async function* writeRecords(
  pages: Pages,
  options: RenderOptions,
  lines: Lines,
): AsyncGenerator<string> {
  let write: ((page: readonly Row[]) => string) | undefined;
  if (options.begun) write = openRecords(options.begun, { ...options, header: false }, lines);
  const spread = watchSpread(options);
  for await (const page of pages) {
    if (page.length === 0) continue;
    write ??= openRecords(page, options, lines);
    spread.add(page);
    yield write(page);
  }
  spread.tell();
  const isKnown = options.shape ?? options.fields;
  if (!write && isKnown) yield openRecords([], options, lines)([]);
}

/** The header goes with the first page. */
function openRecords(
  first: readonly Row[],
  options: RenderOptions,
  lines: Lines,
): (page: readonly Row[]) => string {
  const { keptLayout: kept, onLayout } = options;
  const known = kept ? [kept.skeleton] : first;
  // Columns of a spread list are not fields, but the same structure gives the same ones.
  const columns =
    kept && !options.spread
      ? chosenColumns(kept.columns, options.shape, known)
      : columnsOf(known, options);
  onLayout?.({ columns: columns.map(({ path }) => path), skeleton: skeletonOf(known) });
  const watch = watchFields(known, options);
  const write = lines.lineOf(columns);
  let head = headerOf(columns, options, lines);
  return (page) => {
    watch(page);
    let text = head;
    for (const row of page) text += write(row);
    head = '';
    return text;
  };
}

/** An object is a header and a line; a list is a line for each of its elements, whose own elements are its cells; a scalar is a line. */
export function writeRecord(value: Value, options: RenderOptions, lines: Lines): string {
  if (isRow(value)) {
    const columns = columnsOf([value], options);
    const spread = watchSpread(options);
    spread.add([value]);
    spread.tell();
    return headerOf(columns, options, lines) + lines.lineOf(columns)(value);
  }
  const records = isList(value) ? value : [value];
  return lines.encode(records.map((record) => (isList(record) ? record : [record])));
}

/** Compiles what writes a row's cells with the delimiter between them and the end behind them. */
export function compileLine(
  columns: readonly Column[],
  delimiter: string,
  end: string,
  write: (value: Value) => string,
): (row: Row) => string {
  const [first, ...others] = columns.map(({ read }) => read);
  if (!first) return () => end;
  return (row) => {
    let line = write(first(row));
    for (const read of others) line += delimiter + write(read(row));
    return line + end;
  };
}

function headerOf(columns: readonly Column[], options: RenderOptions, lines: Lines): string {
  if (options.header === false) return '';
  return lines.encode([columns.map(({ path }) => path)]);
}

function columnsOf(page: readonly Row[], options: RenderOptions): readonly Column[] {
  if (options.spread) return spreadColumns(page, options, options.spread);
  const { fields, shape } = options;
  return fields ? chosenColumns(fields, shape, page) : allColumns(shape, page);
}
