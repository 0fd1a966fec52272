/** json: always one valid document, streamed. */
import { chosenColumns } from './columns.ts';
import { compilePick, toJson } from './json-text.ts';
import type { RenderOptions } from './render-options.ts';
import { isRow, type Pages, type Row, type Value } from './rows.ts';

/** An array, a row after another; when the pages break off after the first, the array is closed before the error goes on. */
export async function* writeRows(pages: Pages, options: RenderOptions): AsyncGenerator<string> {
  let pick = options.begun && pickOf(options.begun, options);
  try {
    for await (const page of pages) {
      if (page.length === 0) continue;
      const lead = pick ? ',\n' : '[\n';
      pick ??= pickOf(page, options);
      yield lead + page.map(pick).map(element).join(',\n');
    }
  } catch (error) {
    if (pick) yield '\n]\n';
    throw error;
  }
  yield pick ? '\n]\n' : '[]\n';
}

export function writeValue(value: Value, options: RenderOptions): string {
  return `${toJson(isRow(value) ? pickOf([value], options)(value) : value, '\n')}\n`;
}

function element(row: Row): string {
  return `  ${toJson(row, '\n  ')}`;
}

/** What to show of a row: all of it, or the fields that the user chose. */
export function pickOf(page: readonly Row[], { fields, shape }: RenderOptions): (row: Row) => Row {
  return fields ? compilePick(chosenColumns(fields, shape, page)) : (row) => row;
}
