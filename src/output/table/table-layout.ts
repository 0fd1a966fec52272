/** Selects the columns that fit on the terminal, and their widths. */
import Table from 'cli-table3';
import { tableText } from '../rows/cell.ts';
import { type Column, mayBeCut } from '../rows/columns.ts';
import type { Row, TableColumns } from '../rows/rows.ts';
import { blanks, cut, displayWidth, widest } from './display-width.ts';
import type { Style } from './style.ts';
import { plain } from './terminal-text.ts';

export interface Track {
  readonly column: Column;
  readonly width: number;
}

export const gap = 2;

/** Text is cut down to this width before a headline column is omitted. */
const headlineMinimum = 12;

/** Columns that the user chose are cut further, because none may be omitted. */
const chosenMinimum = 6;

/** The first column identifies the row, usually by an ID that is useless if cut. */
const firstMinimum = 24;

/** Returns all columns as wide as their headings and the rows of the first page, but no wider than the terminal. */
export function naturalTracks(
  columns: readonly Column[],
  rows: readonly Row[],
  most = Number.POSITIVE_INFINITY,
): Track[] {
  return columns.map((column) => {
    const heading = plain(column.heading);
    return { column: { ...column, heading }, width: naturalWidth(column, rows, heading, most) };
  });
}

function naturalWidth(
  { read, kind, room }: Column,
  rows: readonly Row[],
  heading: string,
  most: number,
): number {
  const texts = [heading, ...rows.map((row) => tableText(read(row), kind))];
  return Math.max(Math.min(room, most), widest(texts.map((text) => cut(text, most))));
}

/** As many columns, starting with the first, as fit; at least one. */
export function fitHeadline(
  tracks: readonly Track[],
  rows: readonly Row[],
  width: number,
): Track[] {
  const least = leastWidths(tracks, rows, headlineMinimum);
  let fitting = tracks.length;
  while (fitting > 1 && total(least.slice(0, fitting)) > width) fitting -= 1;
  return spread(tracks.slice(0, fitting), least, width);
}

/** A text of this width or less is not cut for a column that is wanted, and of the other width for one that is neither. */
const readable = 18;
const unhurried = 40;

/** The width that text may get for rows that arrive later. */
const roomy = 30;

/**
 * The columns whose rank is high enough, in their order: needed ones as many as fit, at least one; then wanted ones, and
 * then others. Headings are whole, and longer text shares the rest of the width.
 */
export function fitRanked(
  tracks: readonly Track[],
  { needed, wanted = [], more }: Omit<TableColumns, 'shown'>,
  width: number,
): Track[] {
  const ranked = [...needed, ...wanted, ...more];
  const settled = ranked.map((_, i) => {
    if (i < needed.length) return undefined;
    return i < needed.length + wanted.length ? readable : unhurried;
  });
  const highest = (count: number) => {
    const names = ranked.slice(0, count);
    return tracks.filter(({ column }) => names.includes(column.path));
  };
  const leastFor = (count: number) =>
    highest(count).map((track) => {
      const isLast = track.column.path === ranked[count - 1];
      return leastWidth(track, isLast ? undefined : settled[count - 1]);
    });
  let count = ranked.length;
  while (count > 1 && total(leastFor(count)) > width) count -= 1;
  return spread(highest(count), leastFor(count), width);
}

/** The same columns with more room for text whose length varies, as far as the width allows: later rows can be longer. */
export function roomier(tracks: readonly Track[], width: number): Track[] {
  const now = tracks.map((track) => track.width);
  const wide = tracks.map((track) => ({
    ...track,
    width: track.column.least === undefined ? track.width : Math.max(track.width, roomy),
  }));
  return spread(wide, now, width);
}

function leastWidth(
  { column, width: natural }: Track,
  least = column.least ?? headlineMinimum,
): number {
  if (column.isWhole) return natural;
  return Math.min(natural, Math.max(least, displayWidth(column.heading)));
}

/** Returns all columns, or undefined if they do not fit at their minimum widths. */
export function fitChosen(
  tracks: readonly Track[],
  rows: readonly Row[],
  width: number,
): Track[] | undefined {
  const least = leastWidths(tracks, rows, chosenMinimum);
  return total(least) > width ? undefined : spread(tracks, least, width);
}

/**
 * Returns the minimum widths. Text and headings may be cut; numbers, times, IDs and the first heading with a time
 * zone may not.
 */
function leastWidths(tracks: readonly Track[], rows: readonly Row[], minimum: number): number[] {
  const firstTime = tracks.findIndex(({ column }) => column.kind === 'time');
  return tracks.map(({ column, width }, index) => {
    const heading = index === firstTime ? column.heading : '';
    const content = Math.max(naturalWidth(column, rows, heading, width), minimum);
    const most = index === 0 ? firstMinimum : minimum;
    return Math.min(width, column.isWhole ? content : Math.min(content, most));
  });
}

/**
 * The same columns for later rows: values that must not be cut get the width they need, at the expense of text.
 * Returns the same tracks if nothing is too long.
 */
export function widened(
  tracks: readonly Track[],
  rows: readonly Row[],
  width: number,
): readonly Track[] {
  const needed = tracks.map(({ column, width }) =>
    column.isWhole ? Math.max(width, wholeWidth(column, rows)) : width,
  );
  if (needed.every((one, index) => one === tracks[index]?.width)) return tracks;
  const least = tracks.map(({ column, width }, index) =>
    column.isWhole ? (needed[index] ?? 0) : Math.min(width, chosenMinimum),
  );
  const natural = tracks.map(({ column }, index) => ({ column, width: needed[index] ?? 0 }));
  return spread(natural, least, Math.max(width, total(least)));
}

function wholeWidth(column: Column, rows: readonly Row[]): number {
  const whole = rows.filter((row) => !mayBeCut(column, column.read(row)));
  return naturalWidth(column, whole, '', Number.POSITIVE_INFINITY);
}

function total(widths: readonly number[]): number {
  return widths.reduce((sum, width) => sum + width, 0) + gap * Math.max(0, widths.length - 1);
}

/** Widens the narrowest column that needs more, one terminal column at a time, until the width is used up. */
function spread(tracks: readonly Track[], least: readonly number[], width: number): Track[] {
  const widths = tracks.map((track, index) => Math.min(track.width, least[index] ?? 0, width));
  for (let spare = width - total(widths); spare > 0; spare -= 1) {
    const wanting = widths.map((now, index) =>
      now < (tracks[index]?.width ?? 0) ? now : Infinity,
    );
    const narrowest = Math.min(...wanting);
    if (narrowest === Infinity) break;
    widths[wanting.indexOf(narrowest)] = narrowest + 1;
  }
  return tracks.map(({ column }, index) => ({ column, width: widths[index] ?? 0 }));
}

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
