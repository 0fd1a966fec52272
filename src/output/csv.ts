/** csv: for spreadsheets, so formulas are guarded and numbers are not. */
import { stringify } from 'csv-stringify/sync';
import { cellText } from './cell.ts';
import { type Encode, writeRecord, writeRecords } from './delimited.ts';
import { guardFormula } from './formula-guard.ts';
import type { RenderOptions } from './render-options.ts';
import type { Pages, Value } from './rows.ts';

/** Excel knows UTF-8 by this mark at the start of a file. */
const byteOrderMark = '\ufeff';

export async function* writeRows(pages: Pages, options: RenderOptions): AsyncGenerator<string> {
  let mark = options.csv?.bom ? byteOrderMark : '';
  for await (const lines of writeRecords(pages, options, encoder(options))) {
    yield mark + lines;
    mark = '';
  }
}

export function writeValue(value: Value, options: RenderOptions): string {
  const mark = options.csv?.bom ? byteOrderMark : '';
  return mark + writeRecord(value, options, encoder(options));
}

function encoder({ csv }: RenderOptions): Encode {
  const format = {
    delimiter: csv?.delimiter ?? ',',
    record_delimiter: csv?.crlf ? '\r\n' : '\n',
  };
  return (records) =>
    stringify(
      records.map((values) => values.map(guardedText)),
      // A record of one empty cell would be an empty line, which readers skip.
      { ...format, quoted_empty: records.some(({ length }) => length === 1) },
    );
}

/** Only text can be a formula: numbers, booleans and JSON go as they are. */
function guardedText(value: Value): string {
  return typeof value === 'string' ? guardFormula(value) : cellText(value);
}
