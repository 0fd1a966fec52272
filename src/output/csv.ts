/** csv: for spreadsheets, so formulas are guarded and numbers are not. */
import { stringify } from 'csv-stringify/sync';
import { cellText } from './cell.ts';
import type { Column } from './columns.ts';
import { compileLine, type Lines, writeRecord, writeRecords } from './delimited.ts';
import { guardFormula } from './formula-guard.ts';
import { toJson } from './json-text.ts';
import type { RenderOptions } from './render-options.ts';
import { isNumeral, type Pages, type Value } from './rows.ts';
import { keepAsTyped } from './typed-text.ts';

/** Excel knows UTF-8 by this mark at the start of a file. */
const byteOrderMark = '\ufeff';

export async function* writeRows(pages: Pages, options: RenderOptions): AsyncGenerator<string> {
  let mark = options.csv?.bom && !options.begun ? byteOrderMark : '';
  for await (const lines of writeRecords(pages, options, csvLines(options))) {
    yield mark + lines;
    mark = '';
  }
}

export function writeValue(value: Value, options: RenderOptions): string {
  const mark = options.csv?.bom ? byteOrderMark : '';
  return mark + writeRecord(value, options, csvLines(options));
}

function csvLines({ csv }: RenderOptions): Lines {
  const delimiter = csv?.delimiter ?? ',';
  const end = csv?.crlf ? '\r\n' : '\n';
  const toText = csv?.textIds ? typedText : guardedText;
  return {
    encode: (records) =>
      stringify(
        records.map((values) => values.map(toText)),
        // A record of one empty cell would be an empty line, which readers skip.
        {
          delimiter,
          record_delimiter: end,
          // Readers end a line at CR or LF alone, too.
          quote_record_delimiter: true,
          quoted_empty: records.some(({ length }) => length === 1),
        },
      ),
    lineOf: (columns) => compileLine(columns, delimiter, end, quoter(columns, delimiter, toText)),
  };
}

/** Writes the cells of rows as csv-stringify does; see the decision on lines of csv. */
function quoter(
  columns: readonly Column[],
  delimiter: string,
  toText: (value: Value) => string,
): (value: Value) => string {
  const special = new RegExp(`["\\r\\n${delimiter.replace(/[\\\]^-]/g, '\\$&')}]`);
  const empty = columns.length === 1 ? '""' : '';
  return (value) => {
    if (value === null || value === undefined || value === '') return empty;
    if (typeof value === 'object' && !isNumeral(value)) {
      // Nearly all of it is quotes, so they are doubled where they are written.
      const text = toJson(value, undefined, '""');
      return special.test(text) ? `"${text}"` : text;
    }
    const text = toText(value);
    return special.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  };
}

/** Only text can be a formula: numbers, booleans and JSON go as they are. */
function guardedText(value: Value): string {
  return typeof value === 'string' ? guardFormula(value) : cellText(value);
}

/** Text is kept as typed, or guarded, never both. */
function typedText(value: Value): string {
  if (typeof value !== 'string') return cellText(value);
  return keepAsTyped(value) ?? guardFormula(value);
}
