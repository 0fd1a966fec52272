/** csv: for spreadsheets. Text that looks like a formula is guarded; numbers never are. */
import { stringify } from 'csv-stringify/sync';
import type { RenderOptions } from '../render-options.ts';
import { cellText } from '../rows/cell.ts';
import type { Value } from '../rows/rows.ts';
import { keepAsTyped } from '../rows/typed-text.ts';
import { type Dialect, delimitedWriters } from './delimited.ts';
import { guardFormula } from './formula-guard.ts';

/** Excel recognizes UTF-8 by this byte order mark. */
const byteOrderMark = '\ufeff';

export const { open, writeValue } = delimitedWriters(csvDialect);

function csvDialect({ csv = {} }: RenderOptions): Dialect {
  const { delimiter = ',', crlf, bom, textIds = false } = csv;
  const options = {
    delimiter,
    record_delimiter: crlf ? '\r\n' : '\n',
    // Some readers end a line at CR or LF alone.
    quote_record_delimiter: true,
  };
  return {
    mark: bom ? byteOrderMark : '',
    write: (records) =>
      stringify(
        records.map((values) => values.map((value) => textOf(value, textIds))),
        // Readers skip empty lines, so a single empty cell is quoted.
        { ...options, quoted_empty: records[0]?.length === 1 },
      ),
  };
}

/** Only text can be a formula; numbers, booleans and JSON are written unchanged. Text is kept as typed or guarded, never both. */
function textOf(value: Value, textIds: boolean): string {
  if (typeof value !== 'string') return cellText(value);
  return (textIds ? keepAsTyped(value) : undefined) ?? guardFormula(value);
}
