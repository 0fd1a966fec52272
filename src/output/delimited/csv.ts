/** csv: for spreadsheets, so formulas are guarded and numbers are not. Quoted as csv-stringify does; see decision 013. */
import type { RenderOptions } from '../render-options.ts';
import { cellText } from '../rows/cell.ts';
import type { Value } from '../rows/rows.ts';
import { keepAsTyped } from '../rows/typed-text.ts';
import { type Dialect, delimitedWriters } from './delimited.ts';
import { guardFormula } from './formula-guard.ts';

/** Excel knows UTF-8 by this mark at the start of a file. */
const byteOrderMark = '\ufeff';

export const { writeRows, writeValue } = delimitedWriters(csvDialect);

function csvDialect({ csv = {} }: RenderOptions): Dialect {
  const { delimiter = ',', crlf, bom, textIds = false } = csv;
  // Readers end a line at CR or LF alone, too.
  const special = new RegExp(`["\\r\\n${delimiter.replace(/[\\\]^-]/g, '\\$&')}]`);
  return {
    delimiter,
    lineEnd: crlf ? '\r\n' : '\n',
    mark: bom ? byteOrderMark : '',
    cell(value, isOnly) {
      const text = textOf(value, textIds);
      // A record of one empty cell would be an empty line, which readers skip.
      if (text === '') return isOnly ? '""' : '';
      return special.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
    },
  };
}

/** Only text can be a formula: numbers, booleans and JSON go as they are. Text is kept as typed, or guarded, never both. */
function textOf(value: Value, textIds: boolean): string {
  if (typeof value !== 'string') return cellText(value);
  return (textIds ? keepAsTyped(value) : undefined) ?? guardFormula(value);
}
