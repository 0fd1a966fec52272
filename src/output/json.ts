/** json: always one valid document, streamed. ndjson: one JSON object per line. Both can have the colors of a terminal. */
import { type Color, paint } from './paint.ts';
import type { RenderOptions, Writers } from './render-options.ts';
import { type Column, chosenColumns } from './rows/columns.ts';
import { isList, isRow, type Row, toJson, type Value } from './rows/rows.ts';

export const json = jsonWriters(false);
export const ndjson = jsonWriters(true);

/** An array of the rows, which is closed if the pages fail after the first; or a line for each row. */
function jsonWriters(isLines: boolean): Writers {
  return {
    open(options) {
      let pick = options.begun && pickOf(options.begun, options);
      return {
        add(page) {
          if (page.length === 0) return '';
          const lead = pick ? ',' : '[';
          pick ??= pickOf(page, options);
          const picked = page.map(pick);
          // The array without its brackets.
          return isLines
            ? linesOf(picked, options)
            : lead + colored(toJson(picked, 2).slice(1, -2), options);
        },
        end(isBroken) {
          if (isLines) return [];
          if (pick) return ['\n]\n'];
          return isBroken ? [] : ['[]\n'];
        },
      };
    },
    /** With lines, a list is a line for each element. */
    writeValue(value, options) {
      const picked = isRow(value) ? pickOf([value], options)(value) : value;
      if (isLines) return linesOf(isList(picked) ? picked : [picked], options);
      return `${colored(toJson(picked, 2), options)}\n`;
    },
  };
}

function linesOf(values: readonly Value[], options: RenderOptions): string {
  return colored(values.map((value) => `${toJson(value)}\n`).join(''), options);
}

function pickOf(page: readonly Row[], { fields, shape }: RenderOptions): (row: Row) => Row {
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

/** A name with its colon, a text, or a number or literal. Line breaks inside texts are escaped in JSON. */
const tokens = /("(?:[^"\\]|\\.)*")(\s*:)?|-?\d[\d.eE+-]*|\b(?:true|false|null)\b/g;

/** Returns the same JSON, perhaps with colors. The text can be a part that begins and ends between two tokens. */
function colored(json: string, { color }: RenderOptions): string {
  if (!color) return json;
  return json.replace(tokens, (token, text: string | undefined, colon: string | undefined) => {
    if (text !== undefined) return colon ? paint('blue', text) + colon : paint('green', text);
    return paint(literals[token] ?? 'cyan', token);
  });
}

const literals: Readonly<Record<string, Color>> = { true: 'yellow', false: 'yellow', null: 'dim' };
