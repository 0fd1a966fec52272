/** What csv and tsv have in common: a header, a line per row, and the same columns. */
import { allColumns, type Column, chosenColumns } from './columns.ts';
import { watchFields } from './late-fields.ts';
import type { RenderOptions } from './render-options.ts';
import { isList, isRow, type Pages, type Row, type Value } from './rows.ts';

/** Writes records of values as whole lines. */
export type Encode = (records: readonly (readonly Value[])[]) => string;

/** A header and a line per row. Without any row the header is still written when a shape is known or fields are chosen. */
export async function* writeRecords(
  pages: Pages,
  options: RenderOptions,
  encode: Encode,
): AsyncGenerator<string> {
  let write: ((page: readonly Row[]) => string) | undefined;
  for await (const page of pages) {
    if (page.length === 0) continue;
    write ??= openRecords(page, options, encode);
    yield write(page);
  }
  const isKnown = options.shape ?? options.fields;
  if (!write && isKnown) yield openRecords([], options, encode)([]);
}

/** The header goes with the first page. */
function openRecords(
  first: readonly Row[],
  options: RenderOptions,
  encode: Encode,
): (page: readonly Row[]) => string {
  const columns = columnsOf(first, options);
  const watch = watchFields(first, options);
  let head = [pathsOf(columns)];
  return (page) => {
    watch(page);
    const text = encode([...head, ...valuesOf(page, columns)]);
    head = [];
    return text;
  };
}

/** An object is a header and a line; a list is a line for each of its elements, whose own elements are its cells; a scalar is a line. */
export function writeRecord(value: Value, options: RenderOptions, encode: Encode): string {
  if (isRow(value)) {
    const columns = columnsOf([value], options);
    return encode([pathsOf(columns), ...valuesOf([value], columns)]);
  }
  const records = isList(value) ? value : [value];
  return encode(records.map((record) => (isList(record) ? record : [record])));
}

function columnsOf(page: readonly Row[], { fields, shape }: RenderOptions): readonly Column[] {
  return fields ? chosenColumns(fields, shape, page) : allColumns(shape, page);
}

function pathsOf(columns: readonly Column[]): readonly string[] {
  return columns.map(({ path }) => path);
}

function valuesOf(page: readonly Row[], columns: readonly Column[]): (readonly Value[])[] {
  return page.map((row) => columns.map(({ read }) => read(row)));
}
