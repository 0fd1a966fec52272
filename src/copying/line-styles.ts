/** How csv and tsv write what is copied, and what of it they do not write as it is. */
import { cellWriter, defaultDelimiter, lineEnd } from '../output/csv-cell.ts';
import type { CsvOptions } from '../output/render-options.ts';
import { escapedText } from '../output/tsv.ts';
import type { LineStyle } from './line-copy.ts';

export const tsvStyle: LineStyle = {
  delimiter: '\t',
  end: '\n',
  around: '',
  quote: '"',
  special: '',
  safeStarts: new Uint8Array(256).fill(1),
  cell: escapedText,
  finish: escapedText,
};

/** With these a cell of JSON, and no number, needs quotes. */
const plainDelimiters = [',', ';', '\t', '|'];

/** Undefined where other things than these need quotes, or texts are kept as typed. */
export function csvStyle(csv: CsvOptions | undefined, columns: number): LineStyle | undefined {
  const delimiter = csv?.delimiter ?? defaultDelimiter;
  if (csv?.textIds || !plainDelimiters.includes(delimiter)) return undefined;
  return {
    delimiter,
    end: lineEnd(csv),
    around: '"',
    quote: '""',
    special: delimiter,
    safeStarts: safeStarts(),
    cell: cellWriter(csv, columns),
  };
}

/** What surely begins no formula: digits, what stands behind `@`, and the letters of most scripts. */
function safeStarts(): Uint8Array {
  const safe = new Uint8Array(256);
  const ranges = [
    [0x30, 0x39],
    [0x41, 0x7e],
    [0xc3, 0xc9],
    [0xce, 0xd5],
    [0xe4, 0xec],
  ];
  for (const [first = 0, last = 0] of ranges) safe.fill(1, first, last + 1);
  return safe;
}
