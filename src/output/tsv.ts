/**
 * tsv: for scripts. A line is always a row and a tab always parts two cells: backslash, tab, line feed and
 * carriage return inside a value are written as `\\`, `\t`, `\n` and `\r`. There are no quotes, and no guard
 * against formulas, since what reads it is cut or awk and no spreadsheet.
 */
import { cellText } from './cell.ts';
import { compileLine, type Lines, writeRecord, writeRecords } from './delimited.ts';
import type { RenderOptions } from './render-options.ts';
import type { Pages, Value } from './rows.ts';

export function writeRows(pages: Pages, options: RenderOptions): AsyncGenerator<string> {
  return writeRecords(pages, options, lines);
}

export function writeValue(value: Value, options: RenderOptions): string {
  return writeRecord(value, options, lines);
}

const lines: Lines = {
  encode: (records) => records.map((values) => `${values.map(escapedText).join('\t')}\n`).join(''),
  lineOf: (columns) => compileLine(columns, '\t', '\n', escapedText),
};

const escapes: Readonly<Record<string, string>> = {
  '\\': '\\\\',
  '\t': '\\t',
  '\n': '\\n',
  '\r': '\\r',
};

const special = /[\\\t\n\r]/;

/** A value as the cell that it is. */
export function escapedText(value: Value): string {
  const text = cellText(value);
  if (!special.test(text)) return text;
  return text.replace(/[\\\t\n\r]/g, (character) => escapes[character] ?? character);
}
