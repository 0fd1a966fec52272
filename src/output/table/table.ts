/** table: for reading on a terminal. */
import type { RenderOptions } from '../render-options.ts';
import { tableText } from '../rows/cell.ts';
import { allColumns, chosenColumns, headlineColumns } from '../rows/columns.ts';
import { isList, isRow, type Pages, type Row, type Value } from '../rows/rows.ts';
import { openCards } from './cards.ts';
import { type Style, styleFor } from './style.ts';
import {
  fitChosen,
  fitHeadline,
  fitRanked,
  headerLine,
  naturalTracks,
  roomier,
  rowLines,
  type Track,
  widened,
} from './table-layout.ts';
import { zoned } from './zoned.ts';

type PageWriter = (page: readonly Row[]) => string;

/**
 * A header and one line per row, with widths from the first page; nothing if there are no rows.
 * If the chosen fields don't fit side by side, each row becomes a card.
 */
export async function* writeRows(pages: Pages, options: RenderOptions): AsyncGenerator<string> {
  const { color, layout } = options;
  const style = styleFor(color);
  let write: PageWriter | undefined;
  for await (const page of options.live ? pages : withFullStart(pages)) {
    if (page.length === 0) continue;
    write ??=
      layout === 'cards' ? openCards(page, options, style) : openTable(page, options, style);
    yield write(page);
  }
}

/** Rows that decide the widths. The first pages can be shorter, because a list is read in windows. */
const enoughRows = 20;

/** Joins the first pages, so that the widths fit more than a few rows. Rows before an error are not lost. */
async function* withFullStart(pages: Pages): AsyncGenerator<readonly Row[]> {
  let start: Row[] | undefined = [];
  try {
    for await (const page of pages) {
      start?.push(...page);
      if (start && start.length < enoughRows) continue;
      yield start ?? page;
      start = undefined;
    }
  } catch (error) {
    if (start) yield start;
    throw error;
  }
  if (start) yield start;
}

export async function writeValue(value: Value, options: RenderOptions): Promise<string> {
  const style = styleFor(options.color);
  if (isRow(value)) return openCards([value], options, style)([value]);
  const records = isList(value) ? value : [value];
  return records.map((record) => `${tableText(record, 'text')}\n`).join('');
}

function openTable(page: readonly Row[], options: RenderOptions, style: Style): PageWriter {
  const { width } = options;
  const laid = layOut(page, options);
  if (!laid) return openCards(page, options, style);
  let tracks = laid;
  const shown = tracks.map(({ column: { path } }) => path);
  options.onColumns?.(shown, leftOut(shown, page, options));
  const isFitted = width !== undefined;
  let header = `${headerLine({ tracks, isFitted, style })}\n`;
  return (rows) => {
    if (isFitted) tracks = widened(tracks, rows, width);
    const lines = rowLines(rows, { tracks, isFitted, style }).map((line) => `${line}\n`);
    const text = header + lines.join('');
    header = '';
    return text;
  };
}

/** Times in ranked columns are short on a narrower terminal, and on a wider one if that makes room for a column. */
const narrow = 100;

function layOut(page: readonly Row[], options: RenderOptions): readonly Track[] | undefined {
  const { fields, shape, width, zone, live } = options;
  const columns = fields ? chosenColumns(fields, shape, page) : headlineColumns(shape, page);
  const tracks = naturalTracks(zoned(columns, zone), page, width);
  if (width === undefined) return tracks;
  if (fields) return fitChosen(tracks, page, width);
  const ranks = shape?.columns?.(page);
  if (!ranks) return fitHeadline(tracks, page, width);
  const whole = fitRanked(tracks, ranks, width);
  const now = options.now?.();
  const short = now
    ? fitRanked(naturalTracks(zoned(columns, zone, now), page, width), ranks, width)
    : whole;
  const fitting = width < narrow || short.length > whole.length ? short : whole;
  return live ? roomier(fitting, width) : fitting;
}

function leftOut(
  shown: readonly string[],
  page: readonly Row[],
  { fields, shape }: RenderOptions,
): readonly string[] {
  if (fields) return [];
  const columns = [...headlineColumns(shape, page), ...allColumns(shape, page)];
  const paths = new Set(columns.map(({ path }) => path));
  for (const path of shown) paths.delete(path);
  return [...paths];
}
