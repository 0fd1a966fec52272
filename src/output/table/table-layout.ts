/** Selects the columns that fit on the terminal, and their widths. */
import Table from 'cli-table3';
import { shortTime, wallTime } from '../../dates/wall-time.ts';
import { readableAmount } from '../../decimals/decimals.ts';
import { type Color, paint } from '../paint.ts';
import type { TimeZone } from '../render-options.ts';
import { type Column, mayBeCut } from '../rows/columns.ts';
import { type Row, type TableColumns, tableText, type Value } from '../rows/rows.ts';
import { blanks, cut, displayWidth, widest, wrap } from './display-width.ts';
import { plain } from './terminal-text.ts';

export interface Track {
  readonly column: Column;
  readonly width: number;
  /** The width of the values without the heading. */
  readonly content: number;
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
    const content = contentWidth(column, rows, most);
    const width = Math.max(content, displayWidth(cut(heading, most)));
    return { column: { ...column, heading }, width, content };
  });
}

function contentWidth(column: Column, rows: readonly Row[], most: number): number {
  const texts = rows.map((row) => cut(cellOf(column, column.read(row)), most));
  return Math.max(Math.min(column.room, most), widest(texts));
}

/** As many columns, starting with the first, as fit; at least one. If it is wrapped, text in the last column stays before others. */
export function fitHeadline(tracks: readonly Track[], width: number, isWrapped = false): Track[] {
  const least = leastWidths(tracks, headlineMinimum);
  const fitting = tracks.map((track, index) => ({ track, least: least[index] ?? 0 }));
  const leastOf = () => fitting.map((one) => one.least);
  const staysLast = isWrapped && tracks.at(-1)?.column.isWhole === false;
  while (fitting.length > 1 && total(leastOf()) > width) {
    fitting.splice(staysLast && fitting.length > 2 ? -2 : -1, 1);
  }
  const shown = fitting.map(({ track }) => track);
  return spread(shown, leastOf(), width);
}

/** Returns all columns, or undefined if they do not fit at their minimum widths. */
export function fitChosen(tracks: readonly Track[], width: number): Track[] | undefined {
  const least = leastWidths(tracks, chosenMinimum);
  return total(least) > width ? undefined : spread(tracks, least, width);
}

/** Text and headings may be cut; numbers, times, IDs and the first heading with a time zone may not. */
function leastWidths(tracks: readonly Track[], minimum: number): number[] {
  const firstTime = tracks.findIndex(({ column }) => column.kind === 'time');
  return tracks.map(({ column, width, content }, index) => {
    const needed = Math.max(index === firstTime ? width : content, minimum);
    const most = index === 0 ? firstMinimum : minimum;
    return Math.min(width, column.isWhole ? needed : Math.min(needed, most));
  });
}

/** A text of this width or less is not cut for a column that is wanted, and of the other width for one that is neither. */
const readable = 18;
const unhurried = 40;

/** Needed columns as far as they fit, at least one, then wanted ones, then others. Headings are whole. */
export function fitRanked(
  tracks: readonly Track[],
  { needed, wanted = [], more }: Omit<TableColumns, 'shown'>,
  width: number,
): Track[] {
  const ranked = [...needed, ...wanted, ...more];
  for (let count = ranked.length; ; count -= 1) {
    const names = ranked.slice(0, count);
    const shown = tracks.filter(({ column }) => names.includes(column.path));
    const settled = count <= needed.length + wanted.length ? readable : unhurried;
    const least = shown.map(({ column, width: natural }) => {
      if (column.isWhole) return natural;
      const isLast = column.path === names.at(-1);
      const usual = column.least ?? headlineMinimum;
      const text = isLast || count <= needed.length ? usual : settled;
      return Math.min(natural, Math.max(text, displayWidth(column.heading)));
    });
    if (count <= 1 || total(least) <= width) return spread(shown, least, width);
  }
}

/** The width that text may get for rows that arrive later. */
const roomy = 30;

/** The same columns with more room for text whose length varies, as far as the width allows: later rows can be longer. */
export function roomier(tracks: readonly Track[], width: number): Track[] {
  const now = tracks.map((track) => track.width);
  const wide = tracks.map((track) => ({
    ...track,
    width: track.column.least === undefined ? track.width : Math.max(track.width, roomy),
  }));
  return spread(wide, now, width);
}

/** Values of later rows that must not be cut get the width they need, at the expense of text. */
export function widened(tracks: readonly Track[], rows: readonly Row[], width: number) {
  const natural = tracks.map((track): Track => {
    const { column } = track;
    if (!isKept(track)) return track;
    const whole = rows.filter((row) => !mayBeCut(column, column.read(row)));
    return { ...track, width: Math.max(track.width, contentWidth(column, whole, Infinity)) };
  });
  if (natural.every((one, index) => one.width === tracks[index]?.width)) return tracks;
  const least = natural.map((track) =>
    isKept(track) ? track.width : Math.min(track.width, chosenMinimum),
  );
  return spread(natural, least, Math.max(width, total(least)));
}

function isKept({ column: { isWhole, words } }: Track): boolean {
  return isWhole || words.length > 0;
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
  return tracks.map((track, index) => ({ ...track, width: widths[index] ?? 0 }));
}

/** The text of a value in a table. */
export function cellOf(
  { kind, isGrouped }: Pick<Column, 'kind' | 'isGrouped'>,
  value: Value,
): string {
  const text = tableText(value, kind);
  return isGrouped ? readableAmount(text) : text;
}

/** Cells are cut only if the table is fitted to a width; otherwise long cells make their line longer. */
export interface Lines {
  readonly tracks: readonly Track[];
  readonly isFitted: boolean;
  /** Long text in the last column continues on the next lines. */
  readonly isWrapped?: boolean;
  readonly style: Style;
}

export function tableLines(rows: readonly Row[], { tracks, isFitted, isWrapped, style }: Lines) {
  const last = tracks.at(-1);
  return {
    header: style.label(lineOf(tracks, ({ column, width }) => cut(column.heading, width))),
    lines: rows.flatMap((row) => {
      const text = ({ column }: Track) => cellOf(column, column.read(row));
      const ending = last && isWrapped ? wrap(text(last), last.width) : [undefined];
      return ending.map((part, at) =>
        lineOf(tracks, (track) => {
          const { column, width } = track;
          if (part !== undefined && track === last) return style.value(part);
          if (at > 0) return '';
          const isCut = isFitted && mayBeCut(column, column.read(row));
          return style.value(isCut ? cut(text(track), width) : text(track));
        }),
      );
    }),
  };
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

export interface Style {
  /** Dims headings and labels. */
  readonly label: (text: string) => string;
  /** Colors a text that is exactly one of the service's statuses or kinds of transactions. */
  readonly value: (text: string) => string;
}

/** Red: money was lost or something failed. Yellow: money was returned, or somebody must act. */
const meanings: Readonly<Partial<Record<Color, readonly string[]>>> = {
  green: ['ACTIVE', 'APPROVED', 'COMPLETED', 'GREEN', 'REFUNDABLE'],
  yellow: [
    ...['ACTION_REQUIRED', 'APPROVAL_REQUIRED', 'HAS_OPEN_REFUND', 'OPEN', 'PENDING'],
    ...['PENDING_APPROVAL', 'REFUND', 'REOPENED', 'RFND', 'SUGGESTED_REFUND_BLOCK', 'TEST_RFND'],
    ...['UNDER_REVIEW', 'YELLOW'],
  ],
  red: [
    ...['ALREADY_REFUNDED', 'AUTHORIZATION_FAILURE', 'CANCELED', 'CGBK', 'DISAPPROVED', 'INACTIVE'],
    ...['INSF', 'RED', 'REFUND_BLOCKED', 'UNREFUNDABLE', 'VALIDATION_FAILURE'],
  ],
  dim: ['CLOSED', 'EXPIRED'],
};

export function styleFor(color: boolean | undefined): Style {
  if (!color) return { label: (text) => text, value: (text) => text };
  return {
    label: (text) => paint('dim', text),
    value: (text) => {
      const found = /^[A-Z_]+$/.test(text) ? colorOf.get(text) : undefined;
      return found ? paint(found, text) : text;
    },
  };
}

const colorOf = new Map(
  Object.entries(meanings).flatMap(([color, texts]) =>
    texts.map((text) => [text, color as Color] as const),
  ),
);

/** Shows times in the zone, with its label after their headings. If `now` is given, times are short. */
export function zoned(
  columns: readonly Column[],
  zone: TimeZone | undefined,
  now?: Date | undefined,
): Column[] {
  if (!zone) return [...columns];
  const { name, label } = zone;
  return columns.map((column) => {
    if (column.kind !== 'time') return column;
    const { heading, read } = column;
    return {
      ...column,
      heading: label === undefined ? heading : `${heading} (${label})`,
      read: (row) => {
        const value = read(row);
        if (typeof value !== 'string') return value;
        return now ? shortTime(value, name, now) : wallTime(value, name);
      },
    };
  });
}
