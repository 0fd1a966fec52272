/** The lines of a table without borders: a header, then one line per row. */
import Table from 'cli-table3';
import { tableText } from '../rows/cell.ts';
import { mayBeCut } from '../rows/columns.ts';
import type { Row } from '../rows/rows.ts';
import { blanks, cut } from './display-width.ts';
import type { Style } from './style.ts';
import { gap, type Track } from './table-layout.ts';

/** Cells are cut only if the table is fitted to a width; otherwise long cells make their line longer. */
export interface Lines {
  readonly tracks: readonly Track[];
  readonly isFitted: boolean;
  readonly style: Style;
}

export function headerLine({ tracks, style }: Lines): string {
  return style.label(lineOf(tracks, ({ column: { heading }, width }) => cut(heading, width)));
}

export function rowLines(rows: readonly Row[], { tracks, isFitted, style }: Lines): string[] {
  return rows.map((row) =>
    lineOf(tracks, ({ column, width }) => {
      const value = column.read(row);
      const text = tableText(value, column.kind);
      return style.value(isFitted && mayBeCut(column, value) ? cut(text, width) : text);
    }),
  );
}

const borders = [
  ...['top', 'top-mid', 'top-left', 'top-right', 'bottom', 'bottom-mid', 'bottom-left'],
  ...['bottom-right', 'left', 'left-mid', 'mid', 'mid-mid', 'right', 'right-mid'],
];

/** The long `truncate` text saves time, see decision 006. */
const borderless = {
  chars: { ...Object.fromEntries(borders.map((name) => [name, ''])), middle: ' '.repeat(gap) },
  style: { 'padding-left': 0, 'padding-right': 0, border: [] },
  truncate: '…'.repeat(10),
};

/** A table of one row, drawn by cli-table3; numbers are aligned right, and trailing spaces are removed. */
function lineOf(tracks: readonly Track[], textOf: (track: Track) => string): string {
  const table = new Table(borderless);
  const cells = tracks.map((track) => {
    const text = textOf(track);
    const fill = blanks(text, track.width);
    return track.column.isRight ? fill + text : text + fill;
  });
  table.push(cells);
  return table.toString().trimEnd();
}
