/**
 * tsv: for scripts. A line is always a row and a tab always parts two cells: backslash, tab, line feed and
 * carriage return inside a value are written as `\\`, `\t`, `\n` and `\r`. There are no quotes, and no guard
 * against formulas, since what reads it is cut or awk and no spreadsheet.
 */
import { cellText } from './cell.ts';
import { writeRecord, writeRecords } from './delimited.ts';
import type { RenderOptions } from './render-options.ts';
import type { Pages, Value } from './rows.ts';

export function writeRows(pages: Pages, options: RenderOptions): AsyncGenerator<string> {
  return writeRecords(pages, options, encode);
}

export function writeValue(value: Value, options: RenderOptions): string {
  return writeRecord(value, options, encode);
}

function encode(records: readonly (readonly Value[])[]): string {
  return records.map((values) => `${values.map(escapedText).join('\t')}\n`).join('');
}

const escapes: Readonly<Record<string, string>> = {
  '\\': '\\\\',
  '\t': '\\t',
  '\n': '\\n',
  '\r': '\\r',
};

function escapedText(value: Value): string {
  return cellText(value).replace(/[\\\t\n\r]/g, (character) => escapes[character] ?? character);
}
