/** xlsx: a workbook for Excel and LibreOffice, with typed cells, streamed. */
import type { Arrangement, Chunk, RenderOptions } from '../render-options.ts';
import { isList, isRow, type Row, type Value } from '../rows/rows.ts';
import {
  cellOf,
  isCut,
  noteColumn,
  openTotals,
  totalsColumns,
  typedColumns,
  usualZone,
} from './cells.ts';
import type { Cell } from './sheet.ts';
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
  const { isSummed } = options.totals || {};
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
      cut += cells.reduce((sum, line) => sum + line.filter(isCut).length, 0);
      sheet.add(cells);
      if (position > 0) return;
      const summed = isSummed ? page.filter(isSummed) : page;
      if (summed.length === page.length) totals.add(some, cells);
      else totals.add(rows(summed), cellsOf(rows(summed)));
    },
  };
}

/** An object is a row below its header; a list is a row for each element; a scalar is a cell. */
export function writeValue(value: Value, options: RenderOptions): Chunk {
  if (isRow(value)) {
    const { add, end, close } = open(options);
    try {
      return Buffer.concat([add([value]), ...end(false)]);
    } finally {
      close();
    }
  }
  const book = openWorkbook();
  const records = (isList(value) ? value : [value]).map((each) => (isList(each) ? each : [each]));
  const width = Math.max(1, ...records.map(({ length }) => length));
  const columns = Array.from({ length: width }, (_, at) => ({ name: `${at + 1}`, width: 20 }));
  const zone = options.zone?.name ?? usualZone.name;
  const cells = records.map((some) => some.map((cell) => cellOf(cell, { kind: 'text', zone })));
  book.sheet('Values', columns, { direct: true }).add(cells);
  return Buffer.concat([...book.finish()]);
}
