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
  special: [],
  safeStarts: new Uint8Array(256).fill(1),
  cell: escapedText,
  finish: escapedText,
};

/** With these a cell of JSON, and no number, needs quotes. */
const plainDelimiters = [',', ';', '\t', '|'];

/** Undefined where other things than these need quotes. */
export function csvStyle(csv: CsvOptions | undefined, columns: number): LineStyle | undefined {
  const delimiter = csv?.delimiter ?? defaultDelimiter;
  if (!plainDelimiters.includes(delimiter)) return undefined;
  const asked = csv?.textIds ? typed : guarded;
  return {
    delimiter,
    end: lineEnd(csv),
    around: '"',
    quote: '""',
    special: [delimiter.charCodeAt(0), ...asked.special],
    safeStarts: asked.safeStarts,
    cell: cellWriter(csv, columns),
  };
}

type Range = readonly [first: number, last: number];

const digits: Range = [0x30, 0x39];

/** What surely begins no formula: digits, what stands behind `@`, and the letters of most scripts. */
const guarded: Pick<LineStyle, 'special' | 'safeStarts'> = {
  special: [],
  safeStarts: tableOf([digits, [0x41, 0x7e], [0xc3, 0xc9], [0xce, 0xd5], [0xe4, 0xec]]),
};

/** What a spreadsheet surely takes for text: no digit of any script, and no word that may mean true or false. */
const typed: Pick<LineStyle, 'special' | 'safeStarts'> = {
  special: [...bytesIn(digits), ...bytesIn([0x80, 0xff])],
  safeStarts: tableOf([...'abcdeghijklmnopqrsuxyzABCDEGHIJKLMNOPQRSUXYZ'].map(alone)),
};

function alone(letter: string): Range {
  return [letter.charCodeAt(0), letter.charCodeAt(0)];
}

function bytesIn([first, last]: Range): number[] {
  return Array.from({ length: last - first + 1 }, (_, i) => first + i);
}

function tableOf(ranges: readonly Range[]): Uint8Array {
  const table = new Uint8Array(256);
  for (const [first, last] of ranges) table.fill(1, first, last + 1);
  return table;
}
