/**
 * tsv: for scripts. A line is always a row and a tab always separates two cells: backslash, tab, line feed and
 * carriage return inside a value are written as `\\`, `\t`, `\n` and `\r`. There are no quotes and no guard
 * against formulas, because tsv is read by programs such as cut and awk.
 */
import { cellText } from '../rows/cell.ts';
import type { Value } from '../rows/rows.ts';
import { delimitedWriters } from './delimited.ts';

const escapes: Readonly<Record<string, string>> = {
  '\\': '\\\\',
  '\t': '\\t',
  '\n': '\\n',
  '\r': '\\r',
};

export const { open, writeValue } = delimitedWriters(() => ({
  mark: '',
  write: (records) => records.map((values) => `${values.map(escapedText).join('\t')}\n`).join(''),
}));

function escapedText(value: Value): string {
  return cellText(value).replace(/[\\\t\n\r]/g, (character) => escapes[character] ?? '');
}
