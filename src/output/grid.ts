/**
 * Lines of cells, drawn by cli-table3 without borders. It brings string-width 4, which counts the marks of
 * Thai, Hindi or pointed Hebrew as columns of their own, so it is given our measure in place of its own.
 */
import Table from 'cli-table3';
import measures from 'cli-table3/src/utils.js';
import { blanks, displayWidth } from './display-width.ts';
import { gap } from './table-layout.ts';

measures.strlen = displayWidth;
// What is too long was cut before it came here, by whole characters.
measures.truncate = (text) => text;
measures.pad = (text, width, _, alignment) =>
  alignment === 'right' ? blanks(text, width) + text : text + blanks(text, width);

export interface GridColumn {
  readonly width: number;
  readonly alignment: 'left' | 'right';
}

/** The time that cli-table3 takes grows with the square of the rows of one table. */
const rowsAtOnce = 100;

/** A line per row of texts without line breaks; blanks at the end of a line are left out. */
export function drawGrid(
  columns: readonly GridColumn[],
  rows: readonly (readonly string[])[],
): string[] {
  if (columns.length === 0) return rows.map(() => '');
  const lines: string[] = [];
  for (let start = 0; start < rows.length; start += rowsAtOnce) {
    const table = new Table({
      chars: noBorders,
      style: { 'padding-left': 0, 'padding-right': gap, compact: true },
      colWidths: columns.map(({ width }) => width + gap),
      colAligns: columns.map(({ alignment }) => alignment),
    });
    table.push(...rows.slice(start, start + rowsAtOnce).map((row) => [...row]));
    lines.push(...table.toString().split('\n'));
  }
  return lines.map((line) => line.trimEnd());
}

const noBorders = Object.fromEntries(
  [
    ...['top', 'top-mid', 'top-left', 'top-right', 'bottom', 'bottom-mid', 'bottom-left'],
    ...['bottom-right', 'left', 'left-mid', 'mid', 'mid-mid', 'right', 'right-mid', 'middle'],
  ].map((name) => [name, '']),
);
