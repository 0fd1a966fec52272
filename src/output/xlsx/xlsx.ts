/** xlsx: a workbook for Excel and LibreOffice, with typed cells, streamed. */
import type { Arrangement, Chunk, RenderOptions } from '../render-options.ts';
import { isList, isRow, type Row, type Value } from '../rows/rows.ts';
import {
  cellOf,
  isCut,
  noteColumn,
  openTotals,
  type Totals,
  totalsColumns,
  typedColumns,
} from './cells.ts';
import type { Cell, Sheet } from './sheet.ts';
import { openWorkbook, type Workbook } from './workbook.ts';

/** The first sheet is written as the rows arrive; sheets that are made of the same rows follow. */
export function open(options: RenderOptions) {
  const book = openWorkbook();
  const plans = plansOf(options);
  let sheets: readonly OpenSheet[] | undefined;
  const openSheets = (page: readonly Row[]) =>
    plans.map((plan, at) => openPlan(book, plan, page, options, at));
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
      if (options.totals !== false) addTotals(book, sheets[0]?.totals, options.totals?.notes());
      tellCut(sheets, options);
      return book.finish();
    },
    close: book.close,
  };
}

/** An object is a row below its header; a list is a row for each element; a scalar is a cell. */
export function writeValue(value: Value, options: RenderOptions): Chunk {
  if (isRow(value)) return writeOne(value, options);
  const book = openWorkbook();
  try {
    const records = (isList(value) ? value : [value]).map((each) => (isList(each) ? each : [each]));
    const width = Math.max(1, ...records.map(({ length }) => length));
    const columns = Array.from({ length: width }, (_, at) => ({ name: `${at + 1}`, width: 20 }));
    const sheet = book.sheet('Values', columns, { direct: true });
    const zone = options.zone?.name ?? 'America/Los_Angeles';
    sheet.add(records.map((cells) => cells.map((cell) => cellOf(cell, { kind: 'text', zone }))));
    return Buffer.concat([...book.finish()]);
  } finally {
    book.close();
  }
}

interface OpenSheet {
  readonly totals: Totals;
  readonly cut: number;
  add(page: readonly Row[]): void;
}

function plansOf({ sheets, sheet = 'Rows', shape }: RenderOptions): readonly Arrangement[] {
  return sheets ?? [{ name: sheet, shape, rows: (page) => page }];
}

function openPlan(
  book: Workbook,
  { name, shape, rows }: Arrangement,
  first: readonly Row[],
  options: RenderOptions,
  position: number,
): OpenSheet {
  const columns = typedColumns(rows(first), options, shape);
  const sheet: Sheet = book.sheet(name, columns, { direct: position === 0 });
  const totals = openTotals(columns);
  const { isSummed } = options.totals || {};
  const cellsOf = (some: readonly Row[]) =>
    some.map((row) => columns.map((column): Cell => column.cell(row)));
  let cut = 0;
  let before = 0;
  return {
    totals,
    get cut() {
      return cut;
    },
    add(page) {
      const some = rows(page, before);
      before += page.length;
      const cells = cellsOf(some);
      cut += cells.reduce((sum, line) => sum + line.filter(isCut).length, 0);
      sheet.add(cells);
      if (position > 0) return;
      const summed = isSummed ? page.filter(isSummed) : page;
      if (summed.length === page.length) totals.add(some, cells);
      else totals.add(rows(summed), cellsOf(rows(summed)));
    },
  };
}

function addTotals(
  book: Workbook,
  totals: Totals | undefined,
  notes: readonly string[] = [],
): void {
  const sums = totals?.rows() ?? [];
  if (sums.length === 0) return;
  const columns = notes.length > 0 ? [...totalsColumns, noteColumn] : totalsColumns;
  const noted = notes.map((note) => [...totalsColumns.map(() => undefined), note]);
  book.sheet('Totals', columns).add([...sums, ...noted]);
}

function tellCut(sheets: readonly OpenSheet[], { onCutTexts }: RenderOptions): void {
  const cut = sheets.reduce((sum, sheet) => sum + sheet.cut, 0);
  if (cut > 0) onCutTexts?.(cut);
}

function writeOne(row: Row, options: RenderOptions): Chunk {
  const { add, end, close } = open(options);
  try {
    return Buffer.concat([add([row]), ...end(false)]);
  } finally {
    close();
  }
}
