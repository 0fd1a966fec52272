/** Lines of a table without borders: a header, then a line per row. */

import { tableText } from './cell.ts';
import { mayBeCut } from './columns.ts';
import { cut } from './display-width.ts';
import { drawGrid } from './grid.ts';
import type { Row } from './rows.ts';
import type { Style } from './style.ts';
import type { Track } from './table-layout.ts';

/** Cells are cut only when the table is fitted to a width; else a long one pushes its line to the right. */
export interface Lines {
  readonly tracks: readonly Track[];
  readonly isFitted: boolean;
  readonly style: Style;
}

export function headerLine({ tracks, style }: Lines): string {
  const headings = tracks.map(({ column: { heading }, width }) => cut(heading, width));
  return style.header(draw(tracks, [headings]).join('\n'));
}

export function rowLines(rows: readonly Row[], { tracks, isFitted, style }: Lines): string[] {
  const texts = rows.map((row) =>
    tracks.map(({ column, width }) => {
      const value = column.read(row);
      const text = tableText(value, column.kind);
      return style.value(isFitted && mayBeCut(column, value) ? cut(text, width) : text);
    }),
  );
  return draw(tracks, texts);
}

/** Numbers to the right, all else to the left. */
function draw(tracks: readonly Track[], texts: readonly (readonly string[])[]): string[] {
  const columns = tracks.map(({ column: { kind }, width }) => ({
    width,
    alignment: kind === 'number' ? ('right' as const) : ('left' as const),
  }));
  return drawGrid(columns, texts);
}
