/** xlsx: a workbook for Excel and LibreOffice, streamed, with typed cells. Text is always text, so nothing in it can run. */
import { serviceZone } from '../../dates/day.ts';
import { spreadsheetTime } from '../../dates/wall-time.ts';
import { addDecimals } from '../../decimals/decimals.ts';
import type { Arrangement, Chunk, RenderOptions } from '../render-options.ts';
import { allColumns, type Column, chosenColumns } from '../rows/columns.ts';
import {
  type ColumnKind,
  cellText,
  isList,
  isNumeral,
  isRow,
  type Row,
  type Shape,
  type Value,
} from '../rows/rows.ts';
import { type Cell, longestText, type NumberCell, type SheetColumn } from './sheet.ts';
import { openWorkbook, type Workbook } from './workbook.ts';

/** The first sheet is written as the rows arrive; sheets that are made of the same rows follow. */
export function open(options: RenderOptions) {
  const { sheet = 'Rows', shape, totals: summed, onCutTexts } = options;
  const book = openWorkbook();
  const plans = options.sheets ?? [{ name: sheet, shape, rows: (page: readonly Row[]) => page }];
  let sheets: readonly ReturnType<typeof openSheet>[] | undefined;
  const openSheets = (page: readonly Row[]) =>
    plans.map((plan, at) => openSheet(book, plan, page, options, at));
  return {
    add(page: readonly Row[]) {
      if (page.length === 0) return new Uint8Array(0);
      sheets ??= openSheets(page);
      for (const sheet of sheets) sheet.add(page);
      return Buffer.concat(book.take());
    },
    end(isBroken: boolean) {
      if (isBroken) return [];
      sheets ??= openSheets([]);
      const sums = summed === false ? [] : (sheets[0]?.totals.rows() ?? []);
      if (sums.length > 0) {
        const notes = summed ? summed.notes() : [];
        const columns = notes.length > 0 ? [...totalsColumns, noteColumn] : totalsColumns;
        const noted = notes.map((note) => [...totalsColumns.map(() => undefined), note]);
        book.sheet('Totals', columns).add([...sums, ...noted]);
      }
      const cut = sheets.reduce((sum, sheet) => sum + sheet.cut, 0);
      if (cut > 0) onCutTexts?.(cut);
      return book.finish();
    },
    close: book.close,
  };
}

function openSheet(
  book: Workbook,
  { name, shape, rows }: Arrangement,
  first: readonly Row[],
  options: RenderOptions,
  position: number,
) {
  const columns = typedColumns(rows(first), options, shape);
  const sheet = book.sheet(name, columns, { direct: position === 0 });
  const totals = openTotals(columns);
  const cellsOf = (some: readonly Row[]) =>
    some.map((row) => columns.map((column): Cell => column.cell(row)));
  let cut = 0;
  let before = 0;
  return {
    totals,
    /** The number of texts that a cell could not hold. */
    get cut() {
      return cut;
    },
    add(page: readonly Row[]) {
      const some = rows(page, before);
      before += page.length;
      const cells = cellsOf(some);
      cut += cells.flat().filter((cell) => String(cell).length > longestText).length;
      sheet.add(cells);
      if (position > 0) return;
      const summed = options.totals ? options.totals.summed(page) : page;
      const isWhole = page.every((row, at) => row === summed[at]);
      totals.add(isWhole ? cells : cellsOf(rows(summed)));
    },
  };
}

/** An object is a row below its header; a list is a row for each element; a scalar is a cell. */
export function writeValue(value: Value, options: RenderOptions): Chunk {
  const rows = (isList(value) ? value : [value]).map((one): Row => {
    if (isRow(one)) return one;
    return isList(one) ? Object.fromEntries(one.map((cell, at) => [at + 1, cell])) : { value: one };
  });
  const { add, end, close } = open(options);
  try {
    return Buffer.concat([add(rows), ...end(false)]);
  } finally {
    close();
  }
}

/** A spreadsheet calculates with 15 digits, so longer numbers stay text. */
const mostDigits = 15;

const number = /^-?\d+(?:\.\d+)?$/;

/** Digits that identify something stay text. */
function cellOf(
  value: Value,
  kind: ColumnKind,
  zone: string,
  isId: boolean,
  currency: Value,
): Cell {
  if (value === null || value === undefined || value === '') return undefined;
  if (typeof value === 'boolean') return value;
  const text = cellText(value);
  const isDated = typeof value === 'string' && (kind === 'time' || kind === 'day');
  if (isDated) return dateCell(text, kind, zone) ?? text;
  const isNumber = kind === 'number' || typeof value === 'number' || isNumeral(value);
  const isExact = text.replace(/\D/g, '').replace(/^0+/, '').length <= mostDigits;
  if (!isNumber || isId || !isExact || !number.test(text)) return text;
  if (typeof currency === 'string') return { digits: text, format: { currency } };
  return { digits: text, format: text.includes('.') ? 'decimal' : 'plain' };
}

/** Days from the start of 1900 to that of 1970, by the calendar of spreadsheets. */
const epoch = 25_569;
const dayLength = 86_400_000;

/** Spreadsheets count a February 29, 1900, so that earlier days differ. */
const firstSafe = 61;

function dateCell(text: string, kind: 'time' | 'day', zone: string): NumberCell | undefined {
  const clock = /^\d{4}-\d\d-\d\d$/.test(text) ? text : spreadsheetTime(text, zone);
  // A day is the day as it was sent, whatever the zone.
  const shown = kind === 'day' ? /^\d{4}-\d\d-\d\d/.exec(text)?.[0] : clock;
  const moment = shown === undefined ? Number.NaN : Date.parse(`${shown.replace(' ', 'T')}Z`);
  const serial = moment / dayLength + epoch;
  if (Number.isNaN(serial) || serial < firstSafe) return undefined;
  const isDay = shown?.length === 'yyyy-mm-dd'.length;
  // Ten decimals are a hundred-thousandth of a second.
  return { digits: String(Number(serial.toFixed(10))), format: isDay ? 'day' : 'time' };
}

interface TypedColumn extends SheetColumn {
  readonly field: string;
  cell(row: Row): Cell;
}

/** Pacific time, which ClickBank sends. */
const usualZone = { name: serviceZone, label: 'Pacific' };

/** Returns the columns of a sheet by its shape and the first rows; times name their zone. */
export function typedColumns(
  first: readonly Row[],
  { fields, zone = usualZone, currencies }: RenderOptions,
  shape: Shape | undefined,
): TypedColumn[] {
  const columns = fields ? chosenColumns(fields, shape, first) : allColumns(shape, first);
  return columns.map((column) => {
    const { path, kind, read, field } = column;
    const isAmount = field?.kind === 'decimal' && !field.isRatio && currencies !== undefined;
    const currencyOf = (row: Row) =>
      isAmount ? (currencies.fixed[path] ?? row[currencies.by]) : undefined;
    const isId = field?.names !== undefined || field?.kind === 'text';
    const cell = (row: Row): Cell => cellOf(read(row), kind, zone.name, isId, currencyOf(row));
    const name = kind === 'time' ? `${column.name} (${zone.label ?? zone.name})` : column.name;
    return { field: path, name, cell, width: widthOf(column, name, first) };
  });
}

/** In characters: wide enough for the heading with its filter button, and for most of the first values. */
function widthOf({ kind, read, room }: Column, name: string, first: readonly Row[]): number {
  const least = kind === 'time' ? 20 : kind === 'number' ? 14 : room + 2;
  const texts = first.map(read).map((value) => {
    if (isNumeral(value)) return value.value.length;
    return typeof value === 'string' && kind === 'text' ? value.length : 0;
  });
  const lengths = texts.toSorted((one, other) => one - other);
  const usual = (lengths[Math.floor(lengths.length * 0.9)] ?? 0) + 2;
  return Math.min(48, Math.max(least, usual, name.length + 4));
}

const totalsColumns: readonly SheetColumn[] = [
  { name: 'amount', width: 24 },
  { name: 'currency', width: 12 },
  { name: 'rows', width: 10 },
  { name: 'total', width: 18 },
];

const noteColumn: SheetColumn = { name: 'note', width: 80 };

/** Amounts of different or unknown currencies are never added. */
function openTotals(columns: readonly TypedColumn[]) {
  const sums = columns.map(() => new Map<string, { digits: string; rows: number }>());
  return {
    add(lines: readonly (readonly Cell[])[]) {
      for (const [at, cell] of lines.flatMap((line) => [...line.entries()])) {
        if (typeof cell !== 'object' || typeof cell.format !== 'object') continue;
        const { currency } = cell.format;
        const { digits = '0', rows = 0 } = sums[at]?.get(currency) ?? {};
        const sum = addDecimals([digits, cell.digits]);
        if (sum !== undefined) sums[at]?.set(currency, { digits: sum, rows: rows + 1 });
      }
    },
    /** A row for each amount and currency. */
    rows: () =>
      columns.flatMap(({ field }, at) =>
        [...(sums[at] ?? [])].map(([currency, { digits, rows }]): readonly Cell[] => [
          ...[field, currency, { digits: String(rows), format: 'plain' as const }],
          { digits, format: { currency } },
        ]),
      ),
  };
}
