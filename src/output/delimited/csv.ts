/** csv: made for spreadsheets. Text that a spreadsheet would run as a formula is escaped; numbers are not. */
import { stringify } from 'csv-stringify/sync';
import type { RenderOptions } from '../render-options.ts';
import { cellText } from '../rows/cell.ts';
import type { Value } from '../rows/rows.ts';
import { keepAsTyped } from '../rows/typed-text.ts';
import { type Dialect, delimitedWriters } from './delimited.ts';
import { guardFormula } from './formula-guard.ts';

/** Excel recognizes UTF-8 by this mark at the start of a file. */
const byteOrderMark = '\ufeff';

export const { writeRows, writeValue } = delimitedWriters(csvDialect);

function csvDialect({ csv = {} }: RenderOptions): Dialect {
  const { delimiter = ',', crlf, bom, textIds = false } = csv;
  const options = {
    delimiter,
    record_delimiter: crlf ? '\r\n' : '\n',
    // Readers also end a line at a single CR or LF.
    quote_record_delimiter: true,
  };
  return {
    mark: bom ? byteOrderMark : '',
    write: (records) =>
      stringify(
        records.map((values) => values.map((value) => textOf(value, textIds))),
        // A record of one empty cell would be an empty line, which readers skip.
        { ...options, quoted_empty: records[0]?.length === 1 },
      ),
  };
}

/**
 * Returns the text of a cell. Only text can be a formula: numbers, booleans and JSON are unchanged. Text is either
 * kept as typed or guarded.
 */
function textOf(value: Value, textIds: boolean): string {
  if (typeof value !== 'string') return cellText(value);
  return (textIds ? keepAsTyped(value) : undefined) ?? guardFormula(value);
}
