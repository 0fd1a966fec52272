/** ndjson: a JSON object a line. */
import type { RenderOptions } from '../render-options.ts';
import { isList, isRow, type Pages, type Value } from '../rows/rows.ts';
import { pickOf } from './json.ts';
import { toJson } from './json-text.ts';

export async function* writeRows(pages: Pages, options: RenderOptions): AsyncGenerator<string> {
  let pick = options.begun && pickOf(options.begun, options);
  for await (const page of pages) {
    if (page.length === 0) continue;
    pick ??= pickOf(page, options);
    yield page.map(pick).map(line).join('');
  }
}

/** An object or a scalar is a line; a list is a line for each of its elements. */
export function writeValue(value: Value, options: RenderOptions): string {
  if (isList(value)) return value.map(line).join('');
  return line(isRow(value) ? pickOf([value], options)(value) : value);
}

function line(value: Value): string {
  return `${toJson(value)}\n`;
}
