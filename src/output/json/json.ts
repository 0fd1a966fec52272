/** json: always one valid document, streamed. */
import type { RenderOptions, Writer } from '../render-options.ts';
import { type Column, chosenColumns } from '../rows/columns.ts';
import { isRow, type Row, type Value } from '../rows/rows.ts';
import { colorJson } from './json-color.ts';
import { toJson } from './json-text.ts';

/** Writes an array of the rows. If the pages fail after the first, the array is closed. */
export function open(options: RenderOptions): Writer {
  let pick = options.begun && pickOf(options.begun, options);
  const colored = options.color ? colorJson : asIs;
  return {
    add(page) {
      if (page.length === 0) return '';
      const lead = pick ? ',' : '[';
      pick ??= pickOf(page, options);
      // The array without its brackets.
      return lead + colored(toJson(page.map(pick), 2).slice(1, -2));
    },
    end: (isBroken) => [pick ? '\n]\n' : isBroken ? '' : '[]\n'],
  };
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
