/** Cells of csv: quoted as csv-stringify does, formulas guarded, numbers never touched. */
import { cellText } from './cell.ts';
import { guardFormula } from './formula-guard.ts';
import { toJson } from './json-text.ts';
import type { CsvOptions } from './render-options.ts';
import { isNumeral, type Value } from './rows.ts';
import { keepAsTyped } from './typed-text.ts';

export const defaultDelimiter = ',';

export function lineEnd(csv: CsvOptions | undefined): string {
  return csv?.crlf ? '\r\n' : '\n';
}

/** The text of a cell before it is quoted. */
export function toTextOf(csv: CsvOptions | undefined): (value: Value) => string {
  return csv?.textIds ? typedText : guardedText;
}

/** Writes the cells of rows as csv-stringify does; see the decision on lines of csv. */
export function cellWriter(csv: CsvOptions | undefined, columns: number): (value: Value) => string {
  const { delimiter = defaultDelimiter } = csv ?? {};
  const toText = toTextOf(csv);
  const special = new RegExp(`["\\r\\n${delimiter.replace(/[\\\]^-]/g, '\\$&')}]`);
  const empty = columns === 1 ? '""' : '';
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
