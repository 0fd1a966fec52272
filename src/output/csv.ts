/** csv: for spreadsheets, so formulas are guarded and numbers are not. */
import { stringify } from 'csv-stringify/sync';
import { cellWriter, defaultDelimiter, lineEnd, toTextOf } from './csv-cell.ts';
import { compileLine, type Lines, writeRecord, writeRecords } from './delimited.ts';
import type { RenderOptions } from './render-options.ts';
import type { Pages, Value } from './rows.ts';

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
  const delimiter = csv?.delimiter ?? defaultDelimiter;
  const end = lineEnd(csv);
  const toText = toTextOf(csv);
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
    lineOf: (columns) => compileLine(columns, delimiter, end, cellWriter(csv, columns.length)),
  };
}
