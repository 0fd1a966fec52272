/** json: always one valid document, streamed. */
import type { RenderOptions } from '../render-options.ts';
import { type Column, chosenColumns } from '../rows/columns.ts';
import { isRow, type Pages, type Row, type Value } from '../rows/rows.ts';
import { colorJson } from './json-color.ts';
import { toJson } from './json-text.ts';

/** Writes an array of the rows. If the pages fail after the first, the array is closed before the error is thrown. */
export async function* writeRows(pages: Pages, options: RenderOptions): AsyncGenerator<string> {
  let pick = options.begun && pickOf(options.begun, options);
  const colored = options.color ? colorJson : asIs;
  try {
    for await (const page of pages) {
      if (page.length === 0) continue;
      const lead = pick ? ',' : '[';
      pick ??= pickOf(page, options);
      // The array without its brackets.
      yield lead + colored(toJson(page.map(pick), 2).slice(1, -2));
    }
  } catch (error) {
    if (pick) yield '\n]\n';
    throw error;
  }
  yield pick ? '\n]\n' : '[]\n';
}

export function writeValue(value: Value, options: RenderOptions): string {
  const colored = options.color ? colorJson : asIs;
  return `${colored(toJson(isRow(value) ? pickOf([value], options)(value) : value, 2))}\n`;
}

function asIs(json: string): string {
  return json;
}

export function pickOf(page: readonly Row[], { fields, shape }: RenderOptions): (row: Row) => Row {
  if (!fields) return (row) => row;
  const chosen = chosenColumns(fields, shape, page);
  const isInside = ({ path }: Column) => chosen.some((other) => path.startsWith(`${other.path}.`));
  const columns = chosen.filter((column) => !isInside(column));
  return (row) =>
    columns.reduce<Row>((picked, { path, read }) => {
      const value = read(row);
      return value === undefined ? picked : placed(picked, path.split('.'), value);
    }, {});
}

function placed(row: Row, [key = '', ...others]: readonly string[], value: Value): Row {
  if (others.length === 0) return { ...row, [key]: value };
  const inner = row[key];
  return { ...row, [key]: placed(isRow(inner) ? inner : {}, others, value) };
}
