/** table: for reading on a terminal. */

import type { RenderOptions, Writer } from '../render-options.ts';
import {
  allColumns,
  type Column,
  chosenColumns,
  headlineColumns,
  sentence,
} from '../rows/columns.ts';
import {
  type ColumnKind,
  fieldOf,
  isList,
  isRow,
  type Row,
  shapeAt,
  tableText,
  type Value,
} from '../rows/rows.ts';
import { blanks, cut, widest, wrap } from './display-width.ts';
import {
  cellOf,
  fitChosen,
  fitHeadline,
  fitRanked,
  naturalTracks,
  roomier,
  type Style,
  styleFor,
  type Track,
  tableLines,
  widened,
  zoned,
} from './table-layout.ts';
import { plain } from './terminal-text.ts';

type PageWriter = (page: readonly Row[]) => string;

/** Fewer rows than this show each value, however often it repeats. */
const fewestToFold = 3;

/** Rows that decide the widths. The first pages can be shorter, because a list is read in windows. */
const enoughRows = 20;

/** With widths from the first rows. If the chosen fields don't fit side by side, each row becomes a card. */
export function open(options: RenderOptions): Writer {
  const style = styleFor(options.color);
  let write: PageWriter | undefined;
  let start: Row[] | undefined = options.live ? undefined : [];
  const print = (page: readonly Row[], isWhole = options.isWhole) => {
    if (page.length === 0) return '';
    const open = options.layout === 'cards' ? openCards : options.isPlain ? openRecords : openTable;
    write ??= open(page, { ...options, isWhole }, style);
    return write(page);
  };
  return {
    add(page) {
      if (!start) return print(page);
      start.push(...page);
      if (start.length < enoughRows) return '';
      const all = start;
      start = undefined;
      return print(all);
    },
    // Rows before an error are not lost.
    end: () => [print(start ?? [], options.isWhole ?? true)],
  };
}

export async function writeValue(value: Value, options: RenderOptions): Promise<string> {
  const style = styleFor(options.color);
  if (isRow(value)) return openCards([value], options, style)([value]);
  const records = isList(value) ? value : [value];
  return records.map((record) => `${tableText(record, 'text')}\n`).join('');
}

function openTable(page: readonly Row[], options: RenderOptions, style: Style): PageWriter {
  const { width } = options;
  const { kept, folded } = columnsFor(page, options);
  const laid = layOut(page, kept, options);
  if (!laid) return openCards(page, options, style);
  let tracks = laid;
  reportColumns([...tracks.map(({ column }) => column), ...folded], page, options);
  const isFitted = width !== undefined;
  const lead = folded.map((column) => `${plain(column.heading)}: ${textAt(column, page[0])}`);
  let start = [
    ...(lead.length > 0 ? wrap(lead.join('  '), width ?? Infinity).map(style.label) : []),
    tableLines([], { tracks, isFitted, style }).header,
  ];
  return (rows) => {
    if (isFitted) tracks = widened(tracks, rows, width);
    const lines = [...start, ...tableLines(rows, { tracks, isFitted, style }).lines];
    start = [];
    return lines.map((line) => `${line}\n`).join('');
  };
}

/** Each row as lines of `name: value`: the columns of the table, whatever the width of the terminal. */
function openRecords(page: readonly Row[], options: RenderOptions): PageWriter {
  const { fields, shape, zone } = options;
  const columns = zoned(
    fields ? chosenColumns(fields, shape, page) : headlineColumns(shape, page),
    zone,
  );
  reportColumns(columns, page, options);
  let lead = '';
  return (rows) =>
    rows
      .map((row) => {
        const record = `${lead}${recordLines(columns, row).join('\n')}\n`;
        lead = '\n';
        return record;
      })
      .join('');
}

function reportColumns(
  columns: readonly Column[],
  page: readonly Row[],
  { fields, shape, onColumns }: RenderOptions,
): void {
  const shown = columns.map(({ path }) => path);
  const all = fields ? [] : [...headlineColumns(shape, page), ...allColumns(shape, page)];
  const leftOut = new Set(all.map(({ path }) => path).filter((path) => !shown.includes(path)));
  onColumns?.(shown, [...leftOut]);
}

function recordLines(columns: readonly Column[], row: Row): string[] {
  return columns.flatMap((column) => {
    const text = textAt(column, row);
    return text === '' ? [] : [`${plain(column.heading)}: ${text}`];
  });
}

/** Times in ranked columns are short on a narrower terminal, and on a wider one if that makes room for a column. */
const narrow = 100;

/**
 * The columns of a table. If all rows are known, a column in which they all have the same value moves into the line above
 * the table, unless the user chose it, it is the key of the rows, or it has numbers.
 */
function columnsFor(page: readonly Row[], { fields, shape, isWhole }: RenderOptions) {
  if (fields) return { kept: chosenColumns(fields, shape, page), folded: [] };
  const columns = headlineColumns(shape, page);
  if (!isWhole || page.length < fewestToFold) return { kept: columns, folded: [] };
  const key = shape?.columns?.(page).needed[0] ?? columns[0]?.path;
  const isFolded = (column: Column) =>
    column.path !== key && !column.isRight && column.kind !== 'time' && hasOneValue(column, page);
  return {
    kept: columns.filter((column) => !isFolded(column)),
    folded: columns.filter(isFolded),
  };
}

function textAt(column: Column, row: Row = {}): string {
  return cellOf(column, column.read(row));
}

function hasOneValue(column: Column, page: readonly Row[]): boolean {
  const first = textAt(column, page[0]);
  return first !== '' && page.every((row) => textAt(column, row) === first);
}

function layOut(
  page: readonly Row[],
  columns: readonly Column[],
  options: RenderOptions,
): readonly Track[] | undefined {
  const { fields, shape, width, zone, live } = options;
  const tracks = naturalTracks(zoned(columns, zone), page, width);
  if (width === undefined) return tracks;
  if (fields) return fitChosen(tracks, width);
  const ranks = shape?.columns?.(page);
  if (!ranks) return fitHeadline(tracks, width);
  const whole = fitRanked(tracks, ranks, width);
  const now = options.now?.();
  const short = now
    ? fitRanked(naturalTracks(zoned(columns, zone, now), page, width), ranks, width)
    : whole;
  const fitting = width < narrow || short.length > whole.length ? short : whole;
  return live ? roomier(fitting, width) : fitting;
}

interface Entry {
  readonly path: string;
  readonly label: string;
  readonly value: Value;
  readonly kind: ColumnKind;
  readonly isGrouped: boolean;
}

const gap = '  ';

/** All fields that have a value, or exactly the chosen ones. `onColumns` is called for the first card only. */
function openCards(first: readonly Row[], options: RenderOptions, style: Style): PageWriter {
  const { fields, shape, zone } = options;
  const chosen = fields && zoned(labeled(chosenColumns(fields, shape, first)), zone);
  let { onColumns } = options;
  let lead = '';
  const write = (row: Row) => {
    const entries = chosen
      ? chosen.map((column) => entryOf(column, row))
      : presentEntries(row, options);
    const card = lead + writeEntries(entries, options, style, onColumns);
    onColumns = undefined;
    lead = '\n';
    return card;
  };
  return (page) => page.map(write).join('');
}

/** A field is shown as itself, or as the derived fields that stand in its place. */
function presentEntries(row: Row, { shape, zone }: RenderOptions): Entry[] {
  const names = Object.keys(shape?.derived ?? {});
  const derived = chosenColumns(names, shape, []).filter(({ read }) => isPresent(read(row)));
  const shown = labeled(allColumns(shape, [row])).flatMap((column) => {
    const here = derived.flatMap((one): Column[] => {
      const card = shape?.derived?.[one.path]?.card;
      if (card?.at !== column.path) return [];
      const { unit } = card;
      const read = (row: Row) => `${textAt(one, row)} ${unit}`;
      return [unit === undefined ? one : { ...one, read }];
    });
    return here.length > 0 ? here : [column];
  });
  return zoned(shown, zone)
    .flatMap((column) => openObject(entryOf(column, row)))
    .filter(({ value }) => isPresent(value));
}

function labeled(columns: readonly Column[]): Column[] {
  return columns.map((column) =>
    column.path.includes('.') ? { ...column, heading: sentence(column.name) } : column,
  );
}

function entryOf({ path, heading, kind, isGrouped, read }: Column, row: Row): Entry {
  return { path, label: plain(heading), value: read(row), kind, isGrouped };
}

/** Shows an object without known fields field by field. */
function openObject(outer: Entry): Entry[] {
  const { value } = outer;
  if (!isRow(value)) return [outer];
  return Object.entries(value).flatMap(([key, inner]) => {
    const path = `${outer.path}.${key}`;
    const label = plain(sentence(path));
    return openObject({ path, label, value: inner, kind: 'text', isGrouped: false });
  });
}

function isPresent(value: Value): boolean {
  return value !== null && value !== undefined && !(isList(value) && value.length === 0);
}

function writeEntries(
  entries: readonly Entry[],
  options: RenderOptions,
  style: Style,
  onColumns: RenderOptions['onColumns'],
): string {
  const { width } = options;
  const widestLabel = widest(entries.map(({ label }) => label));
  const labels = width === undefined ? widestLabel : Math.min(widestLabel, Math.floor(width / 2));
  const leftOut: string[] = [];
  const lines = entries.flatMap((each) => {
    const list = each.value;
    if (!isList(list) || !list.every(isRow)) {
      return options.isPlain
        ? [`${each.label}: ${cellOf(each, list)}`]
        : valueLines(each, labels, width, style);
    }
    const panel = writePanel(list, each.path, options, style);
    leftOut.push(...panel.leftOut);
    return [style.label(cut(each.label, width ?? Infinity)), ...panel.lines];
  });
  const paths = entries.map(({ path }) => path);
  onColumns?.(paths, leftOut);
  return lines.map((line) => `${line}\n`).join('');
}

function valueLines(entry: Entry, labels: number, width: number | undefined, style: Style) {
  const text = cellOf(entry, entry.value);
  const room = width === undefined ? Infinity : Math.max(1, width - labels - gap.length);
  return wrap(text, room).map((line, index) => {
    const name = index === 0 ? cut(entry.label, labels) : '';
    const shown = name + blanks(name, labels);
    const painted = style.value(line);
    return painted === '' ? style.label(shown).trimEnd() : style.label(shown) + gap + painted;
  });
}

/** Headline columns, then unknown ones, that have values and fit; `leftOut` has the paths of others with values. */
function writePanel(
  elements: readonly Row[],
  path: string,
  { shape, width, zone, isPlain }: RenderOptions,
  style: Style,
) {
  const inner = shapeAt(shape, path.split('.'));
  const hasValue = ({ read }: Column) =>
    elements.some((element) => (read(element) ?? null) !== null);
  const isUnknown = ({ path: field }: Column) =>
    inner !== undefined && !fieldOf(inner, field.split('.')[0] ?? '');
  const all = allColumns(inner, elements).filter(hasValue);
  const headline = headlineColumns(inner, elements).filter(hasValue);
  const shownFirst = zoned([...headline, ...all.filter(isUnknown)], zone);
  const natural = naturalTracks(shownFirst, elements, width);
  const isFitted = width !== undefined;
  const tracks = isFitted ? fitHeadline(natural, Math.max(1, width - gap.length), true) : natural;
  const shown = tracks.map(({ column }) => column.path);
  const { header, lines } = isPlain
    ? { header: '', lines: elements.map((one) => recordLines(shownFirst, one).join(', ')) }
    : tableLines(elements, { tracks, isFitted, isWrapped: isFitted, style });
  const leftOut = all.map((column) => column.path).filter((field) => !shown.includes(field));
  return {
    lines: (isPlain ? lines : [header, ...lines]).map((line) => gap + line),
    leftOut: leftOut.map((field) => `${path}.${field}`),
  };
}
